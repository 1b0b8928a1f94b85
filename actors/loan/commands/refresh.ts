import { assert } from '../../../engine/index.js';
import type { CommandSpec } from '../../kernel/actor.js';
import { activatedOf, todayOf } from '../context.js';
import type { CaughtUp } from '../facts.js';
import type { ActionRequest } from '../requests.js';
import { digestOf, recompute, runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import { beginAction, finished } from './order.js';

/**
 * `POST L/refresh`: brings obligations, schedule and accrual up to today. The ledger follows from its facts, so all
 * that can be behind is the day; that it does follow is checked here.
 */
export const refreshLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.refresh',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = beginAction<ActionRequest>(context, 'refresh');
    const { summary } = activatedOf(state);
    runningOf(state, env);
    assert(recompute(state, env).digest === digestOf(state), `the running ledger of ${state.id} is not what its facts make`);
    const through = todayOf(env, state);
    const body: CaughtUp = { through };
    return {
      facts: summary.through < through ? [{ type: 'CaughtUp', body }] : [],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: loanView(after, env), sealedFor: after.record?.personId ?? '' }),
    };
  },
};
