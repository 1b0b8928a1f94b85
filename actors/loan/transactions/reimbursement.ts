import { type Cents, type Day, formatCents, must, sum, ZERO, cents } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { type FactDraft, factTest } from '../../kernel/fact.js';
import type { LoanFacts } from '../facts.js';
import { type AnyLedgerFact, balancesIn, computedWith, computedWithout, type RunningLedger, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { nextPaymentNumber } from './moves.js';
import { movedCents, type TransactionRecord } from './record.js';

/** What the borrower has overpaid, and what of it was reimbursed. */
export interface OwedBack {
  /** Overpaid and not reimbursed yet, nor on its way. */
  readonly owedCents: Cents;
  /** The part of it that can be reimbursed now: money on hold waits. */
  readonly payableCents: Cents;
  readonly reimbursedCents: Cents;
}

/** A failed reimbursement restores what is owed. */
export function owedBack(state: LoanState, env: EvolveEnv): OwedBack {
  const ledger = runningOf(state, env);
  const reimbursedCents = sum(
    reimbursements(state)
      .filter(({ status }) => status !== 'failed')
      .map(movedCents),
  );
  const owedCents = Math.max(ZERO, balancesIn(ledger).paid.reimbursementCents - reimbursedCents);
  return {
    owedCents: cents(owedCents),
    payableCents: cents(Math.max(ZERO, Math.min(owedCents, certainCents(state, env, ledger) - reimbursedCents))),
    reimbursedCents,
  };
}

/** What was reimbursed by the end of a day, as known at a moment (null: now). */
export function reimbursedBy(state: LoanState, day: Day, knownAt: number | null): Cents {
  const moment = knownAt ?? Infinity;
  const counts = ({ effective, timestamps: { createdAt, failedAt } }: TransactionRecord): boolean =>
    effective.day <= day && createdAt <= moment && !(failedAt !== null && failedAt <= moment);
  return sum(reimbursements(state).filter(counts).map(movedCents));
}

interface Asking {
  readonly path: string;
  /** A reimbursement whose amount changes. */
  readonly instead?: TransactionRecord;
}

/** 409 if nothing is owed to the borrower, 422 for more than can be reimbursed. */
export function requireOwedBack(state: LoanState, env: EvolveEnv, askedCents: Cents, { path, instead }: Asking): void {
  const { owedCents, payableCents } = owedBack(state, env);
  if (owedCents === 0 && instead === undefined) refuse('invalidState', 'Nothing is owed to the borrower.');
  const mostCents = cents(payableCents + (instead === undefined || instead.status === 'failed' ? 0 : movedCents(instead)));
  if (askedCents <= mostCents) return;
  refuse('amountExceedsEligible', 'The amount is above what can be reimbursed.', {
    errors: [{ path, expected: `${formatCents(mostCents)} or less`, message: 'is above the owed amount that is not on hold' }],
  });
}

/** 409 if, with some more facts, less would be overpaid than was reimbursed already: money is returned only once. */
export function refuseReimbursed(state: LoanState, env: EvolveEnv, drafts: readonly FactDraft[]): void {
  const { reimbursedCents } = owedBack(state, env);
  if (reimbursedCents === 0) return;
  const ledger = runningOf(state, env);
  const paidOver = paidOverIn(computedWith(state, env, ledger.day, ledgerFactsOf(state, drafts)));
  if (paidOver >= reimbursedCents || paidOver >= paidOverIn(ledger)) return;
  refuse('invalidState', 'A part of this money was an overpayment and was reimbursed already.', {
    errors: [{ path: 'status', expected: 'reimbursements that failed', message: `${formatCents(reimbursedCents)} were reimbursed` }],
  });
}

/** The overpaid amount, without amounts that were reimbursed and are owed again. */
const paidOverIn = (ledger: RunningLedger): number => ledger.totals.reimbursementCents - ledger.totals.owedAgainCents;

const isFact = factTest<LoanFacts>();

const ledgerFactsOf = (state: LoanState, drafts: readonly FactDraft[]): readonly AnyLedgerFact[] =>
  drafts
    .filter((draft) => isFact(draft, 'LedgerChanged'))
    .map(({ body: { change, recordedDay }, effective }, at) => ({
      ...change,
      effective: must(effective, 'a fact of the ledger has an effective time'),
      sequence: nextPaymentNumber(state, at),
      recordedDay,
    }));

/** In the order of recording. */
export const reimbursements = (state: LoanState): readonly TransactionRecord[] =>
  [...state.transactions.open()].filter(({ transactionType }) => transactionType === 'reimbursement');

/** The overpaid amount without payments that are still on hold: a refund could include their money. */
function certainCents(state: LoanState, env: EvolveEnv, ledger: RunningLedger): number {
  const held = new Set(
    [...state.transactions.open()].flatMap(({ payment, hold }) => (payment === null || hold === null || hold.isOver ? [] : [payment])),
  );
  const certain =
    held.size === 0 ? ledger : computedWithout(state, env, ledger.day, (fact) => fact.type === 'payment' && held.has(fact.transaction));
  return certain.totals.reimbursementCents;
}
