import { addDays, type Day, must } from '../../../engine/index.js';
import { stateAs } from '../erased.js';
import { Refusal } from '../../errors.js';
import type { Cursor } from '../../list-order.js';
import { ALL_ROWS, type CatalogRow, type DecideEnv, type ListPage, type ListRequest, type QueryEnv } from '../actor.js';
import { MOMENTS, momentsToday, type Tenant } from '../fact.js';
import type { HeldLock } from '../jobs/mass-locks.js';
import type { Counted, MassWork } from '../jobs/mass-works.js';
import { isUnreadable, nothingPersonal, unreadable } from '../journal/known-keys.js';
import { CASE, COMPANY, INTERACTION, LOAN, PERSON } from '../known-names.js';
import type { Arrival, ArrivalMark } from '../lists/arrivals.js';
import type { Catalog } from '../lists/catalog.js';
import { textsIn } from '../lists/row-fields.js';
import type { Question } from '../policy.js';
import type { KeyStore } from '../ports.js';
import { actorKey } from '../snapshots/stored-keys.js';
import { RemoteStateRequired, type Need } from './actor-cache.js';
import { closedBefore } from './calendars.js';
import type { CachedActor, World } from './world.js';

/** Actors between a borrower and further actors, nearest first: a task on a case, a note on an interaction. */
const BETWEEN = [CASE, INTERACTION] as const;

/**
 * The access scope of a user who sees only the loans of some investors. A loan is hidden when none of these investors owns it now, a
 * borrower when it has loans and all of them are hidden. Actors below a borrower (cases, interactions, tasks) may show each of its loans,
 * so they are hidden as soon as one of them is.
 */
export class AccessScope {
  readonly #investors: ReadonlySet<string>;

  /** `today`: a date as text. */
  constructor(
    private readonly catalog: Pick<Catalog, 'get' | 'list'>,
    private readonly tenant: Tenant,
    investorIds: readonly string[],
    private readonly today: string,
  ) {
    this.#investors = new Set(investorIds);
  }

  sees(kind: string, row: CatalogRow): boolean {
    if (kind === LOAN) return this.#owns(row);
    if (kind === PERSON) {
      const loans = this.#loansOf(row.id);
      return loans.length === 0 || loans.some((loan) => this.#owns(loan));
    }
    return [row.parentId, ...(row.alsoUnder ?? [])].every((id) => id === null || this.#showsNothingHidden(id));
  }

  /** An actor that is neither a borrower nor a loan nor below one (an employee, a team) shows no loan. */
  #showsNothingHidden(id: string): boolean {
    if (this.catalog.get(this.tenant, PERSON, id)) return this.#loansOf(id).every((loan) => this.#owns(loan));
    const loan = this.catalog.get(this.tenant, LOAN, id);
    if (loan) return this.#owns(loan);
    for (const kind of BETWEEN) {
      const row = this.catalog.get(this.tenant, kind, id);
      if (row) return this.sees(kind, row);
    }
    return true;
  }

  #loansOf(personId: string): readonly CatalogRow[] {
    return this.catalog.list(this.tenant, LOAN, { parentId: personId, limit: ALL_ROWS }).rows;
  }

  /** The owners are those of the newest date that has come; before the first date, those of the first. */
  #owns({ fields }: CatalogRow): boolean {
    const owners = textsIn(fields['owners']).map((owner) => [owner.slice(0, DATE_LENGTH), owner.slice(DATE_LENGTH)] as const);
    const dates = owners.map(([date]) => date).sort();
    const current = dates.filter((date) => date <= this.today).pop() ?? dates[0];
    return owners.some(([date, investorId]) => date === current && this.#investors.has(investorId));
  }
}

const DATE_LENGTH = 10;

/** A company with changes that a computation treats as recorded. */
export interface Supposed {
  readonly id: string;
  readonly state: unknown;
}

/** Where and when something is decided or read. */
export interface ScopeParts {
  readonly world: World;
  readonly keys: KeyStore;
  readonly tenant: Tenant;
  readonly shard: number;
  /** The time of the tenant in milliseconds. */
  readonly now: number;
  /** Opens the calendar of a zone that the tenant has not used yet; absent: nothing is recorded. */
  readonly openZone?: (tenant: Tenant, zone: string, lastClosed: Day) => void;
  readonly supposed?: Supposed | null;
}

