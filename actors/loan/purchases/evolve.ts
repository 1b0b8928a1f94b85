import { must, type Purchase, type PurchaseVoided } from '../../../engine/index.js';
import { type EventDraft, type FieldChange, fieldChanges } from '../../kernel/fact.js';
import { amount } from '../../wire.js';
import { namesOf, occurredAt } from '../events.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import { applyLedgerFact } from '../ledger/evolve.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import { statusAfter } from './machine.js';
import type { DisputeStatus, PurchaseDispute, PurchaseRecord, PurchaseStatus } from './posting.js';

/** Applies the facts of purchases and disputes. */
export const APPLY_PURCHASES: {
  readonly [Type in keyof PurchaseFacts]: (applying: Applying, body: PurchaseFacts[Type]) => void;
} = {
  PurchaseMade: made,
  PurchaseChanged: changed,
  PurchasePosted: posted,
  PurchaseUnposted: applyLedgerFact,
  DisputeOpened: disputeOpened,
  DisputeChanged: disputeChanged,
};

function made({ state, fact, emit }: Applying, { purchase: { authorizedBefore, ...purchase } }: PurchaseMade): void {
  const at = fact.businessAt;
  const record: PurchaseRecord = {
    ...purchase,
    createdStamp: fact.stamp,
    createdAt: at,
    updatedAt: at,
    authorizedAt: purchase.status === 'authorized' ? at : authorizedBefore,
    settledAt: purchase.status === 'settled' ? at : null,
    createdBy: fact.by,
  };
  state.purchases.put(record);
  if (emit === null) return;
  const occurred = occurredAt(state, record.effective, fact);
  const reached = REACHED[record.status];
  for (const eventType of ['purchase.created', ...(reached === undefined ? [] : [reached])])
    emit({ ...purchaseEvent(state, eventType, record), occurredAt: occurred });
}

/** The event of reaching a status. */
const REACHED: Readonly<Partial<Record<PurchaseStatus, string>>> = { authorized: 'purchase.authorized', settled: 'purchase.settled' };

function changed({ state, fact, emit }: Applying, { purchaseId, changes }: PurchaseChanged): void {
  const at = fact.businessAt;
  const before = purchaseIn(state, purchaseId);
  const isSettled = changes.status === 'settled' && before.settledAt === null;
  const after: PurchaseRecord = { ...before, ...changes, updatedAt: at, settledAt: isSettled ? at : before.settledAt };
  state.purchases.put(after);
  emit?.(purchaseEvent(state, 'purchase.changed', after, published(fieldChanges(shownPurchase(before), shownPurchase(after)))));
  if (isSettled) emit?.(purchaseEvent(state, 'purchase.settled', after));
}

function posted(applying: Applying, body: PurchasePosted): void {
  applyLedgerFact(applying, body);
  const { state, fact, emit } = applying;
  const effective = must(fact.effective, 'a fact of the ledger has an effective time');
  emit?.({
    ...purchaseEvent(state, 'purchase.applied', purchaseIn(state, body.purchaseId)),
    occurredAt: occurredAt(state, effective, fact),
  });
}

const purchaseIn = (state: LoanState, purchaseId: string): PurchaseRecord =>
  must(state.purchases.get(purchaseId), `the line has no purchase ${purchaseId}`);

const shownPurchase = (purchase: PurchaseRecord): Readonly<Record<string, unknown>> => ({
  status: purchase.status,
  amount: amount(purchase.amountCents),
  externalId: purchase.externalId,
  purchaseDetails: purchase.details,
  declineReason: purchase.declineReason,
  metadata: purchase.metaData,
});

const shownDispute = (dispute: PurchaseDispute): Readonly<Record<string, unknown>> => ({
  status: dispute.status,
  externalId: dispute.externalId,
  reason: dispute.reason,
  metadata: dispute.metaData,
  repostedPurchaseId: dispute.repostedPurchaseId,
});

/** Free text and external ids: events say that they changed, but not their values. */
const UNPUBLISHED: ReadonlySet<string> = new Set(['externalId', 'purchaseDetails', 'declineReason', 'reason', 'metadata']);

const published = (changes: readonly FieldChange[]): readonly FieldChange[] =>
  changes.map((change) => (UNPUBLISHED.has(change.field) ? { field: change.field, oldValue: null, newValue: null } : change));

/** Cancels the purchases of a canceled draw that only hold credit. */
export function cancelHeld(applying: Applying, drawId: string): void {
  const { draw } = must(
    applying.state.draws.find(({ id }) => id === drawId),
    `the line has no draw ${drawId}`,
  );
  const held = applying.state.purchases.held().filter((purchase) => purchase.draw === draw);
  for (const { id, status } of held)
    changed(applying, { purchaseId: id, changes: { status: statusAfter(status, 'cancel') }, caseId: null });
}

