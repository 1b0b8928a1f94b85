import {
  type Day,
  day,
  type DueDateRule,
  formatSpecificDays,
  type LineSchedule,
  must,
  parseDueDateRule,
  type PaymentFrequency,
} from '../../../engine/index.js';
import type { LoanTypeSettings } from '../../company/index.js';
import type { Checked } from '../commands/update.js';
import type { Origination } from '../origination/terms.js';

type Days = Pick<Origination, 'paymentFrequency' | 'specificDays'>;

/**
 * How a line's periods follow one another, by what its product fixes: `specificDays` are due
 * days, statement days, or one of each. Days that were not given follow from the activation.
 */
export function lineScheduleOf({ paymentFrequency, specificDays }: Days, { schedule }: LoanTypeSettings, activation: Day): LineSchedule {
  const ruleOf = (days: readonly string[] | null): DueDateRule =>
    must(parseDueDateRule(paymentFrequency, days, activation), 'days that were checked when the line was made');
  const { dueDateOption, statementToDueDays } = schedule;
  switch (dueDateOption) {
    case 'fixedDueDate':
      return { type: 'fixedDueDate', due: ruleOf(specificDays), statementToDueDays };
    case 'fixedStatementDate':
      return { type: 'fixedStatementDate', statement: ruleOf(specificDays), statementToDueDays };
    case 'fixedBoth': {
      const [statement, due] = specificDays ?? [];
      return {
        type: 'fixedBoth',
        statement: ruleOf(statement === undefined ? null : [statement]),
        due: ruleOf(due === undefined ? null : [due]),
      };
    }
  }
}

export interface ScheduleDays {
  readonly paymentFrequency: PaymentFrequency;
  readonly specificDays: readonly string[];
}

/** How often a line's dates come and on which days, as they are sent: statement days before due days where both are fixed. */
export function daysOfSchedule(schedule: LineSchedule): ScheduleDays {
  const rule = schedule.type === 'fixedStatementDate' ? schedule.statement : schedule.due;
  const first = schedule.type === 'fixedBoth' ? formatSpecificDays(schedule.statement) : [];
  return { paymentFrequency: rule.type, specificDays: [...first, ...formatSpecificDays(rule)] };
}

/** The rule of the due dates; null where they follow from those of statements. */
export const ownDueRule = (schedule: LineSchedule): DueDateRule | null => (schedule.type === 'fixedStatementDate' ? null : schedule.due);

/** Any day will do where no day was given. */
const ANY_DAY = day(0);

/** Whether the days of a line are those that its product asks for. */
export function lineScheduleFaults(terms: Days, settings: LoanTypeSettings): readonly Checked[] {
  const { dueDateOption } = settings.schedule;
  const { paymentFrequency, specificDays } = terms;
  if (paymentFrequency === 'singleTerm')
    return [fault('paymentFrequency', 'a frequency that repeats', 'is not supported for a line of credit')];
  if (dueDateOption === 'fixedBoth') {
    if (paymentFrequency !== 'monthly')
      return [fault('paymentFrequency', 'monthly', 'statement and due days can only be fixed for monthly lines')];
    if (specificDays?.length === 2) return [];
    return [fault('specificDays', '[statement day, due day]', 'the product needs both days')];
  }
  if (parseDueDateRule(paymentFrequency, specificDays, ANY_DAY) !== undefined) return [];
  return [fault('specificDays', 'the days of one date a period', 'the product needs either the statement day or the due day')];
}

const fault = (field: string, expected: string, message: string): Checked => ({
  errorType: 'ruleViolation',
  path: `atOrigination.${field}`,
  expected,
  message,
});
