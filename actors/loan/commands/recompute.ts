import { assert, type Cents, dueDates, MAX_SCHEDULE_ROWS, type Reamortized, type ScheduleChanged } from '../../../engine/index.js';
import { companyOf, feeTypesOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { centsOf, dateText, dayOfText, orNull } from '../../wire.js';
import { activatedOf, effectiveNow, effectiveOn, loanTypeOf, recordOf, todayOf } from '../context.js';
import type { CaughtUp, LoanReplayed } from '../facts.js';
import { lateFeeTerms } from '../fees/late.js';
import { installment } from '../ledger/installment.js';
import { digestOf, recompute, runningOf } from '../ledger/running.js';
import { requireNoPlan, simulatedSchedule } from '../modifications/schedule-now.js';
import type { ActionRequest, ReamortizeLoanRequest, ReplayLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView, scheduleReply } from '../views/loan.js';
import { beginAction, orderDecision, orderReply } from './order.js';

/**
 * `POST L/refresh`: brings obligations, schedule and accrual up to today. The ledger follows from its facts, so only its day can be
 * behind. The command also checks that the running ledger equals a recomputed one.
 */
export const refreshLoan: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loan.refresh',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = beginAction(context, 'refresh');
    const { summary } = activatedOf(state);
    runningOf(state, env);
    assert(recompute(state, env).digest === digestOf(state), `the running ledger of ${state.id} is not what its facts make`);
    const through = todayOf(env, state);
    const body: CaughtUp = { through };
    return {
      facts: summary.through < through ? [{ type: 'CaughtUp', body }] : [],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: loanView(after, env), sealedFor: after.record?.personId ?? '' }),
    };
  },
};

/** `POST L/replay`: computes the days from a date on again under today's configuration. */
export const replayLoan: CommandSpec<LoanState, ReplayLoanRequest> = {
  kind: 'loan',
  type: 'loan.replay',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'replay');
    const { state, env } = context;
    const { contract } = activatedOf(state);
    const { personId } = recordOf(state);
    const from = request.fromDate == null ? contract.terms.activation : effectiveOn(env, state, request.fromDate, 'fromDate').day;
    return {
      facts: [replayFact(context, { from, through: todayOf(env, state), reason: request.reason ?? null, caseId: request.caseId ?? null })],
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: loanView(after, env), sealedFor: personId }),
    };
  },
};

/** The fact that a loan is computed again under its product's configuration of today. */
export function replayFact({ state, env }: CommandContext<LoanState>, asked: Omit<LoanReplayed, 'version' | 'lateFees'>): FactDraft {
  const { atOrigination, loanTypeId } = recordOf(state);
  const body: LoanReplayed = {
    ...asked,
    version: loanTypeOf(env, state).versions.at(-1)?.version ?? 1,
    lateFees: lateFeeTerms(feeTypesOf(companyOf(env, state.tenant), loanTypeId), atOrigination, activatedOf(state).sources.lateFeeTypes),
  };
  return { type: 'LoanReplayed', body };
}

/**
 * `POST L/reamortize`: makes the rows from a coming due date on again, by their number, an amount, or both. A loan with scheduled interest
 * keeps the number and amounts of its rows; overdue amounts are added to them in equal parts.
 */
export const reamortizeLoan: CommandSpec<LoanState, ReamortizeLoanRequest> = {
  kind: 'loan',
  type: 'loan.reamortize',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'reamortize');
    requireNoPlan(context.state);
    const { state, env } = context;
    const ledger = installment.runningOn(state, env, todayOf(env, state));
    const isByInstallment = ledger.scheduledFacts !== null;
    const change = isByInstallment ? joined(context, request) : ({ type: 'scheduleChanged', ...newRows(context, request) } as const);
    if (change.type === 'scheduleChanged' && ledger.nonDuePrincipalCents > 0) simulatedSchedule({ ledger }, change);
    return orderDecision(context, request, { change, effective: effectiveNow(env, state) }, (after) => ({
      data: scheduleReply(after, env),
    }));
  },
};

/** Adds overdue amounts of a loan with scheduled interest to its rows. The caller cannot set their number and amounts. */
function joined(context: CommandContext<LoanState>, request: ReamortizeLoanRequest): Pick<Reamortized, 'type' | 'from'> {
  const { from } = rowsFrom(context, request);
  const asked = (['duration', 'amount', 'keepAmount'] as const).filter((field) => request[field] != null && request[field] !== false);
  if (asked.length > 0) {
    refuse(
      'ruleViolation',
      'The loan has scheduled interest. Its rows keep their number and amounts, and overdue amounts are added to them.',
      {
        errors: asked.map((path) => ({ path, expected: 'absent', message: 'has no effect on a loan with scheduled interest' })),
      },
    );
  }
  const { overduePrincipalCents, overdueInterestCents, terms } = installment.runningOn(
    context.state,
    context.env,
    todayOf(context.env, context.state),
  );
  if (terms.keeping?.recalculation.type === 'cumulative')
    refuse('ruleViolation', 'The loan recalculates interest cumulatively: overdue amounts are already part of the running period.');
  if (overduePrincipalCents + overdueInterestCents === 0)
    refuse('ruleViolation', 'No principal and no interest is overdue: there is nothing to add to future rows.');
  return { type: 'reamortized', from: from.date };
}

type NewRows = Pick<ScheduleChanged, 'dueDates' | 'payment'>;

function rowsFrom({ state, env }: CommandContext<LoanState>, request: ReamortizeLoanRequest) {
  const today = todayOf(env, state);
  const { rows, dueDateRule } = installment.runningOn(state, env, today);
  const first = dayOfText(request.effectiveDate);
  const remaining = rows.filter((row) => row.date >= first);
  const [from] = remaining;
  if (first <= today || from === undefined || from.date !== first) {
    const dates = rows.filter((row) => row.date > today).map((row) => dateText(row.date));
    return refuse('ruleViolation', `\`effectiveDate\` ${request.effectiveDate} is not a future due date.`, {
      errors: [{ path: 'effectiveDate', expected: dates.slice(0, 12).join(', '), message: 'is not a future due date' }],
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
