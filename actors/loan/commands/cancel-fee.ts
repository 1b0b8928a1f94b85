import type { FeeCanceled } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../runtime/actor.js';
import type { FactDraft } from '../../runtime/fact.js';
import { effectiveNow, servicingOf, todayOf } from '../context.js';
import { lateFeeId } from '../derived-ids.js';
import type { FeeCanceledBody, LedgerChange, ScheduledFeeCanceledBody } from '../facts.js';
import { ledgerOn } from '../ledger.js';
import type { CancelFeeRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { feeReplies } from '../views/fee.js';
import { beginAction, finished } from './order.js';

/** `PUT L/fees/{feeId}/cancel`: the fee is as if it had not been; money that paid it is applied again. */
export const cancelFee: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loanFee.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CancelFeeRequest>(context, 'cancelFee');
    const { env, command } = context;
    const asked = command.params['feeId'] ?? '';
    const feeId = asked.startsWith('ext-') ? (env.findExternal(env.tenant, 'loanFee', asked.slice(4)) ?? asked) : asked;
    return {
      facts: [cancellation(context, request, feeId)],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: feeReplies(after, env).find((fee) => fee.id === feeId) ?? null }),
    };
  },
};

function cancellation(context: CommandContext<LoanState>, request: CancelFeeRequest, feeId: string): FactDraft {
  const { state, env } = context;
  const caseId = request.caseId ?? null;
  const reason = request.reason ?? null;
  const byHand = servicingOf(state).fees.find((fee) => fee.id === feeId);
  if (byHand?.canceledAt != null) refuse('invalidState', `The fee ${feeId} is canceled already.`);
  if (byHand?.scheduled != null) {
    const body: ScheduledFeeCanceledBody = { feeId, reason, caseId };
    return { type: 'ScheduledFeeCanceled', body };
  }
  const change = byHand === undefined ? lateFee(context, feeId) : ({ type: 'feeCanceled', fee: { type: 'charged', fee: byHand.fee } } as const);
  const body: FeeCanceledBody = { change, feeId: byHand?.id ?? null, recordedDay: todayOf(env, state), caseId, reason };
  return { type: 'FeeCanceled', body, effective: effectiveNow(env, state) };
}

function lateFee({ state, env }: CommandContext<LoanState>, feeId: string): LedgerChange<FeeCanceled> {
  for (const fee of ledgerOn(state, env, todayOf(env, state)).fees) {
    if (fee.fee !== null || fee.obligation === null || lateFeeId(env, state, fee.feeTypeId, fee.obligation) !== feeId) continue;
    if (fee.isCanceled) refuse('invalidState', `The fee ${feeId} is canceled already.`);
    return { type: 'feeCanceled', fee: { type: 'late', feeTypeId: fee.feeTypeId, obligation: fee.obligation } };
  }
  return refuse('notFound', `The loan has no fee ${feeId} that could be canceled.`);
}
