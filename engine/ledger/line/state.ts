import type { Day } from '../../calendar/index.js';
import type { RateTimeline } from '../../rates/index.js';
import type { BalancesByDueStatus } from '../core/balances.js';
import type { Accrual, Allocation, EntryComponent, EntryLine, EntrySource, EntryType, LedgerEntry, LedgerEvent } from '../core/entries.js';
import type { ChargeOffReason } from '../core/facts.js';
import type { Interest } from '../core/interest.js';
import type { FeeState, LedgerStatus, ObligationState, PaymentState, OrdersInForce } from '../core/state.js';
import type { DrawActivated } from './facts.js';
import type { LineSchedule, LineTerms } from './terms.js';

/** Why balances of a line changed, beside what changes those of an installment loan. */
export type LineEntryType =
  | EntryType
  | 'purchase'
  | 'purchaseRefund'
  | 'drawFee'
  | 'minimumInterest'
  /** Interest of the days since the statement, when a grace is lost. */
  | 'graceLost'
  /** The same taken back, when a grace comes back. */
  | 'graceRestored'
  | 'balancesDeferred'
  | 'migration';

type LineEntryComponent = EntryComponent | 'drawFees';

export interface LineEntryLine extends Omit<EntryLine, 'component'> {
  readonly component: LineEntryComponent;
  /** Null: of the line itself, and the counter line. */
  readonly draw: number | null;
}

/** One change of balances. The lines with the counter line sum to zero. */
export interface LineEntry extends Omit<LedgerEntry, 'entryType' | 'lines'> {
  readonly entryType: LineEntryType;
  readonly lines: readonly LineEntryLine[];
}

type OfBothLedgers = Exclude<LedgerEvent, { readonly type: 'balanceChanged' }>;
type BalanceChanged = Extract<LedgerEvent, { readonly type: 'balanceChanged' }>;
type At = Pick<BalanceChanged, 'day' | 'seconds'>;

/** What a line reports while it moves forward. */
export type LineLedgerEvent =
  | OfBothLedgers
  | (Omit<BalanceChanged, 'cause'> & { readonly cause: LineEntryType | 'replay' })
  | (At & { readonly type: 'graceChanged'; readonly draw: number; readonly isEligible: boolean })
  | (At & {
      readonly type: 'minimumInterestCharged';
      readonly draw: number;
      readonly period: number;
      readonly amountCents: BalanceChanged['balances']['totalCents'];
    })
  | (At & { readonly type: 'drawFeeBooked'; readonly draw: number; readonly amountCents: BalanceChanged['balances']['totalCents'] })
  | (At & { readonly type: 'drawPaidOff'; readonly draw: number })
  | (At & { readonly type: 'feeCapitalized'; readonly of: FeeNamed; readonly amountCents: BalanceChanged['balances']['totalCents'] });

/** What tells a fee of a line from all others. */
type FeeNamed = Pick<LineFee, 'draw' | 'origin' | 'fee' | 'feeTypeId' | 'obligation'>;

/** Is told, in order, what a line's ledger does. Watching never changes what is computed. */
export interface LineWatcher {
  happened(ledgerEvent: LineLedgerEvent): void;
  entered?(entry: LineEntry): void;
  accrued?(accrual: LineAccrual): void;
  allocated?(allocation: LineAllocation): void;
}

export interface LineAccrual extends Accrual {
  readonly draw: number;
  /** A grace came back: nothing accrues on these days, whatever was told of them before. */
  readonly isTakenBack?: true;
}

/** Where a cent of a payment went; draw null: the line's own fees, and what was paid over. */
export interface LineAllocation extends Allocation {
  readonly draw: number | null;
}

/**
 * A line's ledger at a moment, as `LedgerState` is an installment loan's: mutable, in plain numbers of whole cents and
 * exact interest, written by this folder alone. On `day` the daily jobs of every day up to and including it have run.
 */
export interface LineState {
  readonly terms: LineTerms;
  /** Told what happens while the ledger moves; null for a bare computation. Not part of the state's value. */
  watcher: LineWatcher | null;
  readonly orders: LineOrders;
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
  /** As an installment loan's. */
  thresholdHolders: readonly string[];
  isClosed: boolean;
  /** Also while a frozen line is paid off: what is owed again finds it frozen. */
  isFrozen: boolean;

  limitCents: number;
  schedule: LineSchedule;
  settingsIndex: number;
  /** From the activation (of a migrated line: from its cutoff) to the one that runs, which is the last. */
  periods: LinePeriod[];

