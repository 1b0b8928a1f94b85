import { compareValues, type Sortable } from '../../list-order.js';
import type { CatalogRow } from '../actor.js';
import type { ListRequest } from './list-request.js';
import type { UnsortedList } from './sorted-page.js';

/** Rows in the order of a request. Rows of several engines may have been made in the same microsecond: their ids decide the order. */
export const inOrderOf = (rows: readonly CatalogRow[], { sort = [] }: ListRequest): UnsortedList<CatalogRow> => ({
  items: rows,
  isNamed,
  descending: [...sort.map(({ descending }) => descending), true, false],
  positionOf: (row) => [...sort.map((key) => keyOf(row, key)), row.createdStamp, row.id],
  compare: comparator(sort),
});

export const isNamed = ({ id, externalId }: CatalogRow, cursor: string): boolean =>
  id === cursor || (externalId !== null && cursor === `ext-${externalId}`);

function comparator(sort: NonNullable<ListRequest['sort']>): (a: CatalogRow, b: CatalogRow) => number {
  return (a, b) => {
    for (const key of sort) {
      const { descending } = key;
      const order = compareValues(keyOf(a, key), keyOf(b, key));
      if (order !== 0) return descending ? -order : order;
    }
    return b.createdStamp - a.createdStamp || (a.id < b.id ? -1 : Number(a.id > b.id));
  };
}

type SortKey = NonNullable<ListRequest['sort']>[number];

const keyOf = (row: CatalogRow, { field, of }: SortKey): Sortable => (of ? of(row) : valueOf(row, field));

function valueOf(row: CatalogRow, field: string): Sortable {
  if (field === 'createdAt') return row.createdStamp;
  if (field === 'updatedAt') return row.updatedStamp;
  const value = row.fields[field];
  return value === undefined || typeof value === 'object' ? null : value;
}
