import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { effectiveNow, todayOf } from '../../context.js';
import type { FeeCanceledBody, ScheduledFeeCanceledBody } from '../facts.js';
import type { CancelFeeRequest } from '../requests.js';
import type { LoanState } from '../../state.js';
import { feeReplies } from '../view.js';
import { type NamedFee, namedFee } from '../find.js';
import { beginAction, finished } from '../../commands/order.js';

/** `PUT L/fees/{feeId}/cancel`: the fee is as if it had not been; money that paid it is applied again. */
export const cancelFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CancelFeeRequest>(context, 'cancelFee');
    const { env } = context;
    const named = namedFee(context);
    const feeId = named.type === 'byHand' ? named.fee.id : named.id;
    return {
      facts: [cancellation(context, request, named)],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: feeReplies(after, env).find((fee) => fee.id === feeId) ?? null }),
    };
  },
};

function cancellation({ state, env }: CommandContext<LoanState>, request: CancelFeeRequest, named: NamedFee): FactDraft {
  const caseId = request.caseId ?? null;
  const reason = request.reason ?? null;
  if (named.type === 'byHand' && named.fee.scheduled !== null) {
    const body: ScheduledFeeCanceledBody = { feeId: named.fee.id, reason, caseId };
    return { type: 'ScheduledFeeCanceled', body };
  }
  const fee = named.type === 'byHand' ? ({ type: 'charged', fee: named.fee.fee } as const) : named.reference;
  const feeId = named.type === 'byHand' ? named.fee.id : null;
  const body: FeeCanceledBody = { change: { type: 'feeCanceled', fee }, feeId, recordedDay: todayOf(env, state), caseId, reason };
  return { type: 'FeeCanceled', body, effective: effectiveNow(env, state) };
}
