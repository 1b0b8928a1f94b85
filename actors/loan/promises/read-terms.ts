import {
  type Cents,
  type Day,
  dueDateOnOrAfter,
  type DueDateRule,
  dueDates,
  formatSpecificDays,
  must,
  parseDueDateRule,
} from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import { centsOf, dateText, dayOfText } from '../../wire.js';
import type { PromiseFrequency } from './plan.js';
import type { PromiseTermsRequest } from './types.js';

/** What a request promises, before the promises have ids. */
export interface ReadTerms {
  readonly startDay: Day;
  readonly frequency: PromiseFrequency | null;
  readonly specificDays: readonly string[] | null;
  readonly dues: readonly { readonly dueDay: Day; readonly amountCents: Cents }[];
}

const DESCRIPTORS = ['startDate', 'frequency', 'specificDays', 'duration', 'amount'] as const;

/** Whether a body says anything about what is promised. */
export const saysTerms = (request: PromiseTermsRequest): boolean =>
  request.schedule != null || DESCRIPTORS.some((name) => request[name] != null);

/**
 * The promised payments, named one by one or described: 400 for both at once or for neither, 422 for a day that is
 * past.
 */
export function readTerms(request: PromiseTermsRequest, today: Day): ReadTerms {
  const described = DESCRIPTORS.filter((name) => request[name] != null);
  if (request.schedule != null && described.length > 0) {
    refuseAll(described.map((path) => ({ path, expected: 'either the schedule or what describes it', message: 'stands beside schedule' })));
  }
  const terms = request.schedule == null ? describedTerms(request) : namedTerms(request.schedule, today);
  const first = must(terms.dues[0], 'a plan promises something');
  const earliest = request.schedule == null ? terms.startDay : first.dueDay;
  if (earliest < today) {
    const path = request.schedule == null ? 'startDate' : 'schedule';
    refuse('ruleViolation', `The day ${dateText(earliest)} is past.`, {
      errors: [{ path, expected: `${dateText(today)} or later`, message: 'lies before today' }],
    });
  }
  return terms;
}

function namedTerms(schedule: NonNullable<PromiseTermsRequest['schedule']>, today: Day): ReadTerms {
  const dues = schedule
    .map(({ dueDate, amount }) => ({ dueDay: dayOfText(dueDate), amountCents: centsOf(amount) }))
    .sort((a, b) => a.dueDay - b.dueDay);
  const twice = dues.find(({ dueDay }, index) => dues[index + 1]?.dueDay === dueDay);
  if (twice !== undefined) {
    refuseAll([{ path: 'schedule', expected: 'each due date once', message: `${dateText(twice.dueDay)} is named twice` }]);
  }
  return { startDay: today, frequency: null, specificDays: null, dues };
}

function describedTerms(request: PromiseTermsRequest): ReadTerms {
  const { startDate, frequency, specificDays, amount } = request;
  const needed =
    frequency === 'oneTime' ? (['startDate', 'frequency', 'amount'] as const) : (['startDate', 'frequency', 'duration', 'amount'] as const);
  const missing = needed.filter((name) => request[name] == null);
  if (missing.length > 0 || startDate == null || frequency == null || amount == null) {
    return refuseAll(missing.map((path) => ({ path, expected: 'a value, or a schedule', message: 'missing' })));
  }
  const startDay = dayOfText(startDate);
  const amountCents = centsOf(amount);
  if (frequency === 'oneTime') {
    refuseRepetition(request);
    return { startDay, frequency, specificDays: null, dues: [{ dueDay: startDay, amountCents }] };
  }
  const rule = parseDueDateRule(frequency, specificDays, startDay);
  if (rule === undefined)
    return refuseAll([{ path: 'specificDays', expected: `days of ${frequency}`, message: `the days do not fit ${frequency}` }]);
  const days = dueDates(rule, dueDateOnOrAfter(cycleFrom(rule, startDay), startDay), request.duration ?? 1);
  return { startDay, frequency, specificDays: formatSpecificDays(rule), dues: days.map((dueDay) => ({ dueDay, amountCents })) };
}

/** A cycle of two weeks without a start of its own counts from the plan's. */
const cycleFrom = (rule: DueDateRule, startDay: Day): DueDateRule =>
  rule.type === 'everyTwoWeeks' && rule.cycleStart === null ? { ...rule, cycleStart: startDay } : rule;

function refuseRepetition({ specificDays, duration }: PromiseTermsRequest): void {
  const faults: Fault[] = [];
  if (specificDays != null && specificDays.length > 0)
    faults.push({ path: 'specificDays', expected: 'none for oneTime', message: 'startDate is the day' });
  if (duration != null && duration !== 1) faults.push({ path: 'duration', expected: '1 for oneTime', message: 'there is one payment' });
  if (faults.length > 0) refuseAll(faults);
}

function refuseAll(errors: readonly Fault[]): never {
  return refuse('validationError', 'The promise is not described in one way.', { errors });
}
