import { refuse } from '../../errors.js';
import type { CommandSpec, EvolveEnv } from '../../kernel/actor.js';
import { effectiveNow, statusOf } from '../context.js';
import type { LoanCanceled } from '../facts.js';
import type { CancelLoanRequest } from '../requests.js';
import { runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { beginAction, finished } from './order.js';

/** Money of payments and credits, and what was bought. */
const hasMoved = (state: LoanState, env: EvolveEnv): boolean =>
  runningOf(state, env).payments.length > 0 || state.purchases.all().some(({ status }) => status === 'settled' || status === 'disputed');

export interface CancelLoanQuery {
  readonly force?: boolean;
  /** Taken for clients that send it: a canceled loan frees its external ids and those of what hangs on it in any case. */
  readonly clearAllExternalIds?: boolean;
}

/** `POST L/cancel`: the loan is as if it had never been. An active one only without money that has moved, or by force. */
export const cancelLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CancelLoanRequest>(context, 'cancel');
    const { state, env, command } = context;
    const { force = false } = (command.query ?? {}) as CancelLoanQuery;
    if (!force && statusOf(state) === 'active' && hasMoved(state, env)) {
      refuse('invalidState', 'Money has moved on the loan: refund it first, or cancel by force.', {
        errors: [{ path: 'force', expected: 'true', message: 'the loan has transactions' }],
      });
    }
    const effective = effectiveNow(env, state);
    const body: LoanCanceled = {
      cancellationReason: request.cancellationReason ?? null,
      isFreeingExternalIds: true,
      metro2AccountStatus: request.metro2AccountStatus ?? null,
      caseId: request.caseId ?? null,
      day: effective.day,
    };
    return {
      facts: [{ type: 'LoanCanceled', body, effective }],
      preview: request.previewMode === true,
      reply: () => finished(context, request, { data: null, message: `The loan ${state.id} is canceled.` }),
    };
  },
};
