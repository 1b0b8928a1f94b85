import type { Day } from '../../calendar/index.js';
import type { DaySpan, DynamicFeeKind, EffectiveTime, MoneyKind } from './facts.js';
import type { Interest } from './interest.js';
import type { ChargeLogic } from './terms.js';

export type LedgerStatus = 'active' | 'frozen' | 'accelerated' | 'chargedOff' | 'paidOff' | 'canceled';

/** The ordinal of the one obligation that an acceleration makes of everything. */
export const ACCELERATION_ORDINAL = 60_000;

/** A digest over the first `count` of a list, which nothing writes to any more. */
export interface Digested {
  readonly count: number;
  readonly a: number;
  readonly b: number;
}

/** What facts about the past say of derived events: known before the fold begins. */
export interface OrdersInForce {
  /** Fees by hand that somebody waived, by number. */
  readonly waivedFees: readonly number[];
  readonly waivedLateFees: readonly WaivedLateFee[];
  readonly feeWaivers: readonly FeeWaiver[];
  /** Of military service. */
  readonly scraDays: readonly DaySpan[];
  /** In the order of recording: the last one counts. */
  readonly changedLateFees: readonly ChangedLateFee[];
  /** Instead of the contract's; null: as contracted. */
  readonly originationFeeCents: number | null;
  /** The service accelerates or charges off no more up to these days: somebody has reversed it. */
  readonly noAccelerationThrough: Day | null;
  readonly noChargeOffThrough: Day | null;
  /** Days on which nothing accrued, although the loan is active in what is known now. */
  readonly idle: readonly IdleDays[];
  /** One for each change that was recorded late; none where nothing rises by them. */
  readonly caps: readonly DueCaps[];
}

/**
 * The days from an acceleration up to a charge-off that somebody has reversed: the loan is active again with accrual from
 * the day of the charge-off, and the interest that the acceleration had stopped before stays away.
 */
export interface IdleDays {
  readonly from: Day;
  readonly until: Day;
}

/**
 * What the ledger without a change that was recorded late had asked for: no due date that had passed by then asks for more,
 * and one on which nothing fell due for nothing.
 */
export interface DueCaps {
  /** The number of the change. */
  readonly change: number;
  /** The last due date that had passed. */
  readonly through: Day;
  /** What fell due, without fees. */
  readonly asked: readonly Asked[];
  /** What the rows of that time asked for after each fact that set amounts, by its number. */
  readonly amounts: readonly { readonly fact: number; readonly rows: readonly Asked[] }[];
}

export interface Asked {
  readonly dueDay: Day;
  readonly amountCents: number;
}

/** A refund took back the fees that were charged after its time, up to the day of its recording. */
export interface FeeWaiver {
  readonly fees: 'late' | 'other';
  readonly after: EffectiveTime;
  readonly through: Day;
}

export interface WaivedLateFee {
  readonly feeTypeId: string;
  readonly obligation: number;
}

export interface ChangedLateFee extends WaivedLateFee {
  readonly amountCents: number;
}

export interface ObligationState {
  /** The row's position, or `ACCELERATION_ORDINAL`. */
  readonly ordinal: number;
  readonly dueDay: Day;
  amountCents: number;
  /** Principal and interest that it asked for, before what was paid in advance was taken off. */
  readonly baseCents: number;
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  /** Interest as it stood before it was rounded, with and without promos. */
  readonly unroundedInterest: Interest;
  readonly unroundedDiscount: Interest;
  remainingCents: number;
  paymentsCents: number;
  creditsCents: number;
  readonly prepaidCents: number;
  capitalizedCents: number;
  readonly unassignedCents: number;
  /** What would remain had no late fee been charged: zero means that only late fees keep it open. */
  withoutLateFeesCents: number;
  /** Days of freezing since the due date: they do not count as overdue. */
  pausedDays: number;
  isFulfilled: boolean;
  /** Something of it was unpaid on its enforcement day (due date + 1) and became overdue. */
  isEnforced: boolean;
  isLateFeeBlocked: boolean;
}

export type FeeDueStatus = 'nonDue' | 'due' | 'overdue' | 'chargedOff';

export interface FeeState {
  /** Number of a fee by hand; null for late fees. */
  readonly fee: number | null;
  /** The obligation that a late fee punishes. */
  readonly obligation: number | null;
  readonly feeTypeId: string;
  readonly kind: DynamicFeeKind;
  readonly chargeLogic: ChargeLogic;
  readonly chargeDay: Day;
  readonly chargeSeconds: number;
  /** The fee joins no obligation that fell due up to this day: it was not known then. */
  readonly knownDay: Day;
  readonly amountCents: number;
  openCents: number;
  creditedCents: number;
  dueStatus: FeeDueStatus;
  /** The day on which it became due; null before. */
  dueDay: Day | null;
  /** The obligation that it fell due with; null: due by itself. */
  carriedBy: number | null;
  isCanceled: boolean;
}

/** What one payment, credit or refund did, in sums. */
export interface PaymentState {
  readonly transaction: number;
  readonly kind: MoneyKind;
  readonly day: Day;
  readonly seconds: number;
  readonly amountCents: number;
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  readonly overCents: number;
  readonly isProcessing: boolean;
  /** What of it was charged back and is owed again, by what it had met. Absent: nothing. */
  readonly chargedBack?: ChargedBackParts;
  /** The same by chargeback. */
  readonly chargebacks?: readonly ChargebackState[];
}

/** What one chargeback has brought back. */
export interface ChargebackState extends ChargedBackParts {
  readonly chargeback: number;
}

export interface ChargedBackParts {
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  readonly overCents: number;
}
