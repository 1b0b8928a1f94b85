import {
  addDays,
  civil,
  dueDates as datesOfRule,
  type Day,
  dayOf,
  dueDateOnOrAfter,
  type DueDateRule,
  dueDatesUntil,
  formatSpecificDays,
  MAX_SCHEDULE_ROWS,
  must,
  type OpenRow,
  parseDueDateRule,
  type RowTerm,
  type ScheduleChanged,
} from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { centsOf, dayOfText, orNull } from '../../wire.js';
import { beginAction } from '../commands/order.js';
import { recordOf, servicingOf } from '../context.js';
import type { LedgerChange } from '../facts.js';
import { changedLineDates } from '../line/modifications.js';
import type { LoanState } from '../state.js';
import {
  beginTool,
  datesAfter,
  firstNewDate,
  keptTerm,
  onBusinessDays,
  requireTerms,
  requireUses,
  rowsFrom,
  scheduleNow,
  type ScheduleNow,
  sized,
  toolDecision,
  simulatedSchedule,
} from './schedule-now.js';
import type { ChangeDueDatesRequest, ChangeLoanTermsRequest } from './types.js';

/** `PUT L/expected-payments`: other due dates, from the next period on. */
export const changeDueDates: CommandSpec<LoanState, ChangeDueDatesRequest> = {
  kind: 'loan',
  type: 'loan.changeDueDates',
  place: { on: 'target' },
  decide(context) {
    if (recordOf(context.state).type === 'lineOfCredit') return changedLineDates(context, beginAction(context, 'changeDueDates'));
    const request = beginTool(context);
    const rule = ruleAsked(context, request);
    const now = scheduleNow(context);
    requireFrequency(now, rule);
    requireUses(context, now, ['changeDueDates'], now.product.limits.maxDueDateChangesPerYear);
    const change = rule.type === 'singleTerm' ? singleChange(now, rule) : changeOf(now, rule);
    simulatedSchedule(now, change, 'dueDatesFrequency');
    const terms = {
      type: 'changeDueDates',
      dueDatesFrequency: rule.type,
      specificDays: formatSpecificDays(rule),
      firstDay: must(change.dueDates[0], 'a new due date'),
    } as const;
    return toolDecision(context, request, now, { tool: 'change.duedates', terms, change });
  },
};

function ruleAsked({ state }: CommandContext<LoanState>, { dueDatesFrequency, specificDays }: ChangeDueDatesRequest): DueDateRule {
  const { activation } = servicingOf(state).contract.terms;
  return (
    parseDueDateRule(dueDatesFrequency, specificDays, activation) ??
    refuseProperty('specificDays', `days of the frequency ${dueDatesFrequency}`, '`specificDays` do not match the frequency.')
  );
}

/** 422 unless the product allows the frequency. A loan with a single due date keeps a single one. */
function requireFrequency({ ledger, product }: ScheduleNow, rule: DueDateRule): void {
  const isSingle = ledger.dueDateRule.type === 'singleTerm';
  const allowed = isSingle
    ? (['singleTerm'] as const)
    : product.schedule.allowedFrequencies.filter((frequency) => frequency !== 'singleTerm');
  if (allowed.some((frequency) => frequency === rule.type)) return;
  refuse('ruleViolation', `The loan cannot have the frequency ${rule.type}.`, {
    errors: [{ path: 'dueDatesFrequency', expected: allowed.join(', '), message: 'not possible for this loan' }],
  });
}

function changeOf({ open, product }: ScheduleNow, rule: DueDateRule): LedgerChange<ScheduleChanged> {
  const [current, ...rest] = open;
  const last = rest.at(-1);
  if (current === undefined || last === undefined)
    return refuse('ruleViolation', 'The due dates cannot be changed: only the running period is left.');
  const first = firstNewDate(rule, current.date, product.schedule) ?? refuseDistance();
  const planned = datesFrom(rule, first, rest);
  const rowTerms = planned.map(
    (date, position): RowTerm => termAt(rest, planned.length === rest.length ? rest[position] : undefined, date),
  );
  const dueDates = onBusinessDays(planned, product.schedule);
  return { type: 'scheduleChanged', from: addDays(current.date, 1), dueDates, payment: { type: 'level' }, rowTerms, rule };
}