/**
 * What deciding, applying and reading may know, bound to one tenant and one shard. It hands out ids and data keys, and changes nothing
 * else.
 */
export class Scope implements DecideEnv, QueryEnv {
  readonly tenant: Tenant;
  readonly now: number;
  private readonly world: World;
  private readonly keys: KeyStore;
  private readonly shard: number;
  private readonly openZone: (tenant: Tenant, zone: string, lastClosed: Day) => void;
  private readonly supposed: Supposed | null;
  #company: CachedActor | undefined;
  #mayAsk = false;
  #accessScope: AccessScope | null = null;
  #isOfMany = false;

  constructor({ world, keys, tenant, shard, now, openZone = NOTHING, supposed = null }: ScopeParts) {
    this.world = world;
    this.keys = keys;
    this.tenant = tenant;
    this.shard = shard;
    this.now = now;
    this.openZone = openZone;
    this.supposed = supposed;
  }

  /**
   * The same for a decision or a reading that may need remote state: a missing one throws `RemoteStateRequired` until it `settles`, as
   * nothing may be thrown once a fact is applied.
   */
  asking(): Scope {
    if (this.world.isWhole) return this;
    const { world, keys, tenant, shard, now, openZone } = this;
    const asking = new Scope({ world, keys, tenant, shard, now, openZone });
    asking.#mayAsk = true;
    return asking;
  }

  /** From here on it lists only what a user sees who sees only the loans of these investors; without any, everything. */
  seenBy(investorIds: readonly string[] = []): void {
    if (investorIds.length > 0)
      this.#accessScope = new AccessScope(this.world.catalog, this.tenant, investorIds, new Date(this.now).toISOString().slice(0, 10));
  }

  /**
   * It reads many actors: those whose key is missing are shown without their sealed data, like erased ones, so that the others are shown.
   */
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
    this.openZone(this.tenant, zone, lastClosed);
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

