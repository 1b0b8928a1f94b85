import type { Day } from '../../calendar/index.js';
import type { RateTimeline } from '../../rates/index.js';
import type { BalancesByDueStatus } from '../core/balances.js';
import type { Accrual, Allocation, EntryComponent, EntryLine, EntryType, LedgerEntry, LedgerEvent } from '../core/entries.js';
import type { Interest } from '../core/interest.js';
import type { OverpaidMoney } from '../core/paid-over.js';
import type { FeeState, LedgerHead, ObligationState, OrdersInForce, PaymentState, Totals } from '../core/state.js';
import type { DrawActivated } from './facts.js';
import type { HeldCredit } from './payments.js';
import type { LineSchedule, LineTerms } from './terms.js';

/** Why balances of a line changed: the types of installment loans and further ones. */
export type LineEntryType =
  | EntryType
  | 'purchase'
  | 'purchaseRefund'
  | 'drawFee'
  | 'minimumInterest'
  /** Interest of the days since the statement, because a grace was lost. */
  | 'graceLost'
  /** Cancels interest of the days since the statement, because a grace was restored. */
  | 'graceRestored'
  | 'balancesDeferred'
  | 'migration';

type LineEntryComponent = EntryComponent | 'drawFees';

export interface LineEntryLine extends Omit<EntryLine, 'component'> {
  readonly component: LineEntryComponent;
  /** Null: the line itself, or the counter line. */
  readonly draw: number | null;
}

/** One change of balances. All lines, including the counter line, sum to zero. */
export interface LineEntry extends Omit<LedgerEntry, 'entryType' | 'lines'> {
  readonly entryType: LineEntryType;
  readonly lines: readonly LineEntryLine[];
}

type OfBothLedgers = Exclude<LedgerEvent, { readonly type: 'balanceChanged' }>;
type BalanceChanged = Extract<LedgerEvent, { readonly type: 'balanceChanged' }>;
type At = Pick<BalanceChanged, 'day' | 'seconds'>;

/** What a line's ledger reports while it moves forward. */
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

/** The fields that identify a fee of a line. */
type FeeNamed = Pick<LineFee, 'draw' | 'origin' | 'fee' | 'feeTypeId' | 'obligation'>;

/** Receives, in order, what a line's ledger does. A watcher never changes the result. */
export interface LineWatcher {
  happened(ledgerEvent: LineLedgerEvent): void;
  entered?(entry: LineEntry): void;
  /** Each entry, and what the lender owes to the borrower more than before it; also a change of that alone. */
  booked?(entry: LineEntry, owedBackCents: number): void;
  accrued?(accrual: LineAccrual): void;
  interestBooked?(accrual: LineAccrual): void;
  allocated?(allocation: LineAllocation): void;
  late?(day: Day, daysOverdue: number | null): void;
  /** After each entry: principal, interest that has fallen due, and fees, without what is charged off. */
  owed?(balanceCents: number): void;
}

export interface LineAccrual extends Accrual {
  readonly draw: number;
  /** A grace was restored: this replaces earlier accruals of these days with zero. */
  readonly isTakenBack?: true;
}

/** The allocation of a payment; draw null: the line's own fees, and overpaid money. */
export interface LineAllocation extends Allocation {
  readonly draw: number | null;
}

/**
 * The state of a line's ledger, like `LedgerState` of an installment loan: mutable, in plain numbers of whole cents and exact
 * interest. Only this folder changes it. The daily jobs of every day up to and including `day` have run.
 */
export interface LineState extends LedgerHead {
  readonly terms: LineTerms;
  /** Receives what the ledger emits; null for a plain computation. Not part of the state's value. */
  watcher: LineWatcher | null;
  readonly orders: LineOrders;

  isClosed: boolean;
  /** Also true while a frozen line is paid off: it is frozen again if something is owed again. */
  isFrozen: boolean;

  limitCents: number;
  schedule: LineSchedule;
  /** From the activation (migrated lines: from the cutoff) to the running period, which is the last. */
  periods: LinePeriod[];

