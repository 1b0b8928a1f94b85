import type { ListOrder } from '../list-order.js';

/** A page of a list, as a query answers it; the gateway puts it into the list envelope. */
export interface ListResult<Item = unknown> {
  readonly items: readonly Item[];
  /** Rows that match over all pages; null where counting is not offered. */
  readonly total: number | null;
  readonly hasMore: boolean;
  readonly hasPrevious: boolean;
  /** Cursors of this page's ends, where the items have no `id` of their own. */
  readonly firstId?: string;
  readonly lastId?: string;
  /** Of a list whose items may lie in several parts of a cluster. */
  readonly order?: ListOrder;
}
