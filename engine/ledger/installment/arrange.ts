import type {
  Accelerate,
  AdvancePaidOut,
  Cancel,
  ChargeOff,
  DueDateDeferred,
  FeeCharged,
  Freeze,
  LedgerFact,
  Payment,
  PaymentChargedBack,
  PaymentSettled,
  RatesChanged,
  Refund,
  Reimbursed,
  Reamortized,
  ScheduleChanged,
  ThresholdsHeld,
  ThresholdsReleased,
  Unfreeze,
} from '../core/facts.js';
import {
  inOrder,
  isReversed,
  type PastFact,
  retroactiveAdjustmentOf,
  type RetroactiveAdjustment,
  settledInTime,
} from '../core/retroactive-adjustment.js';
import { NO_ORDERS } from './start.js';
import type { OrdersInForce } from '../core/state.js';

/** Facts that apply at their effective time. All other facts change these, or derived events. */
export type AppliedFact =
  | Payment
  | PaymentSettled
  | PaymentChargedBack
  | AdvancePaidOut
  | Refund
  | Reimbursed
  | Freeze
  | Unfreeze
  | Accelerate
  | ChargeOff
  | ThresholdsHeld
  | ThresholdsReleased
  | Cancel
  | FeeCharged
  | RatesChanged
  | ScheduleChanged
  | Reamortized
  | DueDateDeferred;

export interface Arrangement {
  /** In effective order. */
  readonly facts: readonly AppliedFact[];
  readonly orders: OrdersInForce;
}

/** Facts that change the past: only a replay can apply them. */
export function isAboutThePast(fact: LedgerFact): fact is PastFact {
  switch (fact.type) {
    case 'payment':
      return false;
    case 'paymentVoided':
    case 'paymentMoved':
    case 'chargebackReversed':
    case 'reverseAccelerate':
    case 'reverseChargeOff':
    case 'feeCanceled':
    case 'advanceCanceled':
    case 'refundCanceled':
    case 'feeChanged':
    case 'scraDaysSet':
    case 'originationFeeChanged':
      return true;
    case 'refund':
      return fact.areLateFeesCanceled || fact.areOtherFeesCanceled;
    case 'accelerate':
    case 'advance':
    case 'cancel':
    case 'chargeOff':
    case 'dueDateDeferred':
    case 'feeCharged':
    case 'freeze':
    case 'paymentChargedBack':
    case 'paymentSettled':
    case 'ratesChanged':
    case 'reamortized':
    case 'reimbursed':
    case 'scheduleChanged':
    case 'thresholdsHeld':
    case 'thresholdsReleased':
    case 'unfreeze':
      return false;
  }
}

/** Facts that raise rows. If recorded late, they do not raise rows that fell due before the recording. */
export type LateChange = RatesChanged | AdvancePaidOut;

/** Rates and advances that were recorded after their effective day. */
export const isLateChange = (fact: LedgerFact): fact is LateChange =>
  (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.recordedDay > fact.effective.day;

/** Facts that may change the amounts of coming rows. */
export const setsAmounts = ({ type }: AppliedFact): boolean =>
  type === 'ratesChanged' || type === 'advance' || type === 'scheduleChanged' || type === 'unfreeze';

/**
 * Turns recorded facts into the adjusted history: without voided payments and reversed orders, with moved payments at their
 * new time, in effective order.
 */
export function arrange(facts: readonly LedgerFact[]): Arrangement {
  const past = facts.filter(isAboutThePast);
  const adjustment = past.length > 0 ? retroactiveAdjustmentOf(past) : null;
  const applied = adjustment === null ? (facts as readonly AppliedFact[]) : adjusted(facts, adjustment);
  return { facts: inTheirOrder(applied), orders: adjustment?.orders ?? NO_ORDERS };
}

/** In effective order, whenever they were recorded. */
export const inTheirOrder = <Fact extends LedgerFact>(facts: readonly Fact[]): readonly Fact[] => settledInTime(inOrder(facts));

function adjusted(facts: readonly LedgerFact[], adjustment: RetroactiveAdjustment): readonly AppliedFact[] {
  const applied: AppliedFact[] = [];
  for (const fact of facts) {
    switch (fact.type) {
      case 'payment':
      case 'reimbursed': {
        const effective = adjustment.moved.get(fact.transaction);
        if (!adjustment.voided.has(fact.transaction)) applied.push(effective === undefined ? fact : { ...fact, effective });
        break;
      }
      case 'paymentSettled':
        if (!adjustment.voided.has(fact.transaction)) applied.push(fact);
        break;
      case 'paymentChargedBack':
        if (!adjustment.voided.has(fact.transaction) && !adjustment.reversedChargebacks.has(fact.chargeback)) applied.push(fact);
        break;
      case 'refund':
        if (!adjustment.voided.has(fact.transaction)) applied.push(fact);
        break;
      case 'advance':
        if (!adjustment.canceledAdvances.has(fact.advance)) applied.push(fact);
        break;
      case 'accelerate':
        if (!isReversed(fact, adjustment.accelerationReversals)) applied.push(fact);
        break;
      case 'chargeOff':
        if (!isReversed(fact, adjustment.chargeOffReversals)) applied.push(fact);
        break;
      case 'feeCharged': {
        const amountCents = adjustment.changedFees.get(fact.fee);
        applied.push(amountCents === undefined ? fact : { ...fact, amountCents });
        break;
      }
      case 'freeze':
      case 'unfreeze':
      case 'thresholdsHeld':
      case 'thresholdsReleased':
      case 'cancel':
      case 'ratesChanged':
      case 'reamortized':
      case 'scheduleChanged':
      case 'dueDateDeferred':
        applied.push(fact);
        break;
      case 'paymentVoided':
      case 'paymentMoved':
      case 'chargebackReversed':
      case 'reverseAccelerate':
      case 'reverseChargeOff':
      case 'feeCanceled':
      case 'advanceCanceled':
      case 'refundCanceled':
      case 'feeChanged':
      case 'scraDaysSet':
      case 'originationFeeChanged':
        break;
    }
  }
  return applied;
}
