import { type Cents, dueDates, MAX_SCHEDULE_ROWS, type ScheduleChanged } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../runtime/actor.js';
import { centsOf, dateText, dayOfText, orNull } from '../../wire.js';
import { effectiveNow, todayOf } from '../context.js';
import { installment } from '../ledger/installment.js';
import type { ReamortizeLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { scheduleReply } from '../views/schedule.js';
import { requireNoPlan, tried } from '../modifications/schedule-now.js';
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
    const change = { type: 'scheduleChanged', ...newRows(context, request) } as const;
    const ledger = installment.on(state, env, todayOf(env, state));
    if (ledger.nonDuePrincipalCents > 0) tried({ ledger }, change);
    return orderDecision(context, request, { change, effective: effectiveNow(env, state) }, (after) => ({
      data: scheduleReply(after, env),
    }));
  },
};

type NewRows = Pick<ScheduleChanged, 'dueDates' | 'payment'>;

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
  const coming = request.duration == null && amountCents === null ? remaining.map((row) => row.date) : dueDates(dueDateRule, first, count);
  if (amountCents === null) return { dueDates: coming, payment: { type: 'level' } };
  return { dueDates: coming, payment: { type: request.duration == null ? 'openEnded' : 'fixed', amountCents } };
}
