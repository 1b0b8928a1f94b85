import { addDays, type Day, must } from '../../../engine/index.js';
import type { Cursor } from '../../list-order.js';
import type { DecideEnv, ListPage, ListRequest, QueryEnv } from '../actor.js';
import { closedBefore } from './calendars.js';
import type { Tenant } from '../fact.js';
import { Elsewhere, type Need } from './remote-cache.js';
import { isUnreadable, nothingPersonal, unreadable } from '../journal/known-keys.js';
import type { HeldLock } from '../jobs/mass-locks.js';
import type { MassWork } from '../jobs/mass-works.js';
import type { Selection } from '../jobs/mass-facts.js';
import { MOMENTS, momentsToday } from '../moments.js';
import type { KeyStore } from '../ports.js';
import type { Question } from '../question.js';
import { Sight } from './access-scope.js';
import { actorKey } from '../snapshots/stored-keys.js';
import type { Resident, World } from './world.js';

/** A company as it would be: what a computation is to take for recorded. */
export interface Supposed {
  readonly id: string;
  readonly state: unknown;
}

/**
 * What deciding, applying and reading may know of the world, bound to one tenant and one shard. It hands out
 * ids and data keys, and changes nothing else.
 */
export class Scope implements DecideEnv, QueryEnv {
  #company: Resident | undefined;
  #mayAsk = false;
  #sight: Sight | null = null;
  #isOfMany = false;

  constructor(
    private readonly world: World,
    private readonly keys: KeyStore,
    readonly tenant: Tenant,
    private readonly shard: number,
    readonly now: number,
    private readonly onFirstUse: (tenant: Tenant, zone: string, lastClosed: Day) => void = NOTHING,
    private readonly supposed: Supposed | null = null,
  ) {}

  /**
   * The same for a decision or a reading, which may need what lies in another part of the cluster: `Elsewhere` is thrown then.
   * Until it `settles`: once something is applied nothing may be thrown.
   */
  asking(): Scope {
    if (this.world.isWhole) return this;
    const asking = new Scope(this.world, this.keys, this.tenant, this.shard, this.now, this.onFirstUse);
    asking.#mayAsk = true;
    return asking;
  }

  /** From here on it lists what somebody sees who sees the loans of these investors alone; without any, all. */
  seenBy(investorIds: readonly string[] = []): void {
    if (investorIds.length > 0)
      this.#sight = new Sight(this.world.catalog, this.tenant, investorIds, new Date(this.now).toISOString().slice(0, 10));
  }

  /** It reads of many: who cannot be read is shown without what is sealed, as the erased are, so that the others are shown. */
  ofMany(): this {
    this.#isOfMany = true;
    return this;
  }

  settle(): void {
    this.#mayAsk = false;
  }

  today(zone: string): Day {
    if (zone === MOMENTS) return momentsToday(this.now);
    const closed = this.world.calendars.lastClosed(this.tenant, zone);
    if (closed !== undefined) return addDays(closed, 1);
    const lastClosed = closedBefore(zone, this.now);
    this.onFirstUse(this.tenant, zone, lastClosed);
    return addDays(lastClosed, 1);
  }

  newId(prefix: string): string {
    return this.world.newId(this.shard, prefix);
  }

  reserveIds(count: number): number {
    const position = this.world.position(this.shard);
    const first = position.idCounter + 1;
    position.idCounter += count;
    return first;
  }

  derivedId(prefix: string, shardOf: string, counter: number): string {
    return this.world.ids.encode(prefix, this.world.shardOf(shardOf) ?? this.shard, counter);
  }

  /** The company is asked for at every turn: it is looked up once. */
  read<State>(kind: string, id: string): State | undefined {
    if (id === this.supposed?.id) return this.supposed.state as State;
    if (kind !== 'company' || id !== this.tenant.company) return this.#stateOf(kind, id) as State | undefined;
    this.#company ??= this.world.find(this.tenant, kind, id);
    return this.#company?.state as State | undefined;
  }

  stateOf<State>(kind: string, id: string): State | undefined {
    return this.read<State>(kind, id);
  }

