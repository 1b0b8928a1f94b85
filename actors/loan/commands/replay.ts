import { companyOf, feeTypesOf } from '../../company/index.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activatedOf, effectiveOn, loanTypeOf, recordOf, todayOf } from '../context.js';
import type { LoanReplayed } from '../facts.js';
import { lateFeeTerms } from '../fees/late.js';
import type { ReplayLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import { beginAction, finished } from './order.js';

/** `POST L/replay`: the days from a date on are computed again under today's configuration. */
export const replayLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.replay',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ReplayLoanRequest>(context, 'replay');
    const { state, env } = context;
    const { contract } = activatedOf(state);
    const { personId } = recordOf(state);
    const from = request.fromDate == null ? contract.terms.activation : effectiveOn(env, state, request.fromDate, 'fromDate').day;
    return {
      facts: [replayFact(context, { from, through: todayOf(env, state), reason: request.reason ?? null, caseId: request.caseId ?? null })],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: loanView(after, env), sealedFor: personId }),
    };
  },
};

/** The fact that a loan is computed again with its product as it is today. */
export function replayFact({ state, env }: CommandContext<LoanState>, asked: Omit<LoanReplayed, 'version' | 'lateFees'>): FactDraft {
  const { atOrigination, loanTypeId } = recordOf(state);
  const body: LoanReplayed = {
    ...asked,
    version: loanTypeOf(env, state).versions.at(-1)?.version ?? 1,
    lateFees: lateFeeTerms(feeTypesOf(companyOf(env, state.tenant), loanTypeId), atOrigination, activatedOf(state).sources.lateFeeTypes),
  };
  return { type: 'LoanReplayed', body };
}
