import type { SealingKeys } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import type { OpenedKeyStore } from '../../persistence/index.js';

/** Several stores of data keys as one, the newest first: a key that is destroyed in one of them is destroyed. */
export class GivenKeys implements SealingKeys {
  readonly #erased: ReadonlySet<string>;

  /** `erased`: persons whose erasure is recorded. */
  constructor(
    private readonly stores: readonly OpenedKeyStore[],
    erased: readonly string[],
  ) {
    this.#erased = new Set(erased);
  }

  has(owner: string): boolean {
    return !this.#isDestroyed(owner) && this.#storeOf(owner) !== undefined;
  }

  knows(owner: string): boolean {
    return this.#erased.has(owner) || this.stores.some((store) => store.knows(owner));
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    return must(this.#storeOf(owner), `${owner} has a data key`).seal(owner, plain, context);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    return this.#isDestroyed(owner) ? undefined : must(this.#storeOf(owner), `${owner} has a data key`).open(owner, sealed, context);
  }

  #isDestroyed(owner: string): boolean {
    return this.#erased.has(owner) || this.stores.some((store) => store.knows(owner) && !store.has(owner));
  }

  #storeOf(owner: string): OpenedKeyStore | undefined {
    return this.stores.find((store) => store.has(owner));
  }
}
