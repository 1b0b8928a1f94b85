import type { LedgerFact, LineFact } from '../../../engine/index.js';

type AnyFact = LedgerFact | LineFact;

/**
 * The later fact that canceled or changed the effect of an earlier one: a failed, reversed or backdated payment, a waived or changed fee, a
 * canceled purchase, refund or advance, a reversed chargeback, acceleration or charge-off. By the sequence of the earlier fact; of several
 * later facts the last one.
 */
export const supersededBy = (facts: readonly AnyFact[]): ReadonlyMap<number, number> =>
  new Map([...supersededByLater(facts)].map(([later, earlier]) => [earlier, later]));

/** The earlier fact of each fact that cancels or changes the effect of one: by the sequence of the later fact. */
export function supersededByLater(facts: readonly AnyFact[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const payments = new Map<number, number>();
  const fees = new Map<number, number>();
  const purchases = new Map<number, number>();
  const advances = new Map<number, number>();
  const chargebacks = new Map<number, number>();
  const orders = new Map<AnyFact['type'], number>();
  for (const fact of facts) {
    const earlier = earlierOf(fact, { payments, fees, purchases, advances, chargebacks, orders });
    if (earlier !== undefined) found.set(fact.sequence, earlier);
    if (fact.type === 'payment' || fact.type === 'refund' || fact.type === 'reimbursed') payments.set(fact.transaction, fact.sequence);
    else if (fact.type === 'feeCharged') fees.set(fact.fee, fact.sequence);
    else if (fact.type === 'purchase') purchases.set(fact.purchase, fact.sequence);
    else if (fact.type === 'advance') advances.set(fact.advance, fact.sequence);
    else if (fact.type === 'paymentChargedBack') chargebacks.set(fact.chargeback, fact.sequence);
    orders.set(fact.type, fact.sequence);
  }
  return found;
}

interface Known {
  /** Sequences by the numbers of payments, refunds and reimbursements. */
  readonly payments: ReadonlyMap<number, number>;
  readonly fees: ReadonlyMap<number, number>;
  readonly purchases: ReadonlyMap<number, number>;
  readonly advances: ReadonlyMap<number, number>;
  readonly chargebacks: ReadonlyMap<number, number>;
  readonly orders: ReadonlyMap<AnyFact['type'], number>;
}

function earlierOf(fact: AnyFact, { payments, fees, purchases, advances, chargebacks, orders }: Known): number | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a fact that takes nothing back has nothing earlier
  switch (fact.type) {
    case 'paymentVoided':
    case 'paymentMoved':
    case 'refundCanceled':
      return payments.get(fact.transaction);
    case 'feeCanceled':
    case 'feeChanged':
      return fact.fee.type === 'charged' ? fees.get(fact.fee.fee) : undefined;
    case 'purchaseVoided':
      return purchases.get(fact.purchase);
    case 'advanceCanceled':
      return advances.get(fact.advance);
    case 'chargebackReversed':
      return chargebacks.get(fact.chargeback);
    case 'reverseAccelerate':
      return orders.get('accelerate');
    case 'reverseChargeOff':
      return orders.get('chargeOff');
    default:
      return undefined;
  }
}
