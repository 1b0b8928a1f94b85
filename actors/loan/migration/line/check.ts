import {
  addDays,
  cents,
  type Cents,
  type Day,
  dueDateOnOrAfter,
  type DueDateRule,
  formatCents,
  formatDay,
  parseDueDateRule,
} from '../../../../engine/index.js';
import type { LoanTypeSettings } from '../../../company/index.js';
import type { Fault } from '../../../errors.js';
import type { Origination } from '../../origination/terms.js';
import type { LoanState } from '../../state.js';
import {
  DRAW_PARTS,
  type DrawMigrationPeriod,
  LINE_PARTS,
  type LineHistory,
  type MigrationPeriod,
  type Part,
  type PeriodDays,
  type DueStatus,
} from './history.js';

/** All contradictions between the balances at the cutoff. */
export function seedFaults({ period, drawPeriods }: Pick<LineHistory, 'period' | 'drawPeriods'>): readonly Fault[] {
  if (period === null) return [{ path: 'period', expected: 'the migration period of the line', message: 'is missing' }];
  return [
    ...drawPeriods.flatMap((draw) => dateFaults(draw, period)),
    ...sumFaults(period, drawPeriods),
    ...obligationFaults(period, drawPeriods),
  ];
}

const DATES = [
  ['startDay', 'startDate'],
  ['endDay', 'endDate'],
  ['statementDay', 'statementDate'],
  ['dueDay', 'dueDate'],
] as const;

/** The periods of a draw must be those of the line. */
const dateFaults = (draw: DrawMigrationPeriod, period: PeriodDays): readonly Fault[] =>
  DATES.filter(([key]) => draw[key] !== period[key]).map(([key, field]) => ({
    path: `draws.${draw.drawId}.${field}`,
    expected: formatDay(period[key]),
    message: 'does not match the period of the line',
  }));

/** The stated principal and interest of the line must be the sums over its draws. */
function sumFaults(period: MigrationPeriod, draws: readonly DrawMigrationPeriod[]): readonly Fault[] {
  const faults: Fault[] = [];
  for (const at of ['nonDue', 'due', 'overdue'] as const) {
    for (const part of ['Principal', 'Interest'] as const) {
      const stated = period.balances[at][part];
      const sum = cents(draws.reduce((total, draw) => total + (draw.balances[at][part] ?? 0), 0));
      if (stated === undefined || stated === sum) continue;
      faults.push({
        path: `period.${at}Balances.${at}${part}Amount`,
        expected: formatCents(sum),
        message: 'is not the sum over the draws',
      });
    }
  }
  return faults;
}

/** The due and overdue balances of all draws with the line's own fees must be those of the obligation. */
function obligationFaults(period: MigrationPeriod, draws: readonly DrawMigrationPeriod[]): readonly Fault[] {
  const faults: Fault[] = [];
  const { obligationCents, remainingCents, overdueCents, overdueRemainingCents, daysOverdue } = period.obligation;
  const fault = (field: string, expected: string, message: string): void =>
    void faults.push({ path: `period.obligation.${field}`, expected, message });
  const due = balanceCents('due', period, draws);
  const overdue = balanceCents('overdue', period, draws);
  if (remainingCents !== due) fault('remainingAmount', formatCents(due), 'is not the sum of the due amounts');
  if (remainingCents > obligationCents) fault('remainingAmount', `${formatCents(obligationCents)} or less`, 'is more than the obligation');
  if (overdueRemainingCents !== overdue)
    fault('migratedOverdueRemainingAmount', formatCents(overdue), 'is not the sum of the overdue amounts');
  if (overdueRemainingCents > overdueCents)
    fault('migratedOverdueRemainingAmount', `${formatCents(overdueCents)} or less`, 'is more than what was overdue');
  if (daysOverdue > 0 !== overdueRemainingCents > 0) {
    fault('migratedDaysOverdue', overdueRemainingCents > 0 ? '1 or more' : '0', 'does not match the overdue amount');
  }
  return [...faults, ...overdueFaults(period)];
}

/** The overdue obligations by due date must add up to the stated total. */
function overdueFaults({ obligation, statementDay }: MigrationPeriod): readonly Fault[] {
  const { overdue, overdueCents, overdueRemainingCents, daysOverdue } = obligation;
  const [oldest] = overdue;
  if (oldest === undefined) return [];
  const faults: Fault[] = [];
  const fault = (field: string, expected: string, message: string): void =>
    void faults.push({ path: `period.obligation.${field}`, expected, message });
  const sumOf = (key: 'obligationCents' | 'remainingCents'): Cents => cents(overdue.reduce((sum, row) => sum + row[key], 0));
  if (sumOf('obligationCents') !== overdueCents)
    fault('migratedOverdueAmount', formatCents(sumOf('obligationCents')), 'is not the sum of the overdue obligations');
  if (sumOf('remainingCents') !== overdueRemainingCents)
    fault('migratedOverdueRemainingAmount', formatCents(sumOf('remainingCents')), 'is not the sum of the overdue obligations');
  if (daysOverdue !== statementDay - oldest.dueDay)
    fault('migratedDaysOverdue', String(statementDay - oldest.dueDay), 'is not counted from the oldest overdue obligation');
  for (const [index, { dueDay, obligationCents, remainingCents }] of overdue.entries()) {
    const path = `overdueObligations[${index}]`;
    if (dueDay >= statementDay) fault(`${path}.dueDate`, `before ${formatDay(statementDay)}`, 'is after the cutoff');
    if (overdue[index - 1]?.dueDay === dueDay) fault(`${path}.dueDate`, 'another due date', 'is also that of the obligation before');
    if (remainingCents > obligationCents)
      fault(`${path}.remainingAmount`, `${formatCents(obligationCents)} or less`, 'is more than the obligation');
  }
  return faults;
}

