import { formatCents, ZERO } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { centsOf } from '../../../wire.js';
import { beginAction, finished, ledgerFact } from '../../commands/order.js';
import { effectiveNow } from '../../context.js';
import { lineOf } from '../../line/ledger.js';
import type { ChangeOriginationFeeRequest } from '../../fees/types.js';
import type { LoanState } from '../../state.js';
import { drawOf, requireDrawMove } from '../find.js';

/** `PUT D/fees/draw`: never above the amount at creation; the line is replayed from the draw's activation. */
export const changeDrawFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'drawFee.change',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ChangeOriginationFeeRequest>(context, 'cancelFee');
    const { state, env, command } = context;
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'manageFees');
    const mostCents = draw.atOrigination.drawFeeCents;
    const amountCents = request.feeAmount == null ? ZERO : centsOf(request.feeAmount);
    if (amountCents > mostCents) {
      refuse('ruleViolation', `The draw fee was ${formatCents(mostCents)} when the draw was made; it cannot be more.`, {
        errors: [{ path: 'feeAmount', expected: `at most ${formatCents(mostCents)}`, message: 'is above the fee at creation' }],
      });
    }
    const known = lineOf(state, env).orders.drawFeesCents.get(draw.draw) ?? mostCents;
    const change = { type: 'drawFeeChanged', draw: draw.draw, amountCents } as const;
    return {
      facts: amountCents === known ? [] : [ledgerFact(context, request, { change, effective: effectiveNow(env, state) })],
      preview: request.previewMode === true,
      reply: () => finished(context, request, { data: null, status: 204 }),
    };
  },
};
