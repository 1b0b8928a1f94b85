import type { Big } from 'big.js';
import type { LedgerFact, LedgerTerms, RateInput } from '../../../engine/index.js';

/** The history of a loan: its facts, and its rates as recorded, by the sequence of their fact; `null` is the origination. */
export interface NaiveLife {
  readonly terms: LedgerTerms;
  readonly facts: readonly LedgerFact[];
  readonly rateRows: ReadonlyMap<number | null, RateInput>;
}

/**
 * Amounts of due dates that had passed when rates or advances were recorded late for an earlier day. Such a due date does not ask
 * for more, and one on which nothing had fallen due asks for nothing. One bound for each late fact, the newest last.
 */
export interface Bound {
  readonly change: number;
  readonly through: number;
  readonly asked: Amounts;
  /** The amounts of the rows after each fact, by its sequence. */
  readonly set: ReadonlyMap<number, Amounts>;
}

/** Amounts by due date. */
export type Amounts = ReadonlyMap<number, Big>;
