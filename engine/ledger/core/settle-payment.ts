import type { PaymentState } from './state.js';

interface Payments<Payment extends PaymentState> {
  readonly payments: Payment[];
  processingPayments: number;
}

/**
 * Where the payment with a number stands; below zero where none has it. Payments stand in the order in which they happened,
 * numbers are in the order of recording: the same for nearly all, so that the number is looked for as in an ordered list
 * first.
 */
export function positionOfPayment(payments: readonly Pick<PaymentState, 'transaction'>[], transaction: number): number {
  let [first, end] = [0, payments.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((payments[middle]?.transaction ?? 0) <= transaction) first = middle + 1;
    else end = middle;
  }
  return payments[first - 1]?.transaction === transaction
    ? first - 1
    : payments.findLastIndex((payment) => payment.transaction === transaction);
}

/** The payment leaves processing. A payment is replaced, never written, so that copies share it. */
export function settlePayment<Payment extends PaymentState>(
  state: Payments<Payment>,
  transaction: number,
  settled: (payment: Payment) => Payment,
): void {
  if (state.processingPayments === 0) return;
  const at = positionOfPayment(state.payments, transaction);
  const payment = state.payments[at];
  if (payment === undefined || !payment.isProcessing) return;
  state.payments[at] = settled(payment);
  state.processingPayments -= 1;
}
