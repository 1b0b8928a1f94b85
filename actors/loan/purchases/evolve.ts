import { must } from '../../../engine/index.js';
import { applyLedgerFact } from '../ledger/evolve.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import { disputeEvent, purchaseEvent } from './events.js';
import type { DisputeChanged, DisputeOpened, PurchaseChanged, PurchaseFacts, PurchaseMade, PurchasePosted } from './facts.js';
import { isHeld } from './machine.js';
import type { DisputeStatus, PurchaseDispute, PurchaseRecord, PurchaseStatus } from './purchase.js';

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
  state.purchases = [...state.purchases, record];
  emit?.(purchaseEvent(state, 'purchase.created', record));
  const eventType = REACHED[record.status];
  if (eventType !== undefined) emit?.(purchaseEvent(state, eventType, record));
}

/** What reaching a status tells. */
const REACHED: Readonly<Partial<Record<PurchaseStatus, string>>> = { authorized: 'purchase.authorized', settled: 'purchase.settled' };

function changed({ state, fact, emit }: Applying, { purchaseId, changes }: PurchaseChanged): void {
  const at = fact.businessAt;
  const before = purchaseIn(state, purchaseId);
  const isSettled = changes.status === 'settled' && before.settledAt === null;
  const after: PurchaseRecord = { ...before, ...changes, updatedAt: at, settledAt: isSettled ? at : before.settledAt };
  state.purchases = state.purchases.map((purchase) => (purchase === before ? after : purchase));
  emit?.(purchaseEvent(state, 'purchase.changed', after, shown(changes)));
  if (isSettled) emit?.(purchaseEvent(state, 'purchase.settled', after));
}

function posted(applying: Applying, body: PurchasePosted): void {
  applyLedgerFact(applying, body);
  const { state, emit } = applying;
  emit?.(purchaseEvent(state, 'purchase.applied', purchaseIn(state, body.purchaseId)));
}

const purchaseIn = (state: LoanState, purchaseId: string): PurchaseRecord =>
  must(state.purchases.find(({ id }) => id === purchaseId), `the line has no purchase ${purchaseId}`);

/** The contract's names of what changed; those that only the ledger knows are left out. */
const FIELDS: Readonly<Record<string, string>> = {
  status: 'status',
  amountCents: 'amount',
  externalId: 'externalId',
  details: 'purchaseDetails',
  declineReason: 'declineReason',
  reason: 'reason',
  metaData: 'metadata',
  repostedPurchaseId: 'repostedPurchaseId',
};

const shown = (changes: object): readonly string[] => Object.keys(changes).flatMap((field) => FIELDS[field] ?? []);

/** Nothing comes of what was only authorized on a draw that is no more. */
export function cancelHeld(applying: Applying, drawId: string): void {
  const { draw } = must(applying.state.draws.find(({ id }) => id === drawId), `the line has no draw ${drawId}`);
  const held = applying.state.purchases.filter((purchase) => purchase.draw === draw && isHeld(purchase.status));
  for (const { id } of held) changed(applying, { purchaseId: id, changes: { status: 'canceled' }, caseId: null });
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
  const before = must(state.disputes.find(({ id }) => id === disputeId), `the line has no dispute ${disputeId}`);
  const reached = changes.status === undefined ? undefined : DISPUTE_TIMES[changes.status];
  const after: PurchaseDispute = { ...before, ...changes, updatedAt: at, ...(reached === undefined ? {} : { [reached]: at }) };
  state.disputes = state.disputes.map((dispute) => (dispute === before ? after : dispute));
  emit?.(disputeEvent(state, 'purchase.dispute.updated', after, shown(changes)));
}
