import type { CommandSpec } from '../../../kernel/actor.js';
import { centsOf } from '../../../wire.js';
import { beginAction, finished } from '../../commands/order.js';
import { readDetails } from '../../proceeds-details.js';
import type { LoanState } from '../../state.js';
import { nextPaymentNumber } from '../../transactions/ledger-facts.js';
import type { RefundMade } from '../facts.js';
import type { CreateRefundRequest } from '../requests.js';
import { refundView } from '../view.js';
import { refundDraft, refundOf, refundTime, requireRefundable } from './check.js';

/** `POST L/refunds`: what was financed is taken back, and the at-fault party is billed for it. */
export const createRefund: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'refund.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CreateRefundRequest>(context, 'refund');
    const { state, env } = context;
    const refund: RefundMade['refund'] = {
      id: env.newId('RF'),
      transaction: nextPaymentNumber(state),
      effective: refundTime(context, request),
      amountCents: centsOf(request.refundAmount),
      atFaultParty: request.atFaultParty,
      isRefundOriginationFee: request.isRefundOriginationFee ?? false,
      isRefundLateFees: request.isRefundLateFees ?? false,
      isRefundOtherFees: request.isRefundOtherFees ?? false,
      details: readDetails(request.refundDetails),
      caseId: request.caseId ?? null,
    };
    requireRefundable(context, refund);
    const body: RefundMade = { refund };
    return {
      facts: [{ type: 'RefundMade', body }, refundDraft(context, request, refund)],
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: refundView(after, refundOf(after, refund.id)) }),
    };
  },
};
