import {
  addDays,
  civil,
  type Day,
  dayOf,
  dueDateOnOrAfter,
  dueDates as datesOfRule,
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
import { beginAction } from '../../commands/order.js';
import { recordOf, servicingOf } from '../../context.js';
import { changedLineDates } from '../../line/tools.js';
import type { LedgerChange } from '../../facts.js';
import type { LoanState } from '../../state.js';
import { requireUses, toolDecision } from '../decision.js';
import { firstNewDate, onBusinessDays } from '../due-dates.js';
import type { ChangeDueDatesRequest } from '../types.js';
import { keptTerm } from '../row-terms.js';
import { beginTool, scheduleNow, type ScheduleNow, tried } from '../schedule-now.js';

/** `PUT L/expected-payments`: other due dates, from the period after the running one on. */
export const changeDueDates: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.changeDueDates',
  place: { on: 'target' },
  decide(context) {
    if (recordOf(context.state).type === 'lineOfCredit')
      return changedLineDates(context, beginAction<ChangeDueDatesRequest>(context, 'changeDueDates'));
    const request = beginTool<ChangeDueDatesRequest>(context);
    const rule = ruleAsked(context, request);
    const now = scheduleNow(context);
    requireFrequency(now, rule);
    requireUses(context, now, ['changeDueDates'], now.product.limits.maxDueDateChangesPerYear);
    const change = rule.type === 'singleTerm' ? singleChange(now, rule) : changeOf(now, rule);
    tried(now, change, 'dueDatesFrequency');
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
    refuseProperty('specificDays', `days of the frequency ${dueDatesFrequency}`, 'The days do not fit the frequency.')
  );
}

/** 422: the product must know the frequency, and a single due date stays single. */
export function requireFrequency({ ledger, product }: ScheduleNow, rule: DueDateRule): void {
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
  if (current === undefined || last === undefined) return refuse('ruleViolation', 'Only the running period is left: its due date stays.');
  const first = firstNewDate(rule, current.date, product.schedule) ?? refuseDistance();
  const planned = datesFrom(rule, first, rest);
  const rowTerms = planned.map(
    (date, position): RowTerm => termAt(rest, planned.length === rest.length ? rest[position] : undefined, date),
  );
  const dueDates = onBusinessDays(planned, product.schedule);
  return { type: 'scheduleChanged', from: addDays(current.date, 1), dueDates, payment: { type: 'level' }, rowTerms, rule };
}

/** As many dates as before where their distance stays nearly the same; else those up to the end of the loan. */
function datesFrom(rule: DueDateRule, first: Day, rest: readonly OpenRow[]): readonly Day[] {
  const sameCount = datesOfRule(rule, first, rest.length);
  const oldEnd = must(rest.at(-1), 'a row').date;
  const newEnd = must(sameCount.at(-1), 'a date');
  if (Math.abs(newEnd - oldEnd) <= NEARLY_SAME_DAYS) return sameCount;
  const dates = dueDatesUntil(rule, first, oldEnd, MAX_SCHEDULE_ROWS);
  return dates.length > 0 ? dates : [first];
}

/** A month's due dates moved within the month end at most so much later or earlier. */
const NEARLY_SAME_DAYS = 31;

/** Rows keep what they are where each new date stands for an old one; else only interest alone stays so. */
function termAt(rest: readonly OpenRow[], same: OpenRow | undefined, date: Day): RowTerm {
  if (same !== undefined) return keptTerm(same);
  const old = rest.find((row) => row.date >= date);
  return old?.isInterestOnly === true ? { type: 'interestOnly' } : { type: 'level' };
}

/** The one due date moves within its month. */
function singleChange({ open, today, product }: ScheduleNow, rule: DueDateRule): LedgerChange<ScheduleChanged> {
  const current = must(open[0], 'an open row').date;
  const { year, month } = civil(current);
  const [date] = onBusinessDays([dueDateOnOrAfter(rule, dayOf(year, month, 1))], product.schedule);
  if (date === undefined || date <= today) return refuseDistance();
  return { type: 'scheduleChanged', from: addDays(today, 1), dueDates: [date], payment: { type: 'level' }, rule };
}

function refuseDistance(): never {
  return refuse('ruleViolation', 'The new due date lies too near or too far.', {
    errors: [
      {
        path: 'specificDays',
        expected: 'a first new due date to come, at most one and a half periods after the last kept one',
        message: 'out of reach',
      },
    ],
  });
}
