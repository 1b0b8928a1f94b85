import { must } from '../../../../engine/index.js';
import { type Fault, refuse, refuseProperty } from '../../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { finished } from '../../commands/order.js';
import { effectiveNow, requireMove } from '../../context.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import { isDisputed } from '../bounds.js';
import { disputeMoveBetween, isRefundKept } from '../dispute-machine.js';
import { disputeView } from '../dispute-view.js';
import type { DisputeChanged } from '../evolve.js';
import { checkExternalId, disputedDraw, disputeOf, findPurchase } from '../find.js';
import { isCounted } from '../machine.js';
import { madeDraft, newPurchase, statusDraft } from '../make.js';
import { settlementOf } from '../posting.js';
import { type PurchaseDispute, type PurchaseRecord, raisesBalance } from '../purchase.js';
import type { UpdateDisputeRequest } from '../requests.js';
import { beginPurchase } from './begin.js';

type Context = CommandContext<LoanState>;

/** `PUT U/disputes/{purchaseDisputeId}`: what came of it, and what is known of it. */
export const updateDispute: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'dispute.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase<UpdateDisputeRequest>(context);
    return changing(context, request, disputeOf(context.state, context.command.params));
  },
};

/** `POST U/disputes/{purchaseDisputeId}/cancel`: withdrawn, as long as it was not submitted. */
export const cancelDispute: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'dispute.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase<ActionRequest>(context);
    const dispute = disputeOf(context.state, context.command.params);
    if (dispute.status === 'canceled') refuseMove(dispute, 'canceled');
    return changing(context, { ...request, status: 'canceled' }, dispute);
  },
};

function changing(context: Context, request: UpdateDisputeRequest, before: PurchaseDispute): Decision<LoanState> {
  const { env } = context;
  const status = request.status ?? before.status;
  const isMoved = status !== before.status;
  if (isMoved && disputeMoveBetween(before.status, status) === undefined) refuseMove(before, status);
  const isRenamed = request.externalId !== undefined && request.externalId !== before.externalId;
  if (isRenamed) checkExternalId(env, 'purchaseDispute', request.externalId);
  const isReposted = isMoved && !isRefundKept(status);
  if (request.repostedPurchaseId !== undefined && !isReposted) {
    refuseProperty('repostedPurchaseId', 'nothing', 'Only a dispute that is lost, expires or is withdrawn re-posts its amount.');
  }
  const { repostedPurchaseId, drafts } = isReposted ? repost(context, request, before) : KEPT;
  const changes: DisputeChanged['changes'] = {
    ...(isMoved ? { status } : {}),
    ...(isRenamed ? { externalId: request.externalId } : {}),
    ...(request.reason === undefined ? {} : { reason: request.reason }),
    ...(request.metadata === undefined ? {} : { metaData: request.metadata }),
    ...(repostedPurchaseId === null ? {} : { repostedPurchaseId }),
  };
  const body: DisputeChanged = { disputeId: before.id, changes, caseId: request.caseId ?? null };
  const changed: readonly FactDraft[] = Object.keys(changes).length === 0 ? [] : [{ type: 'DisputeChanged', body }];
  return {
    facts: [...changed, ...drafts],
    preview: request.previewMode === true,
    reply: (after) => finished(context, request, { data: disputeView(after, after.disputes.find(({ id }) => id === before.id) ?? before) }),
  };
}

interface Reposted {
  readonly repostedPurchaseId: string | null;
  readonly drafts: readonly FactDraft[];
}

const KEPT: Reposted = { repostedPurchaseId: null, drafts: [] };

/** The provisional refund is taken back by a purchase that posts the amount again; the caller may have posted it. */
function repost(context: Context, request: UpdateDisputeRequest, dispute: PurchaseDispute): Reposted {
  const { state, env } = context;
  requireMove(state, 'managePurchase');
  const caseId = request.caseId ?? null;
  const disputed = must(state.purchases.numbered(dispute.purchase), 'a dispute is about a purchase');
  const others = state.disputes.filter(({ id }) => id !== dispute.id);
  const resolved = isDisputed({ disputes: others }, disputed) ? [] : [statusDraft(disputed.id, 'settled', caseId)];
  if (request.repostedPurchaseId !== undefined) {
    return { repostedPurchaseId: postedBefore(state, request.repostedPurchaseId, dispute, disputed), drafts: resolved };
  }
  const again = newPurchase(state, {
    id: env.newId('DP'),
    draw: disputedDraw(state, disputed).draw,
    kind: 'regular',
    status: 'settled',
    amountCents: dispute.disputedCents,
    made: effectiveNow(env, state),
    details: disputed.details,
    caseId,
  });
  const { linked, drafts } = settlementOf(context, request, again, 0, 'withoutFees');
  return { repostedPurchaseId: again.id, drafts: [...resolved, madeDraft({ ...again, ...linked }), ...drafts] };
}

/** A settled purchase of the line over the disputed amount, that re-posts no other dispute. */
function postedBefore(state: LoanState, anyId: string, dispute: PurchaseDispute, disputed: PurchaseRecord): string {
  const posted = findPurchase(state, anyId);
  const isFit =
    posted !== undefined &&
    posted.id !== disputed.id &&
    isCounted(posted.status) &&
    raisesBalance(posted.kind) &&
    posted.amountCents === dispute.disputedCents;
  const isTaken = state.disputes.some(({ repostedPurchaseId }) => repostedPurchaseId !== null && repostedPurchaseId === posted?.id);
  if (isFit && !isTaken) return posted.id;
  const fault: Fault = {
    path: 'repostedPurchaseId',
    expected: 'a settled purchase of the line over the disputed amount',
    message: 'is none',
  };
  return refuse('ruleViolation', 'The purchase does not re-post the disputed amount.', { errors: [fault] });
}

function refuseMove({ id, status }: PurchaseDispute, to: string): never {
  return refuse('invalidState', `The dispute ${id} is ${status}: it cannot become ${to}.`, {
    errors: [{ path: 'status', expected: 'a status that follows', message: `the dispute is ${status}` }],
  });
}
