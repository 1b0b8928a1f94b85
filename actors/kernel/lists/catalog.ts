import { randomUUID } from 'node:crypto';
import { must } from '../../../engine/index.js';
import { cutPage, type Page } from '../../list-order.js';
import { refuse } from '../../errors.js';
import type { CatalogRow, ListPage, ListRequest, NamedPart } from '../actor.js';
import { type Arrival, type ArrivalMark, Arrivals } from './arrivals.js';
import { CreationOrder, PageGathering, sortedPage } from './sorted-page.js';
import { keyBelow, type Tenant, tenantKey } from '../fact.js';
import { fromPosition, inOrder, KeptLists, keptPage, type KeptSpan } from './kept-lists.js';
import { ChangedRows } from './changed-rows.js';
import { LIMITS } from '../limits.js';
import { positionIn, RowList } from './row-list.js';
import { inOrderOf, isNamed } from './row-order.js';
import { type RowsLoading, RowsMissing } from './rows-loading.js';
import { slicedPage, takesLong } from './sliced-page.js';
import { SplitMap } from './split-map.js';

/**
 * The list index: one small row for each actor, so that lists, filters and external ids need no actor to be loaded. The rows of one tenant
 * and kind are in a table of their own. All rows are in memory, except for a while after a start: until then rows are fetched by id, and
 * lists throw `RowsMissing`.
 */
export class Catalog {
  readonly #tables = new Map<string, Table>();
  /** How many entries of a list of parts are in the tables. */
  readonly #indexed = new WeakMap<readonly NamedPart[], number>();
  #loading: RowsLoading | null = null;
  /** Names this start in the marks of arrivals. */
  readonly #start = randomUUID();

  /** `lean` returns a row as memory keeps it. */
  constructor(private readonly lean: (row: CatalogRow) => CatalogRow = (row) => row) {}

  /** Rows are read from `loading` until `complete`. */
  startLoading(loading: RowsLoading): void {
    this.#loading = loading;
  }

