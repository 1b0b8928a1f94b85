import { must } from '../../assert.js';
import { beginEntry, enter } from './entering.js';
import type { AdvancePaidOut } from '../core/facts.js';
import { askForMore } from './fulfil.js';
import { noteUnknown, reamortize } from './reamortize.js';
import { reopen } from './reopen.js';
import type { LedgerState } from './state.js';

/**
 * Money goes out to the borrower: principal rises from here on. While the loan is active the rows to
 * come are re-amortized over the same end date, unless they were made with the advance. A loan that the past, as it is now
 * known, has accelerated or charged off owes it there.
 */
export function disburse(state: LedgerState, fact: AdvancePaidOut): void {
  if (state.status === 'canceled') return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  state.totals.advancedCents += fact.amountCents;
  raisePrincipal(state, fact.amountCents);
  enter(state, before, 'advance');
  if (state.status !== 'active' && state.status !== 'frozen') return;
  if (fact.recordedDay > state.day) noteUnknown(state, { change: fact.sequence, through: fact.recordedDay, addedCents: fact.amountCents });
  if (fact.reamortization === 'sameEndDate') reamortize(state);
}

export function raisePrincipal(state: LedgerState, amountCents: number): void {
  if (state.status === 'accelerated' || state.status === 'chargedOff') raiseWhole(state, amountCents, 'principal');
  else state.nonDuePrincipalCents += amountCents;
}

/** After acceleration one obligation carries everything. */
export function raiseWhole(state: LedgerState, amountCents: number, part: 'principal' | 'interest'): void {
  const obligation = must(state.obligations.at(-1), 'an acceleration makes an obligation');
  askForMore(state, obligation, amountCents);
  obligation.withoutLateFeesCents += amountCents;
  const standing = state.status === 'chargedOff' ? 'chargedOff' : obligation.isEnforced ? 'overdue' : 'due';
  state[BALANCES[part][standing]] += amountCents;
}

const BALANCES = {
  principal: { due: 'duePrincipalCents', overdue: 'overduePrincipalCents', chargedOff: 'chargedOffPrincipalCents' },
  interest: { due: 'dueInterestCents', overdue: 'overdueInterestCents', chargedOff: 'chargedOffInterestCents' },
} as const;
