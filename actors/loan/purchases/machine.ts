import { setup } from 'xstate';
import { assert, cents, type Cents, least, ZERO } from '../../../engine/index.js';
import type { FactDraft } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';
import type { LoanState } from '../state.js';
import type { NewPurchase, PurchaseChanged, PurchaseMade } from './evolve.js';
import { nextPurchaseNumber, type PurchaseDispute, type PurchaseRecord, raisesBalance } from './posting.js';
import type { Purchases } from './purchases.js';

/** Every status of a purchase; `new` is before the first one. */
export const PURCHASE_STATUSES = ['new', 'authorized', 'pending', 'settled', 'disputed', 'canceled', 'declined'] as const;

export type PurchaseStatus = Exclude<(typeof PURCHASE_STATUSES)[number], 'new'>;

/**
 * The statuses of a purchase. An authorized or pending purchase holds credit, and its amount can change. Once it is settled, the ledger
 * counts it; canceling voids it. Only disputes lead to `disputed` and back.
 */
export const purchaseMachine = setup({
  types: moves<PurchaseMove>(),
}).createMachine({
  id: 'purchase',
  initial: 'new',
  states: {
    new: { on: { authorize: 'authorized', post: 'pending', settle: 'settled', decline: 'declined' } },
    authorized: { on: { post: 'pending', settle: 'settled', cancel: 'canceled', decline: 'declined', amend: STAYS, describe: STAYS } },
    pending: { on: { settle: 'settled', cancel: 'canceled', decline: 'declined', amend: STAYS, describe: STAYS } },
    settled: { on: { cancel: 'canceled', dispute: 'disputed', describe: STAYS } },
    disputed: { on: { resolve: 'settled', dispute: STAYS, describe: STAYS } },
    canceled: { on: { describe: STAYS } },
    declined: { on: { describe: STAYS } },
  },
});

export type PurchaseMove = 'authorize' | 'post' | 'settle' | 'cancel' | 'decline' | 'dispute' | 'resolve' | 'amend' | 'describe';

/** Moves that a caller makes by naming the new status. */
const ORDERED: readonly PurchaseMove[] = ['authorize', 'post', 'settle', 'cancel', 'decline'];

export const purchaseChart = new Chart<PurchaseStatus | 'new', PurchaseMove>(purchaseMachine);

/** The status after a move; undefined if the status does not allow it. */
export const targetOf = (from: PurchaseStatus | 'new', move: PurchaseMove): PurchaseStatus | 'new' | undefined =>
  purchaseChart.target(from, move);

export function statusAfter(from: PurchaseStatus | 'new', move: PurchaseMove): PurchaseStatus {
  const target = purchaseChart.after(from, move);
  assert(target !== 'new', 'a purchase begins with a move');
  return target;
}

export const mayMove = (from: PurchaseStatus, move: PurchaseMove): boolean => purchaseChart.allows(from, move);

/** The statuses that allow a move, in the order of a purchase's life. */
export const statusesFor = (move: PurchaseMove): readonly PurchaseStatus[] =>
  purchaseChart.statesFor(move).filter((status) => status !== 'new');

/** The move by which a caller changes one status to another; undefined if there is none. */
export const orderedMoveBetween = (from: PurchaseStatus | 'new', to: PurchaseStatus): PurchaseMove | undefined =>
  ORDERED.find((move) => targetOf(from, move) === to);

/** Statuses in which a purchase holds credit, and those in which the ledger counts it. */
export const isHeld = (status: PurchaseStatus): boolean => status === 'authorized' || status === 'pending';
export const isCounted = (status: PurchaseStatus): boolean => status === 'settled' || status === 'disputed';

/** Every status of a purchase dispute; `new` is before the first one. */
export const DISPUTE_STATUSES = ['new', 'open', 'submitted', 'won', 'lost', 'expired', 'canceled'] as const;

export type DisputeStatus = Exclude<(typeof DISPUTE_STATUSES)[number], 'new'>;

/** The statuses of a dispute. Once it is submitted to the network, it is decided there and cannot be withdrawn. */
export const disputeMachine = setup({
  types: moves<DisputeMove>(),
}).createMachine({
  id: 'dispute',
  initial: 'new',
  states: {
    new: { on: { open: 'open', submit: 'submitted' } },
    open: { on: { submit: 'submitted', expire: 'expired', cancel: 'canceled', describe: STAYS } },
    submitted: { on: { win: 'won', lose: 'lost', expire: 'expired', describe: STAYS } },
    won: { on: { describe: STAYS } },
    lost: { on: { describe: STAYS } },
    expired: { on: { describe: STAYS } },
    canceled: { on: { describe: STAYS } },
  },
});

