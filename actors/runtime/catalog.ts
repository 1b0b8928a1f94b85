import { must } from '../../engine/index.js';
import { Refusal } from '../errors.js';
import type { CatalogRow, ListPage, ListRequest } from './actor.js';
import { type Tenant, tenantKey } from './fact.js';

/**
 * The list index: one small row for each actor, always in memory, so that lists, filters and external ids need
 * no actor to be loaded. Rows of one tenant and kind lie in a table of their own.
 */
export class Catalog {
  readonly #tables = new Map<string, Table>();

  put(tenant: Tenant, kind: string, row: CatalogRow): void {
    for (const part of this.get(tenant, kind, row.id)?.parts ?? []) this.#table(tenant, part[0]).external.delete(part[1]);
    this.#table(tenant, kind).put(row);
    for (const part of row.parts ?? []) this.#table(tenant, part[0]).external.set(part[1], part[2]);
  }

  remove(tenant: Tenant, kind: string, id: string): void {
    const row = this.#tables.get(tableKey(tenant, kind))?.remove(id);
    for (const part of row?.parts ?? []) this.#table(tenant, part[0]).external.delete(part[1]);
  }

  get(tenant: Tenant, kind: string, id: string): CatalogRow | undefined {
    return this.#tables.get(tableKey(tenant, kind))?.rows.get(id);
  }

  findExternal(tenant: Tenant, kind: string, externalId: string): string | undefined {
    return this.#tables.get(tableKey(tenant, kind))?.external.get(externalId);
  }

  list(tenant: Tenant, kind: string, request: ListRequest): ListPage {
    const table = this.#tables.get(tableKey(tenant, kind));
    if (!table) {
      if (request.startingAfter !== undefined || request.endingBefore !== undefined) throw unknownCursor();
      return { rows: [], total: 0, hasMore: false, hasPrevious: false };
    }
    return page(table.select(request), request);
  }

  count(tenant: Tenant, kind: string): number {
    return this.#tables.get(tableKey(tenant, kind))?.rows.size ?? 0;
  }

  /** Tenants that have a row of the kind. */
  tenantsOf(kind: string): Tenant[] {
    const found: Tenant[] = [];
    for (const [key, table] of this.#tables) {
      const [company = '', mode = '', tableKind] = key.split('/');
      if (tableKind === kind && table.rows.size > 0) found.push({ company, mode: mode === 'live' ? 'live' : 'test' });
    }
    return found;
  }

  dropTenant(tenant: Tenant): void {
    const prefix = `${tenantKey(tenant)}/`;
    for (const key of this.#tables.keys()) if (key.startsWith(prefix)) this.#tables.delete(key);
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

const tableKey = (tenant: Tenant, kind: string): string => `${tenantKey(tenant)}/${kind}`;

class Table {
  readonly rows = new Map<string, CatalogRow>();
  readonly external = new Map<string, string>();
  readonly #children = new Map<string, Set<string>>();
  /** Ids in the order of creation; removed ones are skipped. */
  #order: string[] = [];
  #inOrder = true;
  #newestStamp = 0;

  put(row: CatalogRow): void {
    const before = this.rows.get(row.id);
    if (!before) {
      this.#order.push(row.id);
      if (row.createdStamp < this.#newestStamp) this.#inOrder = false;
      else this.#newestStamp = row.createdStamp;
    }
    if (before?.externalId != null && before.externalId !== row.externalId) this.external.delete(before.externalId);
    if (row.externalId !== null) this.external.set(row.externalId, row.id);
    for (const parent of before?.alsoUnder ?? []) this.#children.get(parent)?.delete(row.id);
    for (const parent of parentsOf(row)) this.#childrenOf(parent).add(row.id);
    this.rows.set(row.id, row);
  }

  remove(id: string): CatalogRow | undefined {
    const row = this.rows.get(id);
    if (!row) return undefined;
    this.rows.delete(id);
    if (row.externalId !== null) this.external.delete(row.externalId);
    for (const parent of parentsOf(row)) this.#children.get(parent)?.delete(id);
    return row;
  }

  /** The matching rows in the wanted order; by default the newest first. */
  select(request: ListRequest): CatalogRow[] {
    const selected: CatalogRow[] = [];
    for (const id of this.#idsOf(request.parentId)) {
      const row = this.rows.get(id);
      if (row && (!request.matches || request.matches(row))) selected.push(row);
    }
    if (request.sort && request.sort.length > 0) selected.sort(comparator(request.sort));
    else selected.reverse();
    return selected;
  }

  #idsOf(parentId: string | undefined): Iterable<string> {
    if (parentId !== undefined) return this.#inCreationOrder(this.#children.get(parentId) ?? []);
    if (!this.#inOrder) {
      this.#order = this.#inCreationOrder(this.#order.filter((id) => this.rows.has(id)));
      this.#inOrder = true;
    }
    return this.#order;
  }

  #inCreationOrder(ids: Iterable<string>): string[] {
    const stampOf = (id: string): number => must(this.rows.get(id), id).createdStamp;
    return [...ids].sort((a, b) => stampOf(a) - stampOf(b));
  }

  #childrenOf(parentId: string): Set<string> {
    const known = this.#children.get(parentId);
    if (known) return known;
    const children = new Set<string>();
    this.#children.set(parentId, children);
    return children;
  }
}

const parentsOf = (row: CatalogRow): readonly string[] =>
  row.parentId === null ? (row.alsoUnder ?? []) : [row.parentId, ...(row.alsoUnder ?? [])];

function comparator(sort: NonNullable<ListRequest['sort']>): (a: CatalogRow, b: CatalogRow) => number {
  return (a, b) => {
    for (const { field, descending } of sort) {
      const order = compare(valueOf(a, field), valueOf(b, field));
      if (order !== 0) return descending ? -order : order;
    }
    return b.createdStamp - a.createdStamp;
  };
}

function valueOf(row: CatalogRow, field: string): string | number | boolean | null {
  if (field === 'createdAt') return row.createdStamp;
  if (field === 'updatedAt') return row.updatedStamp;
  const value = row.fields[field];
  return value === undefined || typeof value === 'object' ? null : value;
}

function compare(a: string | number | boolean | null, b: string | number | boolean | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return a < b ? -1 : 1;
}

/** `startingAfter` and `endingBefore` name a row of the list; when both are sent only `endingBefore` counts. */
function page(rows: CatalogRow[], request: ListRequest): ListPage {
  let from = request.offset ?? 0;
  let to = from + request.limit;
  if (request.endingBefore !== undefined) {
    to = positionOf(rows, request.endingBefore);
    from = Math.max(0, to - request.limit);
  } else if (request.startingAfter !== undefined) {
    from = positionOf(rows, request.startingAfter) + 1;
    to = from + request.limit;
  }
  return { rows: rows.slice(from, to), total: rows.length, hasMore: to < rows.length, hasPrevious: from > 0 };
}

function positionOf(rows: CatalogRow[], cursor: string): number {
  const external = cursor.startsWith('ext-') ? cursor.slice(4) : undefined;
  const position = rows.findIndex((row) => row.id === cursor || (external !== undefined && row.externalId === external));
  if (position < 0) throw unknownCursor();
  return position;
}

function unknownCursor(): Refusal {
  return new Refusal('badRequest', 'The cursor names no object of this list.', {
    errors: [{ path: 'startingAfter', expected: 'the id of an object of this list', message: 'unknown cursor' }],
  });
}
