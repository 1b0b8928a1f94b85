import type { PaymentTerm, RowTerm } from '../../amortization/index.js';
import type { Day, DueDateRule } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import type { RateTimeline } from '../../rates/index.js';
import type { ChargeLogic } from './terms.js';

/** A business time: the day and the seconds since midnight in the loan's zone. */
export interface EffectiveTime {
  readonly day: Day;
  /** 0..86399. Facts of people have 02:00:00 or later; the daily job has the time before. */
  readonly seconds: number;
}

/** The order of facts: effective time, then the order of recording. */
export interface FactPosition {
  readonly effective: EffectiveTime;
  /** The order of recording in the loan's journal; unique in the loan. */
  readonly sequence: number;
  /** The business day on which the fact was recorded; `effective.day` if it was recorded in time. */
  readonly recordedDay: Day;
}

export type TransactionKind = 'payment' | 'credit' | 'downPayment';
/** Kinds of money in the ledger. A refund lowers the loan like a payment, but nobody has paid it. */
export const MONEY_KINDS = ['payment', 'credit', 'downPayment', 'refund'] as const satisfies readonly (TransactionKind | 'refund')[];
export type MoneyKind = (typeof MONEY_KINDS)[number];
export type ChargeOffReason = 'term' | 'fraudulent' | 'bankruptcy' | 'legal';

/** Money of the borrower, or a credit, applied to the ledger. */
export interface Payment extends FactPosition {
  readonly type: 'payment';
  /** Number of the transaction in the loan; later facts refer to it. */
  readonly transaction: number;
  readonly kind: TransactionKind;
  readonly amountCents: Cents;
  /** Null: as the setting in force says. */
  readonly isPrepaymentEnabled: boolean | null;
  /** The part that lowers only principal and counts for no coming obligation. Absent: none. */
  readonly principalOnlyCents?: Cents;
  /** Not settled yet: the loan cannot be paid off with it. */
  readonly isProcessing: boolean;
}

/** The payment failed, was reversed or canceled: the ledger is computed without it. */
export interface PaymentVoided extends FactPosition {
  readonly type: 'paymentVoided';
  readonly transaction: number;
}

/** The payment gets another effective time, earlier or later. The last move applies. */
export interface PaymentMoved extends FactPosition {
  readonly type: 'paymentMoved';
  readonly transaction: number;
  readonly newEffective: EffectiveTime;
}

/**
 * Money of a payment was charged back: what it had paid is owed again from now on. Only for loans with scheduled interest whose terms have
 * an order of charge-backs.
 */
export interface PaymentChargedBack extends FactPosition {
  readonly type: 'paymentChargedBack';
  /** Number of the chargeback in the loan; its reversal refers to it. */
  readonly chargeback: number;
  readonly transaction: number;
  readonly amountCents: Cents;
}

/** The chargeback was reversed: the ledger is computed without it. */
export interface ChargebackReversed extends FactPosition {
  readonly type: 'chargebackReversed';
  readonly chargeback: number;
}

/** The payment left processing. */
export interface PaymentSettled extends FactPosition {
  readonly type: 'paymentSettled';
  readonly transaction: number;
}

export interface Freeze extends FactPosition {
  readonly type: 'freeze';
}

export interface Unfreeze extends FactPosition {
  readonly type: 'unfreeze';
  readonly retroactivelyAccrueInterest: boolean;
  readonly shiftDueDates: boolean;
}

export interface Accelerate extends FactPosition {
  readonly type: 'accelerate';
}

/** Undoes the acceleration in force at its time, manual or automatic, from the day of the acceleration on. */
export interface ReverseAccelerate extends FactPosition {
  readonly type: 'reverseAccelerate';
}

export interface ChargeOff extends FactPosition {
  readonly type: 'chargeOff';
  readonly reason: ChargeOffReason;
}

/** Undoes the charge-off in force and its acceleration: the loan is active again. */
export interface ReverseChargeOff extends FactPosition {
  readonly type: 'reverseChargeOff';
}

/**
 * From now on the service neither accelerates nor charges off the loan by itself, as long as at least one holder (a case)
 * holds the thresholds. Both stay possible by hand.
 */
export interface ThresholdsHeld extends FactPosition {
  readonly type: 'thresholdsHeld';
  /** The holder; several may hold the thresholds at once. */
  readonly holder: string;
}

export interface ThresholdsReleased extends FactPosition {
  readonly type: 'thresholdsReleased';
  readonly holder: string;
}

export interface Cancel extends FactPosition {
  readonly type: 'cancel';
}

export type DynamicFeeKind = 'lateFee' | 'modificationFee' | 'otherFee';

/** A manual fee. `effective` is its charge time. */
export interface FeeCharged extends FactPosition {
  readonly type: 'feeCharged';
  /** Number of the fee in the loan; later facts refer to it. */
  readonly fee: number;
  readonly feeTypeId: string;
  readonly kind: DynamicFeeKind;
  readonly amountCents: Cents;
  readonly chargeLogic: ChargeLogic;
  /** It was charged automatically, and its type is waived on days of military service. */
  readonly isWaivedDuringScra?: true;
}

/** The fee was waived: the ledger is computed without it, and its money is allocated again. */
export interface FeeCanceled extends FactPosition {
  readonly type: 'feeCanceled';
  readonly fee: FeeReference;
}

