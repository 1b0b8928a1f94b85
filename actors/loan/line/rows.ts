import { accruedOfCents, lineScheduleOf, type LineScheduleRow } from '../../../engine/index.js';
import { amount, dateText, unrounded } from '../../wire.js';
import { recordOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { NO_FEE } from '../views/fee-rows.js';
import type { ScheduleRowReply } from '../views/types.js';
import { lineOf, lineOfCredit } from './ledger.js';
import { daysOfSchedule, type ScheduleDays } from './schedule.js';

/** The schedule of a line or of one of its draws: what statements have asked for, and what is expected next. */
export function lineRows(state: LoanState, env: ViewEnv, draw: number | null = null): readonly ScheduleRowReply[] {
  const ledger = lineOfCredit.toRead(state, env, env.today(recordOf(state).zone));
  if (draw !== null && !ledger.draws.some((known) => known.draw === draw)) return [];
  return lineScheduleOf(ledger, draw).map((row) => rowReply(row, state, env));
}

/** A row asks for what its statement has fixed: what was expected when it was booked is what is expected now. */
export const rowReply = (row: LineScheduleRow, state: LoanState, env: ViewEnv): ScheduleRowReply => ({
  date: dateText(row.date),
  periodId: periodId(env, state, row.ordinal),
  paymentType: 'periodicPayment',
  status: row.status,
  amount: amount(row.amountCents),
  originalAmount: amount(row.amountCents),
  principalAmount: amount(row.principalCents),
  interestAmount: amount(row.interestCents),
  interestBeforeDiscountAmount: amount(row.interestCents),
  unroundedPrincipalAmount: unrounded(accruedOfCents(row.principalCents)),
  unroundedInterestAmount: unrounded(accruedOfCents(row.interestCents)),
  unroundedInterestBeforeDiscountAmount: unrounded(accruedOfCents(row.interestCents)),
  isDeferred: false,
  isForcedAmount: false,
  dynamicFeeDetails: NO_FEE,
});

/** How often a line's dates come and on which days, as it is now. */
export const lineDaysOf = (state: LoanState, env: ViewEnv): ScheduleDays => daysOfSchedule(lineOf(state, env).schedule);
