import { must } from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import type { FieldChange } from '../../kernel/field-changes.js';
import { amount } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { PurchaseDispute, PurchaseRecord } from './purchase.js';

/** An event about a purchase; names and keys are those of platform.md 3. */
export function purchaseEvent(
  state: LoanState,
  eventType: string,
  purchase: PurchaseRecord,
  changes: readonly FieldChange[] = [],
): EventDraft {
  const { id, kind, status, amountCents } = purchase;
  const drawId = drawIdOf(state, purchase);
  const data = { purchaseId: id, drawId, type: kind, amount: amount(amountCents), status, changes };
  return draft(state, { eventType, objectType: 'purchase', objectId: id, drawId, data });
}

export function disputeEvent(
  state: LoanState,
  eventType: string,
  dispute: PurchaseDispute,
  changes: readonly FieldChange[] = [],
): EventDraft {
  const purchase = must(state.purchases.numbered(dispute.purchase), 'a dispute is about a purchase');
  const data = {
    purchaseDisputeId: dispute.id,
    purchaseId: purchase.id,
    status: dispute.status,
    amount: amount(dispute.disputedCents),
    changes,
  };
  return draft(state, { eventType, objectType: 'purchaseDispute', objectId: dispute.id, drawId: drawIdOf(state, purchase), data });
}

export const drawIdOf = (state: LoanState, { draw }: Pick<PurchaseRecord, 'draw'>): string =>
  must(
    state.draws.find((known) => known.draw === draw),
    'a purchase is on a draw',
  ).id;

function draft(state: LoanState, { drawId, ...event }: Omit<EventDraft, 'refs'> & { readonly drawId: string }): EventDraft {
  const { personId, externalId } = recordOf(state);
  const draw = state.draws.find(({ id }) => id === drawId);
  return { ...event, refs: { loanId: state.id, personId, drawId }, externalIds: { loanId: externalId, drawId: draw?.externalId ?? null } };
}
