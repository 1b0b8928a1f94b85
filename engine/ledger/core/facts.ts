import type { PaymentTerm, RowTerm } from '../../amortization/index.js';
import type { Day, DueDateRule } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import type { RateTimeline } from '../../rates/index.js';
import type { ChargeLogic } from './terms.js';

/** A time of business: the day and the seconds since midnight in the loan's zone. */
export interface EffectiveTime {
  readonly day: Day;
  /** 0..86399. What people do carries 02:00:00 or later: before that the daily job has its place. */
  readonly seconds: number;
}

/** Orders facts: effective time, then the order of recording. */
export interface FactPosition {
  readonly effective: EffectiveTime;
  /** The order of recording in the loan's journal; unique in the loan. */
  readonly sequence: number;
  /** The business day on which the fact was recorded; `effective.day` when it was recorded in time. */
  readonly recordedDay: Day;
}

export type TransactionKind = 'payment' | 'credit' | 'downPayment';
/** What the ledger counts as money: a refund lowers the loan like a payment, and nobody has paid it. */
export type MoneyKind = TransactionKind | 'refund';
export type ChargeOffReason = 'term' | 'fraudulent' | 'bankruptcy' | 'legal';

/** Money of the borrower, or a credit, applied to the ledger. */
export interface Payment extends FactPosition {
  readonly type: 'payment';
  /** Names the transaction in the loan; later facts refer to it. */
  readonly transaction: number;
  readonly kind: TransactionKind;
  readonly amountCents: Cents;
  /** Null: the setting in force decides. */
  readonly isPrepaymentEnabled: boolean | null;
  /** The part of it that lowers principal alone, and counts toward no obligation to come. Absent: none. */
  readonly principalOnlyCents?: Cents;
  /** Not yet settled: the loan cannot be paid off while such money is part of it. */
  readonly isProcessing: boolean;
}

/** Failed, reversed or canceled: the payment is as if it had not been, from its effective time. */
export interface PaymentVoided extends FactPosition {
  readonly type: 'paymentVoided';
  readonly transaction: number;
}

/** Backdated (or moved forward): the payment has another effective time. The last move counts. */
export interface PaymentMoved extends FactPosition {
  readonly type: 'paymentMoved';
  readonly transaction: number;
  readonly newEffective: EffectiveTime;
}

/**
 * Money of a payment went back, and what it had met is owed again from now on: of loans with scheduled interest whose terms have an order
 * for it.
 */
export interface PaymentChargedBack extends FactPosition {
  readonly type: 'paymentChargedBack';
  /** Names the chargeback in the loan; its reversal refers to it. */
  readonly chargeback: number;
  readonly transaction: number;
  readonly amountCents: Cents;
}

/** The chargeback is as if it had not been, from its effective time. */
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

/** Undoes the acceleration in force at its time, ordered or automatic, back to the day of acceleration. */
export interface ReverseAccelerate extends FactPosition {
  readonly type: 'reverseAccelerate';
}

export interface ChargeOff extends FactPosition {
  readonly type: 'chargeOff';
  readonly reason: ChargeOffReason;
}

/** Undoes the charge-off in force, and the acceleration that it passed through: the loan is active again. */
export interface ReverseChargeOff extends FactPosition {
  readonly type: 'reverseChargeOff';
}

/**
 * From now on the service neither accelerates nor charges off by itself, as long as anyone holds it back: a case.
 * By hand both stay possible.
 */
