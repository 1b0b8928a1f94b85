import { must } from '../../../engine/index.js';
import type { CommandSpec } from '../../kernel/actor.js';
import { amount } from '../../wire.js';
import { effectiveNow, effectiveOn } from '../context.js';
import type { AccelerateLoanRequest, ActionRequest } from '../requests.js';
import { runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { beginAction, orderDecision, outstandingOn } from './order.js';

/** `POST L/accelerate`: interest stops and the whole balance is due; a past date is replayed. */
export const accelerateLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.accelerate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<AccelerateLoanRequest>(context, 'accelerate');
    const { state, env } = context;
    const effective = effectiveOn(env, state, request.effectiveDate);
    return orderDecision(context, request, { change: { type: 'accelerate' }, effective }, (after) => ({
      data: { acceleratedAmount: amount(outstandingOn(after, env, effective.day)) },
    }));
  },
};

/** `POST L/reverse-accelerate`: replayed from the acceleration day as if active. */
export const reverseAccelerateLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.reverseAccelerate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ActionRequest>(context, 'reverseAccelerate');
    const { state, env } = context;
    const since = must(runningOf(state, env).acceleratedSince, 'an accelerated loan knows since when');
    const reversedAcceleratedAmount = amount(outstandingOn(state, env, since));
    const order = { change: { type: 'reverseAccelerate' }, effective: effectiveNow(env, state) } as const;
    return orderDecision(context, request, order, () => ({ data: { reversedAcceleratedAmount } }));
  },
};
