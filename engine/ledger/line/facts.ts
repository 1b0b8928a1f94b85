import type { Day } from '../../calendar/index.js';
import type { Cents, Rate } from '../../money/index.js';
import type { RateTimeline } from '../../rates/index.js';
import type { DueStatus } from '../../waterfall.js';
import type {
  Accelerate,
  Cancel,
  ChargeOff,
  FactPosition,
  FeeCanceled,
  FeeChanged,
  FeeCharged,
  Freeze,
  OriginationFeeChanged,
  Payment,
  PaymentMoved,
  PaymentSettled,
  PaymentVoided,
  Reimbursed,
  ReverseAccelerate,
  ReverseChargeOff,
  ScraDaysSet,
  ThresholdsHeld,
  ThresholdsReleased,
  Unfreeze,
} from '../core/facts.js';
import type { OriginationFee } from '../core/terms.js';
import type { GraceTerms, LineSchedule, MinimumTerms } from './terms.js';

/** Numbers name draws, purchases, transactions and fees within one line; later facts refer to them. */

/** Static draws are made by a migration: they hold history, bear no interest and take nothing new. */
export type DrawType = 'regularPurchase' | 'cashAdvance' | 'balanceTransfer' | 'static';

/** The draw begins to be serviced: everything contractual about it. */
export interface DrawActivated extends FactPosition {
  readonly type: 'drawActivated';
  readonly draw: number;
  readonly drawType: DrawType;
  readonly rates: RateTimeline;
  readonly minimum: MinimumTerms;
  readonly grace: GraceTerms;
  readonly fee: DrawFee;
  /** The draw's own limit; null: the line's alone. */
  readonly limitCents: Cents | null;
  /** Null: what is drawn is due by minimum payments. */
  readonly amortization: AutoAmortization | null;
}

/** Amount, or a share of each purchase that is settled on the draw; one of both is zero. */
interface DrawFee extends OriginationFee {
  readonly percentageOfPrincipal: Rate;
}

/** `aggregatePurchasesInPeriod`: what was bought in a period is paid off together; `perPurchase`: each by itself. */
export interface AutoAmortization {
  readonly logic: 'aggregatePurchasesInPeriod' | 'perPurchase';
  readonly payment: AmortizedPayment;
}

/** So many periods of one level, or a named amount for as many periods as it takes. */
export type AmortizedPayment =
  | { readonly type: 'periods'; readonly count: number }
  | { readonly type: 'amount'; readonly amountCents: Cents };

export type PurchaseKind = 'regular' | 'refund' | 'cashBack' | 'cashAdvance' | 'balanceTransfer';

/** A settled purchase: `refund` and `cashBack` lower the draw's balance, the others raise it. */
export interface Purchase extends FactPosition {
  readonly type: 'purchase';
  readonly purchase: number;
  readonly draw: number;
  readonly kind: PurchaseKind;
  readonly amountCents: Cents;
  /** What a lost dispute posts again was bought before, and has brought its fee then. */
  readonly isPostedAgain?: true;
  /**
   * Names the payment that a refund makes of what exceeds the draw's non-due principal; null for what
   * raises the balance.
   */
  readonly transaction: number | null;
}

/** Money of before the cutoff of a migration has come back: what it had paid is owed again. */
export interface PrincipalRaised extends FactPosition {
  readonly type: 'principalRaised';
  readonly draw: number;
  readonly amountCents: Cents;
}

/**
 * A fee of before the cutoff of a migration is taken back: what is unpaid of such fees goes, the rest is the principal's.
 */
export interface PastFeeCanceled extends FactPosition {
  readonly type: 'pastFeeCanceled';
  readonly draw: number;
  readonly amountCents: Cents;
  /** Names what it lowers among the line's payments. */
  readonly transaction: number;
}

/** Settled and then canceled: it is as if it had not been. */
export interface PurchaseVoided extends FactPosition {
  readonly type: 'purchaseVoided';
  readonly purchase: number;
}

/** Money on the line: the named draw first, the excess by the multi-waterfall. */
export interface LinePayment extends Payment {
  readonly draw: number | null;
  /** Credit is free again after this day; null: at once. */
  readonly holdUntil: Day | null;
}

/** A fee of the line itself, or of one draw. */
export interface LineFeeCharged extends FeeCharged {
  readonly draw: number | null;
}

/** The line's limit, or a draw's own. Null takes a draw's limit away. */
export interface LimitChanged extends FactPosition {
  readonly type: 'limitChanged';
  readonly draw: number | null;
  readonly limitCents: Cents | null;
}

