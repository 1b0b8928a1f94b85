import { assert } from '../../assert.js';
import type { ObligationLedger, StatusCause } from './entries.js';
import type { FactPosition, ThresholdsHeld, ThresholdsReleased } from './facts.js';
import type { LedgerStatus, PaymentState } from './state.js';

/**
 * The statuses of a loan with a ledger and the moves between them. The statechart of loans (`actors/loan/machine.ts`) is made from these
 * rows, and a replay derives statuses by them. `payOff` and `owe` follow from the balance.
 *
 * Only an active loan can be canceled. `keepCanceled` is the same order in a replay in which the loan has another status on that day,
 * because of facts that were recorded later: it stays canceled.
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

/** Facts for the guards: the status before the payoff, which applies again once something is owed. */
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

/** The move that cancels the loan; null if the loan is canceled already. */
export function cancelingMove(status: LedgerStatus): 'cancel' | 'keepCanceled' | null {
  if (mayMoveLedger(status, 'cancel')) return 'cancel';
  return mayMoveLedger(status, 'keepCanceled') ? 'keepCanceled' : null;
}

/** The status after an allowed move. */
export function ledgerStatusAfter(status: LedgerStatus, move: LedgerMove, context: GuardContext): LedgerStatus {
  const target = (LEDGER_MOVES[status] as Row)[move];
  assert(target !== undefined, `a ledger that is ${status} cannot ${move}`);
  if (typeof target === 'string') return target;
  const chosen = target.find(({ guard }) => guard === undefined || LEDGER_GUARDS[guard](context));
  assert(chosen !== undefined, `no guard of ${move} holds for a ledger that is ${status}`);
  return chosen.target;
}

interface Payments<Payment extends PaymentState> {
  readonly payments: InOrder<Payment>;
  processingPayments: number;
}

/** An array, or what is read like one. */
interface InOrder<Payment> {
  readonly length: number;
  at(index: number): Payment | undefined;
  findLastIndex(test: (payment: Payment) => boolean): number;
}

/**
 * The position of the payment with a number; negative if there is none. Payments are in effective order and numbers in the
 * order of recording. For nearly all payments both orders are the same, so a binary search comes first.
 */
export function positionOfPayment(payments: InOrder<Pick<PaymentState, 'transaction'>>, transaction: number): number {
  let [first, end] = [0, payments.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((payments.at(middle)?.transaction ?? 0) <= transaction) first = middle + 1;
    else end = middle;
  }
  return first > 0 && payments.at(first - 1)?.transaction === transaction
    ? first - 1
    : payments.findLastIndex((payment) => payment.transaction === transaction);
}

/** The payment leaves processing. `settle` replaces it: payments are never changed, so that copies can share them. */
export function settlePayment<Payment extends PaymentState>(
  state: Payments<Payment>,
  transaction: number,
  settle: (at: number, payment: Payment) => void,
): void {
  if (state.processingPayments === 0) return;
  const at = positionOfPayment(state.payments, transaction);
  const payment = at < 0 ? undefined : state.payments.at(at);
  if (payment === undefined || !payment.isProcessing) return;
  settle(at, payment);
  state.processingPayments -= 1;
}

/** Whether days overdue accelerate or charge off a ledger. */
interface Held {
  thresholdHolders: readonly string[];
}

/** The thresholds do nothing while there is a holder. */
export const areThresholdsHeld = ({ thresholdHolders }: Readonly<Held>): boolean => thresholdHolders.length > 0;

/** A second hold by the same holder has no effect. */
export function holdThresholds(state: Held, { holder }: ThresholdsHeld): void {
  if (!state.thresholdHolders.includes(holder)) state.thresholdHolders = [...state.thresholdHolders, holder];
}

/** The next daily job checks the thresholds again if there is no other holder. */
export function releaseThresholds(state: Held, { holder }: ThresholdsReleased): void {
  state.thresholdHolders = state.thresholdHolders.filter((other) => other !== holder);
}

/** Makes an allowed move; only `owe` needs a context. */
export function moveStatus(state: ObligationLedger, move: LedgerMove, cause: StatusCause, context = NOTHING_ORDERED): void {
  const oldStatus = state.status;
  const newStatus = ledgerStatusAfter(oldStatus, move, context);
  state.status = newStatus;
  state.statusSince = state.day;
  const { day, seconds } = state;
  state.watcher?.happened({ type: 'statusChanged', day, seconds, oldStatus, newStatus, cause });
}

const NOTHING_ORDERED: GuardContext = { isFrozen: false, isAccelerated: false };

/** The cause of a status that a fact has ordered. */
export const orderedBy = ({ sequence }: FactPosition): StatusCause => ({ type: 'ordered', sequence });
