import { must } from '../../../../engine/index.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { centsOf } from '../../../wire.js';
import { finished } from '../../commands/order.js';
import { readDeclineReason } from '../../commands/references.js';
import { drawOf } from '../../draws/find.js';
import type { LoanState } from '../../state.js';
import { authorizationOf, checkBody, originalOf, requireRefundable } from '../check-create.js';
import { readPurchaseDetails } from '../details.js';
import { checkExternalId, findPurchase } from '../find.js';
import { kindOf } from '../list.js';
import { madeDraft, newPurchase, statusDraft } from '../make.js';
import { openDraw } from '../opening.js';
import { NO_SETTLEMENT, settlementOf } from '../posting.js';
import { raisesBalance } from '../purchase.js';
import type { CreatePurchaseQuery, CreatePurchaseRequest } from '../requests.js';
import { requireRoom } from '../room.js';
import { countedFrom, purchaseTime } from '../times.js';
import { purchaseView } from '../view.js';
import { beginPurchase } from './begin.js';

/** `POST D/purchases`: the first one activates an originated draw, where its product says so. */
export const createPurchase: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'purchase.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginPurchase<CreatePurchaseRequest>(context);
    const { state, env, command } = context;
    const kind = kindOf(request.type ?? 'regular');
    const status = request.status ?? 'settled';
    const draw = drawOf(state, command.params['drawId']);
    checkBody(request, { kind, status });
    const originalDrawId = request.migration?.originalDrawId ?? null;
    const opening = openDraw(context, request, { draw, kind, status, originalDrawId });
    checkExternalId(env, 'purchase', request.externalId);
    const authorization = authorizationOf(state, request.authorizationPurchaseId, draw.draw);
    const original = originalOf(state, request, draw.draw);
    const made = purchaseTime(context, request, opening.activation);
    const purchase = newPurchase(state, {
      id: env.newId('DP'),
      draw: draw.draw,
      kind,
      status,
      amountCents: centsOf(request.amount),
      made,
      effective: countedFrom(made, opening.activation),
      externalId: request.externalId ?? null,
      authorizationPurchaseId: authorization?.id ?? null,
      originalPurchaseId: original?.id ?? null,
      details: readPurchaseDetails(request.purchaseDetails),
      declineReason: readDeclineReason(request.declineReason),
      originalDrawId,
      metaData: request.metadata ?? null,
      caseId: request.caseId ?? null,
      authorizedBefore: authorization?.authorizedAt ?? null,
    });
    requireRefundable(state, original, purchase.amountCents);
    const { force = false } = (command.query ?? {}) as CreatePurchaseQuery;
    if (!force && opening.isCounted && status !== 'declined' && raisesBalance(kind)) {
      requireRoom(context, { draw, amountCents: purchase.amountCents, approved: authorization });
    }
    const isPosted = opening.isCounted && status === 'settled';
    const { linked, drafts } = isPosted ? settlementOf(context, request, purchase, opening.drafts.length) : NO_SETTLEMENT;
    const released = authorization === null ? [] : [statusDraft(authorization.id, 'canceled', purchase.caseId)];
    return {
      facts: [...opening.drafts, ...released, madeDraft({ ...purchase, ...linked }), ...drafts],
      preview: request.previewMode === true,
      reply: (after) =>
        finished(context, request, { data: purchaseView(after, env, must(findPurchase(after, purchase.id), 'the purchase was made')) }),
    };
  },
};
