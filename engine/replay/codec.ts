import { assert } from '../assert.js';
import type { RateTimeline } from '../rates/index.js';
import { cloneState } from './clone.js';
import type { LedgerState, LedgerTotals, ObligationState, OpenRow } from './state.js';
import type { LedgerTerms } from './terms.js';

/** Exact interest as decimal text: it outgrows 64 bits, which is all that a snapshot carries as an integer. */
type Encoded<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] };

type Derived = 'terms' | 'watcher' | 'seconds' | 'source' | 'rateIndex' | 'firstUnenforced';
type Recoded = 'rates' | 'rows' | 'nonDueInterest' | 'obligations' | 'replaced' | 'totals';

/**
 * A state as a plain object of numbers, strings, booleans, lists and records, for a snapshot. The terms are not in
 * it: they belong to the loan, and `decodeState` is given them again.
 */
export interface EncodedState extends Omit<LedgerState, Derived | Recoded> {
  readonly version: typeof STATE_VERSION;
  /** Null while they are those of the terms. */
  readonly rates: RateTimeline | null;
  readonly rows: readonly OpenRow[] | null;
  readonly nonDueInterest: string;
  readonly obligations: readonly Encoded<ObligationState>[];
  readonly replaced: readonly Encoded<ObligationState>[];
  readonly totals: Encoded<LedgerTotals>;
}

const STATE_VERSION = 1;

export function encodeState(state: LedgerState): EncodedState {
  const { terms, watcher, seconds, source, rateIndex, firstUnenforced, ...plain } = cloneState(state);
  return {
    ...plain,
    version: STATE_VERSION,
    rates: state.rates === terms.rates ? null : state.rates,
    rows: state.rows === terms.rows ? null : state.rows,
    nonDueInterest: state.nonDueInterest.toString(),
    obligations: plain.obligations.map(encodeObligation),
    replaced: plain.replaced.map(encodeObligation),
    totals: {
      ...plain.totals,
      interestAccrued: plain.totals.interestAccrued.toString(),
      interestDiscount: plain.totals.interestDiscount.toString(),
      forgoneCap: plain.totals.forgoneCap.toString(),
      forgoneRounding: plain.totals.forgoneRounding.toString(),
      interestAccruedBeforeYear: plain.totals.interestAccruedBeforeYear.toString(),
      interestAccruedBeforePeriod: plain.totals.interestAccruedBeforePeriod.toString(),
      interestDiscountBeforePeriod: plain.totals.interestDiscountBeforePeriod.toString(),
    },
  };
}

/** The state that was encoded, free to move on. A snapshot of another version is a bug of whoever reads it. */
export function decodeState(encoded: EncodedState, terms: LedgerTerms): LedgerState {
  assert(encoded.version === STATE_VERSION, `a ledger state of version ${encoded.version}`);
  const { version, rates, rows, nonDueInterest, obligations, replaced, totals, ...plain } = encoded;
  return {
    ...plain,
    terms,
    watcher: null,
    seconds: 0,
    source: { type: 'dailyJob' },
    rateIndex: 0,
    firstUnenforced: 0,
    rates: rates ?? terms.rates,
    rows: rows ?? terms.rows,
    nonDueInterest: BigInt(nonDueInterest),
    unknownRates: plain.unknownRates === null ? null : { ...plain.unknownRates },
    fees: plain.fees.map((fee) => ({ ...fee })),
    payments: plain.payments.map((payment) => ({ ...payment })),
    obligations: obligations.map(decodeObligation),
    replaced: replaced.map(decodeObligation),
    totals: {
      ...totals,
      interestAccrued: BigInt(totals.interestAccrued),
      interestDiscount: BigInt(totals.interestDiscount),
      forgoneCap: BigInt(totals.forgoneCap),
      forgoneRounding: BigInt(totals.forgoneRounding),
      interestAccruedBeforeYear: BigInt(totals.interestAccruedBeforeYear),
      interestAccruedBeforePeriod: BigInt(totals.interestAccruedBeforePeriod),
      interestDiscountBeforePeriod: BigInt(totals.interestDiscountBeforePeriod),
    },
  };
}

const encodeObligation = (obligation: ObligationState): Encoded<ObligationState> => ({
  ...obligation,
  unroundedInterest: obligation.unroundedInterest.toString(),
  unroundedDiscount: obligation.unroundedDiscount.toString(),
});

const decodeObligation = (encoded: Encoded<ObligationState>): ObligationState => ({
  ...encoded,
  unroundedInterest: BigInt(encoded.unroundedInterest),
  unroundedDiscount: BigInt(encoded.unroundedDiscount),
});
