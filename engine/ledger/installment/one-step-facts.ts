import { must } from '../../assert.js';
import { cents } from '../../money/index.js';
import type { StatusCause } from '../core/entries.js';
import type { AdvancePaidOut, Reimbursed, Unfreeze } from '../core/facts.js';
import { askForMore } from '../core/obligations.js';
import { pauseObligations } from '../core/overdue.js';
import { holds } from '../core/rules.js';
import { moveStatus } from '../core/status-moves.js';
import { accrueFrozenDays } from './accrue.js';
import { beginEntry, enter } from './entering.js';
import { addRevivedFee } from './fees.js';
import { addCharge, addScheduledFact, joining, scheduledLedgerOf, settle } from './scheduled-interest/scheduled-ledger.js';
import { firstRowAfter, letPass, shiftRows } from './period.js';
import { noteRecordedLate } from './change-rates.js';
import { reamortize } from './reamortize.js';
import type { LedgerState } from './state.js';

/** Reopens a paid-off loan in its previous status, since something is owed again. */
export function reopen(state: LedgerState): void {
  letPass(state);
  const isFrozen = state.frozenSteps !== null;
  moveStatus(state, 'owe', { type: 'balance' }, { isFrozen, isAccelerated: state.acceleratedSince !== null });
}

/** A backdated payment has paid the loan off before it was frozen or unfrozen: the order applies once the loan is open again. */
export function orderOfPaidOff(state: LedgerState, status: 'active' | 'frozen'): void {
  if (state.acceleratedSince !== null || !holds(state, 'ordersWhilePaidOff')) return;
  if (status === 'active') state.frozenSteps = null;
  else state.frozenSteps ??= [];
}

/**
 * Pays money out to the borrower: principal rises. While the loan is active, the coming rows are re-amortized over the same
 * end date, unless they include the advance already. If a retroactive adjustment has accelerated or charged off the loan, the
 * amount joins its single obligation.
 */
export function disburse(state: LedgerState, fact: AdvancePaidOut): void {
  if (state.status === 'canceled') return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  state.totals.advancedCents += fact.amountCents;
  raisePrincipal(state, fact.amountCents);
  enter(state, before, 'advance');
  if (state.status !== 'active' && state.status !== 'frozen') return;
  if (fact.recordedDay > state.day)
    noteRecordedLate(state, { change: fact.sequence, through: fact.recordedDay, addedCents: fact.amountCents });
  if (fact.reamortization === 'sameEndDate') reamortize(state);
}

function raisePrincipal(state: LedgerState, amountCents: number): void {
  if (state.status === 'accelerated' || state.status === 'chargedOff') raiseWhole(state, amountCents, 'principal');
  else state.nonDuePrincipalCents += amountCents;
}

/** After an acceleration one obligation carries everything. */
export function raiseWhole(state: LedgerState, amountCents: number, part: 'principal' | 'interest'): void {
  const obligation = must(state.obligations.at(-1), 'an acceleration makes an obligation');
  askForMore(state, obligation, amountCents);
  obligation.withoutLateFeesCents += amountCents;
  const dueStatus = state.status === 'chargedOff' ? 'chargedOff' : obligation.isEnforced ? 'overdue' : 'due';
  state[BALANCES[part][dueStatus]] += amountCents;
}

const BALANCES = {
  principal: { due: 'duePrincipalCents', overdue: 'overduePrincipalCents', chargedOff: 'chargedOffPrincipalCents' },
  interest: { due: 'dueInterestCents', overdue: 'overdueInterestCents', chargedOff: 'chargedOffInterestCents' },
} as const;

/**
 * Refunds overpaid money to the borrower. The balances do not change, unless the overpaid money is missing after a
 * retroactive adjustment.
 */
export function reimburse(state: LedgerState, { amountCents }: Reimbursed): void {
  if (state.status === 'canceled') {
    if (holds(state, 'paidOnCanceledOwed')) state.totals.reimbursedCents += amountCents;
    return;
  }
  if (state.scheduledFacts !== null) paidBack(state, Math.min(amountCents, scheduledLedgerOf(state).overpaidCents));
  state.totals.reimbursedCents += amountCents;
  oweExcessRefund(state);
}

/** A refund above the overpaid money is owed again, as principal paid out on that day. The rows keep their amounts. */
export function oweExcessRefund(state: LedgerState): void {
  const { totals } = state;
  const amountCents = totals.reimbursedCents - totals.reimbursementCents;
  if (amountCents <= 0) return;
  if (state.status === 'paidOff') reopen(state);
  const before = beginEntry(state);
  totals.reimbursementCents += amountCents;
  totals.owedAgainCents += amountCents;
  if (state.scheduledFacts === null) raisePrincipal(state, amountCents);
  else oweInRow(state, amountCents);
  enter(state, before, 'reimbursement');
}

function paidBack(state: LedgerState, amountCents: number): void {
  if (amountCents > 0) addScheduledFact(state, { type: 'paidBack', day: state.day, amountCents: cents(amountCents), ...joining(state) });
}

/** The amount joins the installment of the running period. With cumulative recalculation it joins as a fee. */
function oweInRow(state: LedgerState, amountCents: number): void {
  if (state.terms.keeping?.recalculation.type === 'cumulative') {
    addCharge(state, 'fees', amountCents);
    addRevivedFee(state, 'fees', amountCents);
    state.totals.feesChargedCents += amountCents;
    state.totals.owedAgainCents -= amountCents;
    // A paid installment may be open again: it becomes overdue with the next daily job.
    state.firstUnenforced = 0;
  } else paidBack(state, scheduledLedgerOf(state).overpaidCents + amountCents);
  settle(state);
}

/** Stops interest, suspends due dates, and stops the count of days overdue. */
export function freeze(state: LedgerState, cause: StatusCause): void {
  state.frozenSteps = [];
  moveStatus(state, 'freeze', cause);
}

/**
 * Interest and due dates continue. The frozen days are `[frozen day, day)`; the fact says what happens to their interest and
 * their due dates.
 */
export function unfreeze(state: LedgerState, fact: Unfreeze, cause: StatusCause): void {
  if (fact.retroactivelyAccrueInterest) {
    const before = beginEntry(state);
    accrueFrozenDays(state);
    enter(state, before, 'retroactiveInterest');
  }
  endFreeze(state, cause);
  if (firstRowAfter(state) === state.nextRow) return;
  if (fact.shiftDueDates) shiftRows(state);
  else {
    letPass(state);
    reamortize(state);
  }
}

/** Ends the freezing; its days do not count as overdue. */
export function endFreeze(state: LedgerState, cause: StatusCause): void {
  pauseObligations(state);
  state.frozenSteps = null;
  moveStatus(state, 'unfreeze', cause);
}
