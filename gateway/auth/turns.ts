import { Refusal } from '../../actors/index.js';

/** One attempt at a time for each name: whoever guesses in parallel is counted like whoever guesses in turn. */
export class TurnsByName {
  readonly #last = new Map<string, Promise<unknown>>();

  /** `after` is given what nobody is told of, but the next turn has to wait for. */
  run<Result>(name: string, take: (after: (rest: Promise<unknown>) => void) => Promise<Result>): Promise<Result> {
    let rest: Promise<unknown> = Promise.resolve();
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(() =>
      take((later) => {
        rest = later;
      }),
    );
    const over = turn
      .catch(() => undefined)
      .then(() => rest)
      .catch(() => undefined)
      .then(() => {
        // whoever asked is told
        if (this.#last.get(name) === over) this.#last.delete(name);
      });
    this.#last.set(name, over);
    return turn;
  }
}

/** So many at once, so many waiting. */
export class Gate {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  /** `told`: whoever comes when no more may wait. */
  constructor(private readonly bounds: { readonly atOnce: number; readonly waiting: number; readonly told: string }) {}

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const { atOnce, waiting, told } = this.bounds;
    if (this.#inside >= atOnce) {
      if (this.#waiting.length >= waiting) throw new Refusal('unavailable', told, { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#inside += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }
}
