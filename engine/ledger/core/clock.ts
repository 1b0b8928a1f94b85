import type { Day } from '../../calendar/index.js';
import type { EntrySource } from './entries.js';
import type { FactPlace } from './facts.js';

/** The nominal times of the daily job's steps in seconds since midnight: sort keys. */
export const JOB_TIMES = {
  accrual: 0,
  rates: 600,
  periods: 1200,
  due: 1800,
  overdue: 2400,
  lateFees: 3000,
} as const;

/** What people do comes after the daily job. */
export const FIRST_USER_SECOND = 7200;

const DAILY_JOB: EntrySource = { type: 'dailyJob' };

/** A step of the daily job begins. */
export function beginStep(state: { seconds: number; source: EntrySource }, seconds: number): void {
  state.seconds = seconds;
  state.source = DAILY_JOB;
}

/** Something that people did begins. */
export function beginFact(state: { seconds: number; source: EntrySource }, { effective, sequence }: FactPlace): void {
  state.seconds = effective.seconds;
  state.source = { type: 'fact', sequence };
}

/** It has been taken in: the next one must sort after it. */
export function noteLastFact(state: LastFact, { effective, sequence }: FactPlace): void {
  state.lastFactDay = effective.day;
  state.lastFactSeconds = effective.seconds;
  state.lastFactSequence = sequence;
}

interface LastFact {
  lastFactDay: Day;
  lastFactSeconds: number;
  lastFactSequence: number;
}
