import type { Value } from './values.js';

/** Variables that a template sets, in front of those of the scope around. A turn of a loop, a block and an included template have one of their own. */
export class Scope {
  readonly #own: Map<string, Value>;

  constructor(private readonly outer: Scope | null, own: ReadonlyMap<string, Value> = new Map()) {
    this.#own = new Map(own);
  }

  set(name: string, value: Value): void {
    this.#own.set(name, value);
  }

  get(name: string): Value | undefined {
    const own = this.#own.get(name);
    return own === undefined ? this.outer?.get(name) : own;
  }
}
