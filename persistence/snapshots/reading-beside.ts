import type { LmdbStore } from './lmdb-store.js';
import type { StartLog } from './start-log.js';
import { damageSeenBeside } from './whole-check.js';

/**
 * Has another process read environments while this one serves from them. One that is damaged is condemned: the next read of it
 * has it rebuilt. A process that has the environments of several units has one such reading at a time.
 */
export class ReadingBeside {
  static #last: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  #reading: Promise<void> = Promise.resolve();

  /** The environments by their paths. */
  constructor(
    private readonly stores: ReadonlyMap<string, Pick<LmdbStore, 'condemn'>>,
    private readonly starts: Pick<StartLog, 'noteSound'>,
  ) {}

  begin(): void {
    ReadingBeside.#last = ReadingBeside.#last.then(() => (this.#reading = this.#read()));
  }

  /** Resolves when nobody reads any more. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const damaged = await damageSeenBeside([...this.stores.keys()], this.#ending.signal);
      if (damaged.size === 0) this.starts.noteSound();
      for (const [path, damage] of damaged) this.stores.get(path)?.condemn(damage);
    } catch {
      // It was ended, or no process can be started: the lives stay noted, so that the next start has all of it read.
    }
  }
}