/** Another timeline of rates for a draw, in force from `effective.day` on. */
export interface DrawRatesChanged extends FactPosition {
  readonly type: 'drawRatesChanged';
  readonly draw: number;
  readonly rates: RateTimeline;
}

/** The draw's balance is paid off in periods aligned with the line's due dates. */
export interface DrawAmortized extends FactPosition {
  readonly type: 'drawAmortized';
  readonly draw: number;
  readonly payment: AmortizedPayment;
}

/** The draw's fee has another amount, from the draw's activation. The last one counts. */
export interface DrawFeeChanged extends FactPosition {
  readonly type: 'drawFeeChanged';
  readonly draw: number;
  readonly amountCents: Cents;
}

/** No new purchases; the draw is paid off when its balance is zero. */
export interface DrawClosed extends FactPosition {
  readonly type: 'drawClosed';
  readonly draw: number;
}

export interface DrawCanceled extends FactPosition {
  readonly type: 'drawCanceled';
  readonly draw: number;
}

/** No new draws; the line is paid off when its balance is zero. */
interface LineClosed extends FactPosition {
  readonly type: 'lineClosed';
}

/** Due dates follow another rule from the next period on. */
export interface LineScheduleChanged extends FactPosition {
  readonly type: 'lineScheduleChanged';
  readonly schedule: LineSchedule;
}

/** Overdue and due balances go back to non-due, interest and fees of them into principal. */
export interface BalancesDeferred extends FactPosition {
  readonly type: 'balancesDeferred';
}

/**
 * What a migration brings over at its cutoff. The ledger of a migrated line begins there: its draws are
 * activated first, then their balances are seeded, and all else comes later.
 */
export interface LineSeeded extends FactPosition {
  readonly type: 'lineSeeded';
  /** The last period that was closed before the cutoff, which is its statement date. */
  readonly period: { readonly startDate: Day; readonly endDate: Day; readonly statementDate: Day; readonly dueDate: Day };
  /** Of the line itself. */
  readonly fees: readonly SeededFee[];
  readonly draws: readonly SeededDraw[];
  readonly obligation: SeededObligation;
  /** What the borrower may have back. */
  readonly reimbursementCents: Cents;
}

export interface SeededDraw {
  readonly draw: number;
  readonly nonDue: SeededBody;
  readonly due: SeededBody;
  readonly overdue: SeededBody;
  readonly fees: readonly SeededFee[];
  readonly isGraceEligible: boolean;
  readonly fullBalanceCents: Cents;
}

interface SeededBody {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
}

/** Unpaid fees of one kind and one due status. */
export interface SeededFee {
  readonly kind: 'originationFee' | 'drawFee' | 'dynamicFee' | 'serviceFee';
  /** Facts in the journal use this name. Read it with `dueStatusOfSeeded`. */
  readonly standing: DueStatus;
  readonly amountCents: Cents;
}

export const dueStatusOfSeeded = ({ standing: dueStatus }: SeededFee): DueStatus => dueStatus;

interface SeededObligation {
  readonly amountCents: Cents;
  readonly remainingCents: Cents;
  readonly overdueCents: Cents;
  readonly overdueRemainingCents: Cents;
  readonly daysOverdue: number;
  readonly isGraceEligible: boolean;
  /** What is overdue due date by due date, oldest first; absent: all of it stands as one obligation. */
  readonly overdue?: readonly SeededOverdue[];
}

/** An obligation of before the cutoff of which something is overdue. */
export interface SeededOverdue {
  readonly period: LineSeeded['period'];
  readonly amountCents: Cents;
  readonly remainingCents: Cents;
}

export type LineFact =
  | DrawActivated
  | Purchase
  | PrincipalRaised
  | PastFeeCanceled
  | PurchaseVoided
  | LinePayment
  | PaymentVoided
  | PaymentMoved
  | PaymentSettled
  | Reimbursed
  | LineFeeCharged
  | FeeCanceled
  | FeeChanged
  | ScraDaysSet
  | LimitChanged
  | DrawRatesChanged
  | DrawAmortized
  | DrawFeeChanged
  | OriginationFeeChanged
  | DrawClosed
  | DrawCanceled
  | LineClosed
  | LineScheduleChanged
  | BalancesDeferred
  | LineSeeded
  | Freeze
  | Unfreeze
  | Accelerate
  | ReverseAccelerate
  | ChargeOff
  | ReverseChargeOff
  | ThresholdsHeld
  | ThresholdsReleased
  | Cancel;
