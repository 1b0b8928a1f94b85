import { must } from '../../../engine/index.js';
import type { CommandSpec } from '../../runtime/actor.js';
import { amount } from '../../wire.js';
import { effectiveNow, effectiveOn } from '../context.js';
import type { ActionRequest, ChargeOffLoanRequest } from '../requests.js';
import { runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { beginAction, orderDecision, outstandingOn } from './order.js';

/** `POST L/charge-off`: an active loan passes through accelerated, a frozen one is unfrozen first. */
export const chargeOffLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.chargeOff',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChargeOffLoanRequest>(context, 'chargeOff');
    const { state, env } = context;
    const effective = effectiveOn(env, state, request.effectiveDate);
    const reason = request.chargedOffReason;
    return orderDecision(context, request, { change: { type: 'chargeOff', reason }, effective, reason }, (after) => ({
      data: { chargeOffAmount: amount(outstandingOn(after, env, effective.day)) },
    }));
  },
};

/** `POST L/reverse-charge-off`: active again, replayed from the charge-off day with accrual. */
export const reverseChargeOffLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.reverseChargeOff',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ActionRequest>(context, 'reverseChargeOff');
    const { state, env } = context;
    const since = must(runningOf(state, env).chargedOffSince, 'a charged-off loan knows since when');
    const reversedChargeOffAmount = amount(outstandingOn(state, env, since));
    const order = { change: { type: 'reverseChargeOff' }, effective: effectiveNow(env, state) } as const;
    return orderDecision(context, request, order, () => ({ data: { reversedChargeOffAmount } }));
  },
};