  /** The company is needed in every call: it is looked up once. */
  read<State>(kind: string, id: string): State | undefined {
    if (id === this.supposed?.id) return stateAs(this.supposed.state);
    if (kind !== COMPANY || id !== this.tenant.company) return stateAs(this.#stateOf(kind, id));
    this.#company ??= this.world.find(this.tenant, kind, id);
    return stateAs(this.#company?.state);
  }

  stateOf<State>(kind: string, id: string): State | undefined {
    return this.read<State>(kind, id);
  }

  stateInPassing<State>(kind: string, id: string): State | undefined {
    return stateAs(this.world.isRemote(id) ? this.#stateOf(kind, id) : this.world.findInPassing(this.tenant, kind, id)?.state);
  }

  answerTo<Env, Args extends readonly unknown[], Result>(asked: Question<Env, Args, Result>): (env: Env, ...args: Args) => Result {
    return this.world.answers.answerTo(asked);
  }

  findExternal(tenant: Tenant, kind: string, externalId: string): string | undefined {
    const here = this.world.catalog.findExternal(tenant, kind, externalId);
    if (here !== undefined || this.world.isWhole) return here;
    const known = this.#known({ type: 'external', tenant, kind, externalId });
    return typeof known === 'string' ? known : undefined;
  }

  list(kind: string, request: ListRequest): ListPage {
    return this.listAll(kind, this.#seenIn(kind, request));
  }

  listInSlices(kind: string, request: ListRequest): Promise<ListPage> {
    return this.world.catalog.listInSlices(this.tenant, kind, this.#seenIn(kind, request));
  }

  /** The request without what is hidden from the caller. */
  #seenIn(kind: string, request: ListRequest): ListRequest {
    const accessScope = this.#accessScope;
    if (accessScope === null) return request;
    const { matches, among, startingAfter, endingBefore } = request;
    return {
      ...request,
      ...(startingAfter === undefined ? {} : { startingAfter: this.#seenCursor(kind, startingAfter) }),
      ...(endingBefore === undefined ? {} : { endingBefore: this.#seenCursor(kind, endingBefore) }),
      ...(among === undefined ? {} : { among: among.filter((row) => accessScope.sees(kind, row)) }),
      matches: (row) => (matches?.(row) ?? true) && accessScope.sees(kind, row),
    };
  }

  listAll(kind: string, request: ListRequest): ListPage {
    return this.world.catalog.list(this.tenant, kind, request);
  }

  arrivals(kind: string, after: ArrivalMark | null): Iterable<Arrival> {
    return this.world.catalog.arrivals(this.tenant, kind, after);
  }

  /** Without regard to what a user sees: rules of a decision are the same for all users. */
  readBelow<State>(kind: string, ...parentIds: readonly string[]): readonly State[] {
    const needOf = (parentId: string): Need => ({ type: 'below', tenant: this.tenant, kind, parentId });
    this.#require(parentIds.filter((id) => this.world.isRemote(id)).map(needOf));
    return parentIds.flatMap((parentId) =>
      this.world.isRemote(parentId)
        ? (stateAs<readonly State[]>(this.#known(needOf(parentId))) ?? [])
        : idsBelow(this.world, this.tenant, kind, parentId).flatMap((id) => this.read<State>(kind, id) ?? []),
    );
  }

  sees(kind: string, id: string): boolean {
    if (this.#accessScope === null) return true;
    const row = this.world.catalog.get(this.tenant, kind, id);
    return row !== undefined && this.#accessScope.sees(kind, row);
  }

  hasRow(kind: string, id: string): boolean {
    return this.world.catalog.get(this.tenant, kind, id) !== undefined;
  }

  shardOf(id: string): number | undefined {
    return this.world.shardOf(id);
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

  count(selection: Counted): number {
    if (this.world.isWhole) return countHere(this.world, this, selection);
    const known = this.#known({ type: 'count', tenant: this.tenant, selection });
    return typeof known === 'number' ? known : 0;
  }

  /** A cursor that names a hidden object names nothing. */
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
    // Its keys are in the unit of the cluster that has it.
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
    if (!this.world.isRemote(id)) return this.world.find(this.tenant, kind, id)?.state;
    return this.#known({ type: 'actor', tenant: this.tenant, kind, id });
  }

  /** The known state of another unit of the cluster. */
  #known(need: Need): unknown {
    const { remoteCache } = this.world;
    const found = this.#mayAsk ? remoteCache.fresh(need) : remoteCache.any(need);
    if (found === undefined && this.#mayAsk) throw new RemoteStateRequired([need]);
    return found?.known;
  }

  /** Throws `RemoteStateRequired` for all that are missing, so that they are fetched at once. */
  #require(needs: readonly Need[]): void {
    if (!this.#mayAsk) return;
    const missing = needs.filter((need) => this.world.remoteCache.fresh(need) === undefined);
    if (missing.length > 0) throw new RemoteStateRequired(missing);
  }
}

/** A cursor that names no object of any list. */
const NO_CURSOR = 'nothing';

/** Only commands open the calendar of a zone. */
const NOTHING = (): void => undefined;

/** The ids of the actors of this process below another one. */
export const idsBelow = ({ catalog }: World, tenant: Tenant, kind: string, parentId: string): readonly string[] =>
  catalog.list(tenant, kind, { parentId, matches: (row) => row.parentId === parentId, limit: ALL_ROWS }).rows.map(({ id }) => id);

/** How many actors of this process match a selection. */
export function countHere(world: World, scope: Scope, { kind, filter, under }: Counted): number {
  const matches = must(world.definition(kind).selects, `${kind} can be selected`)(filter, scope);
  return world.catalog.list(scope.tenant, kind, { matches, limit: 1, ...(under === undefined ? {} : { parentId: under }) }).total;
}

/** The service id that an AnyId names for this tenant. Objects of another tenant are not found. */
export function locate(world: World, tenant: Tenant, kind: string, target: string): string {
  const id = target.startsWith('ext-') ? world.catalog.findExternal(tenant, kind, target.slice(4)) : target;
  if (id === undefined || !world.catalog.get(tenant, kind, id)) throw new Refusal('notFound', `There is no ${kind} ${target}.`);
  return id;
}