/** The fee has another amount since its charge; money above the new amount is allocated again. The last change applies. */
export interface FeeChanged extends FactPosition {
  readonly type: 'feeChanged';
  readonly fee: FeeReference;
  readonly amountCents: Cents;
}

/** The days of military service under SCRA terms. The ledger is computed without fees that are waived on these days. */
export interface ScraDaysSet extends FactPosition {
  readonly type: 'scraDaysSet';
  readonly spans: readonly DaySpan[];
}

/** Days `[from, until)`; null: without end. */
export interface DaySpan {
  readonly from: Day;
  readonly until: Day | null;
}

/** The origination fee has another amount since activation. The last change applies. */
export interface OriginationFeeChanged extends FactPosition {
  readonly type: 'originationFeeChanged';
  readonly amountCents: Cents;
}

/** A manual fee by its number; a late fee by its type and obligation, so that the reference survives every replay. */
export type FeeReference =
  | { readonly type: 'charged'; readonly fee: number }
  | { readonly type: 'late'; readonly feeTypeId: string; readonly obligation: number };

/** A new timeline of rates, in force from `effective.day` on. */
export interface RatesChanged extends FactPosition {
  readonly type: 'ratesChanged';
  readonly rates: RateTimeline;
  /** Re-amortize the rows from the next due date over the same end date, or keep their amounts. */
  readonly reamortization: 'sameEndDate' | 'keepAmounts';
}

/**
 * Replaces the rows from a due date on: other dates, and a new level or a named amount. Due and overdue amounts stay owed
 * in addition.
 */
export interface ScheduleChanged extends FactPosition {
  readonly type: 'scheduleChanged';
  /** Ascending. */
  readonly dueDates: readonly Day[];
  /** Rows before this day stay. It is not after the first new date; absent: the first new date. */
  readonly from?: Day;
  /** `level` is solved; `fixed` leaves the rest to the last date; `openEnded` uses as many dates as needed. */
  readonly payment: PaymentTerm;
  /** Terms of the rows of `dueDates`, by position; absent rows are level. */
  readonly rowTerms?: readonly RowTerm[];
  /** The rule of later due dates; absent: as before. */
  readonly rule?: DueDateRule;
}

/**
 * The payment of one due date moves to a later date, with or without a row, and adds to what is due then. The old due date
 * stays as a row of zero. For a due date that has passed, the fact is effective on the day before it.
 */
export interface DueDateDeferred extends FactPosition {
  readonly type: 'dueDateDeferred';
  readonly dueDay: Day;
  readonly newDay: Day;
}

/** Loans with scheduled interest: past due amounts are spread in equal parts over the rows from the one due on `from` on. */
export interface Reamortized extends FactPosition {
  readonly type: 'reamortized';
  readonly from: Day;
}

/** Money paid out after activation: principal rises. */
export interface AdvancePaidOut extends FactPosition {
  readonly type: 'advance';
  /** Number of the advance in the loan; its cancellation refers to it. */
  readonly advance: number;
  readonly amountCents: Cents;
  /** Re-amortize the coming rows over the same end date, or keep amounts that include the advance already. */
  readonly reamortization: 'sameEndDate' | 'keepAmounts';
}

/** The advance was canceled: the ledger is computed without it. */
export interface AdvanceCanceled extends FactPosition {
  readonly type: 'advanceCanceled';
  readonly advance: number;
}

/** A return of what the loan financed: principal falls, the recurring amount stays. */
export interface Refund extends FactPosition {
  readonly type: 'refund';
  /** Number of the refund among the loan's payments; its cancellation refers to it. */
  readonly transaction: number;
  readonly amountCents: Cents;
  /** Refunds that reach this amount together also take back interest and fees. */
  readonly fullCents: Cents;
  /** The origination fee is taken back; only on the day of activation. */
  readonly isOriginationFeeRefunded: boolean;
  /** Cancels the fees charged after the refund's time, up to the day of its recording. */
  readonly areLateFeesCanceled: boolean;
  readonly areOtherFeesCanceled: boolean;
}

/** Overpaid money was refunded to the borrower. If that fails, it is voided like a payment. */
export interface Reimbursed extends FactPosition {
  readonly type: 'reimbursed';
  /** Its number among the loan's payments; its failure refers to it. */
  readonly transaction: number;
  readonly amountCents: Cents;
}

/** The refund was canceled: the ledger is computed without it. */
export interface RefundCanceled extends FactPosition {
  readonly type: 'refundCanceled';
  readonly transaction: number;
}

export type LedgerFact =
  | AdvancePaidOut
  | AdvanceCanceled
  | Refund
  | RefundCanceled
  | Reimbursed
  | Payment
  | PaymentVoided
  | PaymentMoved
  | PaymentSettled
  | PaymentChargedBack
  | ChargebackReversed
  | Freeze
  | Unfreeze
  | Accelerate
  | ReverseAccelerate
  | ChargeOff
  | ReverseChargeOff
  | ThresholdsHeld
  | ThresholdsReleased
  | Cancel
  | FeeCharged
  | FeeCanceled
  | FeeChanged
  | ScraDaysSet
  | OriginationFeeChanged
  | RatesChanged
  | ScheduleChanged
  | Reamortized
  | DueDateDeferred;
