import type { Big } from 'big.js';
import type { LedgerFact, LedgerTerms, RateInput } from '../../../engine/index.js';

/** The history of a loan: its facts, and its rates as recorded, by the sequence of their fact; `null` is the origination. */
export interface NaiveLife {
  readonly terms: LedgerTerms;
  readonly facts: readonly LedgerFact[];
  readonly rateRows: ReadonlyMap<number | null, RateInput>;
}

/**
 * What was asked before rates or advances were recorded too late for it: no due date that had passed by then asks for more, and
 * one on which nothing had fallen due for nothing. One for each late record, newest last.
 */
export interface Bound {
  readonly change: number;
  readonly through: number;
  readonly asked: Amounts;
  /** What each fact left on the rows, by its number. */
  readonly set: ReadonlyMap<number, Amounts>;
}

/** By due date. */
export type Amounts = ReadonlyMap<number, Big>;
