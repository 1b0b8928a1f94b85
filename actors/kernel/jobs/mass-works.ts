import type { Day } from '../../../engine/index.js';
import type { ActorDefinition } from '../actor.js';
import { applyRow, type FactTable } from '../fact-table.js';
import { type Agent, type Fact, type FactDraft, factTest, keyBelow, type Tenant, tenantKey } from '../fact.js';
import { LIMITS } from '../limits.js';
import type { DayClosed } from '../shard/calendars.js';
import { operationIdOf } from './operations.js';

/** The actors that mass work is about: the definition of their kind interprets the filter. */
export interface Selection {
  readonly kind: string;
  readonly filter: unknown;
}

/** Actors that are counted. */
export interface Counted extends Selection {
  /** Only those under this actor, which are found without a look at all others. */
  readonly under?: string;
}

/** What is done with each of them. */
type MassTask =
  /** Applies a shared fact that the actors have not applied yet. */
  | { readonly type: 'catchUp'; readonly selection: Selection }
  | MassCommand
  /** The work that a closed day of a zone brings to the actors on the agenda. */
  | { readonly type: 'day'; readonly zone: string; readonly day: Day };

/** A command that is carried out for each actor on behalf of the user who ordered the work. */
export interface MassCommand {
  readonly type: 'command';
  readonly selection: Selection;
  readonly command: string;
  readonly body: object;
}

/** The kind of facts that concern no actor: the progress of mass work. */
export const MASS = 'mass';

/** Facts of a shared actor that order mass work, pause it, resume it or cancel it. */
export interface MassFacts {
  readonly MassOrdered: MassOrder;
  readonly MassPaused: { readonly operationId: string };
  readonly MassResumed: { readonly operationId: string };
  readonly MassCanceled: { readonly operationId: string };
}

export interface MassOrder {
  /** The name of the operation: `loan.replay`. */
  readonly kind: string;
  /** The object that was made or changed with the order. */
  readonly resultObjectId: string | null;
  readonly task: MassTask;
  /** Computed and compared, never recorded. */
  readonly isDryRun: boolean;
  /** It waits for `resume`. */
  readonly isHeld: boolean;
  /** Of work that the service orders by itself; absent: that of the command. */
  readonly operationId?: string;
  /** The next day of the company is not closed before it is done. */
  readonly isOfDay?: boolean;
  /** What a dry run takes as recorded about the shared actor that ordered it. */
  readonly supposing: readonly FactDraft[];
}

/**
 * One batch of mass work, in the same block of its shard as the facts that it has recorded: after a crash both are there or neither, so
 * that no actor is computed twice and the counts are right.
 */
export interface MassAdvanced {
  readonly operationId: string;
  readonly shard: number;
  /** Creation stamp of the last actor of the batch, in the order of creation; 0 where the agenda gives the order. */
  readonly through: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failures: readonly MassFailure[];
  /** No actor of this shard is left. */
  readonly isLast: boolean;
}

/** Facts that the runtime itself records, and mass work follows. */
export const isOfRuntime = factTest<{ readonly DayClosed: DayClosed; readonly MassAdvanced: MassAdvanced }>();

/** An actor that could not be computed. It stays as it was, and the others go on. */
export interface MassFailure {
  readonly id: string;
  readonly errorType: string;
  readonly message: string;
}

const ORDERS: ReadonlySet<string> = new Set<keyof MassFacts>(['MassOrdered', 'MassPaused', 'MassResumed', 'MassCanceled']);

/** Facts of a shared actor that do not change it. */
export const isMassFact = (type: string): boolean => ORDERS.has(type);

/** Work on many actors: what was ordered, and the progress that its facts record. */
export interface MassWork extends MassOrder {
  readonly operationId: string;
  readonly tenant: Tenant;
  /** The shared actor that ordered it. */
  readonly owner: { readonly kind: string; readonly id: string } | null;
  /** Stamp of the ordering fact: actors created later are not affected. */
  readonly stamp: number;
  readonly by: Agent;
  /** Machine time in milliseconds. */
  readonly orderedAt: number;
  /** Paused or held: it waits for `resume`. */
  isPaused: boolean;
  canceledAt: number | null;
  /** By shard. */
  readonly shares: Map<number, MassShare>;
}

/** What is done on one shard. */
interface MassShare {
  through: number;
  changed: number;
  unchanged: number;
  failed: number;
  /** The first of them, with ids. */
  readonly failures: MassFailure[];
  isLast: boolean;
  /** Machine time of the last batch in milliseconds. */
  advancedAt: number;
}

interface PackedWork extends Omit<MassWork, 'shares'> {
  readonly shares: readonly (readonly [number, MassShare])[];
}

const millisecondsOf = (stamp: number): number => Math.floor(stamp / 1000);

/** The mass work of all tenants: computed from facts alone, like the calendars, and stored with them. */
export class MassWorks {
  readonly #works = new Map<string, MassWork>();
  /** The closing of the newest day of each zone of a tenant. */
  readonly #closings = new Map<string, MassWork>();

