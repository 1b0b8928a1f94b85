import type { Cursor, ListOrder, Sortable } from '../../list-order.js';
import type { CatalogRow } from '../actor.js';
import type { KeptSpan } from './kept-lists.js';

export interface ListRequest {
  readonly parentId?: string;
  /** The parent is a filter: a cursor may name a row that is no longer below it. */
  readonly mayLeaveParent?: true;
  /** Rows of another kind that are listed with these. */
  readonly among?: readonly CatalogRow[];
  readonly matches?: (row: CatalogRow) => boolean;
  /** A stamp that `matches` asks for as the least one: rows that have changed since are found without looking at all others. */
  readonly changedSince?: number;
  /** Ids and `ext-` ids that `matches` asks for: only these rows are looked at. */
  readonly names?: readonly string[];
  /** Order keys of a row, compared in turn; default newest first. Direction by sign. */
  readonly sort?: readonly { readonly field: string; readonly descending: boolean; readonly of?: (row: CatalogRow) => Sortable }[];
  /** With `parentId`: an order that the index keeps, instead of `sort`. Cannot be combined with `among`. */
  readonly kept?: KeptSpan;
  /** `ALL_ROWS`: no page, but all of them. */
  readonly limit: number;
  readonly offset?: number;
  readonly startingAfter?: Cursor;
  readonly endingBefore?: Cursor;
}

/** The limit of a list that needs all rows. */
export const ALL_ROWS = Number.MAX_SAFE_INTEGER;

export interface ListPage {
  readonly rows: readonly CatalogRow[];
  readonly total: number;
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** How its rows are ordered, for an answer that may be merged with those of other engines. */
  readonly order: () => ListOrder;
}
