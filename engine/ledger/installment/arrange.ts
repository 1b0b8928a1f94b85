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

/** Facts that happen at their effective time. The others say something about these, or about derived events. */
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
  /** In the order in which they happened. */
  readonly facts: readonly AppliedFact[];
  readonly orders: OrdersInForce;
}

/** Facts that change what has been before them: only a replay can take them in. */
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

/** What makes rows dearer. Recorded late, it leaves the ones that fell due before as they were. */
export type LateChange = RatesChanged | AdvancePaidOut;

/** Rates and advances that were recorded after the day they hold from. */
export const isLateChange = (fact: LedgerFact): fact is LateChange =>
  (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.recordedDay > fact.effective.day;

/** What gives the rows to come other amounts. */
export const setsAmounts = ({ type }: AppliedFact): boolean =>
  type === 'ratesChanged' || type === 'advance' || type === 'scheduleChanged' || type === 'unfreeze';

/**
 * Turns the facts as they were recorded into the history as it is now known: voided payments are out, moved ones
 * at their new time, reversed orders gone, and everything is in effective order.
 */
export function arrange(facts: readonly LedgerFact[]): Arrangement {
  const past = facts.filter(isAboutThePast);
  const adjustment = past.length > 0 ? retroactiveAdjustmentOf(past) : null;
  const applied = adjustment === null ? (facts as readonly AppliedFact[]) : adjusted(facts, adjustment);
  return { facts: inTheirOrder(applied), orders: adjustment?.orders ?? NO_ORDERS };
}

/** As they happened, whenever they were recorded. */
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
