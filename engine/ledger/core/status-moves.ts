import { assert } from '../../assert.js';
import type { LedgerStatus } from './state.js';

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
