import { must } from '../../../engine/index.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { effectiveNow, effectiveOn } from '../context.js';
import type { ActionRequest, ChargeOffLoanRequest } from '../requests.js';
import { runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { beginAction, ledgerFact, orderDecision, outstandingOn } from './order.js';

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
    const decision = orderDecision(context, request, { change: { type: 'chargeOff', reason }, effective, reason }, (after) => ({
      data: { chargeOffAmount: amount(outstandingOn(after, env, effective.day)) },
    }));
    return { ...decision, facts: [...unfrozen(context, request, effective), ...decision.facts] };
  },
};

/**
 * An order of its own, so that the loan is active once the charge-off is reversed. One before the freezing ends the freezing at its
 * beginning.
 */
function unfrozen(context: CommandContext<LoanState>, request: ChargeOffLoanRequest, chargedOff: EffectiveTime): readonly FactDraft[] {
  const { state, env } = context;
  const { status, statusSince } = runningOf(state, env);
  if (status !== 'frozen') return [];
  const effective = chargedOff.day >= statusSince ? chargedOff : effectiveOn(env, state, dateText(statusSince));
  const change = { type: 'unfreeze', retroactivelyAccrueInterest: false, shiftDueDates: false } as const;
  return [ledgerFact(context, request, { change, effective, reason: request.chargedOffReason })];
}

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
