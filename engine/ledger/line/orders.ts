import type { StatusCause } from '../core/ledger-events.js';
import type { Unfreeze } from '../core/facts.js';
import { enforcementDay, moveStatus, pauseObligations } from '../installment/shared.js';
import { holds } from '../core/rules.js';
import { mayMoveLedger } from '../core/status-moves.js';
import { accelerate, chargeOff } from './acceleration.js';
import { accrueFrozenDays } from './accrue.js';
import { amortizeBalance } from './amortized.js';
import type { AppliedLineFact } from './arrange.js';
import { cancelDraw, cancelLine } from './cancel.js';
import { deferBalances } from './defer-balances.js';
import { beginEntry, enter } from './entering.js';
import { resumeRows } from './move-rows.js';
import type { LineState } from './state.js';

type Order = Extract<
  AppliedLineFact,
  { readonly type: 'freeze' | 'unfreeze' | 'accelerate' | 'chargeOff' | 'cancel' | 'drawCanceled' | 'drawAmortized' | 'balancesDeferred' }
>;

/** What is ordered for the whole line, or for a draw. */
export function applyOrder(state: LineState, fact: Order): void {
  const cause: StatusCause = { type: 'ordered', sequence: fact.sequence };
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
      if (state.status === 'frozen') thaw(state, cause);
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
 * Interest and due dates go on. Periods went on while the line was frozen and asked for nothing: what they did not ask for is
 * part of the next minimum payment, so that there is no due date to shift but those of amortized draws.
 */
function unfreeze(state: LineState, order: Unfreeze, cause: StatusCause): void {
  if (order.retroactivelyAccrueInterest) {
    const before = beginEntry(state);
    for (const draw of state.draws) accrueFrozenDays(state, draw);
    enter(state, before, 'retroactiveInterest');
  }
  thaw(state, cause);
  for (const draw of state.draws) resumeRows(state, draw, order);
}

function freeze(state: LineState, cause: StatusCause): void {
  state.isFrozen = true;
  moveStatus(state, 'freeze', cause);
}

/** A grace that would have been decided while the line was frozen waits as long as what is unpaid. */
function pauseGrace(state: LineState): void {
  const { obligations, day, statusSince } = state;
  const last = obligations.at(-1);
  if (holds(state, 'gracesWait') && last?.isFulfilled === true && enforcementDay(last) > statusSince) last.pausedDays += day - statusSince;
}

/** Ends the freezing; the days of it do not count as overdue. */
function thaw(state: LineState, cause: StatusCause): void {
  pauseGrace(state);
  pauseObligations(state);
  for (const draw of state.draws) draw.frozenSteps = [];
  state.isFrozen = false;
  moveStatus(state, 'unfreeze', cause);
}
