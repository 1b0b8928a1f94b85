import type { Day } from '../../calendar/index.js';
import { cents } from '../../money/index.js';
import { clearBalances } from '../core/balances.js';
import type { StatusCause } from '../core/entries.js';
import type { Unfreeze } from '../core/facts.js';
import { centsOfInterest, plus } from '../core/interest.js';
import { fulfilByCapitalization } from '../core/obligations.js';
import { enforcementDay, pauseObligations } from '../core/overdue.js';
import { holds } from '../core/rules.js';
import { cancelingMove, mayMoveLedger, moveStatus, orderedBy } from '../core/status-moves.js';
import { accelerate, chargeOff, giveUpRest } from './acceleration.js';
import { accrueFrozenDays } from './accrue.js';
import { amortizeBalance, amortizeOver, dueDatesFrom } from './amortized.js';
import type { AppliedLineFact } from './arrange.js';
import { closeFulfilled, feesOf } from './count-in-order.js';
import { countFor, findDraw, oldestDraw } from './credit.js';
import { beginEntry, enter } from './entering.js';
import { forgetAhead } from './fix-obligation.js';
import { openFeesCents, principalCents } from './owed.js';
import { periodAfter, runningPeriod } from './periods.js';
import type { DrawState, LineFee, LineObligation, LinePeriod, LineState } from './state.js';
import type { LineSchedule } from './terms.js';

/** Cancels the line: nothing is owed but all money to the borrower. */
function cancelLine(state: LineState, cause: StatusCause): void {
  const move = cancelingMove(state.status);
  if (move === null) return;
  const before = beginEntry(state);
  for (const draw of [...state.draws, null]) clearOwed(state, draw);
  for (const draw of state.draws) draw.isCanceled = true;
  forgetAhead(state);
  state.obligations = [];
  state.firstOpenObligation = 0;
  state.firstUnenforced = 0;
  if (holds(state, 'paidOnCanceledOwed')) state.totals.reimbursementCents = state.totals.paymentsCents;
  enter(state, before, 'cancellation');
  moveStatus(state, move, cause);
}

/** Cancels a draw without purchases, and its fees. */
function cancelDraw(state: LineState, number: number): void {
  const draw = findDraw(state, number);
  if (draw === undefined || draw.isCanceled) return;
  const before = beginEntry(state);
  clearOwed(state, draw);
  draw.isCanceled = true;
  state.obligations = state.obligations.map((obligation) => withoutDraw(obligation, number));
  closeFulfilled(state);
  enter(state, before, 'cancellation');
}

function withoutDraw(obligation: LineObligation, number: number): LineObligation {
  const part = obligation.draws.find(({ draw }) => draw === number);
  if (part === undefined || part.remainingCents === 0) return obligation;
  const lessCents = part.remainingCents;
  const given = giveUpRest(part);
  return {
    ...obligation,
    amountCents: obligation.amountCents - lessCents,
    // Amounts that joined an acceleration are only in its total.
    principalCents: Math.max(0, obligation.principalCents - given.principalCents),
    interestCents: Math.max(0, obligation.interestCents - given.interestCents),
    feesCents: Math.max(0, obligation.feesCents - given.feesCents),
    remainingCents: obligation.remainingCents - lessCents,
    withoutLateFeesCents: Math.max(0, obligation.withoutLateFeesCents - lessCents),
  };
}

function clearOwed(state: LineState, draw: DrawState | null): void {
  const fees = feesOf(state, draw);
  const feesCents = openFeesCents(fees);
  const principal = draw === null ? 0 : principalCents(draw);
  countFor(state, draw, (totals) => {
    totals.canceledFeesCents += feesCents;
    totals.canceledPrincipalCents += principal;
  });
  for (const fee of fees) fee.openCents = 0;
  if (draw === null) return;
  const { nonDueInterest, dueInterestCents, overdueInterestCents, chargedOffInterestCents } = draw.balances;
  const interest = plus(nonDueInterest, centsOfInterest(dueInterestCents + overdueInterestCents + chargedOffInterestCents));
  countFor(state, draw, (totals) => (totals.reversedInterest = plus(totals.reversedInterest, interest)));
  clearBalances(draw.balances);
  draw.rows = [];
  if (holds(state, 'bearingDrawsAlone')) draw.frozenSteps = [];
}

