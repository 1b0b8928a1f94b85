import { must } from '../../assert.js';
import { beginStep, JOB_TIMES } from '../core/clock.js';
import { periodAfter } from './periods.js';
import type { LinePeriod, LineState } from './state.js';

export const runningPeriod = (state: LineState): LinePeriod => must(state.periods.at(-1), 'a line always has a running period');

/** 00:20 of a statement date: the period that has ended is closed and the next begins. */
export function rollPeriod(state: LineState): LinePeriod {
  const ended = runningPeriod(state);
  const next = periodAfter(state.schedule, ended);
  state.periods.push(next);
  beginStep(state, JOB_TIMES.periods);
  tellPeriod(state, next);
  return ended;
}

export function tellPeriod({ watcher, day, seconds }: LineState, { ordinal: period, startDate, endDate, dueDate }: LinePeriod): void {
  watcher?.happened({ type: 'periodStarted', day, seconds, period, startDate, endDate, dueDate });
}

/** Periods that passed while the line was paid off asked for nothing. */
export function catchUpPeriods(state: LineState): void {
  while (runningPeriod(state).statementDate <= state.day) state.periods.push(periodAfter(state.schedule, runningPeriod(state)));
}
