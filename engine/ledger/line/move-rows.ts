import type { Day } from '../../calendar/index.js';
import { holds } from '../core/rules.js';
import { amortizeOver, dueDatesFrom } from './amortized.js';
import { periodAfter } from './periods.js';
import { runningPeriod } from './roll-periods.js';
import type { DrawState, LinePeriod, LineState } from './state.js';
import type { LineSchedule } from './terms.js';

type Row = DrawState['rows'][number];

/**
 * Another schedule holds from the next period on: rows of amortized draws keep their amounts and move with its due dates.
 */
export function changeSchedule(state: LineState, schedule: LineSchedule): void {
  state.schedule = schedule;
  if (!holds(state, 'rowsFollowLine')) return;
  const running = runningPeriod(state);
  for (const draw of state.draws)
    moveRows(state, draw, { first: periodAfter(schedule, running), isMoving: ({ dueDate }) => dueDate > running.dueDate });
}

/**
 * Rows whose statements were not made while the line was frozen: all that is left moves by them, or is spread over the due dates that
 * are left. Where none is left the next statement asks for everything.
 */
export function resumeRows(state: LineState, draw: DrawState, { shiftDueDates }: { readonly shiftDueDates: boolean }): void {
  const running = runningPeriod(state);
  const left = draw.rows.filter(({ dueDate }) => dueDate >= running.dueDate);
  if (left.length === draw.rows.length || !holds(state, 'rowsFollowLine')) return;
  if (shiftDueDates) moveRows(state, draw, { first: running, isMoving: () => true });
  else amortizeOver(state, draw, { count: left.length, from: running });
}

interface Move {
  /** The period whose due date the first of them gets. */
  readonly first: LinePeriod;
  readonly isMoving: (row: Row) => boolean;
}

/** Rows stand on due dates that follow one another, and go on doing so; parts of a fee that is spread go with them. */
function moveRows(state: LineState, draw: DrawState, { first, isMoving }: Move): void {
  const moving = draw.rows.filter(isMoving);
  if (moving.length === 0) return;
  const dates = dueDatesFrom(state, first, moving.length);
  const moved = new Map<Day, Day>(moving.map(({ dueDate }, position) => [dueDate, dates[position] ?? dueDate]));
  const movedTo = (day: Day): Day => moved.get(day) ?? day;
  draw.rows = draw.rows.map((row) => ({ ...row, dueDate: movedTo(row.dueDate) }));
  draw.fees = draw.fees.map((fee) =>
    fee.fromDueDate === null || fee.standing !== 'nonDue' ? fee : { ...fee, fromDueDate: movedTo(fee.fromDueDate) },
  );
}
