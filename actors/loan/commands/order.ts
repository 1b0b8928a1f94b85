import type { Cents, Day } from '../../../engine/index.js';
import type { CommandContext, Decision, Reply } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import { requireCase, requireMove, requirePerson, todayOf } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import { requireSupported } from '../ledger/scheduled-interest.js';
import type { LoanMove } from '../machine.js';
import type { ActionRequest } from '../requests.js';
import { balancesIn, computedThrough } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';

/** Checks that every action on a loan makes first: the person of the path, whether the status allows it, a case if one is needed. */
export function beginAction<Request extends Pick<ActionRequest, 'caseId'>>(
  context: CommandContext<LoanState, Request>,
  move: LoanMove,
): Request {
  const { state, env, command, body: request } = context;
  requirePerson(state, command.params['personId'], env);
  requireMove(state, move);
  requireCase(env, state, command, request.caseId);
  return request;
}

export interface Order {
  readonly change: LedgerChanged['change'];
  readonly effective: EffectiveTime;
  readonly reason?: string | null;
}

/** The decision to give the ledger one order. A preview and the order itself use the same computation. */
export function orderDecision(
  context: CommandContext<LoanState>,
  request: ActionRequest,
  order: Order,
  reply: (after: LoanState) => Reply,
): Decision<LoanState> {
  return {
    facts: [ledgerFact(context, request, order)],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, reply(after)),
  };
}

export function ledgerFact({ state, env }: CommandContext<LoanState>, request: Pick<ActionRequest, 'caseId'>, order: Order): FactDraft {
  requireSupported(state, order.change.type);
  const body: LedgerChanged = {
    change: order.change,
    recordedDay: todayOf(env, state),
    caseId: request.caseId ?? null,
    reason: order.reason ?? null,
  };
  return { type: 'LedgerChanged', body, effective: order.effective };
}

/** The work is done within the request: the reply names a finished operation. A preview names none. */
export function orderReply({ command }: CommandContext<LoanState>, request: Pick<ActionRequest, 'previewMode'>, reply: Reply): Reply {
  return request.previewMode === true ? reply : { operationId: operationIdOf(command.commandId), ...reply };
}

/** What was outstanding at the end of a day, as it is known in this state. */
export function outstandingOn(state: LoanState, env: ViewEnv, day: Day): Cents {
  const { outstanding, chargedOff } = balancesIn(computedThrough(state, env, day));
  return outstanding.totalCents > 0 ? outstanding.totalCents : chargedOff.totalCents;
}
