import { type Cents, dueDates, MAX_SCHEDULE_ROWS, type Reamortized, type ScheduleChanged } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { centsOf, dateText, dayOfText, orNull } from '../../wire.js';
import { effectiveNow, todayOf } from '../context.js';
import { installment } from '../ledger/installment.js';
import type { ReamortizeLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { scheduleReply } from '../views/schedule.js';
import { requireNoPlan, tried } from '../modifications/schedule-now.js';
import { beginAction, orderDecision } from './order.js';

/**
 * `POST L/reamortize`: the rows from a due date to come are made again, by a number of them, an amount, or both. Rows of a loan kept by
 * installment keep their number and their own amounts, and what is overdue joins them in equal parts.
 */
export const reamortizeLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.reamortize',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ReamortizeLoanRequest>(context, 'reamortize');
    requireNoPlan(context.state);
    const { state, env } = context;
    const ledger = installment.on(state, env, todayOf(env, state));
    const isByInstallment = ledger.instalmentFacts !== null;
    const change = isByInstallment ? joined(context, request) : ({ type: 'scheduleChanged', ...newRows(context, request) } as const);
    if (change.type === 'scheduleChanged' && ledger.nonDuePrincipalCents > 0) tried({ ledger }, change);
    return orderDecision(context, request, { change, effective: effectiveNow(env, state) }, (after) => ({
      data: scheduleReply(after, env),
    }));
  },
};

/** The overdue part of a loan kept by installment joins its rows: their number and amounts are not the caller's. */
function joined(context: CommandContext<LoanState>, request: ReamortizeLoanRequest): Pick<Reamortized, 'type' | 'from'> {
  const { from } = rowsFrom(context, request);
  const asked = (['duration', 'amount', 'keepAmount'] as const).filter((field) => request[field] != null && request[field] !== false);
  if (asked.length > 0) {
    refuse('ruleViolation', 'The loan is kept by installment: its rows keep their number and amounts, and what is overdue joins them.', {
      errors: asked.map((path) => ({ path, expected: 'absent', message: 'has no effect on a loan that is kept by installment' })),
    });
  }
  const { overduePrincipalCents, overdueInterestCents, terms } = installment.on(
    context.state,
    context.env,
    todayOf(context.env, context.state),
  );
  if (terms.keeping?.recalculation.type === 'cumulative')
    refuse('ruleViolation', 'Where interest is recalculated cumulatively, the running period asks for what is overdue already.');
  if (overduePrincipalCents + overdueInterestCents === 0)
    refuse('ruleViolation', 'No principal and no interest is overdue: there is nothing to add to the rows to come.');
  return { type: 'reamortized', from: from.date };
}

type NewRows = Pick<ScheduleChanged, 'dueDates' | 'payment'>;

function rowsFrom({ state, env }: CommandContext<LoanState>, request: ReamortizeLoanRequest) {
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
  return { rows, dueDateRule, first, remaining, from };
}

function newRows(context: CommandContext<LoanState>, request: ReamortizeLoanRequest): NewRows {
  const { rows, dueDateRule, first, remaining, from } = rowsFrom(context, request);
  const amountCents: Cents | null = orNull(centsOf, request.amount) ?? (request.keepAmount === true ? from.amountCents : null);
  const count = request.duration ?? (amountCents === null ? remaining.length : MAX_SCHEDULE_ROWS - (rows.length - remaining.length));
  const coming = request.duration == null && amountCents === null ? remaining.map((row) => row.date) : dueDates(dueDateRule, first, count);
  if (amountCents === null) return { dueDates: coming, payment: { type: 'level' } };
  return { dueDates: coming, payment: { type: request.duration == null ? 'openEnded' : 'fixed', amountCents } };
}
