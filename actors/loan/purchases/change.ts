import { must } from '../../../engine/index.js';
import { companyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import { centsOf } from '../../wire.js';
import { orderReply } from '../commands/order.js';
import { readDeclineReason } from '../commands/references.js';
import { requireMove } from '../context.js';
import { countedFrom, drawOf } from '../draws/draw.js';
import type { ActionRequest } from '../requests.js';
import { historyDayFaults } from '../migration/line/check.js';
import { isBeforeMigration } from '../migration/stage.js';
import type { LoanState } from '../state.js';
import { authorizationOf, checkBody, originalOf, purchaseTime, requireRefundable, settleTime } from './credit.js';
import { readPurchaseDetails } from './details.js';
import { beginPurchase } from './dispute.js';
import type { PurchaseChanged } from './evolve.js';
import {
  changedDraft,
  isCounted,
  isHeld,
  madeDraft,
  mayMove,
  newPurchase,
  orderedMoveBetween,
  type PurchaseStatus,
  statusDraft,
  statusesFor,
} from './machine.js';
import {
  checkExternalId,
  drawNumbered,
  findPurchase,
  type IssuerEvent,
  NO_SETTLEMENT,
  purchaseOf,
  type PurchaseRecord,
  raisesBalance,
  settlementOf,
  unpostDrafts,
} from './posting.js';
import { openDraw, requireSettling } from './open-draw.js';
import type { CreatePurchaseQuery, CreatePurchaseRequest, UpdatePurchaseRequest } from './requests.js';
import { requireRoom } from './room.js';
import { kindOf, purchaseView } from './view.js';

/** `POST D/purchases`: the first purchase activates an originated draw if its product says so. */
export const createPurchase: CommandSpec<LoanState, CreatePurchaseRequest, CreatePurchaseQuery> = {
  kind: 'loan',
  type: 'purchase.create',
  place: { on: 'target' },
  decide: (context) => purchaseTaken(context, null),
};

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** A new purchase: a caller orders it, or an issuer of cards reports that it was made, whatever the credit limit allows. */
export function purchaseTaken(
  context: CommandContext<LoanState, CreatePurchaseRequest, CreatePurchaseQuery>,
  issuerEvent: IssuerEvent | null,
): Decision<LoanState> {
  const from = issuerEvent === null ? 'caller' : 'issuer';
  const request = beginPurchase(context);
  const { state, env, command } = context;
  const kind = kindOf(request.type ?? 'regular');
  const status = request.status ?? 'settled';
  const draw = drawOf(state, command.params['drawId']);
  checkBody(request, { kind, status });
  const originalDrawId = request.migration?.originalDrawId ?? null;
  const authorization = authorizationOf(state, request.authorizationPurchaseId, draw.draw, from);
  const opening = openDraw(context, request, { draw, kind, status, originalDrawId, isAuthorized: authorization !== null });
  checkExternalId(env, 'purchase', request.externalId);
  const holding = authorization !== null && isHeld(authorization.status) ? authorization : null;
  const original = originalOf(state, request, draw.draw);
  const made = purchaseTime(context, request, opening.activation);
  if (draw.drawType === 'static') requireHistory(state, made);
  const purchase = newPurchase(state, {
    id: env.newId('DP'),
    draw: draw.draw,
    kind,
    status,
    amountCents: centsOf(request.amount),
    made,
    effective: countedFrom(made, opening.activation),
    externalId: request.externalId ?? null,
    ...(issuerEvent === null ? {} : { issuerEvent }),
    authorizationPurchaseId: authorization?.id ?? null,
    originalPurchaseId: original?.id ?? null,
    details: readPurchaseDetails(companyOf(env, state.tenant), request.purchaseDetails),
    declineReason: readDeclineReason(request.declineReason),
    originalDrawId: opening.originalDrawId,
    metaData: request.metadata ?? null,
    caseId: request.caseId ?? null,
    authorizedBefore: authorization?.authorizedAt ?? null,
  });
  requireRefundable(state, original, purchase.amountCents);
  const { force = false } = command.query ?? {};
  if (from === 'caller' && !force && opening.isCounted && status !== 'declined' && raisesBalance(kind)) {
    requireRoom(context, { draw, amountCents: purchase.amountCents, approved: holding });
  }
  const isPosted = opening.isCounted && status === 'settled';
  const { linked, drafts } = isPosted ? settlementOf(context, request, purchase, opening.drafts.length) : NO_SETTLEMENT;
  const released = holding === null ? [] : [statusDraft(holding.id, 'canceled', purchase.caseId)];
  return {
    facts: [...opening.drafts, ...released, madeDraft({ ...purchase, ...linked }), ...drafts],
    preview: request.previewMode === true,
    reply: (after) =>
      orderReply(context, request, { data: purchaseView(after, env, must(findPurchase(after, purchase.id), 'the purchase was made')) }),
  };
}

/** 400 for a purchase of a migration's history that is not before the cutoff: it would count nowhere. */
function requireHistory(state: LoanState, { day }: EffectiveTime): void {
  const errors = historyDayFaults(state, day, { path: 'purchaseDate', live: 'a purchase of its draw' });
  if (errors.length > 0) refuse('migrationValidation', 'A static draw has only history from before the cutoff.', { errors });
}

type Changes = PurchaseChanged['changes'];

/** `PUT U`: changes the status, and the amount while it only holds credit. */
export const updatePurchase: CommandSpec<LoanState, UpdatePurchaseRequest> = {
  kind: 'loan',
  type: 'purchase.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase(context);
    return changing(context, request, purchaseOf(context.state, context.command.params));
  },
};

