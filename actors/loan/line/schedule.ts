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
 * The schedule of a line's periods. The product decides whether `specificDays` are due days, statement days, or one of each. Days that are
 * not given follow from the activation.
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

/** The frequency of a line's dates and their days, as in replies: statement days before due days if both are fixed. */
export function daysOfSchedule(schedule: LineSchedule): ScheduleDays {
  const rule = schedule.type === 'fixedStatementDate' ? schedule.statement : schedule.due;
  const first = schedule.type === 'fixedBoth' ? formatSpecificDays(schedule.statement) : [];
  return { paymentFrequency: rule.type, specificDays: [...first, ...formatSpecificDays(rule)] };
}

/** The rule of the due dates; null if they follow from the statement dates. */
export const ownDueRule = (schedule: LineSchedule): DueDateRule | null => (schedule.type === 'fixedStatementDate' ? null : schedule.due);

/** Any day will do if no day is given. */
const ANY_DAY = day(0);

/** Faults of a line's days against its product's rule. */
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