  /** In steps: sorts the rows that were read, after which lists are answered. */
  *complete(): Generator<void> {
    for (const table of this.#tables.values()) yield* table.sort();
    this.#loading = null;
  }

  put(tenant: Tenant, kind: string, row: CatalogRow): void {
    this.restore(tenant, kind, this.lean(row));
  }

  /** The same for a row that is kept as it is. */
  restore(tenant: Tenant, kind: string, row: CatalogRow): void {
    const table = this.#table(tenant, kind);
    const before = table.rows.get(row.id);
    const [known, parts] = [before?.parts ?? NO_PARTS, row.parts ?? NO_PARTS];
    const gone = known.filter((list) => !parts.includes(list));
    for (const list of gone) this.#forget(tenant, list);
    table.put(row, before);
    // An entry that is gone from one list may be in another one that was added before.
    for (const list of parts)
      this.#indexNames(tenant, list, gone.length === 0 && known.includes(list) ? (this.#indexed.get(list) ?? 0) : 0);
  }

  remove(tenant: Tenant, kind: string, id: string): void {
    this.#loading?.noteRemoved(tenant, kind, id);
    const row = this.#tables.get(tableKey(tenant, kind))?.remove(id);
    for (const list of row?.parts ?? NO_PARTS) this.#forget(tenant, list);
  }

  get(tenant: Tenant, kind: string, id: string): CatalogRow | undefined {
    const held = this.#held(tenant, kind, id);
    if (held || !this.#loading) return held;
    this.#loading.fetch(tenant, kind, id);
    return this.#held(tenant, kind, id);
  }

  /** The rows in memory below an actor: all of them, once the index is complete. */
  below(tenant: Tenant, kind: string, parentId: string): readonly CatalogRow[] {
    return this.#tables.get(tableKey(tenant, kind))?.below(parentId) ?? [];
  }

  holds(tenant: Tenant, kind: string, id: string): boolean {
    return this.#held(tenant, kind, id) !== undefined;
  }

  findExternal(tenant: Tenant, kind: string, externalId: string): string | undefined {
    const held = this.#tables.get(tableKey(tenant, kind))?.external.get(externalId);
    if (held !== undefined || !this.#loading) return held;
    const stored = this.#loading.external(tenant, kind, externalId);
    if (!stored) return undefined;
    // The row decides: its object may have lost the id since.
    const [holderKind, holderId, objectId] = stored;
    const holder = this.get(tenant, holderKind, holderId);
    const isTrue =
      holderKind === kind && holderId === objectId
        ? holder?.externalId === externalId
        : holder?.parts?.some((list) => list.some((part) => part[0] === kind && part[1] === externalId && part[2] === objectId));
    return isTrue === true ? objectId : undefined;
  }

  list(tenant: Tenant, kind: string, request: ListRequest): ListPage {
    this.#assertComplete();
    const table = this.#tables.get(tableKey(tenant, kind));
    const { parentId, kept } = request;
    if (parentId !== undefined && kept !== undefined)
      return table?.kept(parentId, kept, request) ?? keptPage([], kept, request, () => undefined);
    return (
      table?.newest(request) ?? page(withOthers(table?.select(request) ?? [], request), request, (cursor) => table?.left(cursor, request))
    );
  }

  /** The same in time slices, where many rows have to be looked at. Each is looked at once; what changes meanwhile may count or not. */
  async listInSlices(tenant: Tenant, kind: string, request: ListRequest): Promise<ListPage> {
    this.#assertComplete();
    const found = await this.#tables.get(tableKey(tenant, kind))?.sliced(request, ({ id }) => this.#held(tenant, kind, id));
    return found ?? this.list(tenant, kind, request);
  }

  /** All rows of a kind, oldest first, for work in time slices: rows that are put meanwhile may or may not be included. */
  *walk(tenant: Tenant, kind: string): Iterable<CatalogRow> {
    this.#assertComplete();
    yield* this.#tables.get(tableKey(tenant, kind))?.walk() ?? [];
  }

  /**
   * All rows of a kind behind a mark, in the order in which they came into memory: after a start the order in which they are stored, in
   * which reading all actors takes least. Throws a refusal for a mark that was made before a start.
   */
  arrivals(tenant: Tenant, kind: string, after: ArrivalMark | null): Iterable<Arrival> {
    this.#assertComplete();
    const mark = after ?? { start: this.#start, place: -1 };
    if (mark.start !== this.#start) refuse('unavailable', 'The service has been started again: its objects are in another order now.');
    return this.#tables.get(tableKey(tenant, kind))?.arrivals.after(mark) ?? [];
  }

  count(tenant: Tenant, kind: string): number {
    this.#assertComplete();
    return this.#tables.get(tableKey(tenant, kind))?.rows.size ?? 0;
  }

  /** Tenants that have a row of the kind; while rows are loading only those of companies are sure to be there. */
  tenantsOf(kind: string): Tenant[] {
    const found: Tenant[] = [];
    for (const [key, table] of this.#tables) {
      const [company = '', mode = '', tableKind] = key.split('/');
      if (tableKind === kind && table.rows.size > 0) found.push({ company, mode: mode === 'live' ? 'live' : 'test' });
    }
    return found;
  }

  dropTenant(tenant: Tenant): void {
    this.#loading?.noteWiped(tenant);
    const prefix = `${tenantKey(tenant)}/`;
    for (const key of this.#tables.keys()) if (key.startsWith(prefix)) this.#tables.delete(key);
  }

  /** Whether all rows are in memory. */
  get isComplete(): boolean {
    return this.#loading === null;
  }

  #indexNames(tenant: Tenant, list: readonly NamedPart[], from: number): void {
    for (let at = from; at < list.length; at++) {
      const [kind, externalId, objectId] = must(list[at], 'a list has no holes');
      this.#table(tenant, kind).external.set(externalId, objectId);
    }
    this.#indexed.set(list, list.length);
  }

  #forget(tenant: Tenant, list: readonly NamedPart[]): void {
    for (const [kind, externalId] of list) this.#table(tenant, kind).external.delete(externalId);
  }

  #assertComplete(): void {
    if (!this.isComplete) throw new RowsMissing();
  }

  #held(tenant: Tenant, kind: string, id: string): CatalogRow | undefined {
    return this.#tables.get(tableKey(tenant, kind))?.rows.get(id);
  }

  #table(tenant: Tenant, kind: string): Table {
    const key = tableKey(tenant, kind);
    const known = this.#tables.get(key);
    if (known) return known;
    const table = new Table();
    this.#tables.set(key, table);
    return table;
  }
}

const tableKey = keyBelow;

class Table {
  readonly rows = new SplitMap<CatalogRow>();
  readonly external = new SplitMap<string>();
  /** Most have one child: a set is created for the second. */
  readonly #children = new SplitMap<string | Set<string>>();
  /** Removed ones are skipped. */
  readonly #order = new CreationOrder();
  readonly #list = new RowList(this.rows, this.#order);
  readonly #kept = new KeptLists();
  readonly arrivals = new Arrivals();
  readonly #changed = new ChangedRows(LIMITS.changedRows);