  /** In the order of activation. */
  draws: DrawState[];
  /** Fees of the line itself; the origination fee is one of them. */
  fees: LineFee[];
  /** One a period, by due date: the line's minimum payment. The ones that an acceleration replaced are not in it. */
  obligations: LineObligation[];
  /** What the acceleration replaced, as it stood then. */
  replaced: readonly LineObligation[];
  /** Every obligation before this position is fulfilled. */
  firstOpenObligation: number;
  /** Before this position no enforcement is to come. */
  firstUnenforced: number;
  isOverdue: boolean;
  /** Money paid in advance for obligations that are not fixed. */
  prepaidCents: number;
  /** Money that is for the next statement alone: what that does not ask for has lowered the balance. */
  openPaidCents: number;
  /** What late fees have taken from money that would have been paid in advance. */
  lateFeeAheadCents: number;
  /** Money of the running period that met no obligation. */
  unassignedCents: number;
  payments: LinePaymentState[];
  /** Before this position no payment holds credit any more. Only saves looking: zero is always right. Not part of the state's value. */
  firstHeldPayment: number;
  processingPayments: number;
  totals: LineTotals;
}

/** What facts about the past say of what comes from others: known before the fold begins. */
export interface LineOrders extends OrdersInForce {
  /** Amounts that have replaced those of the draws' activation. */
  readonly drawFeesCents: ReadonlyMap<number, number>;
  /** What obligations asked for, without fees, before something was recorded behind their due dates, by ordinal. */
  readonly askedCents: ReadonlyMap<number, number>;
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
  /** First day that bears interest. */
  readonly interestFrom: Day;
  isClosed: boolean;
  isCanceled: boolean;
  limitCents: number | null;
  rates: RateTimeline;
  balances: DrawBalances;
  fees: LineFee[];
  /** Flag of the grace of the obligation in force. */
  isGraceEligible: boolean;
  /** Interest of the running period that was paid before it fell due. */
  paidAheadInterestCents: number;
  /** Bought in the running period, less what came back: what an automatic amortization takes together. */
  periodPurchasesCents: number;
  /** By order or by itself: what is left without a row is then asked for whole. */
  isAmortized: boolean;
  /** Rows of an amortized draw that have not fallen due: what each of the line's due dates asks of it. */
  rows: readonly { readonly dueDate: Day; readonly amountCents: number }[];
  totals: LineTotals;
  /** What would have borne interest since the line is frozen, from which day on; none while it is not. */
  frozenSteps: readonly FrozenBase[];
}

/** What stood still from a day on: principal, and what bears interest with it. */
interface FrozenBase {
  readonly from: Day;
  /** The line was paid off: these days bear nothing, not even on the interest of those before. */
  readonly isPaidOff: boolean;
  readonly base: Interest;
}

export type DrawBalances = BalancesByDueStatus;

/** As an installment loan's fee, with the draw that it belongs to and what made it. */
export interface LineFee extends FeeState {
  readonly draw: number | null;
  readonly origin: 'origination' | 'draw' | 'late' | 'charged';
  /** It falls due with no due date before this one: a part of a fee that is spread over several; null: with the next. */
  readonly fromDueDate: Day | null;
  /** What of it has become principal. */
  capitalizedCents: number;
}

/** The line's minimum payment of a period, with what each draw brings to it. */
export interface LineObligation extends ObligationState {
  readonly period: LinePeriod;
  /** Part of it that is due because the limit is exceeded. */
  readonly overLimitCents: number;
  /** What was overdue when it was fixed: owed beside it, and part of the minimum payment that a statement shows. */
  readonly carriedOverdueCents: number;
  readonly grace: GraceBalances;
  readonly draws: DrawObligation[];
}

/** What one draw brings to an obligation, and what is left of it; null: the line's own fees. */
export interface DrawObligation {
  readonly draw: number | null;
  amountCents: number;
  interestCents: number;
  feesCents: number;
  remainingCents: number;
  paymentsCents: number;
  creditsCents: number;
  readonly prepaidCents: number;
  capitalizedCents: number;
  readonly grace: GraceBalances;
}

export interface GraceBalances {
  readonly fullBalanceCents: number;
  readonly fullBalanceMinusOverdueCents: number;
  /** The part of the full balance that is principal. */
  readonly principalCents: number;
  /** What has lowered the balance since the statement, up to the due date. */
  totalFulfilledOnDueDateCents: number;
  /** The flag in force when the statement was made. */
  readonly isEligible: boolean;
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
  /** Interest that a restored grace took back, paid or not. */
  reversedInterest: Interest;
  capitalizedInterestCents: number;
  capitalizedFeesCents: number;
  feesChargedCents: number;
  paymentsCents: number;
  creditsCents: number;
  paidPrincipalCents: number;
  paidInterestCents: number;
  paidFeesCents: number;
  paidOverCents: number;
  reimbursementCents: number;
  /** What of it has gone back, and what of that was not paid over: owed again as principal, it counts as if it had been. */
  reimbursedCents: number;
  owedAgainCents: number;
  /** What a cancellation took away unpaid. */
  canceledPrincipalCents: number;
  canceledFeesCents: number;
  yearEnd: Day;
  interestAccruedBeforeYear: Interest;
  feesChargedBeforeYearCents: number;
  paidInterestBeforeYearCents: number;
  interestAccruedBeforePeriod: Interest;
}
