import { unavailable } from '../journal/committer.js';
import type { RowsLoading } from './rows-loading.js';
import { Slices } from '../shard/scheduler.js';
import type { World } from '../shard/world.js';

/** Reads the list index into memory while the service goes on: in slices, other work between. */
export class IndexReading {
  /** Resolves when all rows are there; rejects when they cannot be read, or nobody wants them any more. */
  readonly finished: Promise<void>;
  #isFinished = false;
  #isStopped = false;

  constructor(
    private readonly world: World,
    private readonly loading: RowsLoading,
  ) {
    this.finished = this.#read();
    this.finished.catch(() => undefined); // whoever waits for rows sees it; nobody may be waiting
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get rows(): number {
    return this.loading.count;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #read(): Promise<void> {
    const slices = new Slices();
    const pause = async (): Promise<void> => {
      await slices.othersTurn();
      if (this.#isStopped) throw unavailable('The service recovers.');
    };
    await pause(); // the start ends before the reading begins
    while (!this.loading.step(() => slices.isOver)) await pause();
    for (const _step of this.world.catalog.complete()) if (slices.isOver) await pause();
    this.#isFinished = true;
  }
}

/** All at once, for tools that serve nobody meanwhile. */
export function readWholeIndex(world: World, loading: RowsLoading): void {
  loading.step(() => false);
  for (const _step of world.catalog.complete());
}