/**
 * Due and overdue balances become non-due, and their interest and fees become principal. The capitalized amounts close the
 * obligations, and the borrower is current.
 */
function deferBalances(state: LineState): void {
  const before = beginEntry(state);
  const interestCents = state.draws.reduce((sum, draw) => sum + deferDraw(state, draw), 0);
  deferLineFees(state);
  for (const obligation of state.obligations) if (obligation.remainingCents > 0) closeDeferred(state, obligation);
  enter(state, before, 'balancesDeferred');
  const { day, seconds } = state;
  if (interestCents > 0) state.watcher?.happened({ type: 'interestCapitalized', day, seconds, amountCents: cents(interestCents) });
}

/** Returns the interest that has become principal. */
function deferDraw(state: LineState, draw: DrawState): number {
  const { balances } = draw;
  const interestCents = balances.dueInterestCents + balances.overdueInterestCents;
  balances.nonDuePrincipalCents += balances.duePrincipalCents + balances.overduePrincipalCents + interestCents;
  balances.duePrincipalCents = 0;
  balances.overduePrincipalCents = 0;
  balances.dueInterestCents = 0;
  balances.overdueInterestCents = 0;
  countFor(state, draw, (totals) => (totals.capitalizedInterestCents += interestCents));
  capitalizeFees(state, draw.fees, draw);
  return interestCents;
}

/** Fees of the line become principal of its oldest draw; without a draw they wait for the next due date. */
function deferLineFees(state: LineState): void {
  const oldest = oldestDraw(state);
  if (oldest !== undefined) {
    capitalizeFees(state, state.fees, oldest);
    return;
  }
  for (const fee of state.fees) {
    if (!isDeferred(fee)) continue;
    fee.dueStatus = 'nonDue';
    fee.carriedBy = null;
    fee.dueDay = null;
  }
}

const isDeferred = (fee: LineFee): boolean => fee.openCents > 0 && (fee.dueStatus === 'due' || fee.dueStatus === 'overdue');

function capitalizeFees(state: LineState, fees: readonly LineFee[], into: DrawState): void {
  for (const fee of fees) {
    if (!isDeferred(fee)) continue;
    const { openCents } = fee;
    fee.openCents = 0;
    fee.capitalizedCents += openCents;
    into.balances.nonDuePrincipalCents += openCents;
    countFor(state, into, (totals) => (totals.capitalizedFeesCents += openCents));
    const { day, seconds } = state;
    state.watcher?.happened({ type: 'feeCapitalized', day, seconds, of: fee, amountCents: cents(openCents) });
  }
}

function closeDeferred(state: LineState, obligation: LineObligation): void {
  const amountCents = obligation.remainingCents;
  for (const part of obligation.draws) {
    part.capitalizedCents += part.remainingCents;
    part.remainingCents = 0;
  }
  if (obligation.isFulfilled) {
    // The rest within the tolerance.
    obligation.remainingCents = 0;
    obligation.capitalizedCents += amountCents;
    return;
  }
  fulfilByCapitalization(state, obligation, amountCents);
}

type Row = DrawState['rows'][number];

/**
 * Adopts another schedule from the next period on. Rows of amortized draws keep their amounts and move to its due dates.
 */
export function changeSchedule(state: LineState, schedule: LineSchedule): void {
  state.schedule = schedule;
  if (!holds(state, 'rowsFollowLine')) return;
  const running = runningPeriod(state);
  for (const draw of state.draws)
    moveRows(state, draw, { first: periodAfter(schedule, running), isMoving: ({ dueDate }) => dueDate > running.dueDate });
}

/**
 * Rows whose statements were skipped while the line was frozen: all remaining rows move by their number, or their balance is spread over
 * the remaining due dates. If none remains, the next statement has the whole balance.
 */
