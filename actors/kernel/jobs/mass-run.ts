import type { Tenant } from '../fact.js';
import type { World } from '../shard/world.js';
import { DifferenceReport } from './difference-report.js';
import type { MassFailure } from './mass-facts.js';
import type { MassWork } from './mass-works.js';

/** Those of one shard who wait for their turn, in the order of making. */
export interface Queue {
  readonly shard: number;
  readonly ids: readonly string[];
  readonly stamps: readonly number[];
  next: number;
}

/** How a piece of mass work stands in this process: who waits, how fast it goes, and what a dry run has found. */
export class MassRun {
  /** Null until the list index was gone through. */
  #queues: Queue[] | null = null;
  #turn = 0;
  #remaining = 0;
  readonly report: DifferenceReport | null;
  /** Of a dry run; all else counts by its facts. */
  readonly counted = { changed: 0, unchanged: 0, failures: [] as MassFailure[], failed: 0 };
  /** Machine time in milliseconds. */
  finishedAt: number | null = null;
  /** Processor time apart, how long it has been under way, and how many it did: pauses and what was before a start do not count. */
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

  /** Null while nobody knows. */
  get remaining(): number | null {
    return this.#queues && this.#remaining;
  }

  list(queues: readonly Queue[]): void {
    this.#queues = queues.filter(({ ids }) => ids.length > 0);
    this.#remaining = this.#queues.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /** The shards take turns, so that their blocks are under way side by side. */
  nextQueue(): Queue | undefined {
    const queues = this.#queues ?? [];
    return queues[(this.#turn += 1) % Math.max(1, queues.length)];
  }

  /** Some of a queue have had their turn. */
  took(queue: Queue, count: number): void {
    queue.next += count;
    this.#remaining -= count;
    this.pace.done += count;
    if (queue.next >= queue.ids.length) this.#queues = (this.#queues ?? []).filter((each) => each !== queue);
  }

  /** It was over before anybody asked: a later day is closed. */
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