  /** In the order of activation. */
  draws: DrawState[];
  /** Fees of the line itself, including the origination fee. */
  fees: LineFee[];
  /** The minimum payments of the line, one for each period, by due date, without those that an acceleration replaced. */
  obligations: LineObligation[];
  /** The obligations that the acceleration replaced, as of that time. */
  replaced: readonly LineObligation[];
  /** Money only for the next statement: the part that the statement does not need has lowered the balance. */
  openPaidCents: number;
  /** Changed in `payments.ts` alone. */
  payments: LinePaymentState[];
  /** Sums over the payments, as readers of the credit need them. Not part of the state's value. */
  heldCredit: readonly HeldCredit[];
  /** The same of overpaid money. */
  readonly overpaid: OverpaidMoney;
  totals: LineTotals;
}

/** What facts about the past change in other facts: known before the fold begins. */
export interface LineOrders extends OrdersInForce {
  /** Changed amounts of draw fees. */
  readonly drawFeesCents: ReadonlyMap<number, number>;
  /** By ordinal, the amounts of obligations without fees before facts were recorded after their due dates. */
  readonly askedCents: ReadonlyMap<number, number>;
}

export interface LinePeriod {
  /** Counted from 0. The ids of the period and of its obligation are derived from it. */
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
  /** The flag of grace of the current obligation. */
  isGraceEligible: boolean;
  /** Interest of the running period that was paid before it fell due. */
  paidAheadInterestCents: number;
  /** Purchases of the running period less returns, which an automatic amortization takes together. */
  periodPurchasesCents: number;
  /** By order or automatically. A balance without a row is due as a whole. */
  isAmortized: boolean;
  /** The rows of an amortized draw that have not fallen due, by the line's due dates. */
  rows: readonly { readonly dueDate: Day; readonly amountCents: number }[];
  totals: LineTotals;
  /** Interest-bearing balances since the line is frozen, by day; empty if it is not frozen. */
  frozenSteps: readonly FrozenBase[];
}

/** Balances of a frozen line from a day on. */
interface FrozenBase {
  readonly from: Day;
  /** The line was paid off: these days bear no interest, not even on earlier interest. */
  readonly isPaidOff: boolean;
  readonly base: Interest;
}

export type DrawBalances = BalancesByDueStatus;

/** A fee as of an installment loan, with its draw and its origin. */
export interface LineFee extends FeeState {
  readonly draw: number | null;
  readonly origin: 'origination' | 'draw' | 'late' | 'charged';
  /** The earliest due date of a part of a spread fee; null: the next due date. */
  readonly fromDueDate: Day | null;
  /** The part that has become principal. */
  capitalizedCents: number;
}

/** The line's minimum payment of a period, with the parts of its draws. */
export interface LineObligation extends ObligationState {
  readonly period: LinePeriod;
  /** The part that is due because the limit is exceeded. */
  readonly overLimitCents: number;
  /** Overdue amounts when it was fixed: owed in addition, and part of the minimum payment on a statement. */
  readonly carriedOverdueCents: number;
  readonly grace: GraceBalances;
  readonly draws: DrawObligation[];
}

/** The part of one draw in an obligation, and its rest; null: the line's own fees. */
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
  /** Money that has lowered the balance since the statement, up to the due date. */
  totalFulfilledOnDueDateCents: number;
  /** The flag of grace at the time of the statement. */
  readonly isEligible: boolean;
}

export interface LinePaymentState extends PaymentState {
  readonly holdUntil: Day | null;
  readonly splits: readonly DrawSplit[];
}

/** The part of a payment for one draw; null: the line's own fees. */
export interface DrawSplit {
  readonly draw: number | null;
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
}

/** Lifetime totals of the line or of one draw. */
export interface LineTotals extends Totals {
  purchasesCents: number;
  capitalizedFeesCents: number;
  /** Unpaid amounts that a cancellation removed. */
  canceledPrincipalCents: number;
  canceledFeesCents: number;
}
