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

/** Draws, purchases, transactions and fees have numbers within one line; later facts refer to them. */

/** A migration makes static draws: they have history, bear no interest and take no purchases. */
export type DrawType = 'regularPurchase' | 'cashAdvance' | 'balanceTransfer' | 'static';

/** The draw is activated, with its contract. */
export interface DrawActivated extends FactPosition {
  readonly type: 'drawActivated';
  readonly draw: number;
  readonly drawType: DrawType;
  readonly rates: RateTimeline;
  readonly minimum: MinimumTerms;
  readonly grace: GraceTerms;
  readonly fee: DrawFee;
  /** The draw's own limit; null: only the line's limit applies. */
  readonly limitCents: Cents | null;
  /** Null: the draw is paid by minimum payments. */
  readonly amortization: AutoAmortization | null;
}

/** An amount, or a share of each settled purchase; one of the two is zero. */
interface DrawFee extends OriginationFee {
  readonly percentageOfPrincipal: Rate;
}

/** `aggregatePurchasesInPeriod`: the purchases of a period are amortized together; `perPurchase`: each purchase separately. */
export interface AutoAmortization {
  readonly logic: 'aggregatePurchasesInPeriod' | 'perPurchase';
  readonly payment: AmortizedPayment;
}

/** A number of periods of one level, or a named amount for as many periods as needed. */
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
  /** A lost dispute posts an earlier purchase again, whose fee was charged then. */
  readonly isPostedAgain?: true;
  /**
   * Number of the payment that a refund makes of its part above the draw's non-due principal; null for purchases that raise
   * the balance.
   */
  readonly transaction: number | null;
}

/** Money from before the cutoff of a migration was returned: what it had paid is owed again. */
export interface PrincipalRaised extends FactPosition {
  readonly type: 'principalRaised';
  readonly draw: number;
  readonly amountCents: Cents;
}

/**
 * A fee from before the cutoff of a migration is canceled: it lowers such fees as far as they are unpaid, then principal.
 */
export interface PastFeeCanceled extends FactPosition {
  readonly type: 'pastFeeCanceled';
  readonly draw: number;
  readonly amountCents: Cents;
  /** Its number among the line's payments. */
  readonly transaction: number;
}

/** A settled purchase was canceled: the ledger is computed without it. */
export interface PurchaseVoided extends FactPosition {
  readonly type: 'purchaseVoided';
  readonly purchase: number;
}

/** A payment on the line: the named draw first, the rest by the multi-waterfall. */
export interface LinePayment extends Payment {
  readonly draw: number | null;
  /** The payment frees credit after this day; null: at once. */
  readonly holdUntil: Day | null;
}

/** A fee of the line itself, or of one draw. */
export interface LineFeeCharged extends FeeCharged {
  readonly draw: number | null;
}

/** A new limit of the line, or of a draw. Null removes the limit of a draw. */
export interface LimitChanged extends FactPosition {
  readonly type: 'limitChanged';
  readonly draw: number | null;
  readonly limitCents: Cents | null;
}

/** New rates of a draw, in force from `effective.day` on. */
export interface DrawRatesChanged extends FactPosition {
  readonly type: 'drawRatesChanged';
  readonly draw: number;
  readonly rates: RateTimeline;
}

/** The balance of the draw is amortized on the line's due dates. */
export interface DrawAmortized extends FactPosition {
  readonly type: 'drawAmortized';
  readonly draw: number;
  readonly payment: AmortizedPayment;
}

/** The fee of the draw has another amount since the draw's activation. The last change applies. */
export interface DrawFeeChanged extends FactPosition {
  readonly type: 'drawFeeChanged';
  readonly draw: number;
  readonly amountCents: Cents;
}

/** No new purchases; the draw is paid off once its balance is zero. */
export interface DrawClosed extends FactPosition {
  readonly type: 'drawClosed';
  readonly draw: number;
}

export interface DrawCanceled extends FactPosition {
  readonly type: 'drawCanceled';
  readonly draw: number;
}

/** No new draws; the line is paid off once its balance is zero. */
interface LineClosed extends FactPosition {
  readonly type: 'lineClosed';
}

/** Due dates follow another rule from the next period on. */
export interface LineScheduleChanged extends FactPosition {
  readonly type: 'lineScheduleChanged';
  readonly schedule: LineSchedule;
}

/** Overdue and due balances become non-due; their interest and fees become principal. */
export interface BalancesDeferred extends FactPosition {
  readonly type: 'balancesDeferred';
}

/**
 * The balances of a migrated line at its cutoff, where its ledger begins: its draws are activated first, then their balances
 * are seeded, and everything else comes later.
 */
export interface LineSeeded extends FactPosition {
  readonly type: 'lineSeeded';
  /** The last period that was closed before the cutoff, which is its statement date. */
  readonly period: { readonly startDate: Day; readonly endDate: Day; readonly statementDate: Day; readonly dueDate: Day };
  /** Fees of the line itself. */
  readonly fees: readonly SeededFee[];
  readonly draws: readonly SeededDraw[];
  readonly obligation: SeededObligation;
  /** Overpaid money that can be refunded to the borrower. */
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
  /** Overdue amounts by due date, oldest first; absent: all of them are one obligation. */
  readonly overdue?: readonly SeededOverdue[];
}

/** An obligation from before the cutoff with an overdue amount. */
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
