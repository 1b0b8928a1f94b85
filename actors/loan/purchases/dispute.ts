import { formatCents, must } from '../../../engine/index.js';
import { type Fault, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { centsOf } from '../../wire.js';
import { orderReply } from '../commands/order.js';
import { effectiveNow, requireCase, requireMove, requirePerson, requireProduct } from '../context.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import type { DisputeChanged, DisputeOpened } from './evolve.js';
import {
  disputeMoveBetween,
  eligibleDisputeCents,
  isCounted,
  isDisputed,
  isRefundKept,
  madeDraft,
  mayMove,
  newPurchase,
  statusDraft,
  statusesFor,
} from './machine.js';
import {
  checkExternalId,
  disputedDraw,
  disputeOf,
  findPurchase,
  type PurchaseDispute,
  purchaseOf,
  type PurchaseRecord,
  raisesBalance,
  settlementOf,
} from './posting.js';
import type { CreateDisputeRequest, UpdateDisputeRequest } from './requests.js';
import { caseOfNew, disputeView } from './view.js';

/** Checks that every command on a purchase makes first: the person of the path, a line of credit, a case if one is needed. */
export function beginPurchase<Request extends Pick<ActionRequest, 'caseId'>>({
  state,
  env,
  command,
  body: request,
}: CommandContext<LoanState, Request>): Request {
  requirePerson(state, command.params['personId'], env);
  requireProduct(state, 'lineOfCredit');
  requireCase(env, state, command, request.caseId);
  return request;
}

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** `PUT U/disputes/{purchaseDisputeId}`: changes the status and the details. */
export const updateDispute: CommandSpec<LoanState, UpdateDisputeRequest> = {
  kind: 'loan',
  type: 'dispute.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase(context);
    return changing(context, request, disputeOf(context.state, context.command.params));
  },
};

/** `POST U/disputes/{purchaseDisputeId}/cancel`: withdraws it, unless it was submitted. */
export const cancelDispute: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'dispute.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase(context);
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
  const isSentBack = (request.repostedPurchaseId ?? null) === before.repostedPurchaseId;
  if (request.repostedPurchaseId !== undefined && !isSentBack && !isReposted) {
    refuseProperty(
      'repostedPurchaseId',
      'nothing',
      '`repostedPurchaseId` can only be set on a dispute that is lost, expired or withdrawn.',
    );
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
    reply: (after) =>
      orderReply(context, request, { data: disputeView(after, after.disputes.find(({ id }) => id === before.id) ?? before) }),
  };
}

interface Reposted {
  readonly repostedPurchaseId: string | null;
  readonly drafts: readonly FactDraft[];
}

const KEPT: Reposted = { repostedPurchaseId: null, drafts: [] };

/** Reverses the provisional refund by a purchase that posts the amount again, unless the caller has posted it already. */
function repost(context: Context, request: UpdateDisputeRequest, dispute: PurchaseDispute): Reposted {
  const { state, env } = context;
  requireMove(state, 'managePurchase');
  const caseId = request.caseId ?? null;
  const disputed = must(state.purchases.numbered(dispute.purchase), 'a dispute is about a purchase');
  const others = state.disputes.filter(({ id }) => id !== dispute.id);
  const resolved = isDisputed({ disputes: others }, disputed) ? [] : [statusDraft(disputed.id, 'settled', caseId)];
  if (request.repostedPurchaseId != null) {
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

/** The purchase by which the caller has re-posted the disputed amount: settled, and not used for another dispute. */
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
    message: 'is not such a purchase',
  };
  return refuse('ruleViolation', '`repostedPurchaseId` must be a settled purchase over the disputed amount.', { errors: [fault] });
}

function refuseMove({ id, status }: PurchaseDispute, to: string): never {
  return refuse('invalidState', `The dispute ${id} is ${status} and cannot become ${to}.`, {
    errors: [{ path: 'status', expected: 'a status to which it can move', message: `the dispute is ${status}` }],
  });
}

/** `POST U/disputes`: refunds the disputed amount provisionally. */
export const openDispute: CommandSpec<LoanState, CreateDisputeRequest> = {
  kind: 'loan',
  type: 'dispute.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase(context);
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
        orderReply(context, request, {
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

/** The amount has two names; both may be sent if they agree. */
function disputedCentsOf({ disputedAmount, amount }: CreateDisputeRequest): PurchaseRecord['amountCents'] {
  const sent = disputedAmount ?? amount;
  if (sent === undefined) return refuseProperty('disputedAmount', 'an amount above zero', '`disputedAmount` is required.');
  if (amount !== undefined && amount !== sent)
    return refuseProperty('amount', 'the disputedAmount', '`amount` differs from `disputedAmount`. Send one of them.');
  return centsOf(sent);
}

/** 409 unless the purchase is settled and raises the balance; 422 above the part that is not disputed yet. */
function requireDisputable(state: LoanState, purchase: PurchaseRecord, disputedCents: number): void {
  if (!raisesBalance(purchase.kind)) refuse('invalidState', `A purchase of kind ${purchase.kind} cannot be disputed.`);
  if (!mayMove(purchase.status, 'dispute')) {
    const expected = statusesFor('dispute').join(' or ');
    refuse('invalidState', `The purchase is ${purchase.status}; it must be ${expected}.`, {
      errors: [{ path: 'status', expected, message: `the purchase is ${purchase.status}` }],
    });
  }
  const eligible = eligibleDisputeCents(state, purchase);
  if (disputedCents <= eligible) return;
  refuse('amountExceedsEligible', `At most ${formatCents(eligible)} of the purchase can be disputed.`, {
    errors: [{ path: 'disputedAmount', expected: `at most ${formatCents(eligible)}`, message: 'is above the amount that can be disputed' }],
  });
}