function disputeOpened({ state, fact, emit }: Applying, { dispute }: DisputeOpened): void {
  const at = fact.businessAt;
  const record: PurchaseDispute = {
    ...dispute,
    repostedPurchaseId: null,
    createdStamp: fact.stamp,
    createdAt: at,
    updatedAt: at,
    openedAt: at,
    submittedAt: dispute.status === 'submitted' ? at : null,
    expiredAt: null,
    wonAt: null,
    lostAt: null,
    canceledAt: null,
  };
  state.disputes = [...state.disputes, record];
  emit?.(disputeEvent(state, 'purchase.dispute.created', record));
}

const DISPUTE_TIMES: Readonly<Partial<Record<DisputeStatus, keyof PurchaseDispute>>> = {
  submitted: 'submittedAt',
  expired: 'expiredAt',
  won: 'wonAt',
  lost: 'lostAt',
  canceled: 'canceledAt',
};

function disputeChanged({ state, fact, emit }: Applying, { disputeId, changes }: DisputeChanged): void {
  const at = fact.businessAt;
  const before = must(
    state.disputes.find(({ id }) => id === disputeId),
    `the line has no dispute ${disputeId}`,
  );
  const reached = changes.status === undefined ? undefined : DISPUTE_TIMES[changes.status];
  const after: PurchaseDispute = { ...before, ...changes, updatedAt: at, ...(reached === undefined ? {} : { [reached]: at }) };
  state.disputes = state.disputes.map((dispute) => (dispute === before ? after : dispute));
  emit?.(disputeEvent(state, 'purchase.dispute.updated', after, published(fieldChanges(shownDispute(before), shownDispute(after)))));
}

/** A new purchase without the fields that follow from the fact's envelope. */
export type NewPurchase = Omit<PurchaseRecord, 'createdStamp' | 'createdAt' | 'updatedAt' | 'authorizedAt' | 'settledAt' | 'createdBy'> & {
  /** The amount of the authorization that it settles. */
  readonly authorizedBefore: number | null;
};

export interface PurchaseMade {
  readonly purchase: NewPurchase;
}

/** The fields that change, with their new values. If the status changes balances, a ledger fact follows. */
export interface PurchaseChanged {
  readonly purchaseId: string;
  readonly changes: Partial<
    Pick<
      PurchaseRecord,
      'status' | 'amountCents' | 'externalId' | 'details' | 'declineReason' | 'effective' | 'refundPayment' | 'refundTransactionId'
    >
  >;
  readonly caseId: string | null;
}

/** The ledger counts the purchase from its effective time. */
export interface PurchasePosted extends LedgerChanged {
  readonly purchaseId: string;
  readonly change: LedgerChange<Purchase>;
}

/** The ledger no longer counts it, as if it never had. */
export interface PurchaseUnposted extends LedgerChanged {
  readonly purchaseId: string;
  readonly change: LedgerChange<PurchaseVoided>;
}

type NewDispute = Pick<
  PurchaseDispute,
  'id' | 'purchase' | 'externalId' | 'caseId' | 'status' | 'disputedCents' | 'reason' | 'refundPurchaseId' | 'metaData'
>;

export interface DisputeOpened {
  readonly dispute: NewDispute;
}

export interface DisputeChanged {
  readonly disputeId: string;
  readonly changes: Partial<Pick<PurchaseDispute, 'status' | 'externalId' | 'reason' | 'metaData' | 'repostedPurchaseId'>>;
  readonly caseId: string | null;
}

/** Facts about purchases and disputes over them. */
export interface PurchaseFacts {
  readonly PurchaseMade: PurchaseMade;
  readonly PurchaseChanged: PurchaseChanged;
  readonly PurchasePosted: PurchasePosted;
  readonly PurchaseUnposted: PurchaseUnposted;
  readonly DisputeOpened: DisputeOpened;
  readonly DisputeChanged: DisputeChanged;
}

/** An event about a purchase. */
function purchaseEvent(state: LoanState, eventType: string, purchase: PurchaseRecord, changes: readonly FieldChange[] = []): EventDraft {
  const { id, kind, status, amountCents } = purchase;
  const drawId = drawIdOf(state, purchase);
  const data = { purchaseId: id, drawId, type: kind, amount: amount(amountCents), status, changes };
  return draft(state, { eventType, objectType: 'purchase', objectId: id, drawId, data });
}

function disputeEvent(state: LoanState, eventType: string, dispute: PurchaseDispute, changes: readonly FieldChange[] = []): EventDraft {
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
  return { ...event, ...namesOf(state, drawId) };
}
