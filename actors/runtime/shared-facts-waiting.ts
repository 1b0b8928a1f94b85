import { type ClusterPart, SharedFactMissing } from './cluster-part.js';
import { LIMITS } from './limits.js';
import { withinReadWait } from './waiting.js';

/** Commands of a worker that need a calendar which the owner of the shared shard has to open first. */
export class SharedFacts {
  readonly #waiting = new Set<() => void>();

  constructor(private readonly part: ClusterPart | undefined) {}

  /** What needs such a fact is done again from its beginning once that is here; within bounds, else a 503. */
  async once<T>(run: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await run();
      } catch (cause) {
        if (!(cause instanceof SharedFactMissing) || this.part === undefined || tried > LIMITS.sharedTries) throw cause;
        const advanced = new Promise<void>((resolve) => this.#waiting.add(resolve));
        await this.part.recordShared(cause.tenant, cause.fact, cause.body);
        await withinReadWait(advanced, cause);
      }
    }
  }

  /** Facts of the shared shard have come. */
  advanced(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