export type DisputeMove = 'open' | 'submit' | 'win' | 'lose' | 'expire' | 'cancel' | 'describe';

export const disputeChart = new Chart<DisputeStatus | 'new', DisputeMove>(disputeMachine);

/** The status after a move; undefined if the status does not allow it. */
export const disputeTargetOf = (from: DisputeStatus | 'new', move: DisputeMove): DisputeStatus | 'new' | undefined =>
  disputeChart.target(from, move);

export function disputeStatusAfter(from: DisputeStatus | 'new', move: DisputeMove): DisputeStatus {
  const target = disputeChart.after(from, move);
  assert(target !== 'new', 'a dispute begins with a move');
  return target;
}

/** The move that leads from one status to another; undefined if there is none. */
export const disputeMoveBetween = (from: DisputeStatus | 'new', to: DisputeStatus): DisputeMove | undefined =>
  disputeChart.moveBetween(from, to);

/** Whether it is still to be decided. */
export const isUndecided = (status: DisputeStatus): boolean => status === 'open' || status === 'submitted';

/** Whether the provisional refund is in force: it was not decided against the borrower. */
export const isRefundKept = (status: DisputeStatus): boolean => isUndecided(status) || status === 'won';

interface Known {
  readonly purchases: Pick<Purchases, 'refundsOf'>;
  readonly disputes: readonly PurchaseDispute[];
}

/** The part of a purchase that can be disputed: its amount minus open and won disputes and the merchant's refunds; zero unless settled. */
export function eligibleDisputeCents({ purchases, disputes }: Known, purchase: PurchaseRecord): Cents {
  if (!isCounted(purchase.status) || !raisesBalance(purchase.kind) || isReposted(disputes, purchase)) return ZERO;
  let eligible: number = purchase.amountCents;
  for (const dispute of disputes) {
    if (dispute.purchase === purchase.purchase && isRefundKept(dispute.status)) eligible -= dispute.disputedCents;
  }
  return least(cents(Math.max(0, eligible)), refundableCents({ purchases, disputes }, purchase));
}

/**
 * The part of a purchase that can still be refunded: its amount minus refunds that are made or on their way. The refund of a dispute that
 * was not won is re-posted and does not count. `but` is a refund whose amount changes: it does not count.
 */
export function refundableCents({ purchases, disputes }: Known, purchase: PurchaseRecord, but?: string): Cents {
  if (isReposted(disputes, purchase)) return ZERO;
  let refundable: number = purchase.amountCents;
  for (const { id, status, amountCents } of purchases.refundsOf(purchase.id)) {
    if (id === but || disputes.some(({ refundPurchaseId, status: of }) => refundPurchaseId === id && !isRefundKept(of))) continue;
    if (isHeld(status) || isCounted(status)) refundable -= amountCents;
  }
  return cents(Math.max(0, refundable));
}

/** A purchase is disputed while a dispute over it is undecided, or if one was won. */
export const isDisputed = ({ disputes }: Pick<Known, 'disputes'>, { purchase }: Pick<PurchaseRecord, 'purchase'>): boolean =>
  disputes.some((dispute) => dispute.purchase === purchase && isRefundKept(dispute.status));

/** Whether a dispute re-posted the amount by this purchase. Only the original purchase can be disputed again and refunded. */
const isReposted = (disputes: readonly PurchaseDispute[], { id }: Pick<PurchaseRecord, 'id'>): boolean =>
  disputes.some(({ repostedPurchaseId }) => repostedPurchaseId === id);

type Required = 'id' | 'draw' | 'kind' | 'status' | 'amountCents' | 'made';

/** A new purchase; absent fields are null. */
export function newPurchase(state: LoanState, said: Pick<NewPurchase, Required> & Partial<NewPurchase>): NewPurchase {
  return {
    purchase: nextPurchaseNumber(state),
    originalCents: said.amountCents,
    effective: said.made,
    externalId: null,
    authorizationPurchaseId: null,
    originalPurchaseId: null,
    details: null,
    declineReason: null,
    originalDrawId: null,
    refundPayment: null,
    refundTransactionId: null,
    metaData: null,
    caseId: null,
    authorizedBefore: null,
    ...said,
  };
}

export const madeDraft = (purchase: NewPurchase): FactDraft => ({ type: 'PurchaseMade', body: { purchase } satisfies PurchaseMade });

export const changedDraft = (purchaseId: string, changes: PurchaseChanged['changes'], caseId: string | null): FactDraft => ({
  type: 'PurchaseChanged',
  body: { purchaseId, changes, caseId } satisfies PurchaseChanged,
});

export const statusDraft = (purchaseId: string, status: PurchaseStatus, caseId: string | null): FactDraft =>
  changedDraft(purchaseId, { status }, caseId);