  put(row: CatalogRow, before: CatalogRow | undefined): void {
    if (!before) this.#order.append(row.id, row.createdStamp);
    if (!before) this.arrivals.put(row.id);
    if (before?.externalId != null && before.externalId !== row.externalId) this.external.delete(before.externalId);
    if (row.externalId !== null) this.external.set(row.externalId, row.id);
    if (!before || !hangsAlike(before, row)) {
      for (const parent of before ? parentsOf(before) : []) this.#removeChild(parent, row.id);
      for (const parent of parentsOf(row)) this.#addChild(parent, row.id);
    }
    this.rows.set(row.id, row);
    this.#changed.put(row);
    this.#list.put(row, before);
    if (before) for (const parent of parentsOf(before)) this.#kept.remove(parent, before);
    for (const parent of parentsOf(row)) this.#kept.put(parent, row);
  }

  remove(id: string): CatalogRow | undefined {
    const row = this.rows.get(id);
    if (!row) return undefined;
    this.rows.delete(id);
    this.#list.remove(row);
    this.arrivals.remove(id);
    if (row.externalId !== null) this.external.delete(row.externalId);
    for (const parent of parentsOf(row)) {
      this.#removeChild(parent, id);
      this.#kept.remove(parent, row);
    }
    return row;
  }

  *sort(): Generator<void> {
    yield* this.#order.sort();
    yield* this.#list.fill();
  }

  *walk(): Iterable<CatalogRow> {
    for (const id of this.#order.ids()) {
      const row = this.rows.get(id);
      if (row) yield row;
    }
  }

  /** A page of all rows in their usual order; null for any other. */
  newest(request: ListRequest): ListPage | null {
    if (request.parentId !== undefined || request.among !== undefined || request.matches !== undefined || (request.sort ?? []).length > 0)
      return null;
    return this.#list.page(request, (cursor) => this.#named(cursor));
  }

