import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';
import { Chart, STAYS } from '../../statechart.js';

/** Every status of a purchase, with the moment before its first one. */
export const PURCHASE_STATUSES = ['new', 'authorized', 'pending', 'settled', 'disputed', 'canceled', 'declined'] as const;

export type PurchaseStatus = Exclude<(typeof PURCHASE_STATUSES)[number], 'new'>;

/**
 * The life of a purchase. An authorized or pending one holds credit and may have another amount; once it is settled the
 * ledger counts it, and canceling takes it out again. Disputes alone lead to `disputed` and back.
 */
export const purchaseMachine = setup({
  types: { events: {} as { readonly type: PurchaseMove } },
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

/** What a caller orders by naming the status that it leads to. */
const ORDERED: readonly PurchaseMove[] = ['authorize', 'post', 'settle', 'cancel', 'decline'];

export const purchaseChart = new Chart<PurchaseStatus | 'new', PurchaseMove>(purchaseMachine);

/** Undefined when the status does not allow the move. */
export const targetOf = (from: PurchaseStatus | 'new', move: PurchaseMove): PurchaseStatus | 'new' | undefined =>
  purchaseChart.target(from, move);

export function statusAfter(from: PurchaseStatus | 'new', move: PurchaseMove): PurchaseStatus {
  const target = purchaseChart.after(from, move);
  assert(target !== 'new', 'a purchase begins with a move');
  return target;
}

export const mayMove = (from: PurchaseStatus, move: PurchaseMove): boolean => purchaseChart.allows(from, move);

/** The statuses in which a move is legal, in the order of life. */
export const statusesFor = (move: PurchaseMove): readonly PurchaseStatus[] =>
  purchaseChart.statesFor(move).filter((status) => status !== 'new');

/** The move by which a caller leads a purchase from one status to another; undefined when none does. */
export const orderedMoveBetween = (from: PurchaseStatus | 'new', to: PurchaseStatus): PurchaseMove | undefined =>
  ORDERED.find((move) => targetOf(from, move) === to);

/** Statuses in which a purchase holds credit, and those in which the ledger counts it. */
export const isHeld = (status: PurchaseStatus): boolean => status === 'authorized' || status === 'pending';
export const isCounted = (status: PurchaseStatus): boolean => status === 'settled' || status === 'disputed';
