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
  Reamortized,
  Refund,
  Reimbursed,
  ScheduleChanged,
  ThresholdsHeld,
  ThresholdsReleased,
  Unfreeze,
} from '../core/facts.js';
import {
  adjusted,
  areAmongThemselves,
  inTheirOrder,
  NO_ORDERS,
  type PastFact,
  type RetroactiveAdjustment,
  retroactiveAdjustmentOf,
} from '../core/retroactive-adjustment.js';
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

const isApplied = (fact: LedgerFact): fact is AppliedFact => !isAboutThePast(fact);

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
  if (facts.every(isApplied)) return { facts: inTheirOrder(facts), orders: NO_ORDERS };
  const adjustment = retroactiveAdjustmentOf(facts.filter(isAboutThePast));
  return { facts: inTheirOrder(withAdjustment(facts, adjustment)), orders: adjustment.orders };
}

/**
 * The history that later facts add to a ledger that is from before all of them, in effective order. Null if one of them changes what is
 * before them: that needs a replay.
 */
export function arrangeSince(facts: readonly LedgerFact[]): readonly AppliedFact[] | null {
  if (!areAmongThemselves(facts, isAboutThePast)) return null;
  const arranged = arrange(facts).facts;
  return arranged.some(isLateChange) ? null : arranged;
}

function withAdjustment(facts: readonly LedgerFact[], adjustment: RetroactiveAdjustment): readonly AppliedFact[] {
  const applied: AppliedFact[] = [];
  for (const fact of facts) {
    switch (fact.type) {
      case 'payment':
      case 'reimbursed':
      case 'paymentSettled':
      case 'feeCharged':
      case 'accelerate':
      case 'chargeOff': {
        const kept = adjusted(fact, adjustment);
        if (kept !== null) applied.push(kept);
        break;
      }
      case 'paymentChargedBack':
        if (!adjustment.voided.has(fact.transaction) && !adjustment.reversedChargebacks.has(fact.chargeback)) applied.push(fact);
        break;
      case 'refund':
        if (!adjustment.voided.has(fact.transaction)) applied.push(fact);
        break;
      case 'advance':
        if (!adjustment.canceledAdvances.has(fact.advance)) applied.push(fact);
        break;
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