  answerTo<Env, Args extends readonly unknown[], Result>(asked: Question<Env, Args, Result>): (env: Env, ...args: Args) => Result {
    return this.world.answers.answerTo(asked);
  }

  findExternal(tenant: Tenant, kind: string, externalId: string): string | undefined {
    const here = this.world.catalog.findExternal(tenant, kind, externalId);
    if (here !== undefined || this.world.isWhole) return here;
    return this.#known({ type: 'external', tenant, kind, externalId }) as string | undefined;
  }

  list(kind: string, request: ListRequest): ListPage {
    const sight = this.#sight;
    if (sight === null) return this.listAll(kind, request);
    const { matches, among, startingAfter, endingBefore } = request;
    return this.listAll(kind, {
      ...request,
      ...(startingAfter === undefined ? {} : { startingAfter: this.#seenCursor(kind, startingAfter) }),
      ...(endingBefore === undefined ? {} : { endingBefore: this.#seenCursor(kind, endingBefore) }),
      ...(among === undefined ? {} : { among: among.filter((row) => sight.sees(kind, row)) }),
      matches: (row) => (matches?.(row) ?? true) && sight.sees(kind, row),
    });
  }

  listAll(kind: string, request: ListRequest): ListPage {
    return this.world.catalog.list(this.tenant, kind, request);
  }

  sees(kind: string, id: string): boolean {
    if (this.#sight === null) return true;
    const row = this.world.catalog.get(this.tenant, kind, id);
    return row !== undefined && this.#sight.sees(kind, row);
  }

  isHere(id: string): boolean {
    const shard = this.world.shardOf(id);
    return shard === undefined || this.world.owns(shard);
  }

  massWork(operationId: string): MassWork | undefined {
    return this.world.massWorks.get(this.tenant, operationId);
  }

  lockOf(kind: string, id: string): HeldLock | undefined {
    return this.world.locks.of(actorKey(this.tenant, kind, id));
  }

  count(selection: Selection): number {
    if (!this.world.isWhole) return (this.#known({ type: 'count', tenant: this.tenant, selection }) ?? 0) as number;
    return countHere(this.world, this, selection);
  }

  /** A cursor that names something hidden names nothing. */
  #seenCursor(kind: string, cursor: Cursor): Cursor {
    if (typeof cursor !== 'string') return cursor;
    const id = cursor.startsWith('ext-') ? this.world.catalog.findExternal(this.tenant, kind, cursor.slice(4)) : cursor;
    const isHidden = id !== undefined && this.world.catalog.get(this.tenant, kind, id) !== undefined && !this.sees(kind, id);
    return isHidden ? NO_CURSOR : cursor;
  }

  createKey(owner: string): void {
    this.keys.create(owner);
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    if (this.world.atRest.isGone(owner)) throw nothingPersonal(owner);
    return this.keys.seal(owner, plain, context);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    // Its keys are with the part of the cluster that has it.
    if (!this.world.isWhole && !this.isHere(owner) && !this.keys.knows(owner)) return undefined;
    try {
      return this.keys.open(owner, sealed, context);
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      this.world.reportUnreadable(owner, cause);
      if (this.#isOfMany) return undefined;
      throw unreadable(owner, cause);
    }
  }

  #stateOf(kind: string, id: string): unknown {
    if (!this.world.isElsewhere(id)) return this.world.find(this.tenant, kind, id)?.state;
    return this.#known({ type: 'actor', tenant: this.tenant, kind, id });
  }

  /** What is known of another part of the cluster. */
  #known(need: Need): unknown {
    const { guests } = this.world;
    const found = this.#mayAsk ? guests.fresh(need) : guests.any(need);
    if (found === undefined && this.#mayAsk) throw new Elsewhere(need);
    return found?.known;
  }
}

/** Names nothing of any list. */
const NO_CURSOR = 'nothing';

/** A zone's calendar is opened by commands alone. */
const NOTHING = (): void => undefined;

/** How many actors of this process a selection is about. */
export function countHere(world: World, scope: Scope, { kind, filter }: Selection): number {
  const matches = must(world.definition(kind).selects, `${kind} can be selected`)(filter, scope);
  return world.catalog.list(scope.tenant, kind, { matches, limit: 1 }).total;
}
