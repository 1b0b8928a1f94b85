import type { Day } from '../calendar/index.js';
import type { RateTimeline } from '../rates/index.js';
import type { ChargeOffReason, EntrySource, FeeState, Interest, LedgerStatus, LedgerWatcher, ObligationState, PaymentState } from '../replay/index.js';
import type { DrawActivated } from './facts.js';
import type { LineSchedule, LineTerms } from './terms.js';

/**
 * A line's ledger at a moment, as `LedgerState` is an installment loan's: mutable, in plain numbers of whole cents and
 * exact interest, written by this folder alone. On `day` the daily jobs of every day up to and including it have run.
 */
export interface LineState {
  readonly terms: LineTerms;
  watcher: LedgerWatcher | null;
  seconds: number;
  source: EntrySource;

  day: Day;
  lastFactDay: Day;
  lastFactSeconds: number;
  lastFactSequence: number;

  status: LedgerStatus;
  statusSince: Day;
  chargeOffReason: ChargeOffReason | null;
  acceleratedSince: Day | null;
  chargedOffSince: Day | null;
  isClosed: boolean;

  limitCents: number;
  schedule: LineSchedule;
  settingsIndex: number;
  /** The one that runs, and the closed ones whose due date has not been enforced, oldest first. */
  periods: LinePeriod[];

  /** In the order of activation. */
  draws: DrawState[];
  /** Fees of the line itself; the origination fee is one of them. */
  fees: LineFee[];
  /** One a period, by due date: the line's minimum payment. */
  obligations: LineObligation[];
  isOverdue: boolean;
  payments: LinePaymentState[];
  processingPayments: number;
  totals: LineTotals;
}

export interface LinePeriod {
  /** From 0; with it the period's and its obligation's ids are derived. */
  readonly ordinal: number;
  readonly startDate: Day;
  readonly endDate: Day;
  readonly statementDate: Day;
  readonly dueDate: Day;
}

export interface DrawState {
  readonly draw: number;
  readonly activation: DrawActivated;
  isClosed: boolean;
  isCanceled: boolean;
  limitCents: number | null;
  rates: RateTimeline;
  balances: DrawBalances;
  fees: LineFee[];
  /** Flag of the grace of the obligation in force (servicing-behaviour 10.4). */
  isGraceEligible: boolean;
  /** Rows of an amortized draw that have not fallen due: what each of the line's due dates asks of it. */
  rows: readonly { readonly dueDate: Day; readonly amountCents: number }[];
  totals: LineTotals;
}

export interface DrawBalances {
  nonDuePrincipalCents: number;
  duePrincipalCents: number;
  overduePrincipalCents: number;
  chargedOffPrincipalCents: number;
  nonDueInterest: Interest;
  dueInterestCents: number;
  overdueInterestCents: number;
  chargedOffInterestCents: number;
}

/** As an installment loan's fee, with the draw that it belongs to and what made it. */
export interface LineFee extends FeeState {
  readonly draw: number | null;
  readonly origin: 'origination' | 'draw' | 'late' | 'charged';
}

/** The line's minimum payment of a period, with what each draw brings to it. */
export interface LineObligation extends ObligationState {
  readonly period: LinePeriod;
  /** Part of it that is due because the limit is exceeded. */
  readonly overLimitCents: number;
  readonly grace: GraceStanding;
  readonly draws: readonly DrawObligation[];
}

export interface DrawObligation {
  readonly draw: number;
  readonly amountCents: number;
  remainingCents: number;
  grace: GraceStanding;
}

export interface GraceStanding {
  readonly fullBalanceCents: number;
  readonly fullBalanceMinusOverdueCents: number;
  totalFulfilledOnDueDateCents: number;
  isEligible: boolean;
}

export interface LinePaymentState extends PaymentState {
  readonly holdUntil: Day | null;
  readonly splits: readonly DrawSplit[];
}

/** What of a payment one draw got; null: the line's own fees. */
export interface DrawSplit {
  readonly draw: number | null;
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
}

/** Lifetime figures, of the line or of one draw. */
export interface LineTotals {
  purchasesCents: number;
  refundsCents: number;
  interestAccrued: Interest;
  interestDiscount: Interest;
  forgoneRounding: Interest;
  capitalizedInterestCents: number;
  feesChargedCents: number;
  paymentsCents: number;
  creditsCents: number;
  paidPrincipalCents: number;
  paidInterestCents: number;
  paidFeesCents: number;
  paidOverCents: number;
  reimbursementCents: number;
  yearEnd: Day;
  interestAccruedBeforeYear: Interest;
  feesChargedBeforeYearCents: number;
  paidInterestBeforeYearCents: number;
  interestAccruedBeforePeriod: Interest;
}
