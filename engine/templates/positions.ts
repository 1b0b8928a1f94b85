import type { Token } from 'liquidjs';

/**
 * Where tokens of a text stand. The library counts from the beginning of the text for each variable that it analyzes; here the lines are
 * counted once.
 */
export class Positions {
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  keep(token: Token): void {
    token.getPosition = () => this.#of(token.begin);
  }

  #of(index: number): number[] {
    const line = this.#lineOf(index);
    return [line + 1, index - (this.#starts[line] ?? 0) + 1];
  }

  /** From 0: the last line that starts there or before. */
  #lineOf(index: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
