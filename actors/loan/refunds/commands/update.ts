import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf, dateText } from '../../../wire.js';
import { beginAction, finished } from '../../commands/order.js';
import { readDetails } from '../../proceeds-details.js';
import type { LoanState } from '../../state.js';
import { nextPaymentNumber } from '../../transactions/ledger-facts.js';
import { refuseGoneBack } from '../../transactions/reimbursement.js';
import type { RefundChanged } from '../facts.js';
import type { LoanRefund } from '../refund.js';
import type { UpdateRefundRequest } from '../requests.js';
import { refundView } from '../view.js';
import { refundDraft, refundInForce, refundOf, refundTime, requireRefundable, takeBackDraft } from './check.js';

/** `PUT L/refunds/{refundId}`: the ledger takes the old refund back and counts the changed one. */
export const updateRefund: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'refund.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<UpdateRefundRequest>(context, 'manageRefund');
    const { state, command } = context;
    const before = refundInForce(state, command.params['refundId']);
    // The old one is taken back first.
    const after: LoanRefund = { ...changed(context, before, request), transaction: nextPaymentNumber(state, 1) };
    requireRefundable(context, after, before.id);
    const {
      id: _id,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      canceledAt: _canceledAt,
      originalCents: _original,
      amountCents,
      ...others
    } = after;
    // Whoever hears of refunds is told of their amounts.
    const changes = amountCents === before.amountCents ? others : { ...others, amountCents };
    const facts = isCountedOtherwise(before, after)
      ? [changedFact(before, changes), takeBackDraft(context, request, before.transaction), refundDraft(context, request, after)]
      : [changedFact(before, { atFaultParty: after.atFaultParty, details: after.details, caseId: after.caseId })];
    refuseGoneBack(state, context.env, facts);
    return {
      facts,
      preview: request.previewMode === true,
      reply: (done) => finished(context, request, { data: refundView(done, refundOf(done, before.id)) }),
    };
  },
};

const changedFact = ({ id }: LoanRefund, changes: RefundChanged['changes']): FactDraft => ({
  type: 'RefundChanged',
  body: { refundId: id, changes } satisfies RefundChanged,
});

/** What the ledger knows of a refund; the rest changes no balance. */
const isCountedOtherwise = (before: LoanRefund, after: LoanRefund): boolean =>
  before.amountCents !== after.amountCents ||
  before.effective.day !== after.effective.day ||
  before.effective.seconds !== after.effective.seconds ||
  before.isRefundOriginationFee !== after.isRefundOriginationFee ||
  before.isRefundLateFees !== after.isRefundLateFees ||
  before.isRefundOtherFees !== after.isRefundOtherFees;

function changed(context: CommandContext<LoanState>, before: LoanRefund, request: UpdateRefundRequest): LoanRefund {
  const isMoved = request.refundDate !== undefined || request.refundTimeOfDay != null;
  return {
    ...before,
    effective: isMoved
      ? refundTime(context, { ...request, refundDate: request.refundDate ?? dateText(before.effective.day) })
      : before.effective,
    amountCents: request.refundAmount === undefined ? before.amountCents : centsOf(request.refundAmount),
    atFaultParty: request.atFaultParty ?? before.atFaultParty,
    isRefundOriginationFee: request.isRefundOriginationFee ?? before.isRefundOriginationFee,
    isRefundLateFees: request.isRefundLateFees ?? before.isRefundLateFees,
    isRefundOtherFees: request.isRefundOtherFees ?? before.isRefundOtherFees,
    details: request.refundDetails === undefined ? before.details : readDetails(request.refundDetails),
    caseId: request.caseId ?? before.caseId,
  };
}
