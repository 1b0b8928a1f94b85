import type { PaymentState } from './state.js';

interface Payments<Payment extends PaymentState> {
  readonly payments: Payment[];
  processingPayments: number;
}

/** The payment leaves processing. A payment is replaced, never written, so that copies share it. */
export function settlePayment<Payment extends PaymentState>(
  state: Payments<Payment>,
  transaction: number,
  settled: (payment: Payment) => Payment,
): void {
  if (state.processingPayments === 0) return;
  // What settles was paid lately.
  const at = state.payments.findLastIndex((candidate) => candidate.transaction === transaction);
  const payment = state.payments[at];
  if (payment === undefined || !payment.isProcessing) return;
  state.payments[at] = settled(payment);
  state.processingPayments -= 1;
}
