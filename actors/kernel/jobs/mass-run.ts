import type { Tenant } from '../fact.js';
import type { World } from '../shard/world.js';
import { DifferenceReport } from './difference-report.js';
import type { MassFailure, MassWork } from './mass-works.js';

/** The state of mass work in this process: the waiting actors, its rate, and the differences that a dry run has found. */
export class MassRun {
  /** Null until the list index has been searched. */
  #queues: Queue[] | null = null;
  #turn = 0;
  #remaining = 0;
  readonly report: DifferenceReport | null;
  /** Of a dry run; other work is counted by its facts. */
  readonly counted = { changed: 0, unchanged: 0, failures: [] as MassFailure[], failed: 0 };
  /** Machine time in milliseconds. */
  finishedAt: number | null = null;
  /** How many were computed, and the elapsed milliseconds that this took, without pauses and the time before a start. */
  readonly pace = { done: 0, ms: 0 };

  constructor(
    readonly work: MassWork,
    readonly world: World,
  ) {
    this.report = work.isDryRun ? new DifferenceReport() : null;
  }

  get tenant(): Tenant {
    return this.work.tenant;
  }

  get isListed(): boolean {
    return this.#queues !== null;
  }

  /** Null while unknown. */
  get remaining(): number | null {
    return this.#queues && this.#remaining;
  }

  list(queues: readonly Queue[]): void {
    this.#queues = queues.filter(({ ids }) => ids.length > 0);
    this.#remaining = this.#queues.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /** Alternates between the shards, so that their blocks are written side by side. */
  nextQueue(): Queue | undefined {
    const queues = this.#queues ?? [];
    return queues[(this.#turn += 1) % Math.max(1, queues.length)];
  }

  /** So many actors of a queue have been computed: the next ones come next. */
  countDone(queue: Queue, count: number): void {
    queue.next += count;
    this.#remaining -= count;
    this.pace.done += count;
    if (queue.next >= queue.ids.length) this.#queues = (this.#queues ?? []).filter((each) => each !== queue);
  }

  /** The work was over before its operation was asked for: a later day is closed. */
  endBefore(at: number): void {
    this.expect(0);
    this.finishedAt = at;
  }

  /** Daily work is listed by the agenda. */
  expect(remaining: number): void {
    this.#queues ??= [];
    this.#remaining = remaining;
  }
}

/** The waiting actors of one shard, in the order of creation. */
export interface Queue {
  readonly shard: number;
  readonly ids: readonly string[];
  readonly stamps: readonly number[];
  next: number;
}
