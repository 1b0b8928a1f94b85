import { DEFAULT_PAYMENT_WATERFALL } from '../../waterfall/index.js';
import type { AppliedFact } from './arrange.js';
import { beginEntry, enter } from './entering.js';
import { closeFulfilled } from './fulfil.js';
import { payInstalments } from './kept/pay.js';
import { keptPayoffCents } from './kept/project.js';
import { owedCents } from './owed.js';
import { pour } from './pay.js';
import { beginTally, FORGIVEN, type Tally } from './tally.js';
import { settingsOf } from '../core/settings.js';
import type { LedgerState } from './state.js';

const MONEY: ReadonlySet<AppliedFact['type']> = new Set(['payment', 'paymentSettled', 'refund']);

/**
 * Money has left so little that the lender gives it up by the loan type's amount: a credit of his own over
 * all that is owed, so that the loan is paid off. It follows from the money, and goes with it.
 */
export function forgiveSmallBalance(state: LedgerState, fact: AppliedFact): void {
  const { smallBalanceCents = 0 } = settingsOf(state);
  if (smallBalanceCents === 0 || !MONEY.has(fact.type) || state.processingPayments > 0) return;
  if (state.status !== 'active' && state.status !== 'accelerated' && state.status !== 'frozen') return;
  // Money of a time at which nobody knew of a fee does not meet it.
  if (state.fees.some(({ openCents, knownDay }) => openCents > 0 && knownDay > state.day)) return;
  const amountCents = state.instalmentFacts === null ? owedCents(state) : keptPayoffCents(state, state.day);
  if (amountCents === 0 || amountCents > smallBalanceCents) return;
  const before = beginEntry(state);
  const tally = beginTally(FORGIVEN, 'credit', { effective: fact.effective, amountCents });
  if (state.instalmentFacts === null) for (const bucket of DEFAULT_PAYMENT_WATERFALL) pour(state, tally, bucket);
  else payInstalments(state, tally);
  closeFulfilled(state);
  countForgiven(state, tally);
  enter(state, before, 'smallBalanceForgiven');
}

function countForgiven({ totals }: LedgerState, { principalCents, interestCents, feesCents }: Tally): void {
  totals.creditsCents += principalCents + interestCents + feesCents;
  totals.paidPrincipalCents += principalCents;
  totals.paidInterestCents += interestCents;
  totals.paidFeesCents += feesCents;
}
