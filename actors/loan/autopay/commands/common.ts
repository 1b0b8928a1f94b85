import { must } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandContext, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { finished } from '../../commands/order.js';
import { recordOf, requireCase, requirePerson } from '../../context.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import { findInstrument, usedInstrument } from '../../transactions/instruments.js';
import type { UsedInstrument } from '../../transactions/record.js';
import { type AutopayMove, mayMove } from '../machine.js';
import { type AutopayPlan, livePlan } from '../plan.js';
import { autopayView } from '../view.js';

/** The plan in force; 404 when there is none, 409 when its status does not allow the move. */
export function beginOnPlan(context: CommandContext<LoanState>, move: AutopayMove, caseId: string | null | undefined): AutopayPlan {
  const { state, env, command } = context;
  requirePerson(state, command.params['personId'], env);
  const plan = livePlan(state) ?? refuse('notFound', `The loan ${state.id} has no autopay plan.`);
  if (!mayMove(plan.status, move)) refuse('invalidState', `The autopay plan is ${plan.status}.`);
  requireCase(env, state, command, caseId);
  return plan;
}

/** An active instrument of the borrower or an additional one that can be charged without asking (money 6, "Create body"). */
export function chargeable({ state, env }: CommandContext<LoanState>, anyId: string): UsedInstrument {
  const { personId, additionalPeople } = recordOf(state);
  const found = findInstrument(env, [personId, ...additionalPeople.map((person) => person.personId)], anyId);
  const fault = (message: string): never =>
    refuse('ruleViolation', `The payment instrument ${anyId} cannot be used: ${message}.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'a bank account or card of the borrower or an additional borrower', message }],
    });
  if (found === undefined) return fault('there is no such object');
  const { id, isExternal, status } = found.instrument;
  if (isExternal) return fault('the service moves no money of an external instrument');
  if (status !== 'active') {
    refuse('invalidState', `The payment instrument ${id} is ${status}; it must be active.`, {
      errors: [{ path: 'paymentInstrumentId', expected: 'an active payment instrument', message: `it is ${status}` }],
    });
  }
  return usedInstrument(found);
}

/** The facts of a command on a plan, previewed or booked, answered by the plan as it is then. */
export function planDecision(
  context: CommandContext<LoanState>,
  request: Pick<ActionRequest, 'previewMode'>,
  planId: string,
  facts: readonly FactDraft[],
): Decision<LoanState> {
  return {
    facts,
    preview: request.previewMode === true,
    reply: (after) => {
      const plan = must(
        after.autopay.find(({ id }) => id === planId),
        `the plan ${planId} is there`,
      );
      return finished(context, request, { data: autopayView(after, context.env, plan) });
    },
  };
}
