import type { tags } from 'typia';
import { refuseProperty } from '../errors.js';
import type { AnyId, Whole } from './types.js';

export const DEFAULT_PAGE_SIZE = 25;

/** The query parameters of a list (base, "Pagination and sorting"). */
export interface PageQuery {
  readonly limit?: number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<100> & tags.Default<25>;
  readonly startingAfter?: AnyId;
  readonly endingBefore?: AnyId;
}

/** Of the lists that offer `offset`; it does not go together with a cursor. */
export interface OffsetPageQuery extends PageQuery {
  readonly offset?: Whole;
}

/** What a list is asked for: at most one of the two cursors. */
export interface PageRequest {
  readonly limit: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
  readonly offset?: number;
}

/** Applies the rules of paging: default size, `endingBefore` wins over `startingAfter`. */
export function pageRequestOf(query: OffsetPageQuery): PageRequest {
  const { limit = DEFAULT_PAGE_SIZE, startingAfter, endingBefore, offset } = query;
  if (offset !== undefined && (startingAfter !== undefined || endingBefore !== undefined)) {
    refuseProperty('offset', 'offset or a cursor, not both', 'offset cannot be combined with a cursor.');
  }
  if (endingBefore !== undefined) return { limit, endingBefore };
  if (startingAfter !== undefined) return { limit, startingAfter };
  return offset === undefined ? { limit } : { limit, offset };
}

export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** `['updatedAt', '-createdAt']`: a leading minus means descending. */
export const sortOf = (fields: readonly string[] | undefined): readonly SortKey[] =>
  (fields ?? []).map((field) => (field.startsWith('-') ? { field: field.slice(1), descending: true } : { field, descending: false }));