  /** A page in time slices, where all rows would be looked at, and these are many; else null. */
  async sliced(request: ListRequest, now: (row: CatalogRow) => CatalogRow | undefined): Promise<ListPage | null> {
    const { parentId, names, among, changedSince, sort = [], matches = () => true } = request;
    const isPlain = request.matches === undefined && sort.length === 0;
    const isFound = [parentId, names, among, changedSince].some((given) => given !== undefined);
    if (isPlain || isFound || !takesLong(this.rows.size)) return null;
    const list = inOrderOf([], request);
    const gathering = new PageGathering(
      list,
      fromPosition(request, (cursor) => this.#named(cursor), list.positionOf),
    );
    const found = await slicedPage({ rows: this.#list.newest(), gathering, matches, now });
    return found && rowsOf(found);
  }

  /** A page in an order that is kept. */
  kept(parentId: string, kept: KeptSpan, request: ListRequest): ListPage {
    const children = this.#children.get(parentId) ?? [];
    const below = (): readonly CatalogRow[] => this.#below(children);
    const isLong = typeof children === 'object' && 'size' in children && children.size >= LIMITS.keptFrom;
    const rows = isLong ? this.#kept.of(parentId, kept.order, below) : inOrder(below(), kept.order);
    return keptPage(rows, kept, request, (cursor) => this.named(cursor, parentId));
  }

  below(parentId: string): readonly CatalogRow[] {
    return this.#below(this.#children.get(parentId) ?? []);
  }

  /** The row that a cursor names and the list leaves out. */
  left(cursor: string, { parentId, mayLeaveParent, among = [], matches = () => true }: ListRequest): CatalogRow | undefined {
    const row = this.#named(cursor);
    if (row !== undefined && (parentId === undefined || parentsOf(row).includes(parentId))) return matches(row) ? undefined : row;
    return mayLeaveParent === true ? row : among.find((other) => isNamed(other, cursor) && !matches(other));
  }

  /** The row that a cursor names, if it is below the parent: also one that a filter leaves out. */
  named(cursor: string, parentId: string | undefined): CatalogRow | undefined {
    const row = this.#named(cursor);
    return row === undefined || parentId === undefined || parentsOf(row).includes(parentId) ? row : undefined;
  }

  #named(cursor: string): CatalogRow | undefined {
    return this.rows.get(cursor.startsWith('ext-') ? (this.external.get(cursor.slice(4)) ?? '') : cursor);
  }

  #below(children: string | Iterable<string>): readonly CatalogRow[] {
    if (typeof children === 'string') return [must(this.rows.get(children), children)];
    return Array.from(children, (id) => must(this.rows.get(id), id));
  }

  /** The matching rows, the newest first. */
  select({ parentId, matches, changedSince, names }: ListRequest): readonly CatalogRow[] {
    if (names !== undefined) {
      const rows = [...new Set(names.map((name) => this.#named(name)).filter((row) => row !== undefined))];
      return rows.filter((row) => matches?.(row) ?? true).sort((a, b) => b.createdStamp - a.createdStamp);
    }
    const changed = changedSince === undefined || parentId !== undefined ? null : this.#changed.since(changedSince);
    if (changed !== null) {
      const rows = changed.map((id) => this.rows.get(id)).filter((row) => row !== undefined);
      return matches ? rows.filter(matches) : rows;
    }
    if (parentId === undefined) return this.#list.newestFirst(matches);
    const rows = this.#below(this.#children.get(parentId) ?? []);
    const wanted = matches ? rows.filter(matches) : rows;
    return wanted.length < 2 ? wanted : [...wanted].sort((a, b) => b.createdStamp - a.createdStamp);
  }

  #addChild(parentId: string, id: string): void {
    const known = this.#children.get(parentId);
    if (known === undefined || known === id) this.#children.set(parentId, id);
    else if (typeof known === 'string') this.#children.set(parentId, new Set([known, id]));
    else known.add(id);
  }

  #removeChild(parentId: string, id: string): void {
    const known = this.#children.get(parentId);
    if (known === id) this.#children.delete(parentId);
    else if (typeof known === 'object') known.delete(id);
  }
}

/** The newest first. */
function withOthers(rows: readonly CatalogRow[], { among = [], matches }: ListRequest): readonly CatalogRow[] {
  const others = matches ? among.filter(matches) : among;
  return others.length === 0 ? rows : [...rows, ...others].sort((a, b) => b.createdStamp - a.createdStamp);
}

const NO_PARTS: NonNullable<CatalogRow['parts']> = [];

/** Below the same actor, and below no others: as in nearly all changes of a row. */
const hangsAlike = (one: CatalogRow, other: CatalogRow): boolean => one.parentId === other.parentId && hangsAlone(one) && hangsAlone(other);

const hangsAlone = ({ alsoUnder }: CatalogRow): boolean => alsoUnder === undefined || alsoUnder.length === 0;

const parentsOf = (row: CatalogRow): readonly string[] =>
  row.parentId === null ? (row.alsoUnder ?? []) : [row.parentId, ...(row.alsoUnder ?? [])];

function page(rows: readonly CatalogRow[], request: ListRequest, left: (cursor: string) => CatalogRow | undefined): ListPage {
  const { sort = [] } = request;
  if (sort.length === 0 && isWholeList(rows.length, request)) return wholeList(rows);
  const list = inOrderOf(rows, request);
  const asked = fromPosition(request, left, list.positionOf);
  return rowsOf(sort.length > 0 ? sortedPage(list, asked) : cutPage(list, asked));
}

const rowsOf = ({ items, ...rest }: Page<CatalogRow>): ListPage => ({ ...rest, rows: items });

/** Whether all rows are on the page, as nearly always below one borrower. */
const isWholeList = (count: number, { limit, offset = 0, startingAfter, endingBefore }: ListRequest): boolean =>
  count <= limit && offset === 0 && startingAfter === undefined && endingBefore === undefined;

const wholeList = (rows: readonly CatalogRow[]): ListPage => ({
  rows,
  total: rows.length,
  hasMore: false,
  hasPrevious: false,
  order: () => ({ descending: [true, false], places: rows.map(positionIn), cursor: null }),
});
