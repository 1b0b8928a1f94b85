import { type LineSchedule, ZERO } from '../../../engine/index.js';
import { currentSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, Decision } from '../../runtime/actor.js';
import { amount } from '../../wire.js';
import { refuseFaults } from '../commands/check-terms.js';
import { type Order, orderDecision } from '../commands/order.js';
import { effectiveNow, loanTypeOf, todayOf } from '../context.js';
import type { ChangeDueDatesRequest } from '../modifications/requests.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { scheduleReply } from '../views/schedule.js';
import { readLineDays } from './read-terms.js';
import { lineScheduleFaults, lineScheduleOf } from './schedule.js';

type Context = CommandContext<LoanState>;

/** `POST L/defer-remaining-balances`: what is due or overdue is non-due again, its interest and fees in principal (loan-terms 1.3). */
export const deferredBalances = (context: Context, request: ActionRequest): Decision<LoanState> =>
  withSchedule(context, request, { change: { type: 'balancesDeferred' }, effective: effectiveNow(context.env, context.state) });

/** `PUT L/expected-payments` of a line: its dates move from the period after the running one on; amounts follow from the balance. */
export function changedLineDates(context: Context, request: ChangeDueDatesRequest): Decision<LoanState> {
  const schedule = scheduleAsked(context, request);
  return withSchedule(context, request, { change: { type: 'lineScheduleChanged', schedule }, effective: effectiveNow(context.env, context.state) });
}

function scheduleAsked({ state, env }: Context, { dueDatesFrequency, specificDays }: ChangeDueDatesRequest): LineSchedule {
  const settings = currentSettings(loanTypeOf(env, state));
  if (dueDatesFrequency === 'singleTerm') refuse('ruleViolation', 'A line of credit has no single due date.');
  const days = specificDays == null ? null : specificDays.map(String);
  const asked = { paymentFrequency: dueDatesFrequency, specificDays: readLineDays({ paymentFrequency: dueDatesFrequency, specificDays: days }) ?? days };
  const faults = lineScheduleFaults(asked, settings);
  if (faults.length > 0) refuseFaults(faults.map((fault) => ({ ...fault, path: fault.path.replace('atOrigination.', '') })));
  return lineScheduleOf(asked, settings, todayOf(env, state));
}

function withSchedule(context: Context, request: ActionRequest, order: Order): Decision<LoanState> {
  const { env } = context;
  return orderDecision(context, request, order, (after) => ({ data: { ...scheduleReply(after, env), feeAmount: amount(ZERO) } }));
}
