import { must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { CatalogRow } from '../actor.js';
import { type Tenant, tenantKey } from '../fact.js';
import { LIMITS, SHARED_SHARD } from '../limits.js';
import { countHere } from '../shard/scope.js';
import { HALF_OF_THREAD, TimeBudget, type Scheduler } from '../shard/scheduler.js';
import type { World } from '../shard/world.js';
import { DryRun } from './dry-run.js';
import { MassRun, type Queue } from './mass-run.js';
import type { Counted, MassWork } from './mass-works.js';
import { MassBatch, type MassBatchHost } from './mass-batch.js';

/** What mass work needs of the engine. */
export interface MassHost extends MassBatchHost {
  world(): World;
  machineMs(): number;
  /** Resolves when the batch being written has ended, and the gathering one is being written. */
  passed(): Promise<void>;
  readonly scheduler: Scheduler | undefined;
  /** Resolves when the list index is complete. */
  listed(): Promise<void>;
  /** Whether more may be recorded without taking the room that commands need. */
  hasRoom(): boolean;
  /** Reports work whose filter cannot be asked. */
  refused(work: MassWork, cause: Refusal): void;
}

/**
 * Does the mass work of this process's own shards. The shared facts say what is ordered, the list index selects the actors, and the facts
 * of each shard say which are done. So it continues after any crash where it was, in one process or in many.
 */
export class MassRunner {
  readonly #runs = new Map<string, MassRun>();
  /** The running work, by the operation's id. */
  readonly #active = new Map<string, Promise<void>>();
  /** How often work met a bug since the start of the process: work that does so again and again waits for the next start. */
  readonly #bugs = new Map<string, number>();
  #stopped = false;

  constructor(
    private readonly host: MassHost,
    private readonly onError: (cause: unknown) => void,
  ) {}

  /** Continues all unfinished work. */
  trigger(): void {
    if (this.#stopped) return;
    this.#forgetOld();
    for (const work of this.host.world().massWorks.all()) if (this.#isToDo(work)) this.#start(work);
  }

  /** Resolves when nothing more can be done now. */
  async idle(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active.values());
  }

  /** Resolves when nothing more of one work can be done here now. */
  async ended({ operationId }: MassWork): Promise<void> {
    await this.#active.get(operationId);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.idle();
  }

  /** The state of the work in this process. */
  runOf(work: MassWork): MassRun {
    const known = this.#runs.get(work.operationId);
    if (known && (known.world === this.host.world() || (work.isDryRun && known.finishedAt !== null))) return known;
    const world = this.host.world();
    const run = new MassRun(work, world);
    this.#runs.set(work.operationId, run);
    if (work.task.type === 'day' && world.massWorks.closingOf(work.tenant, work.task.zone) !== work) run.endBefore(work.orderedAt);
    const ends = [...world.shards.keys()].filter((shard) => world.owns(shard)).map((shard) => work.shares.get(shard));
    if (ends.every((share) => share?.isLast)) run.endBefore(Math.max(work.orderedAt, ...ends.map((share) => share?.advancedAt ?? 0)));
    return run;
  }

  /** Waits while much is not durable yet or the disk is full: mass work never fails for lack of room. */
  async room(): Promise<void> {
    while (!this.#stopped && !this.host.hasRoom()) {
      await this.host.passed(); // a failed journal is opened again, and then there is room
      if (!this.host.hasRoom()) await new Promise((resolve) => setTimeout(resolve, LIMITS.roomRetryMs));
    }
  }

  #start(work: MassWork): void {
    const { operationId } = work;
    const ended = this.#runWhenListed(work)
      .then(
        () => true,
        (cause: unknown) => {
          this.#bugs.set(operationId, (this.#bugs.get(operationId) ?? 0) + 1);
          this.onError(cause);
          return false;
        },
      )
      .then((isWell) => {
        this.#active.delete(operationId);
        if (isWell) this.trigger(); // it may have been resumed, or memory reloaded, while it stopped
      });
    this.#active.set(operationId, ended);
  }

  async #runWhenListed(work: MassWork): Promise<void> {
    await this.host.listed();
    const run = this.runOf(work);
    if (this.#isCurrent(run)) await this.#run(run);
  }

  #isToDo(work: MassWork): boolean {
    const { task, canceledAt, isPaused, operationId } = work;
    return (
      task.type !== 'day' &&
      canceledAt === null &&
      !isPaused &&
      !this.#active.has(operationId) &&
      (this.#bugs.get(operationId) ?? 0) < LIMITS.massBugs &&
      this.runOf(work).finishedAt === null
    );
  }

  async #run(run: MassRun): Promise<void> {
    const { work } = run;
    if (!run.isListed) await this.#list(run);
    const budget = new TimeBudget(() => HALF_OF_THREAD, this.host.scheduler);
    for (let begun = performance.now(); this.#isCurrent(run) && !work.isPaused; begun = performance.now()) {
      const queue = run.nextQueue();
      if (!queue) return this.#finish(run);
      if (run.report) this.#compareSome(run, queue, budget);
      else {
        await this.room();
        if (this.#isCurrent(run)) await this.#computeSome(run, queue, budget);
      }
      await budget.yieldToOthers();
      run.pace.ms += performance.now() - begun;
    }
  }

  /** False when memory was reloaded meanwhile: the work is listed there again. */
  #isCurrent({ world, work }: MassRun): boolean {
    return (
      !this.#stopped &&
      world === this.host.world() &&
      work.canceledAt === null &&
      world.massWorks.get(work.tenant, work.operationId) === work
    );
  }

  /** Resolves at once, unless the next actor waits for another unit of the cluster. */
  async #computeSome(run: MassRun, queue: Queue, budget: TimeBudget): Promise<void> {
    const { work, world } = run;
    const batch = new MassBatch(this.host, work, work.tenant, queue.shard);
    const { kind } = selectionOf(work);
    let at = queue.next;
    let waiting: Promise<void> | null = null;
    do {
      const actor = world.find(work.tenant, kind, queue.ids[at] ?? '');
      waiting = actor ? this.host.missing(actor) : null;
      if (waiting) break;
      batch.take(actor, queue.stamps[at] ?? 0);
      at += 1;
    } while (at < queue.ids.length && batch.count < LIMITS.massBatch && !budget.isSpent);
    const committed = batch.commit(at >= queue.ids.length);
    if (committed) world.locks.hold(committed.actors, work, this.host.machineMs(), committed.ticket.durable);
    run.countDone(queue, at - queue.next);
    await waiting;
  }

  #compareSome(run: MassRun, queue: Queue, budget: TimeBudget): void {
    const { work, world, report, counted } = run;
    const dryRun = new DryRun(this.host, work);
    let at = queue.next;
    do {
      const id = queue.ids[at] ?? '';
      const actor = world.find(work.tenant, selectionOf(work).kind, id);
      const compared = actor ? dryRun.compare(actor) : null;
      if (compared === null) counted.unchanged += 1;
      else if (report?.add(compared)) counted.changed += 1;
      else if (compared.fault === null) counted.unchanged += 1;
      else {
        counted.failed += 1;
        if (counted.failures.length < LIMITS.namedFailures)
          counted.failures.push({ id, errorType: 'operationFailed', message: compared.fault });
      }
      at += 1;
    } while (at < queue.ids.length && !budget.isSpent);
    run.countDone(queue, at - queue.next);
  }

  /** How many actors of this process match a selection. */
  count(tenant: Tenant, selection: Counted): number {
    return countHere(this.host.world(), this.host.scope(tenant, SHARED_SHARD), selection);
  }

  /** The actors of this process's shards that are not done yet, in time slices. */
  async #list(run: MassRun): Promise<void> {
    const { work, world } = run;
    const { kind } = selectionOf(work);
    const matches = this.#matchesOf(run);
    const queues = new Map<number, { shard: number; ids: string[]; stamps: number[]; next: number }>();
    const budget = new TimeBudget();
    for (const row of world.catalog.walk(work.tenant, kind)) {
      if (row.createdStamp <= work.stamp && matches(row)) {
        const shard = must(world.shardOf(row.id), row.id);
        const share = work.shares.get(shard);
        if (world.owns(shard) && (share === undefined || (!share.isLast && row.createdStamp > share.through))) {
          const queue = queues.get(shard) ?? { shard, ids: [], stamps: [], next: 0 };
          queues.set(shard, queue);
          queue.ids.push(row.id);
          queue.stamps.push(row.createdStamp);
        }
      }
      if (budget.isSpent) await budget.yieldToOthers();
      if (!this.#isCurrent(run)) return;
    }
    run.list([...queues.values()]);
  }

  /** An order whose filter is refused, as one of an earlier release may be, is one for no actor: it would be refused at each start. */
  #matchesOf({ work, world }: MassRun): (row: CatalogRow) => boolean {
    const { kind, filter } = selectionOf(work);
    const selects = must(world.definition(kind).selects, `${kind} can be selected`);
    try {
      return selects(filter, this.host.scope(work.tenant, SHARED_SHARD));
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      this.host.refused(work, cause);
      return () => false;
    }
  }

  /** Records the end of the work on shards without waiting actors too: an actor that matches later is not affected. */
  async #finish(run: MassRun): Promise<void> {
    const { work, world } = run;
    if (!work.isDryRun) {
      await this.room();
      if (!this.#isCurrent(run)) return;
      for (const shard of world.shards.keys()) {
        if (world.owns(shard) && work.shares.get(shard)?.isLast !== true) new MassBatch(this.host, work, work.tenant, shard).commit(true);
      }
    }
    run.finishedAt = this.host.machineMs();
  }

  /** Operations are kept for an hour after their end, which a unit of a cluster does not know; of reports only the newest. */
  #forgetOld(): void {
    const { massWorks, isWhole } = this.host.world();
    const now = this.host.machineMs();
    for (const work of [...massWorks.all()]) {
      const run = this.#runs.get(work.operationId);
      const endedAt = work.canceledAt ?? run?.finishedAt ?? null;
      const isOld =
        (endedAt !== null && now - (isWhole ? endedAt : work.orderedAt) > (isWhole ? LIMITS.operationMs : LIMITS.shareMs)) ||
        (work.isDryRun && now - work.orderedAt > LIMITS.dryRunMs);
      if (isOld) massWorks.forget(work.operationId);
    }
    const known = new Set([...massWorks.all()].map(({ tenant, operationId }) => `${tenantKey(tenant)}/${operationId}`));
    for (const [id, { tenant }] of this.#runs) if (!known.has(`${tenantKey(tenant)}/${id}`)) this.#runs.delete(id);
    const reports = [...this.#runs.values()].filter(({ report, finishedAt }) => report !== null && finishedAt !== null);
    for (const { report } of reports.slice(0, Math.max(0, reports.length - LIMITS.reports))) report?.drop();
  }
}

function selectionOf({ task }: MassWork): { readonly kind: string; readonly filter: unknown } {
  if (task.type === 'day') throw new Error('daily work is listed by the agenda');
  return task.selection;
}
