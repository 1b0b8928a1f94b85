import { assert, computeLedger, stateDigest } from '../../../engine/index.js';
import type { CommandSpec } from '../../runtime/actor.js';
import { servicingOf, todayOf } from '../context.js';
import type { CaughtUp } from '../facts.js';
import { factsOf, ledgerOf } from '../ledger.js';
import type { ActionRequest } from '../requests.js';
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
    const servicing = servicingOf(state);
    const ledger = ledgerOf(state, env);
    const computed = computeLedger(ledger.terms, factsOf(servicing), ledger.day);
    assert(stateDigest(computed) === stateDigest(ledger), `the running ledger of ${state.id} is not what its facts make`);
    const through = todayOf(env, state);
    const body: CaughtUp = { through };
    return {
      facts: servicing.summary.through < through ? [{ type: 'CaughtUp', body }] : [],
      reply: (after) => finished(context, request, { data: loanView(after, env), sealedFor: after.record?.personId ?? '' }),
    };
  },
};
