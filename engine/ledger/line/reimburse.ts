import type { Reimbursed } from '../core/facts.js';
import { oldestDraw } from './draws.js';
import { beginEntry, enter } from './entering.js';
import { raisePrincipal } from './purchase.js';
import { reopen } from './settle.js';
import type { LineState } from './state.js';
import { countFor } from './totals.js';

/**
 * What was paid over goes back to the borrower. What of it was not paid over, as is now known, is principal of the oldest
 * draw; of a line whose draws are all canceled it stands against what is paid over later.
 */
export function reimburse(state: LineState, { amountCents }: Reimbursed): void {
  const { totals } = state;
  if (state.status === 'canceled') return;
  totals.reimbursedCents += amountCents;
  const owedCents = totals.reimbursedCents - totals.reimbursementCents;
  const draw = oldestDraw(state) ?? state.draws.find(({ isCanceled }) => !isCanceled);
  if (owedCents <= 0 || draw === undefined) return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  totals.reimbursementCents += owedCents;
  raisePrincipal(state, draw, owedCents);
  countFor(state, draw, (counted) => (counted.owedAgainCents += owedCents));
  enter(state, before, 'reimbursement');
}
