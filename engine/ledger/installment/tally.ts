import type { WatchedPart } from './count-in-order.js';
import type { EffectiveTime, MoneyKind } from '../core/facts.js';
import type { Allocation } from '../core/watcher.js';

/** The money that is poured, by whatever fact it came. */
export interface Money {
  readonly transaction: number;
  readonly kind: MoneyKind;
  readonly effective: EffectiveTime;
  readonly amountCents: number;
  readonly isProcessing: boolean;
}

/** Stands for the transaction where the lender gives up a small balance: there is none. */
export const FORGIVEN = -1;

/** What one payment has done so far. */
export interface Tally {
  readonly fact: Money;
  leftCents: number;
  principalCents: number;
  interestCents: number;
  feesCents: number;
  /** Money that met due and overdue balances which obligations carry. */
  obligationCents: number;
  /** Money that went to late fees which no obligation carries. */
  looseLateFeeCents: number;
  /** Money that lowered principal, interest and origination fee before they were due. */
  aheadCents: number;
  /** Of that, what lowered the origination fee. */
  aheadOriginationCents: number;
  /** Of the origination fee, what counted other money while it was due: the open obligation asks for it once more. */
  askedAgainCents: number;
  /** Its parts, where somebody watches and all of them must be known before it is said which obligation has counted which. */
  watched: (WatchedPart & Pick<Allocation, 'bucket'>)[] | null;
  /** Money that was paid over: nothing else waits for it, and it meets fees that nobody knew of as well. */
  readonly isPaidOver?: true;
}

/** Nothing of a refund or a payment poured yet. */
export const beginTally = (transaction: number, kind: MoneyKind, from: Pick<Money, 'effective' | 'amountCents'>): Tally =>
  tallyOf({ transaction, kind, effective: from.effective, amountCents: from.amountCents, isProcessing: false });

export const tallyOf = (fact: Money): Tally => ({
  fact,
  leftCents: fact.amountCents,
  principalCents: 0,
  interestCents: 0,
  feesCents: 0,
  obligationCents: 0,
  looseLateFeeCents: 0,
  aheadCents: 0,
  aheadOriginationCents: 0,
  askedAgainCents: 0,
  watched: null,
});
