import type { AnyLedgerFact } from '../ledger/running.js';

/** `ledger`: changes by the daily work, only listed if the query asks for them. */
export const ACTIVITY_TYPES = ['status', 'terms', 'payment', 'credit', 'refund', 'advance', 'purchase', 'fee', 'ledger'] as const;

export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** Types of activities by fact. Facts that change the status are missing: the status history has them. */
const TYPES: Partial<Record<AnyLedgerFact['type'], ActivityType>> = {
  payment: 'payment',
  paymentVoided: 'payment',
  paymentMoved: 'payment',
  paymentSettled: 'payment',
  paymentChargedBack: 'payment',
  chargebackReversed: 'payment',
  refund: 'refund',
  refundCanceled: 'refund',
  reimbursed: 'payment',
  thresholdsHeld: 'terms',
  thresholdsReleased: 'terms',
  advance: 'advance',
  advanceCanceled: 'advance',
  feeCharged: 'fee',
  feeCanceled: 'fee',
  feeChanged: 'fee',
  originationFeeChanged: 'fee',
  ratesChanged: 'terms',
  scheduleChanged: 'terms',
  reamortized: 'terms',
  dueDateDeferred: 'terms',
  purchase: 'purchase',
  purchaseVoided: 'purchase',
  drawFeeChanged: 'fee',
  drawActivated: 'terms',
  drawAmortized: 'terms',
  drawRatesChanged: 'terms',
  limitChanged: 'terms',
  lineScheduleChanged: 'terms',
  balancesDeferred: 'terms',
  drawClosed: 'status',
  drawCanceled: 'status',
  lineClosed: 'status',
};

/** The type of a fact's line in the activity; null: it has none. */
export function activityTypeOf(fact: AnyLedgerFact): ActivityType | null {
  const type = TYPES[fact.type] ?? null;
  return fact.type === 'payment' && fact.kind === 'credit' ? 'credit' : type;
}
