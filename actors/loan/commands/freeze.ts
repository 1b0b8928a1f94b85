import { currentSettings } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { effectiveNow, loanTypeOf, recordOf } from '../context.js';
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
    requireFreezable(context);
    const order = { change: { type: 'freeze' }, effective: effectiveNow(env, state) } as const;
    return orderDecision(context, request, order, (after) => ({ data: loanView(after, env), sealedFor: after.record?.personId ?? '' }));
  },
};

/** A line of credit only where its product says so. */
function requireFreezable({ state, env }: CommandContext<LoanState>): void {
  if (recordOf(state).type === 'installment' || currentSettings(loanTypeOf(env, state)).freezeAllowedForLineOfCredit) return;
  refuse('invalidState', 'The product does not let a line of credit be frozen.', {
    errors: [{ path: 'loanTypeId', expected: 'a product with freezeAllowedForLineOfCredit', message: 'it is not allowed' }],
  });
}