  /** A fact of a shared actor, from `World.apply`: it may order work, or trigger a job for actors that have to catch up with it. */
  onFact(fact: Fact, definition: ActorDefinition<unknown>): void {
    if (isMassFact(fact.type)) {
      applyRow(MassWorks.#APPLY, this, fact);
      return;
    }
    const trigger = definition.triggers?.(fact);
    if (!trigger) return;
    this.#order(
      fact,
      { ...ORDERED, kind: trigger.kind, resultObjectId: trigger.objectId, task: { type: 'catchUp', selection: trigger.selection } },
      { kind: fact.kind, id: fact.id },
    );
  }

  dayClosed(fact: Fact, { zone, day }: DayClosed): void {
    this.#order(fact, { ...ORDERED, kind: 'day.close', task: { type: 'day', zone, day } }, null);
  }

  advanced({ stamp }: Fact, { operationId, shard, through, changed, unchanged, failures, isLast }: MassAdvanced): void {
    const work = this.#works.get(operationId);
    if (!work) return;
    const share = work.shares.get(shard) ?? newShare();
    work.shares.set(shard, share);
    Object.assign(share, { through: Math.max(share.through, through), isLast: share.isLast || isLast, advancedAt: millisecondsOf(stamp) });
    share.changed += changed;
    share.unchanged += unchanged;
    share.failed += failures.length;
    share.failures.push(...failures.slice(0, LIMITS.namedFailures - share.failures.length));
  }

  get(tenant: Tenant, operationId: string): MassWork | undefined {
    const work = this.#works.get(operationId);
    return work && tenantKey(work.tenant) === tenantKey(tenant) ? work : undefined;
  }

  /** The closing of the newest day of a zone. */
  closingOf(tenant: Tenant, zone: string): MassWork | undefined {
    return this.#closings.get(keyBelow(tenant, zone));
  }

  /** Oldest first. */
  all(): Iterable<MassWork> {
    return this.#works.values();
  }

  forget(operationId: string): void {
    this.#works.delete(operationId);
  }

  dropTenant(tenant: Tenant): void {
    for (const work of [...this.#works.values()]) if (isOf(work, tenant)) this.#works.delete(work.operationId);
    for (const [key, work] of [...this.#closings]) if (isOf(work, tenant)) this.#closings.delete(key);
  }

  pack(): readonly PackedWork[] {
    return [...this.#works.values()].map(({ shares, ...work }) => ({ ...work, shares: [...shares] }));
  }

  unpack(packed: readonly PackedWork[]): void {
    for (const { shares, ...work } of packed) this.#put({ ...work, shares: new Map(shares) });
  }

  static readonly #APPLY: FactTable<MassWorks, MassFacts> = {
    MassOrdered: (works, body, fact) => works.#order(fact, body, { kind: fact.kind, id: fact.id }),
    MassPaused: (works, { operationId }) => works.#change(operationId, (work) => void (work.isPaused = true)),
    MassResumed: (works, { operationId }) => works.#change(operationId, (work) => void (work.isPaused = false)),
    MassCanceled: (works, { operationId }, { stamp }) =>
      works.#change(operationId, (work) => void (work.canceledAt ??= millisecondsOf(stamp))),
  };

  #order({ commandId, tenant, stamp, by }: Fact, order: MassOrder, owner: MassWork['owner']): void {
    const operationId = order.operationId ?? operationIdOf(commandId);
    if (this.#works.has(operationId)) return;
    this.#put({
      ...order,
      operationId,
      tenant,
      owner,
      stamp,
      by,
      orderedAt: millisecondsOf(stamp),
      isPaused: order.isHeld,
      canceledAt: null,
      shares: new Map(),
    });
    if (this.#works.size > LIMITS.massWorks) this.#dropOldest();
  }

  #put(work: MassWork): void {
    this.#works.set(work.operationId, work);
    if (work.task.type === 'day') this.#closings.set(keyBelow(work.tenant, work.task.zone), work);
  }

  #change(operationId: string, change: (work: MassWork) => void): void {
    const work = this.#works.get(operationId);
    if (work) change(work);
  }

  /** Drops a day that was closed long ago rather than an order. */
  #dropOldest(): void {
    const works = [...this.#works.values()];
    const oldest = works.find(({ task }) => task.type === 'day') ?? works[0];
    if (oldest) this.#works.delete(oldest.operationId);
  }
}

/** Work that begins at once and is recorded. */
const ORDERED: Omit<MassOrder, 'kind' | 'task'> = { resultObjectId: null, isDryRun: false, isHeld: false, supposing: [] };

/** Whether it is the work of a company in a mode. */
export const isOf = (work: Pick<MassWork, 'tenant'>, tenant: Tenant): boolean => tenantKey(work.tenant) === tenantKey(tenant);

const newShare = (): MassShare => ({ through: 0, changed: 0, unchanged: 0, failed: 0, failures: [], isLast: false, advancedAt: 0 });