export function resumeRows(state: LineState, draw: DrawState, { shiftDueDates }: { readonly shiftDueDates: boolean }): void {
  const running = runningPeriod(state);
  const left = draw.rows.filter(({ dueDate }) => dueDate >= running.dueDate);
  if (left.length === draw.rows.length || !holds(state, 'rowsFollowLine')) return;
  if (shiftDueDates) moveRows(state, draw, { first: running, isMoving: () => true });
  else amortizeOver(state, draw, { count: left.length, from: running });
}

interface Move {
  /** The period of the first row. */
  readonly first: LinePeriod;
  readonly isMoving: (row: Row) => boolean;
}

/** Moves rows to consecutive due dates, together with the parts of spread fees. */
function moveRows(state: LineState, draw: DrawState, { first, isMoving }: Move): void {
  const moving = draw.rows.filter(isMoving);
  if (moving.length === 0) return;
  const dates = dueDatesFrom(state, first, moving.length);
  const moved = new Map<Day, Day>(moving.map(({ dueDate }, position) => [dueDate, dates[position] ?? dueDate]));
  const movedTo = (day: Day): Day => moved.get(day) ?? day;
  draw.rows = draw.rows.map((row) => ({ ...row, dueDate: movedTo(row.dueDate) }));
  draw.fees = draw.fees.map((fee) =>
    fee.fromDueDate === null || fee.dueStatus !== 'nonDue' ? fee : { ...fee, fromDueDate: movedTo(fee.fromDueDate) },
  );
}

type Order = Extract<
  AppliedLineFact,
  { readonly type: 'freeze' | 'unfreeze' | 'accelerate' | 'chargeOff' | 'cancel' | 'drawCanceled' | 'drawAmortized' | 'balancesDeferred' }
>;

/** Applies an order for the whole line, or for a draw. */
export function applyOrder(state: LineState, fact: Order): void {
  const cause = orderedBy(fact);
  switch (fact.type) {
    case 'freeze':
      if (mayMoveLedger(state.status, 'freeze')) freeze(state, cause);
      return;
    case 'unfreeze':
      if (mayMoveLedger(state.status, 'unfreeze')) unfreeze(state, fact, cause);
      return;
    case 'accelerate':
      if (mayMoveLedger(state.status, 'accelerate')) accelerate(state, cause);
      return;
    case 'chargeOff':
      if (state.status === 'frozen') endFreeze(state, cause);
      if (mayMoveLedger(state.status, 'chargeOff')) chargeOff(state, fact.reason, cause);
      return;
    case 'cancel':
      cancelLine(state, cause);
      return;
    case 'drawCanceled':
      cancelDraw(state, fact.draw);
      return;
    case 'drawAmortized':
      amortizeBalance(state, fact);
      return;
    case 'balancesDeferred':
      if (state.status === 'active') deferBalances(state);
  }
}

/**
 * Interest and due dates continue. While the line was frozen, periods had no obligations: their amounts are part of the next
 * minimum payment, so only the due dates of amortized draws can be shifted.
 */
function unfreeze(state: LineState, order: Unfreeze, cause: StatusCause): void {
  if (order.retroactivelyAccrueInterest) {
    const before = beginEntry(state);
    for (const draw of state.draws) accrueFrozenDays(state, draw);
    enter(state, before, 'retroactiveInterest');
  }
  endFreeze(state, cause);
  for (const draw of state.draws) resumeRows(state, draw, order);
}

function freeze(state: LineState, cause: StatusCause): void {
  state.isFrozen = true;
  moveStatus(state, 'freeze', cause);
}

/** A grace that would have been decided while the line was frozen waits like unpaid amounts. */
function pauseGrace(state: LineState): void {
  const { obligations, day, statusSince } = state;
  const last = obligations.at(-1);
  if (holds(state, 'gracesWait') && last?.isFulfilled === true && enforcementDay(last) > statusSince) last.pausedDays += day - statusSince;
}

/** Ends the freezing; its days do not count as overdue. */
function endFreeze(state: LineState, cause: StatusCause): void {
  pauseGrace(state);
  pauseObligations(state);
  for (const draw of state.draws) draw.frozenSteps = [];
  state.isFrozen = false;
  moveStatus(state, 'unfreeze', cause);
}
