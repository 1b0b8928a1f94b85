import {
  type Day,
  type DueDateRule,
  dueDatesUntil,
  formatSpecificDays,
  MAX_SCHEDULE_ROWS,
  must,
  type OpenRow,
  parseDueDateRule,
  type RowTerm,
  type ScheduleChanged,
} from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import { centsOf, dayOfText, orNull } from '../../../wire.js';
import { servicingOf } from '../../context.js';
import type { LedgerChange } from '../../facts.js';
import type { LoanState } from '../../state.js';
import { toolDecision } from '../decision.js';
import { datesAfter, onBusinessDays } from '../due-dates.js';
import type { ChangeLoanTermsRequest } from '../types.js';
import { beginTool, requireTerms, rowsFrom, scheduleNow, type ScheduleNow, sized, tried } from '../schedule-now.js';
import { requireFrequency } from './change-due-dates.js';

/** `POST L/change-loan-terms`: other amounts, another number of due dates, other days, or interest alone for a while. */
export const changeLoanTerms: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.changeTerms',
  place: { on: 'target' },
  decide(context) {
    const request = beginTool<ChangeLoanTermsRequest>(context);
    requireBodyFits(request);
    const now = scheduleNow(context);
    requireTerms(now);
    const rule = ruleAsked(context, request, now);
    if (rule !== null) requireFrequency(now, rule);
    const rows = rowsFrom(now, 'selectedDueDate', dayOfText(request.selectedDueDate));
    const change = request.isInterestOnly === true ? interestOnly(request, now, rows, rule) : restructured(request, now, rows, rule);
    tried(now, change);
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
    refuseProperty('numberOfPeriods', 'the due dates of interest alone', 'Interest alone is paid for a number of periods.');
  if (amount != null) refuseProperty('amount', 'no amount beside isInterestOnly', 'Interest alone has no amount of its own.');
}

/** Null: the days stay as they are. */
function ruleAsked({ state }: CommandContext<LoanState>, request: ChangeLoanTermsRequest, { ledger }: ScheduleNow): DueDateRule | null {
  const { dueDatesFrequency, specificDays } = request;
  if (dueDatesFrequency == null && specificDays == null) return null;
  const frequency = dueDatesFrequency ?? ledger.dueDateRule.type;
  const { activation } = servicingOf(state).contract.terms;
  return (
    parseDueDateRule(frequency, specificDays, activation) ??
    refuseProperty('specificDays', `days of the frequency ${frequency}`, 'The days do not fit the frequency.')
  );
}

type Change = LedgerChange<ScheduleChanged>;

/** The dates from the selected one to the end of the loan, by the rule that will hold. */
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

/** Interest alone first, then one new level; the end moves when the duration may grow. */
function interestOnly(request: ChangeLoanTermsRequest, now: ScheduleNow, rows: readonly OpenRow[], rule: DueDateRule | null): Change {
  const dates = datesOf(now, rows, rule);
  const count = request.numberOfPeriods ?? 0;
  const dueDates = request.isExtendLoanDuration === true ? extended(dates, count, now, rule) : dates;
  if (count >= dueDates.length) refusePeriods(dueDates.length - 1);
  const rowTerms = Array.from({ length: count }, (): RowTerm => ({ type: 'interestOnly' }));
  return changeWith(rule, { type: 'scheduleChanged', dueDates, payment: { type: 'level' }, rowTerms });
}

/** One new level, or a named amount; over as many due dates as are asked for. */
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
  return refuse('ruleViolation', 'The loan has fewer due dates; isExtendLoanDuration adds more.', {
    errors: [{ path: 'numberOfPeriods', expected: `at most ${most}`, message: 'more than the loan has' }],
  });
}
