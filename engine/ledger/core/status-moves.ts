import { assert } from '../../assert.js';
import type { ThresholdsHeld, ThresholdsReleased } from './facts.js';
import type { LedgerStatus, PaymentState } from './state.js';

/**
 * The statuses of a loan with a ledger, and what leads from one to another: the rows from which the statechart of loans is made
 * (`actors/loan/machine.ts`) and by which a replay derives the statuses on its way. `payOff` and `owe` follow from the balance.
 *
 * A loan is canceled by hand while it is active. `keepCanceled` is the same order in a replay that finds another status on that day,
 * because of what was recorded later: it stays canceled.
 */
export const LEDGER_MOVES = {
  active: { freeze: 'frozen', accelerate: 'accelerated', chargeOff: 'chargedOff', payOff: 'paidOff', cancel: 'canceled' },
  frozen: { unfreeze: 'active', chargeOff: 'chargedOff', payOff: 'paidOff', keepCanceled: 'canceled' },
  accelerated: { reverseAccelerate: 'active', chargeOff: 'chargedOff', payOff: 'paidOff', keepCanceled: 'canceled' },
  chargedOff: { reverseChargeOff: 'active', keepCanceled: 'canceled' },
  paidOff: {
    owe: [{ guard: 'isFrozen', target: 'frozen' }, { guard: 'isAccelerated', target: 'accelerated' }, { target: 'active' }],
    keepCanceled: 'canceled',
  },
  canceled: {},
} as const satisfies Readonly<Record<LedgerStatus, Readonly<Partial<Record<LedgerMove, LedgerStatus | readonly GuardedTarget[]>>>>>;

export type LedgerMove =
  | 'freeze'
  | 'unfreeze'
  | 'accelerate'
  | 'reverseAccelerate'
  | 'chargeOff'
  | 'reverseChargeOff'
  | 'payOff'
  | 'owe'
  | 'cancel'
  | 'keepCanceled';

interface GuardedTarget {
  readonly guard?: keyof typeof LEDGER_GUARDS;
  readonly target: LedgerStatus;
}

/** What guards ask of a ledger: what was ordered before it was paid off, and holds again once something is owed. */
export interface GuardContext {
  readonly isFrozen: boolean;
  readonly isAccelerated: boolean;
}

export const LEDGER_GUARDS = {
  isFrozen: (context: GuardContext): boolean => context.isFrozen,
  isAccelerated: (context: GuardContext): boolean => context.isAccelerated,
};

type Row = Readonly<Partial<Record<LedgerMove, LedgerStatus | readonly GuardedTarget[]>>>;

export const mayMoveLedger = (status: LedgerStatus, move: LedgerMove): boolean => move in LEDGER_MOVES[status];

/** The move by which an order to cancel is carried out; null where the loan is canceled already. */
export function cancelingMove(status: LedgerStatus): 'cancel' | 'keepCanceled' | null {
  if (mayMoveLedger(status, 'cancel')) return 'cancel';
  return mayMoveLedger(status, 'keepCanceled') ? 'keepCanceled' : null;
}

/** The status after a move that the status allows. */
export function ledgerStatusAfter(status: LedgerStatus, move: LedgerMove, context: GuardContext): LedgerStatus {
  const target = (LEDGER_MOVES[status] as Row)[move];
  assert(target !== undefined, `a ledger that is ${status} cannot ${move}`);
  if (typeof target === 'string') return target;
  const chosen = target.find(({ guard }) => guard === undefined || LEDGER_GUARDS[guard](context));
  assert(chosen !== undefined, `no guard of ${move} holds for a ledger that is ${status}`);
  return chosen.target;
}

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

/** What of a ledger says whether days overdue do anything. */
interface Held {
  thresholdHolders: readonly string[];
}

/** Whether the thresholds wait: as long as anyone holds them. */
export const areThresholdsHeld = ({ thresholdHolders }: Readonly<Held>): boolean => thresholdHolders.length > 0;

/** Who holds the thresholds twice holds them once. */
export function holdThresholds(state: Held, { holder }: ThresholdsHeld): void {
  if (!state.thresholdHolders.includes(holder)) state.thresholdHolders = [...state.thresholdHolders, holder];
}

/** The daily job of the next day checks again, once nobody else holds them. */
export function releaseThresholds(state: Held, { holder }: ThresholdsReleased): void {
  state.thresholdHolders = state.thresholdHolders.filter((other) => other !== holder);
}
