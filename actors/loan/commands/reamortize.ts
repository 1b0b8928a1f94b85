import { AmortizationError, amortize, type Cents, cents, type Day, dueDates, MAX_SCHEDULE_ROWS, type PaymentTerm } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../runtime/actor.js';
import { centsOf, dateText, dayOfText, orNull } from '../../wire.js';
import { effectiveNow, servicingOf, todayOf } from '../context.js';
import { installment } from '../ledger/installment.js';
import type { ReamortizeLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { scheduleReply } from '../views/schedule.js';
import { requireNoPlan } from '../modifications/schedule-now.js';
import { beginAction, orderDecision } from './order.js';

/** `POST L/reamortize`: the rows from a due date to come are made anew, by a number of them, an amount, or both. */
export const reamortizeLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.reamortize',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ReamortizeLoanRequest>(context, 'reamortize');
    requireNoPlan(context.state);
    const { state, env } = context;
    const { dates, payment } = newRows(context, request);
    requireEnough(context, dates, payment);
    const change = { type: 'scheduleChanged', dueDates: dates, payment } as const;
    return orderDecision(context, request, { change, effective: effectiveNow(env, state) }, (after) => ({ data: scheduleReply(after, env) }));
  },
};

interface NewRows {
  readonly dates: readonly Day[];
  readonly payment: PaymentTerm;
}

function newRows({ state, env }: CommandContext<LoanState>, request: ReamortizeLoanRequest): NewRows {
  const today = todayOf(env, state);
  const { rows, dueDateRule } = installment.on(state, env, today);
  const first = dayOfText(request.effectiveDate);
  const remaining = rows.filter((row) => row.date >= first);
  const [from] = remaining;
  if (first <= today || from === undefined || from.date !== first) {
    const dates = rows.filter((row) => row.date > today).map((row) => dateText(row.date));
    return refuse('ruleViolation', `${request.effectiveDate} is no due date to come.`, {
      errors: [{ path: 'effectiveDate', expected: dates.slice(0, 12).join(', '), message: 'no due date to come' }],
    });
  }
  const amountCents: Cents | null = orNull(centsOf, request.amount) ?? (request.keepAmount === true ? from.amountCents : null);
  const count = request.duration ?? (amountCents === null ? remaining.length : MAX_SCHEDULE_ROWS - (rows.length - remaining.length));
  const dates = request.duration == null && amountCents === null ? remaining.map((row) => row.date) : dueDates(dueDateRule, first, count);
  if (amountCents === null) return { dates, payment: { type: 'level' } };
  return { dates, payment: { type: request.duration == null ? 'openEnded' : 'fixed', amountCents } };
}

/** 422 when the amount would not even cover the interest. */
function requireEnough({ state, env }: CommandContext<LoanState>, dates: readonly Day[], payment: PaymentTerm): void {
  const { terms } = servicingOf(state).contract;
  const today = todayOf(env, state);
  const ledger = installment.on(state, env, today);
  if (ledger.nonDuePrincipalCents === 0) return;
  try {
    amortize({
      start: today > terms.interestFrom ? today : terms.interestFrom,
      principalCents: cents(ledger.nonDuePrincipalCents),
      dueDates: dates,
      payment,
      rates: ledger.rates,
      dayCount: terms.dayCount,
      rounding: terms.rounding,
    });
  } catch (error) {
    if (!(error instanceof AmortizationError)) throw error;
    refuse('ruleViolation', error.message, {
      errors: [{ path: 'amount', expected: 'an amount that pays the loan off', message: error.message }],
      cause: error,
    });
  }
}
