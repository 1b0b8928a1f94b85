import {
  type Day,
  type LinePeriod,
  linePeriodsOf,
  type LineSchedule,
  type LineTerms,
  must,
  type PeriodView,
  startLine,
} from '../../../../../engine/index.js';
import type { NaiveState } from './state.js';

const asPeriod = ({ ordinal, startDay, endDay, statementDay, dueDay }: PeriodView): LinePeriod => ({
  ordinal,
  startDate: startDay,
  endDate: endDay,
  statementDate: statementDay,
  dueDate: dueDay,
});

export const firstPeriods = (terms: LineTerms): PeriodView[] => [...linePeriodsOf(startLine(terms))];

/** Periods have their own tests, so the naive line uses the engine's. */
export function periodAfter(terms: LineTerms, schedule: LineSchedule, last: PeriodView): PeriodView {
  return must(linePeriodsOf({ ...startLine(terms), schedule, periods: [asPeriod(last)] }, last.statementDay).at(-1), 'a period follows');
}

export const runningPeriod = ({ periods }: NaiveState): PeriodView => must(periods.at(-1), 'a running period');

export const nextPeriod = (state: NaiveState): PeriodView => periodAfter(state.terms, state.schedule, runningPeriod(state));

export function roll(state: NaiveState): PeriodView {
  const ended = runningPeriod(state);
  state.periods.push(periodAfter(state.terms, state.schedule, ended));
  return ended;
}

/** Due dates of rows, from the due date of a period on. */
export function dueDatesFrom({ terms, schedule }: NaiveState, first: PeriodView, count: number): readonly Day[] {
  const dates: Day[] = [];
  for (let period = first; dates.length < count; period = periodAfter(terms, schedule, period)) dates.push(period.dueDay);
  return dates;
}
