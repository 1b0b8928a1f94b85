import {
  type Cents,
  formatSpecificDays,
  type LedgerState,
  type ScheduleRowView,
  scheduleOf,
  subtract,
  sum,
} from '../../../engine/index.js';
import { amount, dateText, unrounded } from '../../wire.js';
import { recordOf } from '../context.js';
import { periodId } from '../derived-ids.js';
import { installment, ledgerOf } from '../ledger/installment.js';
import { lineDaysOf, lineRows } from '../line/rows.js';
import type { LoanState } from '../state.js';
import { feeRows, NO_FEE } from './fee-rows.js';
import type { ViewEnv } from './loan.js';
import type { ScheduleReply, ScheduleRowReply } from './types.js';

/** The schedule in force today: what fell due, then what is expected. */
export function scheduleRows(state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] {
  if (state.line !== null) return lineRows(state, env);
  if (state.servicing === null) return [];
  return rowsOf(installment.toRead(state, env, env.today(recordOf(state).zone)), state, env);
}

export const rowsOf = (ledger: LedgerState, state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] =>
  scheduleOf(ledger).flatMap((row) => [...ownRow(row, state, env), ...feeRows(row, periodId(env, state, row.ordinal), state, env)]);

export function scheduleReply(state: LoanState, env: ViewEnv): ScheduleReply {
  const { paymentFrequency, specificDays } = dueDaysOf(state, env);
  return { isLocked: false, paymentFrequency, specificDays, schedule: scheduleRows(state, env) };
}

/** How often a payment falls due and on which days, as it is now. */
export function dueDaysOf(state: LoanState, env: ViewEnv): Pick<ScheduleReply, 'paymentFrequency' | 'specificDays'> {
  const { paymentFrequency, specificDays } = recordOf(state).atOrigination;
  const { servicing } = state;
  if (state.line !== null) return lineDaysOf(state, env);
  if (servicing === null) return { paymentFrequency, specificDays };
  const { dueDateRule } = ledgerOf(state, env);
  if (dueDateRule === servicing.contract.terms.dueDateRule) return { paymentFrequency, specificDays };
  return { paymentFrequency: dueDateRule.type, specificDays: formatSpecificDays(dueDateRule) };
}

/**
 * What was agreed for the date: an obligation asks for it and for the fees that fall due with it. None where
 * fees alone fall due.
 */
function ownRow(row: ScheduleRowView, state: LoanState, env: ViewEnv): readonly ScheduleRowReply[] {
  const { carriedFees } = row;
  if (carriedFees.length === 0) return [rowReply(row, row.amountCents, state, env)];
  const own = subtract(row.amountCents, sum(carriedFees.map(({ amountCents }) => amountCents)));
  return own === 0 ? [] : [rowReply(row, own, state, env)];
}

function rowReply(row: ScheduleRowView, own: Cents, state: LoanState, env: ViewEnv): ScheduleRowReply {
  return {
    date: dateText(row.date),
    periodId: periodId(env, state, row.ordinal),
    paymentType: row.date === state.servicing?.contract.terms.activation ? 'downPayment' : 'periodicPayment',
    status: row.status,
    amount: amount(own),
    originalAmount: amount(row.originalAmountCents),
    principalAmount: amount(row.principalCents),
    interestAmount: amount(row.interestCents),
    interestBeforeDiscountAmount: amount(row.interestBeforeDiscountCents),
    unroundedPrincipalAmount: unrounded(row.unroundedPrincipal),
    unroundedInterestAmount: unrounded(row.unroundedInterest),
    unroundedInterestBeforeDiscountAmount: unrounded(row.unroundedInterestBeforeDiscount),
    isDeferred: row.isDeferred,
    isForcedAmount: row.isForcedAmount,
    dynamicFeeDetails: NO_FEE,
  };
}
