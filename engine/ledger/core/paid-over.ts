import type { PaymentState } from './state.js';

/** The state with overpaid money, the same in ledgers of lines. */
interface PaidOver {
  readonly totals: { readonly reimbursementCents: number; readonly reimbursedCents: number };
  readonly payments: Iterable<OverPaid>;
}

type OverPaid = Pick<PaymentState, 'kind' | 'overCents'> & Partial<Pick<PaymentState, 'chargedBack'>>;

/** Overpaid money that was not refunded: a refund counts as soon as it is made. */
export function paidOverCents({ totals, payments }: PaidOver): number {
  const owedBackCents = totals.reimbursementCents - totals.reimbursedCents;
  if (owedBackCents <= 0) return 0;
  let overCents = 0;
  for (const payment of payments) overCents += overCentsOf(payment);
  return Math.min(owedBackCents, overCents);
}

/** The rest of a credit is not overpaid money. */
const overCentsOf = ({ kind, overCents, chargedBack }: OverPaid): number =>
  kind === 'credit' ? 0 : overCents - (chargedBack?.overCents ?? 0);

/** Overpaid money by payment, the oldest first. Refunds take the oldest money. */
export function paidOverParts(ledger: PaidOver): readonly { readonly at: number; readonly amountCents: number }[] {
  const over = Array.from(ledger.payments, overCentsOf);
  let goneCents = over.reduce((sum, overCents) => sum + overCents, 0) - paidOverCents(ledger);
  return over.flatMap((overCents, at) => {
    const skippedCents = Math.min(goneCents, overCents);
    goneCents -= skippedCents;
    return overCents === skippedCents ? [] : [{ at, amountCents: overCents - skippedCents }];
  });
}
