import { addDays, type Day, formatDay } from '../../../../engine/index.js';
import type { Fault } from '../../../errors.js';
import type { PeriodDays } from './history.js';

/** Periods that follow one another, each with the path under which its faults are told. */
export interface PlacedPeriod extends PeriodDays {
  readonly path: string;
}

/** What is wrong with a period by itself: the statement lies on the day after its end, the due date later. */
export function ownFaults({ path, startDay, endDay, statementDay, dueDay }: PlacedPeriod): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (field: string, expected: string, message: string): void =>
    void faults.push({ path: joined(path, field), expected, message });
  if (endDay < startDay) fault('endDate', `${formatDay(startDay)} or later`, 'lies before the start');
  const statement = addDays(endDay, 1);
  if (statementDay !== statement)
    fault('statementDate', formatDay(statement), 'the period statement date should be one day after the end date');
  if (dueDay < statement) fault('dueDate', `${formatDay(statement)} or later`, 'lies before the next period');
  return faults;
}

const DAYS = [
  ['startDay', 'startDate'],
  ['endDay', 'endDate'],
  ['statementDay', 'statementDate'],
  ['dueDay', 'dueDate'],
] as const;

/** No two periods overlap or share a date. */
export function sharedFaults(periods: readonly PlacedPeriod[]): readonly Fault[] {
  const faults: Fault[] = [];
  for (const [key, field] of DAYS) {
    const known = new Map<Day, string>();
    for (const period of periods) {
      const other = known.get(period[key]);
      if (other !== undefined)
        faults.push({ path: joined(period.path, field), expected: 'a date that no other period has', message: `is also that of ${other}` });
      else known.set(period[key], period.path);
    }
  }
  const sorted = inOrder(periods);
  for (const [index, period] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before === undefined || before.startDay === period.startDay || period.startDay > before.endDay) continue;
    faults.push({
      path: joined(period.path, 'startDate'),
      expected: `${formatDay(addDays(before.endDay, 1))} or later`,
      message: `overlaps ${before.path}`,
    });
  }
  return faults;
}

/** No gap between them, and each due date inside of the next period. */
export function chainFaults(periods: readonly PlacedPeriod[]): readonly Fault[] {
  const faults: Fault[] = [];
  const sorted = inOrder(periods);
  for (const [index, period] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === undefined) continue;
    const start = addDays(period.endDay, 1);
    if (next.startDay > start)
      faults.push({ path: joined(next.path, 'startDate'), expected: formatDay(start), message: 'leaves a gap after the period before' });
    if (period.dueDay < next.startDay || period.dueDay > next.endDay) {
      const expected = `${formatDay(next.startDay)} to ${formatDay(next.endDay)}`;
      faults.push({ path: joined(period.path, 'dueDate'), expected, message: 'lies outside of the next period' });
    }
  }
  return faults;
}

const inOrder = (periods: readonly PlacedPeriod[]): readonly PlacedPeriod[] => [...periods].sort((a, b) => a.startDay - b.startDay);

const joined = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`);