/** `POST U/cancel`: the same as the status `canceled`. */
export const cancelPurchase: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'purchase.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase(context);
    const purchase = purchaseOf(context.state, context.command.params);
    if (purchase.status === 'canceled') refuse('invalidState', `The purchase ${purchase.id} is already canceled.`);
    return changing(context, { ...request, status: 'canceled' }, purchase);
  },
};

function changing(context: Context, request: UpdatePurchaseRequest, before: PurchaseRecord): Decision<LoanState> {
  const described = changesOf(context, request, before);
  const { changes, drafts } = moved(context, request, { ...before, ...described });
  const all: Changes = { ...described, ...changes };
  const changed = Object.keys(all).length === 0 ? [] : [changedDraft(before.id, all, request.caseId ?? null)];
  return {
    facts: [...changed, ...drafts],
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: purchaseView(after, context.env, findPurchase(after, before.id) ?? before) }),
  };
}

function changesOf(context: Context, request: UpdatePurchaseRequest, before: PurchaseRecord): Changes {
  const { externalId, amount, purchaseDetails, declineReason } = request;
  const isRenamed = externalId !== undefined && externalId !== before.externalId;
  if (isRenamed) checkExternalId(context.env, 'purchase', externalId);
  const amountCents = amount === undefined ? before.amountCents : centsOf(amount);
  if (amountCents !== before.amountCents) requireAmount(context, before, amountCents);
  if (readDeclineReason(declineReason) !== null && (request.status ?? before.status) !== 'declined') {
    refuseProperty('declineReason', 'null', '`declineReason` can only be set on a declined purchase.');
  }
  return {
    ...(amountCents === before.amountCents ? {} : { amountCents }),
    ...(isRenamed ? { externalId } : {}),
    ...(purchaseDetails === undefined
      ? {}
      : { details: readPurchaseDetails(companyOf(context.env, context.state.tenant), purchaseDetails) }),
    ...(declineReason === undefined ? {} : { declineReason: readDeclineReason(declineReason) }),
  };
}

/** 409 once it is settled; a higher amount needs open credit, or for a refund an amount that is not refunded yet. */
function requireAmount(context: Context, before: PurchaseRecord, amountCents: PurchaseRecord['amountCents']): void {
  const { state } = context;
  if (!mayMove(before.status, 'amend')) refuseMove(before, statusesFor('amend'), 'its amount is fixed');
  if (amountCents < before.amountCents) return;
  if (raisesBalance(before.kind)) requireRoom(context, { draw: drawNumbered(state, before.draw), amountCents, approved: before });
  else
    requireRefundable(
      state,
      before.originalPurchaseId === null ? null : (findPurchase(state, before.originalPurchaseId) ?? null),
      amountCents,
      before.id,
    );
}

interface Moved {
  readonly changes: Changes;
  readonly drafts: readonly FactDraft[];
}

const UNMOVED: Moved = { changes: {}, drafts: [] };

/** The facts of a new status: settling posts the purchase to the ledger; canceling a settled one voids it by a replay. */
function moved(context: Context, request: UpdatePurchaseRequest, purchase: PurchaseRecord): Moved {
  const { state } = context;
  const status: PurchaseStatus = request.status ?? purchase.status;
  if (status === purchase.status) return UNMOVED;
  if (orderedMoveBetween(purchase.status, status) === undefined) {
    refuseMove(purchase, [], `it cannot become ${status}`);
  }
  const draw = drawNumbered(state, purchase.draw);
  const isHistory = draw.drawType === 'static';
  if (!isHistory || !isBeforeMigration(state)) requireMove(state, 'managePurchase');
  if (status === 'settled') {
    requireSettling(context, draw);
    const effective = settleTime(context);
    const { linked, drafts } = isHistory ? NO_SETTLEMENT : settlementOf(context, request, { ...purchase, effective }, 0);
    return { changes: { status, effective, ...linked }, drafts };
  }
  if (!isCounted(purchase.status)) return { changes: { status }, drafts: [] };
  requireAlone(state, purchase);
  return { changes: { status }, drafts: isHistory ? [] : unpostDrafts(context, request, purchase) };
}

/** 409 for a purchase that has refunds, or that a dispute made. */
function requireAlone({ purchases, disputes }: LoanState, { id }: PurchaseRecord): void {
  const refund = purchases.refundsOf(id).find((other) => isCounted(other.status) || mayMove(other.status, 'amend'));
  if (refund !== undefined) refuse('invalidState', `The purchase has the refund ${refund.id}. Cancel the refund first.`);
  const dispute = disputes.find((other) => other.refundPurchaseId === id || other.repostedPurchaseId === id);
  if (dispute !== undefined) refuse('invalidState', `The purchase belongs to the dispute ${dispute.id}. Change the dispute instead.`);
}

function refuseMove({ id, status }: PurchaseRecord, expected: readonly PurchaseStatus[], message: string): never {
  return refuse('invalidState', `The purchase ${id} is ${status}: ${message}.`, {
    errors: [
      {
        path: 'status',
        expected: expected.length === 0 ? 'a status to which it can move' : expected.join(' or '),
        message: `the purchase is ${status}`,
      },
    ],
  });
}
