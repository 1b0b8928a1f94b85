import type { Day, DueDateRule } from '../../calendar/index.js';
import type { ScheduledFact } from '../scheduled/index.js';
import type { RateTimeline } from '../../rates/index.js';
import type { EntrySource, LedgerWatcher } from '../core/entries.js';
import type { ChargeOffReason } from '../core/facts.js';
import type { Interest } from '../core/interest.js';
import type { DueRow, LedgerTerms } from '../core/terms.js';
import type { LedgerStatus, Digested, OrdersInForce, ObligationState, FeeState, PaymentState } from '../core/state.js';

/**
 * A loan's ledger at a moment: what the fold carries from fact to fact. It is mutable and its amounts are
 * plain numbers of whole cents, because a replay passes through it thousands of times; readers brand what they
 * hand out. Nobody outside this folder writes to it, and `cloneState` gives a copy to try things on.
 *
 * On `day`, the daily jobs of every day up to and including it have run, and the interest of every day before it is in.
 */
export interface LedgerState {
  readonly terms: LedgerTerms;
  /** Told what happens while the ledger moves; null for a bare computation. Not part of the state's value. */
  watcher: LedgerWatcher | null;
  orders: OrdersInForce;
  /** The step that is being computed, for what watchers hear. Not part of the state's value either. */
  seconds: number;
  source: EntrySource;

  day: Day;
  /** The last applied fact: the next one must sort after it. */
  lastFactDay: Day;
  lastFactSeconds: number;
  lastFactSequence: number;

  status: LedgerStatus;
  /** What a paid-off loan returns to when money is taken back is found by replay; this is for readers. */
  statusSince: Day;
  chargeOffReason: ChargeOffReason | null;
  acceleratedSince: Day | null;
  chargedOffSince: Day | null;
  /** Who keeps days overdue from accelerating and charging off by themselves. Replaced, never written, so that copies share it. */
  thresholdHolders: readonly string[];

  rates: RateTimeline;
  /** The segment of `rates` that `day` lies in, or one before it. */
  rateIndex: number;
  /** Rates that hold from a day before they were recorded; null when all were known in time. */
  unknownRates: UnknownRates | null;
  /** An obligation of a time at which they were not known may have risen: its cap must be computed. */
  isCapMissing: boolean;
  rows: readonly OpenRow[];
  /** How due dates go on after the last row. */
  dueDateRule: DueDateRule;
  /** The first row that has not fallen due. */
  nextRow: number;
  /** First day of the period that `nextRow` ends. */
  periodStart: Day;
  settingsIndex: number;

  nonDuePrincipalCents: number;
  duePrincipalCents: number;
  overduePrincipalCents: number;
  chargedOffPrincipalCents: number;
  /** Exact: whole cents leave it when they fall due or are paid. */
  nonDueInterest: Interest;
  dueInterestCents: number;
  overdueInterestCents: number;
  chargedOffInterestCents: number;
  nonDueOriginationFeeCents: number;
  dueOriginationFeeCents: number;
  overdueOriginationFeeCents: number;
  chargedOffOriginationFeeCents: number;
  /** The part of the origination fee that each row carries. */
  originationShareCents: number;
  /** What of the origination fee rows to come ask for: all that has not fallen due, also what was paid in advance for them. */
  originationAskedCents: number;
  /** Late fees and fees by hand, by charge time. */
  fees: FeeState[];
  /** What is unpaid of `fees`. */
  openFeesCents: number;

  /** By due date; the ones that an acceleration replaced are not in it. */
  obligations: ObligationState[];
  /** What the acceleration replaced, as it stood then. */
  replaced: readonly ObligationState[];
  /** Every obligation before this position is fulfilled. */
  firstOpenObligation: number;
  /** Before this position no enforcement is to come. Only saves looking: zero is always right. */
  firstUnenforced: number;
  /** Money paid in advance for obligations that have not fallen due. */
  prepaidCents: number;
  /** What late fees have taken from money that would have been paid in advance: the next obligation lacks it because of them alone. */
  lateFeeAheadCents: number;
  /** Money of this period that met no obligation and lowered the balance. */
  unassignedCents: number;
  isOverdue: boolean;
  /**
   * What would have borne interest since the loan is frozen, from which day on; null while it is not. A frozen loan that is paid off stays
   * so.
   */
  frozenSteps: readonly FrozenStep[] | null;

  /** What the book of a loan with scheduled interest is computed from; null: it is kept by the day. */
  scheduledFacts: readonly ScheduledFact[] | null;

  /** In the order in which they were applied. A payment is replaced, never written, so that copies share it. */
  payments: PaymentState[];
  processingPayments: number;

  totals: LedgerTotals;

  /** What digests need not read again. Not part of the state's value. */
  digestedObligations: Digested;
  digestedPayments: Digested;
}

/** A row in force: what is due when. How it splits is known on its day. */
export type OpenRow = Pick<DueRow, 'date' | 'amountCents' | 'isForced'> & {
  /** Not of the contract: it takes what was left after the last row. */
  readonly isClosing?: true;
  /** Its payment has moved to another date: it asks for nothing. */
  readonly isDeferred?: true;
  /** It asks for the interest of its period; `amountCents` is what that will be when everything is paid in time. */
  readonly isInterestOnly?: true;
};

/** Balances that stood still from a day on. */
export interface FrozenStep {
  readonly from: Day;
  /** The frozen loan was paid off: these days bear nothing, not even on the interest of those before. */
  readonly isPaidOff: boolean;
  readonly principalCents: number;
  /** Interest and fees, in so far as they bear interest. */
  readonly unpaid: Interest;
}

/** What bounds how far rates that nobody knew of may have moved the obligations of their time. */
interface UnknownRates {
  /** The last day on which nobody knew. */
  readonly through: Day;
  /** The newest of the changes. */
  readonly change: number;
  /** Whole cents of interest that had accrued before them. */
  readonly interestBeforeCents: number;
  readonly rowsBefore: readonly OpenRow[];
  /** By how much rows that have fallen due since were lowered in all, and principal that was paid out. */
  fellCents: number;
}

export interface LedgerTotals {
  /** Lifetime accrual, exact; the discount is what promos saved. */
  interestAccrued: Interest;
  interestDiscount: Interest;
  /** Interest that the lifetime cap kept from accruing. */
  forgoneCap: Interest;
  /** Positive: dropped; negative: added by rounding up. */
  forgoneRounding: Interest;
  capitalizedInterestCents: number;
  /** Paid out after activation. */
  advancedCents: number;
  refundsCents: number;
  /** Unpaid interest and fees that refunds took back. */
  reversedInterest: Interest;
  reversedFeesCents: number;
  /** Interest and fees that the borrower had paid and refunds gave back; part of `reimbursementCents`. */
  returnedCents: number;
  feesChargedCents: number;
  paymentsCents: number;
  creditsCents: number;
  paidPrincipalCents: number;
  paidInterestCents: number;
  paidFeesCents: number;
  paidOverCents: number;
  /** What the borrower may have back: money, not credits, above the balance. */
  reimbursementCents: number;
  /** What of it has gone back, and what of that was not paid over: owed again as principal, it counts as if it had been. */
  reimbursedCents: number;
  owedAgainCents: number;
  /** The first day of the year after the one that is running, and the totals when it began. */
  yearEnd: Day;
  interestAccruedBeforeYear: Interest;
  feesChargedBeforeYearCents: number;
  paidInterestBeforeYearCents: number;
  /** Lifetime totals when the running period began. */
  interestAccruedBeforePeriod: Interest;
  interestDiscountBeforePeriod: Interest;
}
