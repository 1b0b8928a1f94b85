import type { Day } from '../../calendar/index.js';
import { cents, ZERO } from '../../money/index.js';
import { type ComingFee, NO_COMING_FEES } from '../core/fees.js';
import { fixedView } from '../core/obligations.js';
import { type NextDue, overdueView } from '../core/overdue.js';
import { settingsOf } from '../core/rules.js';
import type { OverdueView, PeriodView } from '../core/views.js';
import { periodAfter, runningPeriod } from './periods.js';
import { advanceWithFees, cloneLine } from './read-schedule.js';
import type { DrawObligation, GraceBalances, LineObligation, LinePeriod, LineState } from './state.js';
import type { LineTerms } from './terms.js';
import type { DrawGraceView, GraceView, LineObligationView } from './views.js';

/** Periods from the first one on; with `through` also coming periods that begin by that day. */
export function linePeriodsOf(state: LineState, through: Day = state.day): readonly PeriodView[] {
  const periods = [...state.periods];
  for (let next = nextOf(state, periods); next.startDate <= through; next = nextOf(state, periods)) periods.push(next);
  const { ordinal } = runningPeriod(state);
  return periods.map((period) => viewOf(period, period.ordinal < ordinal ? 'closed' : period.ordinal === ordinal ? 'open' : 'future'));
}

const nextOf = (state: LineState, periods: readonly LinePeriod[]): LinePeriod =>
  periodAfter(state.schedule, periods.at(-1) ?? runningPeriod(state));

const viewOf = ({ ordinal, startDate, endDate, statementDate, dueDate }: LinePeriod, status: PeriodView['status']): PeriodView => ({
  ordinal,
  startDay: startDate,
  endDay: endDate,
  statementDay: statementDate,
  dueDay: dueDate,
  status,
});

/** Obligations by due date, of the line or of one draw: the fixed ones, then the open one of the running period. */
export function lineObligationsOf(state: LineState, draw: number | null = null, coming = NO_COMING_FEES): readonly LineObligationView[] {
  const open = openObligation(state, coming);
  const views = state.obligations.map((obligation) => obligationView(state, obligation, draw));
  const views2 = open === null ? views : [...views, openView(obligationView(state, open, draw))];
  return views2.flatMap((view) => (view === null ? [] : [view]));
}

const openView = (view: LineObligationView | null): LineObligationView | null =>
  view === null ? null : { ...view, isOpen: true, isOverdue: false };

function obligationView(state: LineState, obligation: LineObligation, draw: number | null): LineObligationView | null {
  const whole: LineObligationView = {
    ...fixedView(obligation, obligation.period.ordinal),
    overLimitCents: cents(obligation.overLimitCents),
    carriedOverdueCents: cents(obligation.carriedOverdueCents),
    minimumDueCents: cents(obligation.amountCents + (settingsOf(state).isOverdueInMinimum ? obligation.carriedOverdueCents : 0)),
    loanGracePeriod: graceView(obligation.grace),
    gracePeriods: obligation.draws.flatMap((part) => drawGrace(part)),
  };
  if (draw === null) return whole;
  const part = obligation.draws.find((candidate) => candidate.draw === draw);
  return part === undefined
    ? null
    : { ...whole, ...partView(part), isOverdue: obligation.isEnforced && part.remainingCents > 0, isFulfilled: part.remainingCents === 0 };
}

const partView = (part: DrawObligation) => ({
  obligationCents: cents(part.amountCents),
  fulfilledCents: cents(part.amountCents - part.remainingCents),
  remainingCents: cents(part.remainingCents),
  paymentsCents: cents(part.paymentsCents),
  serviceCreditsCents: cents(part.creditsCents),
  overpaymentsCents: cents(part.prepaidCents),
  capitalizedCents: cents(part.capitalizedCents),
  unassignedCents: ZERO,
  overLimitCents: ZERO,
  carriedOverdueCents: ZERO,
  minimumDueCents: cents(part.amountCents),
  gracePeriods: drawGrace(part),
});

const drawGrace = ({ draw, grace }: DrawObligation): readonly DrawGraceView[] => (draw === null ? [] : [{ draw, ...graceView(grace) }]);

const graceView = (grace: GraceBalances): GraceView => ({
  fullBalanceCents: cents(grace.fullBalanceCents),
  fullBalanceMinusOverdueCents: cents(grace.fullBalanceMinusOverdueCents),
  totalFulfilledOnDueDateCents: cents(grace.totalFulfilledOnDueDateCents),
  isEligible: grace.isEligible,
});

/**
 * The expected obligation of the running period if nobody pays until its statement, with the late fees that are charged already, and with
 * the fees of coming days.
 */
export function openObligation(state: LineState, coming = NO_COMING_FEES): LineObligation | null {
  return isAsking(state) ? expectedObligation(state, withoutLateFees(state.terms), coming) : null;
}

/** The same with the late fees that are charged until the statement. */
export function openObligationWithLateFees(state: LineState): LineObligation | null {
  return isAsking(state) ? expectedObligation(state, state.terms, NO_COMING_FEES) : null;
}

const isAsking = ({ status }: LineState): boolean => status === 'active' || status === 'frozen';

const withoutLateFees = (terms: LineTerms): LineTerms => ({
  ...terms,
  settings: terms.settings.map(({ from, value }) => ({ from, value: { ...value, lateFees: [] } })),
});

/** The computation of the statement on a copy. */
function expectedObligation(state: LineState, terms: LineTerms, coming: readonly ComingFee[]): LineObligation | null {
  const copy: LineState = { ...cloneLine(state), terms, status: 'active' };
  const { ordinal, statementDate } = runningPeriod(state);
  advanceWithFees(copy, statementDate, coming);
  return copy.obligations.find((obligation) => obligation.ordinal === ordinal) ?? null;
}

/** How far the line is overdue, and what is due next. */
export const lineOverdueOf = (state: LineState, coming = NO_COMING_FEES): OverdueView => overdueView(state, lineNextDueOf(state, coming));

/** The next amount that can be paid on time: an unpaid fixed obligation, or else that of the running period. */
function lineNextDueOf(state: LineState, coming: readonly ComingFee[]): NextDue | null {
  if (state.status !== 'active' && state.status !== 'accelerated') return null;
  const fixed = state.obligations.find((obligation) => !obligation.isFulfilled && !obligation.isEnforced);
  const next = fixed ?? openObligation(state, coming);
  return next === null || next.remainingCents === 0 ? null : { day: next.dueDay, remainingCents: cents(next.remainingCents) };
}
