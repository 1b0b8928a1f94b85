import type { NamedPart } from '../../kernel/actor.js';
import type { EvictablePart, PartCodec } from '../../kernel/snapshots/evictable-part.js';
import { type PageSummary, type StoredPage, TransactionPage } from './page.js';
import type { TransactionRecord } from './record.js';

/** The transactions in a snapshot: those that fill no page; full pages are stored separately. */
export interface PackedTransactions {
  readonly pages: number;
  readonly rest: StoredPage | null;
}

/** A full page: its summary is always in memory. */
export interface FullPage {
  readonly part: EvictablePart<TransactionPage>;
  readonly summary: PageSummary;
}

export const PAGES: PartCodec<TransactionPage> = {
  read: (value) => TransactionPage.read(value),
  stored: ({ stored }) => stored,
};

/** The data that copies of a loan share until one of them changes it. Positions are in the order of creation, from 0. */
export interface Store {
  /** As of the last snapshot. */
  readonly pages: FullPage[];
  /** Transactions behind the full pages: positions by id; ids, stamps, and numbers in the ledger, by position from the first of them. */
  readonly recent: Map<string, number>;
  readonly ids: string[];
  readonly stamps: number[];
  readonly payments: TransactionRecord['payment'][];
  /** Those of them that the last snapshot had. */
  last: TransactionPage | null;
  /** By position: those that are not settled, and all that changed since the last snapshot. The others are only in pages. */
  readonly unpacked: Map<number, TransactionRecord>;
  /** Pages of which a record has changed since. */
  readonly stale: Set<number>;
  /** Those that may still have tasks. */
  readonly awaiting: Map<string, TransactionRecord>;
  /** Ids by external id. */
  readonly named: Map<string, string>;
  /** The same for the list index. It grows at its end, and is made again when a name is removed. */
  names: NamedPart[];
}

export const emptyStore = (): Store => ({
  pages: [],
  recent: new Map(),
  ids: [],
  stamps: [],
  payments: [],
  last: null,
  unpacked: new Map(),
  stale: new Set(),
  awaiting: new Map(),
  named: new Map(),
  names: [],
});
