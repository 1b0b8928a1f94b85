import type { Cents } from '../../money/index.js';
import { raisePrincipal } from './disburse.js';
import { beginEntry, enter } from './entering.js';
import type { Reimbursed } from '../core/facts.js';
import { addRevivedFee } from './fees.js';
import { addToBook, bookOf, addCharge, joining, settle } from './kept/book.js';
import { reopen } from './reopen.js';
import type { LedgerState } from './state.js';

/**
 * What was paid over goes back to the borrower. The balances stay as they are, unless the money that it was paid over with
 * has not come, as is now known.
 */
export function reimburse(state: LedgerState, { amountCents }: Reimbursed): void {
  if (state.status === 'canceled') return;
  if (state.instalmentFacts !== null) paidBack(state, Math.min(amountCents, bookOf(state).overpaidCents));
  state.totals.reimbursedCents += amountCents;
  oweWhatWentBack(state);
}

/** What has gone back to the borrower above what was paid over is owed: principal paid out on that day. The rows keep their amounts. */
export function oweWhatWentBack(state: LedgerState): void {
  const { totals } = state;
  const amountCents = totals.reimbursedCents - totals.reimbursementCents;
  if (amountCents <= 0) return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  totals.reimbursementCents += amountCents;
  totals.owedAgainCents += amountCents;
  if (state.instalmentFacts === null) raisePrincipal(state, amountCents);
  else oweInRow(state, amountCents);
  enter(state, before, 'reimbursement');
}

function paidBack(state: LedgerState, amountCents: number): void {
  if (amountCents > 0) addToBook(state, { type: 'paidBack', day: state.day, amountCents: amountCents as Cents, ...joining(state) });
}

/** The instalment of the running period carries it. Where instalments are recalculated by what was paid, it stands beside them. */
function oweInRow(state: LedgerState, amountCents: number): void {
  if (state.terms.keeping?.recalculation.type === 'cumulative') {
    addCharge(state, 'fees', amountCents);
    addRevivedFee(state, 'fees', amountCents);
    state.totals.feesChargedCents += amountCents;
    state.totals.owedAgainCents -= amountCents;
    // An instalment that was paid may be open again: it becomes overdue with the next daily job.
    state.firstUnenforced = 0;
  } else paidBack(state, bookOf(state).overpaidCents + amountCents);
  settle(state);
}
