import { accruedOfCents, cents, type Cents, type DueDateRule, formatSpecificDays, type LinePeriod, type LineState } from '../../../engine/index.js';
import { amount, dateText, unrounded } from '../../wire.js';
import { recordOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { NO_FEE } from '../views/schedule.js';
import type { ScheduleReply, ScheduleRowReply } from '../views/types.js';
import { lineOf, lineToRead } from './ledger.js';

/** The schedule of a line: what its statements have asked for, and the running period, which asks for nothing yet. */
export function lineRows(state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] {
  const ledger = lineToRead(state, env, env.today(recordOf(state).zone));
  const running = runningPeriod(ledger);
  const stated = ledger.obligations.map((obligation) =>
    rowReply(state, env, obligation.period, { status: obligation.isFulfilled ? 'completed' : 'booked', cents: cents(obligation.amountCents) }),
  );
  return running === null ? stated : [...stated, rowReply(state, env, running, { status: 'projected', cents: cents(0) })];
}

/** The period whose statement is to come; null when none is. */
export function runningPeriod({ status, periods }: LineState): LinePeriod | null {
  return status === 'canceled' || status === 'paidOff' ? null : (periods.at(-1) ?? null);
}

interface Row {
  readonly status: ScheduleRowReply['status'];
  readonly cents: Cents;
}

/** A minimum payment has no parts of its own: its money is spread by the waterfall when it comes. */
export function rowReply(state: LoanState, env: ViewEnv, period: LinePeriod, { status, cents: asked }: Row): ScheduleRowReply {
  return {
    date: dateText(period.dueDate),
    periodId: periodId(env, state, period.ordinal),
    paymentType: 'periodicPayment',
    status,
    amount: amount(asked),
    originalAmount: amount(asked),
    principalAmount: amount(asked),
    interestAmount: amount(cents(0)),
    interestBeforeDiscountAmount: amount(cents(0)),
    unroundedPrincipalAmount: unrounded(accruedOfCents(asked)),
    unroundedInterestAmount: unrounded(accruedOfCents(cents(0))),
    unroundedInterestBeforeDiscountAmount: unrounded(accruedOfCents(cents(0))),
    isDeferred: false,
    isForcedAmount: false,
    dynamicFeeDetails: NO_FEE,
  };
}

/** How often a line's dates come and on which days, as it is now. */
export function lineDaysOf(state: LoanState, env: ViewEnv): Pick<ScheduleReply, 'paymentFrequency' | 'specificDays'> {
  const { schedule } = lineOf(state, env);
  switch (schedule.type) {
    case 'fixedDueDate':
      return daysOf(schedule.due);
    case 'fixedStatementDate':
      return daysOf(schedule.statement);
    case 'fixedBoth':
      return { paymentFrequency: schedule.due.type, specificDays: [...formatSpecificDays(schedule.statement), ...formatSpecificDays(schedule.due)] };
  }
}

const daysOf = (rule: DueDateRule): Pick<ScheduleReply, 'paymentFrequency' | 'specificDays'> => ({
  paymentFrequency: rule.type,
  specificDays: formatSpecificDays(rule),
});
