import { formatCents, must } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { centsOf } from '../../../wire.js';
import { finished } from '../../commands/order.js';
import { effectiveNow, requireMove } from '../../context.js';
import type { LoanState } from '../../state.js';
import { eligibleDisputeCents } from '../bounds.js';
import { caseOfNew } from '../dispute-case.js';
import { disputeView } from '../dispute-view.js';
import type { DisputeOpened } from '../evolve.js';
import { checkExternalId, disputedDraw, purchaseOf } from '../find.js';
import { mayMove, statusesFor } from '../machine.js';
import { madeDraft, newPurchase, statusDraft } from '../make.js';
import { settlementOf } from '../posting.js';
import { type PurchaseRecord, raisesBalance } from '../purchase.js';
import type { CreateDisputeRequest } from '../requests.js';
import { beginPurchase } from './begin.js';

/** `POST U/disputes`: the disputed amount is refunded for the time being. */
export const openDispute: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'dispute.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase<CreateDisputeRequest>(context);
    const { state, env, command } = context;
    const purchase = purchaseOf(state, command.params);
    const disputedCents = disputedCentsOf(request);
    requireMove(state, 'purchase');
    checkExternalId(env, 'purchaseDispute', request.externalId);
    requireDisputable(state, purchase, disputedCents);
    const id = env.newId('PD');
    const { caseId, facts: opened } = caseOfNew(context, id, purchase.id, request);
    const refund = newPurchase(state, {
      id: env.newId('DP'),
      draw: disputedDraw(state, purchase).draw,
      kind: 'refund',
      status: 'settled',
      amountCents: disputedCents,
      made: effectiveNow(env, state),
      originalPurchaseId: purchase.id,
      caseId,
    });
    const { linked, drafts } = settlementOf(context, request, refund, 0);
    const body: DisputeOpened = {
      dispute: {
        id,
        purchase: purchase.purchase,
        externalId: request.externalId ?? null,
        caseId,
        status: request.status ?? 'open',
        disputedCents,
        reason: request.reason ?? null,
        refundPurchaseId: refund.id,
        metaData: request.metadata ?? null,
      },
    };
    const marked: readonly FactDraft[] = purchase.status === 'disputed' ? [] : [statusDraft(purchase.id, 'disputed', caseId)];
    return {
      facts: [{ type: 'DisputeOpened', body }, ...marked, madeDraft({ ...refund, ...linked }), ...drafts, ...opened],
      preview: request.previewMode === true,
      reply: (after) =>
        finished(context, request, {
          data: disputeView(
            after,
            must(
              after.disputes.find((known) => known.id === id),
              'the dispute was opened',
            ),
          ),
        }),
    };
  },
};

/** The amount goes by two names; both may be sent when they agree. */
function disputedCentsOf({ disputedAmount, amount }: CreateDisputeRequest): PurchaseRecord['amountCents'] {
  const sent = disputedAmount ?? amount;
  if (sent === undefined) return refuseProperty('disputedAmount', 'an amount above zero', 'missing');
  if (amount !== undefined && amount !== sent) return refuseProperty('amount', 'the disputedAmount', 'differs from the disputedAmount');
  return centsOf(sent);
}

/** 409 for what is not settled, and for what gave the borrower money; 422 above what of it is not disputed yet. */
function requireDisputable(state: LoanState, purchase: PurchaseRecord, disputedCents: number): void {
  if (!raisesBalance(purchase.kind)) refuse('invalidState', `A ${purchase.kind} is not disputed.`);
  if (!mayMove(purchase.status, 'dispute')) {
    const expected = statusesFor('dispute').join(' or ');
    refuse('invalidState', `The purchase is ${purchase.status}; it must be ${expected}.`, {
      errors: [{ path: 'status', expected, message: `the purchase is ${purchase.status}` }],
    });
  }
  const eligible = eligibleDisputeCents(state, purchase);
  if (disputedCents <= eligible) return;
  refuse('amountExceedsEligible', `At most ${formatCents(eligible)} of the purchase can be disputed.`, {
    errors: [{ path: 'disputedAmount', expected: `at most ${formatCents(eligible)}`, message: 'is above what can be disputed' }],
  });
}
