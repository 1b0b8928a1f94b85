import { type Day, day as dayFrom } from '../../calendar/index.js';
import type { EntrySource } from './entries.js';
import type { FactPosition } from './facts.js';

/** The nominal times of the steps of the daily job, in seconds since midnight. They are sort keys. */
export const JOB_TIMES = {
  accrual: 0,
  rates: 600,
  periods: 1200,
  due: 1800,
  overdue: 2400,
  lateFees: 3000,
} as const;

/** Facts of people come after the daily job. */
export const FIRST_USER_SECOND = 7200;

const DAILY_JOB: EntrySource = { type: 'dailyJob' };

/** A step of the daily job begins. */
export function beginStep(state: { seconds: number; source: EntrySource }, seconds: number): void {
  state.seconds = seconds;
  state.source = DAILY_JOB;
}

/** Sets the time of a fact, and the fact as the source of the entries that follow. */
export function setTimeOfFact(state: { seconds: number; source: EntrySource }, { effective, sequence }: FactPosition): void {
  state.seconds = effective.seconds;
  state.source = { type: 'fact', sequence };
}

/** The fact was applied: the next one must sort after it. */
export function noteLastFact(state: LastFact, { effective, sequence }: FactPosition): void {
  state.lastFactDay = effective.day;
  state.lastFactSeconds = effective.seconds;
  state.lastFactSequence = sequence;
}

interface LastFact {
  lastFactDay: Day;
  lastFactSeconds: number;
  lastFactSequence: number;
}

/** Whether a fact comes after the last one that a ledger has applied. */
export function sortsLast(state: LastFact, fact: FactPosition): boolean {
  if (fact.effective.day !== state.lastFactDay) return fact.effective.day > state.lastFactDay;
  if (fact.effective.seconds !== state.lastFactSeconds) return fact.effective.seconds > state.lastFactSeconds;
  return fact.sequence > state.lastFactSequence;
}

/** Stands for no day. */
export const NEVER = dayFrom(Number.MAX_SAFE_INTEGER);