/** As many dates as before if the last one stays nearly the same; otherwise dates up to the end of the loan. */
function datesFrom(rule: DueDateRule, first: Day, rest: readonly OpenRow[]): readonly Day[] {
  const sameCount = datesOfRule(rule, first, rest.length);
  const oldEnd = must(rest.at(-1), 'a row').date;
  const newEnd = must(sameCount.at(-1), 'a date');
  if (Math.abs(newEnd - oldEnd) <= NEARLY_SAME_DAYS) return sameCount;
  const dates = dueDatesUntil(rule, first, oldEnd, MAX_SCHEDULE_ROWS);
  return dates.length > 0 ? dates : [first];
}

/** How far the last date may move: moving the day within a month changes it by less. */
const NEARLY_SAME_DAYS = 31;

/** The term of a new row: that of the old row that it replaces, if there is one for each; otherwise only interest-only rows stay so. */
function termAt(rest: readonly OpenRow[], same: OpenRow | undefined, date: Day): RowTerm {
  if (same !== undefined) return keptTerm(same);
  const old = rest.find((row) => row.date >= date);
  return old?.isInterestOnly === true ? { type: 'interestOnly' } : { type: 'level' };
}

/** Moves the single due date within its month. */
function singleChange({ open, today, product }: ScheduleNow, rule: DueDateRule): LedgerChange<ScheduleChanged> {
  const current = must(open[0], 'an open row').date;
  const { year, month } = civil(current);
  const [date] = onBusinessDays([dueDateOnOrAfter(rule, dayOf(year, month, 1))], product.schedule);
  if (date === undefined || date <= today) return refuseDistance();
  return { type: 'scheduleChanged', from: addDays(today, 1), dueDates: [date], payment: { type: 'level' }, rule };
}

function refuseDistance(): never {
  return refuse('ruleViolation', 'The first new due date is too soon or too late.', {
    errors: [
      {
        path: 'specificDays',
        expected: 'a future first due date, at most one and a half periods after the last kept one',
        message: 'is too soon or too late',
      },
    ],
  });
}

/** `POST L/change-loan-terms`: other amounts, another number of due dates, other days, or interest-only payments for some periods. */
export const changeLoanTerms: CommandSpec<LoanState, ChangeLoanTermsRequest> = {
  kind: 'loan',
  type: 'loan.changeTerms',
  place: { on: 'target' },
  decide(context) {
    const request = beginTool(context);
    requireBodyFits(request);
    const now = scheduleNow(context);
    requireTerms(now);
    const rule = ruleIfAsked(context, request, now);
    if (rule !== null) requireFrequency(now, rule);
    const rows = rowsFrom(now, 'selectedDueDate', dayOfText(request.selectedDueDate));
    const change = request.isInterestOnly === true ? interestOnly(request, now, rows, rule) : restructured(request, now, rows, rule);
    simulatedSchedule(now, change);
    const terms = {
      type: 'changeLoanTerms',
      selectedDay: must(rows[0], 'a selected due date').date,
      numberOfPeriods: request.numberOfPeriods ?? null,
      isExtendLoanDuration: request.isExtendLoanDuration === true,
      isInterestOnly: request.isInterestOnly === true,
      amountCents: orNull(centsOf, request.amount),
      dueDatesFrequency: rule?.type ?? null,
      specificDays: rule === null ? null : formatSpecificDays(rule),
    } as const;
    return toolDecision(context, request, now, { tool: 'change.terms', terms, change });
  },
};

function requireBodyFits({ isInterestOnly, numberOfPeriods, amount }: ChangeLoanTermsRequest): void {
  if (isInterestOnly !== true) return;
  if (numberOfPeriods == null)
    refuseProperty('numberOfPeriods', 'the number of interest-only due dates', '`numberOfPeriods` is required with `isInterestOnly`.');
  if (amount != null) refuseProperty('amount', 'nothing with isInterestOnly', '`amount` cannot be set where only interest is paid.');
}