/** The balance of all draws with the fees of the line itself. */
function balanceCents(at: DueStatus, period: MigrationPeriod, draws: readonly DrawMigrationPeriod[]): Cents {
  const own = LINE_PARTS.filter((part) => part !== 'Principal' && part !== 'Interest').reduce(
    (sum, part) => sum + (period.balances[at][part] ?? 0),
    0,
  );
  return cents(draws.reduce((sum, { balances }) => sum + partsCents(balances[at], DRAW_PARTS), own));
}

export const partsCents = <Name extends Part>(balances: { readonly [Key in Name]?: Cents }, parts: readonly Name[]): number =>
  parts.reduce((sum, part) => sum + (balances[part] ?? 0), 0);

type Days = Pick<Origination, 'paymentFrequency' | 'specificDays'>;

/** `specificDays` must agree with the due date or the statement date, whichever the product fixes. */
export function dayRuleFaults(terms: Days, { dueDateOption }: LoanTypeSettings['schedule'], period: PeriodDays): readonly Fault[] {
  const { specificDays } = terms;
  if (specificDays === null || specificDays.length === 0) return [];
  const faults: Fault[] = [];
  const check = (field: string, day: Day, days: readonly string[]): void => {
    const rule = parseDueDateRule(terms.paymentFrequency, days, day);
    if (rule !== undefined && fits(rule, day)) return;
    faults.push({
      path: field,
      expected: `a date of specificDays ${days.join(', ')}`,
      message: `${formatDay(day)} does not agree with specificDays`,
    });
  };
  if (dueDateOption === 'fixedBoth') {
    const [statement, due] = specificDays;
    if (statement !== undefined) check('statementDate', period.statementDay, [statement]);
    if (due !== undefined) check('dueDate', period.dueDay, [due]);
  } else if (dueDateOption === 'fixedStatementDate') check('statementDate', period.statementDay, specificDays);
  else check('dueDate', period.dueDay, specificDays);
  return faults;
}

const fits = (rule: DueDateRule, day: Day): boolean => dueDateOnOrAfter(rule, day) === day;

/** A period, with the path that names it in faults. */
export interface PlacedPeriod extends PeriodDays {
  readonly path: string;
}

/** Faults of a period by itself: the statement must be on the day after its end, the due date later. */
export function ownFaults({ path, startDay, endDay, statementDay, dueDay }: PlacedPeriod): readonly Fault[] {
  const faults: Fault[] = [];
  const fault = (field: string, expected: string, message: string): void =>
    void faults.push({ path: joined(path, field), expected, message });
  if (endDay < startDay) fault('endDate', `${formatDay(startDay)} or later`, 'is before the start');
  const statement = addDays(endDay, 1);
  if (statementDay !== statement) fault('statementDate', formatDay(statement), 'must be the day after the end date');
  if (dueDay < statement) fault('dueDate', `${formatDay(statement)} or later`, 'is before the next period');
  return faults;
}

const DAYS = [
  ['startDay', 'startDate'],
  ['endDay', 'endDate'],
  ['statementDay', 'statementDate'],
  ['dueDay', 'dueDate'],
] as const;

/** Periods must not overlap or share a date. */
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

/** There must be no gap between periods, and each due date must be within the next period. */
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
      faults.push({ path: joined(period.path, 'dueDate'), expected, message: 'is outside of the next period' });
    }
  }
  return faults;
}

const inOrder = (periods: readonly PlacedPeriod[]): readonly PlacedPeriod[] => [...periods].sort((a, b) => a.startDay - b.startDay);

const joined = (path: string, field: string): string => (path === '' ? field : `${path}.${field}`);

interface DayAsked {
  readonly path: string;
  /** What is to be recorded instead after the cutoff. */
  readonly live: string;
}

/** History is from the activation to the cutoff: it changes no balance. What comes later is recorded as usual. */
export function historyDayFaults({ migration }: Pick<LoanState, 'migration'>, day: Day, { path, live }: DayAsked): readonly Fault[] {
  const from = migration?.activatedDay ?? null;
  const cutoff = migration?.line?.period?.statementDay ?? null;
  if (from !== null && day < from) return [{ path, expected: `${formatDay(from)} or later`, message: 'is before activation' }];
  if (cutoff === null || day < cutoff) return [];
  return [{ path, expected: `before ${formatDay(cutoff)}`, message: `is after the cutoff: record it as ${live}` }];
}
