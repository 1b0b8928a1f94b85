import { type ClusterPart, SharedFactMissing } from './cluster-part.js';
import { unavailable } from '../journal/committer.js';
import { LIMITS } from '../limits.js';
import { withinReadWait } from './waiting.js';

/** Commands of a worker that need a calendar which the owner of the shared shard has to open first. */
export class SharedFacts {
  readonly #waiting = new Set<() => void>();

  /** `sequence` tells how far the shared shard is known here. */
  constructor(
    private readonly part: ClusterPart | undefined,
    private readonly sequence: () => number,
  ) {}

  /** Resolves when the shared shard is known here up to the sequence; throws `unavailable` past the bound of a read. */
  async known(sequence: number): Promise<void> {
    while (this.sequence() < sequence) await withinReadWait(this.#next(), unavailable('What all share is not known here yet.'));
  }

  /** What needs such a fact is done again from its beginning once that is here; within bounds, else a 503. */
  once<T>(run: () => Promise<T>): Promise<T> {
    return this.part === undefined ? run() : this.#onceOpened(this.part, run);
  }

  async #onceOpened<T>(part: ClusterPart, run: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await run();
      } catch (cause) {
        if (!(cause instanceof SharedFactMissing) || tried > LIMITS.sharedTries) throw cause;
        const advanced = this.#next();
        await part.recordShared(cause.tenant, cause.fact, cause.body);
        await withinReadWait(advanced, cause);
      }
    }
  }

  #next(): Promise<void> {
    return new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Facts of the shared shard have come. */
  advanced(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