/** Null: the days stay as they are. */
function ruleIfAsked({ state }: CommandContext<LoanState>, request: ChangeLoanTermsRequest, { ledger }: ScheduleNow): DueDateRule | null {
  const { dueDatesFrequency, specificDays } = request;
  if (dueDatesFrequency == null && specificDays == null) return null;
  const frequency = dueDatesFrequency ?? ledger.dueDateRule.type;
  const { activation } = servicingOf(state).contract.terms;
  return (
    parseDueDateRule(frequency, specificDays, activation) ??
    refuseProperty('specificDays', `days of the frequency ${frequency}`, '`specificDays` do not match the frequency.')
  );
}

type Change = LedgerChange<ScheduleChanged>;

/** The dates from the selected one to the end of the loan, by the rule in force afterwards. */
function datesOf({ product }: ScheduleNow, rows: readonly OpenRow[], rule: DueDateRule | null): readonly Day[] {
  const dates = rows.map((row) => row.date);
  const [first] = dates;
  const last = dates.at(-1);
  if (rule === null || first === undefined || last === undefined) return dates;
  return onBusinessDays(dueDatesUntil(rule, first, last, MAX_SCHEDULE_ROWS), product.schedule);
}

function extended(dates: readonly Day[], count: number, { ledger, product }: ScheduleNow, rule: DueDateRule | null): readonly Day[] {
  const last = must(dates.at(-1), 'a due date');
  return [...dates, ...onBusinessDays(datesAfter(rule ?? ledger.dueDateRule, last, count), product.schedule)];
}

/** First interest-only payments, then one new level amount. The end date moves if the duration may grow. */
function interestOnly(request: ChangeLoanTermsRequest, now: ScheduleNow, rows: readonly OpenRow[], rule: DueDateRule | null): Change {
  const dates = datesOf(now, rows, rule);
  const count = request.numberOfPeriods ?? 0;
  const dueDates = request.isExtendLoanDuration === true ? extended(dates, count, now, rule) : dates;
  if (count >= dueDates.length) refusePeriods(dueDates.length - 1);
  const rowTerms = Array.from({ length: count }, (): RowTerm => ({ type: 'interestOnly' }));
  return changeWith(rule, { type: 'scheduleChanged', dueDates, payment: { type: 'level' }, rowTerms });
}

/** A new level amount or a given one, over the requested number of due dates. */
function restructured(request: ChangeLoanTermsRequest, now: ScheduleNow, rows: readonly OpenRow[], rule: DueDateRule | null): Change {
  const dates = datesOf(now, rows, rule);
  const isGrowing = request.isExtendLoanDuration === true;
  const amountCents = orNull(centsOf, request.amount);
  const count = request.numberOfPeriods ?? dates.length;
  if (count > dates.length && !isGrowing) refusePeriods(dates.length);
  if (amountCents !== null && request.numberOfPeriods == null && isGrowing) {
    const room = MAX_SCHEDULE_ROWS - now.ledger.rows.length;
    const dueDates = extended(dates, Math.max(0, room), now, rule);
    return sized(now, changeWith(rule, { type: 'scheduleChanged', dueDates, payment: { type: 'openEnded', amountCents } }));
  }
  const dueDates = count > dates.length ? extended(dates, count - dates.length, now, rule) : dates.slice(0, count);
  const payment = amountCents === null ? ({ type: 'level' } as const) : ({ type: 'fixed', amountCents } as const);
  return changeWith(rule, { type: 'scheduleChanged', dueDates, payment });
}

const changeWith = <Of extends Change>(rule: DueDateRule | null, change: Of): Of => (rule === null ? change : { rule, ...change });

function refusePeriods(most: number): never {
  return refuse('ruleViolation', 'The loan has fewer due dates. Send `isExtendLoanDuration` true to add more.', {
    errors: [{ path: 'numberOfPeriods', expected: `at most ${most}`, message: 'is more than the loan has' }],
  });
}
