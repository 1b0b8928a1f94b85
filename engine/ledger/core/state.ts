import type { Day } from '../../calendar/index.js';
import type { EntrySource } from './entries.js';
import type { ChargeOffReason, DaySpan, DynamicFeeKind, EffectiveTime, MoneyKind } from './facts.js';
import type { Interest } from './interest.js';
import type { ChargeLogic } from './terms.js';

export type LedgerStatus = 'active' | 'frozen' | 'accelerated' | 'chargedOff' | 'paidOff' | 'canceled';

/** The ordinal of the single obligation that an acceleration makes of all balances. */
export const ACCELERATION_ORDINAL = 60_000;

/** A digest over the first `count` elements of a list, which do not change any more. */
export interface Digested {
  readonly count: number;
  readonly a: number;
  readonly b: number;
}

/** What facts about the past change in derived events: known before the fold begins. */
export interface OrdersInForce {
  /** Waived manual fees, by number. */
  readonly waivedFees: readonly number[];
  readonly waivedLateFees: readonly WaivedLateFee[];
  readonly feeWaivers: readonly FeeWaiver[];
  /** Days of military service. */
  readonly scraDays: readonly DaySpan[];
  /** In the order of recording: the last change applies. */
  readonly changedLateFees: readonly ChangedLateFee[];
  /** Replaces the amount of the contract; null: as contracted. */
  readonly originationFeeCents: number | null;
  /** Reversed accelerations and charge-offs: the service does not repeat them up to these days. */
  readonly noAccelerationThrough: Day | null;
  readonly noChargeOffThrough: Day | null;
  /** Days on which nothing accrues, although the loan is active after the adjustment. */
  readonly idle: readonly IdleDays[];
  /** One for each change that was recorded late; none if the changes raise no amount. */
  readonly caps: readonly DueCaps[];
}

/**
 * The days from an acceleration up to a reversed charge-off. The loan is active again and accrues from the day of the
 * charge-off on, but the interest that the acceleration had stopped does not come back.
 */
export interface IdleDays {
  readonly from: Day;
  readonly until: Day;
}

/**
 * The amounts due in the ledger without a change that was recorded late. A due date that had passed by the recording is not
 * raised above these amounts; if nothing fell due on it then, nothing does now.
 */
export interface DueCaps {
  /** The sequence of the change. */
  readonly change: number;
  /** The last due date that had passed. */
  readonly through: Day;
  /** The amounts that fell due, without fees. */
  readonly asked: readonly Asked[];
  /** The amounts of the rows of that time after each fact that sets amounts, by its sequence. */
  readonly amounts: readonly { readonly fact: number; readonly rows: readonly Asked[] }[];
}

export interface Asked {
  readonly dueDay: Day;
  readonly amountCents: number;
}

/** A refund that canceled the fees charged after its time, up to the day of its recording. */
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
  /** Its principal and interest, before the deduction of money paid in advance. */
  readonly baseCents: number;
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  /** Interest before rounding, and the discount of promos. */
  readonly unroundedInterest: Interest;
  readonly unroundedDiscount: Interest;
  remainingCents: number;
  paymentsCents: number;
  creditsCents: number;
  readonly prepaidCents: number;
  capitalizedCents: number;
  readonly unassignedCents: number;
  /** What would remain without late fees: zero means that only late fees keep it open. */
  withoutLateFeesCents: number;
  /** Frozen days since the due date, which do not count as overdue. */
  pausedDays: number;
  isFulfilled: boolean;
  /** A part of it was unpaid on its enforcement day (due date + 1) and became overdue. */
  isEnforced: boolean;
  isLateFeeBlocked: boolean;
}

export type FeeDueStatus = 'nonDue' | 'due' | 'overdue' | 'chargedOff';

export interface FeeState {
  /** Number of a manual fee; null for late fees. */
  readonly fee: number | null;
  /** The obligation for which a late fee was charged. */
  readonly obligation: number | null;
  readonly feeTypeId: string;
  readonly kind: DynamicFeeKind;
  readonly chargeLogic: ChargeLogic;
  readonly chargeDay: Day;
  readonly chargeSeconds: number;
  /** The fee joins no obligation that fell due up to this day, since it was not known then. */
  readonly knownDay: Day;
  readonly amountCents: number;
  openCents: number;
  creditedCents: number;
  dueStatus: FeeDueStatus;
  /** The day on which it became due; null before that. */
  dueDay: Day | null;
  /** The obligation with which it fell due; null: due by itself. */
  carriedBy: number | null;
  isCanceled: boolean;
}

/** The sums of one payment, credit or refund. */
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
  /** What was charged back and is owed again, by the component that it had paid. Absent: nothing. */
  readonly chargedBack?: ChargedBackParts;
  /** The same for each chargeback. */
  readonly chargebacks?: readonly ChargebackState[];
}

/** What is owed again by one chargeback. */
export interface ChargebackState extends ChargedBackParts {
  readonly chargeback: number;
}

export interface ChargedBackParts {
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  readonly overCents: number;
}

/** The part of a state that all ledgers have: time, status, obligations and money in advance. */
export interface LedgerHead {
  /** The current step, for the watcher. Not part of the state's value. */
  seconds: number;
  source: EntrySource;

  day: Day;
  /** The last applied fact: the next one must sort after it. */
  lastFactDay: Day;
  lastFactSeconds: number;
  lastFactSequence: number;

  status: LedgerStatus;
  /** For the interface. If a payment is voided, a replay finds the status to which a paid-off loan returns. */
  statusSince: Day;
  chargeOffReason: ChargeOffReason | null;
  acceleratedSince: Day | null;
  chargedOffSince: Day | null;
  /** Holders of the thresholds for automatic acceleration and charge-off. Replaced, never changed, so that copies can share it. */
  thresholdHolders: readonly string[];
  settingsIndex: number;

  /** Every obligation before this position is fulfilled. */
  firstOpenObligation: number;
  /** No obligation before this position will be enforced later. An optimization: zero is always correct. */
  firstUnenforced: number;
  isOverdue: boolean;
  /** Money paid in advance for obligations that have not fallen due. */
  prepaidCents: number;
  /** Money that went to late fees and would have been paid in advance: the next obligation lacks it only because of late fees. */
  lateFeeAheadCents: number;
  /** Money of this period that counted for no obligation and lowered the balance. */
  unassignedCents: number;
  processingPayments: number;
}

/** Lifetime totals of a loan, of a line or of a draw. */
export interface Totals {
  /** Exact lifetime interest; the discount is what promos saved. */
  interestAccrued: Interest;
  interestDiscount: Interest;
  /** Positive: dropped; negative: added by rounding up. */
  forgoneRounding: Interest;
  /** Interest that was canceled. */
  reversedInterest: Interest;
  capitalizedInterestCents: number;
  refundsCents: number;
  feesChargedCents: number;
  paymentsCents: number;
  creditsCents: number;
  paidPrincipalCents: number;
  paidInterestCents: number;
  paidFeesCents: number;
  paidOverCents: number;
  /** Overpaid money, without credits, that can be refunded to the borrower. */
  reimbursementCents: number;
  /** The refunded part, and the part of it that was not overpaid and is owed again as principal. */
  reimbursedCents: number;
  owedAgainCents: number;
  /** The first day of the next year, and the totals at the beginning of the running year. */
  yearEnd: Day;
  interestAccruedBeforeYear: Interest;
  feesChargedBeforeYearCents: number;
  paidInterestBeforeYearCents: number;
  /** At the beginning of the running period. */
  interestAccruedBeforePeriod: Interest;
}
