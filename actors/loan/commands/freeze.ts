import type { CommandSpec } from '../../runtime/actor.js';
import { effectiveNow } from '../context.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import { beginAction, orderDecision } from './order.js';

/** `POST L/freeze`: accrual stops, upcoming due dates are suspended, nothing is paid; effective now. */
export const freezeLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.freeze',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ActionRequest>(context, 'freeze');
    const { state, env } = context;
    const order = { change: { type: 'freeze' }, effective: effectiveNow(env, state) } as const;
    return orderDecision(context, request, order, (after) => ({ data: loanView(after, env), sealedFor: after.record?.personId ?? '' }));
  },
};