export interface ThresholdsHeld extends FactPosition {
  readonly type: 'thresholdsHeld';
  /** Names who holds: several may at once. */
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

/** A fee charged by hand. `effective` is its charge time. */
export interface FeeCharged extends FactPosition {
  readonly type: 'feeCharged';
  /** Names the fee in the loan; later facts refer to it. */
  readonly fee: number;
  readonly feeTypeId: string;
  readonly kind: DynamicFeeKind;
  readonly amountCents: Cents;
  readonly chargeLogic: ChargeLogic;
  /** It came by itself, and its type is waived on days of military service. */
  readonly isWaivedDuringScra?: true;
}

/** A fee waived: it is as if it had not been, and money that paid it is applied again. */
export interface FeeCanceled extends FactPosition {
  readonly type: 'feeCanceled';
  readonly fee: FeeReference;
}

/** The amount of a fee is another one from its charge on; money that paid more of it is applied again. The last change counts. */
export interface FeeChanged extends FactPosition {
  readonly type: 'feeChanged';
  readonly fee: FeeReference;
  readonly amountCents: Cents;
}

/** The days of military service under SCRA terms, as they are known from now on: fees that are waived then are as if they had not been. */
export interface ScraDaysSet extends FactPosition {
  readonly type: 'scraDaysSet';
  readonly spans: readonly DaySpan[];
}

/** Days from one on until the day before another; null: for ever. */
export interface DaySpan {
  readonly from: Day;
  readonly until: Day | null;
}

/** The origination fee is another one since activation. The last change counts. */
export interface OriginationFeeChanged extends FactPosition {
  readonly type: 'originationFeeChanged';
  readonly amountCents: Cents;
}

/** A fee by hand by its number; a late fee by what it is for, so that the name survives every replay. */
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
 * The rows from a due date on are replaced: other dates, and one new level or a named amount. What is due or overdue
 * stays owed beside them.
 */
export interface ScheduleChanged extends FactPosition {
  readonly type: 'scheduleChanged';
  /** Ascending. */
  readonly dueDates: readonly Day[];
  /** Rows before this day stay as they are, and it lies not after the first new date; absent: that date. */
  readonly from?: Day;
  /** `level` is solved for; `fixed` leaves the rest to the last date; `openEnded` uses as many dates as it takes. */
  readonly payment: PaymentTerm;
  /** What the rows of `dueDates` are asked to be, by position; absent rows are level. */
  readonly rowTerms?: readonly RowTerm[];
  /** How due dates go on from now on; absent: as before. */
  readonly rule?: DueDateRule;
}

/**
 * The payment of one due date moves to a later one, where it adds to what is due then, or to a date without a row. The
 * date stays as a row that asks for nothing. For a due date that has passed the fact is effective on the day before it.
 */
export interface DueDateDeferred extends FactPosition {
  readonly type: 'dueDateDeferred';
  readonly dueDay: Day;
  readonly newDay: Day;
}

/** Of a loan with scheduled interest: what is past due joins the rows to come, from the one due on `from` on, in equal parts. */
export interface Reamortized extends FactPosition {
  readonly type: 'reamortized';
  readonly from: Day;
}

/** Money paid out after activation: principal rises. */
export interface AdvancePaidOut extends FactPosition {
  readonly type: 'advance';
  /** Names the advance in the loan; its cancellation refers to it. */
  readonly advance: number;
  readonly amountCents: Cents;
  /** Re-amortize the rows to come over the same end date, or keep amounts that were made with the advance. */
  readonly reamortization: 'sameEndDate' | 'keepAmounts';
}

/** The advance is as if it had not been, from its effective time. */
export interface AdvanceCanceled extends FactPosition {
  readonly type: 'advanceCanceled';
  readonly advance: number;
}

/** A return of what the loan financed: principal falls, the recurring amount stays. */
export interface Refund extends FactPosition {
  readonly type: 'refund';
  /** Names the refund among the loan's payments; its cancellation refers to it. */
  readonly transaction: number;
  readonly amountCents: Cents;
  /** Refunds that come to this together take interest and fees back as well. */
  readonly fullCents: Cents;
  /** The origination fee is taken back; only on the day of activation. */
  readonly isOriginationFeeRefunded: boolean;
  /** Fees charged after the refund's time, up to the day of its recording, are as if they had not been. */
  readonly areLateFeesCanceled: boolean;
  readonly areOtherFeesCanceled: boolean;
}

/** What was paid over has gone back to the borrower. One that failed is voided like a payment. */
export interface Reimbursed extends FactPosition {
  readonly type: 'reimbursed';
  /** Names it among the loan's payments; its failure refers to it. */
  readonly transaction: number;
  readonly amountCents: Cents;
}

/** The refund is as if it had not been. */
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
