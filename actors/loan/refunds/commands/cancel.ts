import type { CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { beginAction, finished } from '../../commands/order.js';
import type { LoanState } from '../../state.js';
import { refuseGoneBack } from '../../transactions/reimbursement.js';
import type { RefundTakenBack } from '../facts.js';
import type { CancelRefundRequest } from '../requests.js';
import { refundView } from '../view.js';
import { refundInForce, refundOf, takeBackDraft } from './check.js';

/** `POST L/refunds/{refundId}/cancel`: the loan is computed again without it. */
export const cancelRefund: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'refund.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CancelRefundRequest>(context, 'manageRefund');
    const refund = refundInForce(context.state, context.command.params['refundId']);
    const body: RefundTakenBack = { refundId: refund.id, caseId: request.caseId ?? null };
    const facts: readonly FactDraft[] = [{ type: 'RefundTakenBack', body }, takeBackDraft(context, request, refund.transaction)];
    refuseGoneBack(context.state, context.env, facts);
    return {
      facts,
      preview: request.previewMode === true,
      reply: (after) => finished(context, request, { data: refundView(after, refundOf(after, refund.id)) }),
    };
  },
};
