import { addDays } from '../calendar/index.js';
import type { Cents } from '../money/index.js';
import { raisePrincipal } from './disburse.js';
import { beginEntry, enter } from './entering.js';
import type { Reimbursed } from './facts.js';
import { bookRevivedFee } from './fees.js';
import { addToBook, bookOf, settle } from './kept/book.js';
import { instalmentFallsDue } from './kept/fall-due.js';
import { reopen } from './reopen.js';
import type { LedgerState } from './state.js';

/**
 * What was paid over goes back to the borrower (loans.md 7). The balances stay as they are, unless the money that it was paid over with
 * has not come, as is now known.
 */
export function reimburse(state: LedgerState, { amountCents }: Reimbursed): void {
  if (state.status === 'canceled') return;
  if (state.instalmentFacts !== null) tellBook(state, Math.min(amountCents, bookOf(state).overpaidCents));
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
  else oweInBook(state, amountCents);
  enter(state, before, 'reimbursement');
  if (state.instalmentFacts !== null && state.rows[state.nextRow]?.date === state.day) instalmentFallsDue(state);
}

function tellBook(state: LedgerState, amountCents: number): void {
  if (amountCents > 0) addToBook(state, { type: 'paidBack', day: state.day, amountCents: amountCents as Cents });
}

/** The instalment of the running period carries it. Where instalments are recalculated by what was paid, it stands beside them. */
function oweInBook(state: LedgerState, amountCents: number): void {
  if (state.terms.keeping?.recalculation.type === 'cumulative') {
    addToBook(state, { type: 'charged', day: state.day, part: 'fees', dueDay: addDays(state.day, 1), amountCents: amountCents as Cents });
    bookRevivedFee(state, 'fees', amountCents);
    state.totals.feesChargedCents += amountCents;
    state.totals.owedAgainCents -= amountCents;
    // An instalment that was paid may be open again: it becomes overdue with the next daily job.
    state.firstUnenforced = 0;
  } else tellBook(state, bookOf(state).overpaidCents + amountCents);
  settle(state);
}
