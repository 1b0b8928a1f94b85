import { type Cents, type Day, sum, ZERO } from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { balancesIn, type RunningLedger, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord } from './record.js';

/** What the borrower was paid too much, and what has become of it. */
export interface OwedBack {
  /** Paid over, and not on its way back or gone back. */
  readonly owedCents: Cents;
  /** The part of it that may go back now: money on hold waits (servicing-behaviour 12.4). */
  readonly payableCents: Cents;
  readonly reimbursedCents: Cents;
}

/** A failed reimbursement restores what is owed. */
export function owedBack(state: LoanState, env: EvolveEnv): OwedBack {
  const ledger = runningOf(state, env);
  const reimbursedCents = sum(
    reimbursements(state)
      .filter(({ status }) => status !== 'failed')
      .map(({ scheduledCents }) => scheduledCents),
  );
  const owedCents = Math.max(ZERO, balancesIn(ledger).paid.reimbursementCents - reimbursedCents);
  return {
    owedCents: owedCents as Cents,
    payableCents: Math.max(ZERO, Math.min(owedCents, owedCents - heldOver(state, ledger))) as Cents,
    reimbursedCents,
  };
}

/** What had gone back to the borrower by the end of a day, as it was known at a moment (null: now). */
export function reimbursedBy(state: LoanState, day: Day, knownAt: number | null): Cents {
  const moment = knownAt ?? Infinity;
  const counts = ({ effective, timestamps: { createdAt, failedAt } }: TransactionRecord): boolean =>
    effective.day <= day && createdAt <= moment && !(failedAt !== null && failedAt <= moment);
  return sum(reimbursements(state).filter(counts).map(({ scheduledCents }) => scheduledCents));
}

/** In the order of recording. */
export const reimbursements = (state: LoanState): readonly TransactionRecord[] =>
  [...state.transactions.open()].filter(({ transactionType }) => transactionType === 'reimbursement');

/** What was paid over with money that is still on hold. */
function heldOver(state: LoanState, ledger: RunningLedger): number {
  let held = 0;
  for (const { payment, hold } of state.transactions.open()) {
    if (payment === null || hold === null || hold.isOver) continue;
    held += ledger.payments.find((candidate) => candidate.transaction === payment)?.overCents ?? 0;
  }
  return held;
}
