import typia from 'typia';
import type { PageQuery, ReaderQuery } from '../../actors/index.js';
import type { Caller } from './route.js';

/** `sync`: the ledger work is done in the request either way. */
interface SyncQuery {
  readonly sync?: boolean;
}

/** The query of writes that do ledger work. */
export const syncQuery = { validate: typia.misc.createValidatePrune<SyncQuery>(), schemas: typia.json.schemas<[SyncQuery], '3.1'>() };

/** The query of lists that have no filters. */
export const pageQuery = { validate: typia.misc.createValidatePrune<PageQuery>(), schemas: typia.json.schemas<[PageQuery], '3.1'>() };

/** Who reads an interaction: that decides whether sensitive content, and messages to agents, are shown. */
export const readerQueryOf = ({ userId, session }: Pick<Caller, 'userId' | 'session'>): ReaderQuery => ({
  reader: { userId, isBorrower: session?.borrower !== undefined },
});
