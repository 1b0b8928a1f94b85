import { formatCents, ZERO } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { centsOf } from '../../../wire.js';
import { activatedOf, effectiveNow } from '../../context.js';
import { runningOf } from '../../ledger/running.js';
import type { ChangeOriginationFeeRequest } from '../requests.js';
import type { LoanState } from '../../state.js';
import { beginAction, finished, ledgerFact } from '../../commands/order.js';

/** `PUT L/fees/origination`: never above the amount at creation; the loan is replayed from its activation (loan-terms 6.5, rule 1). */
export const changeOriginationFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.changeOrigination',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChangeOriginationFeeRequest>(context, 'cancelFee');
    const { state, env } = context;
    const { amountCents: mostCents } = activatedOf(state).contract.terms.originationFee;
    const amountCents = request.feeAmount == null ? ZERO : centsOf(request.feeAmount);
    if (amountCents > mostCents) {
      refuse('ruleViolation', `The origination fee was ${formatCents(mostCents)} when the loan was made; it cannot be more.`, {
        errors: [{ path: 'feeAmount', expected: `at most ${formatCents(mostCents)}`, message: 'is above the fee at creation' }],
      });
    }
    const known = runningOf(state, env).orders.originationFeeCents ?? mostCents;
    const change = { type: 'originationFeeChanged', amountCents } as const;
    return {
      facts: amountCents === known ? [] : [ledgerFact(context, request, { change, effective: effectiveNow(env, state) })],
      preview: request.previewMode === true,
      reply: () => finished(context, request, { data: null, status: 204 }),
    };
  },
};
