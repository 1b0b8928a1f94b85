import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

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
    authorized: { on: { post: 'pending', settle: 'settled', cancel: 'canceled', decline: 'declined', amend: {}, describe: {} } },
    pending: { on: { settle: 'settled', cancel: 'canceled', decline: 'declined', amend: {}, describe: {} } },
    settled: { on: { cancel: 'canceled', dispute: 'disputed', describe: {} } },
    disputed: { on: { resolve: 'settled', dispute: {}, describe: {} } },
    canceled: { on: { describe: {} } },
    declined: { on: { describe: {} } },
  },
});

export type PurchaseMove = 'authorize' | 'post' | 'settle' | 'cancel' | 'decline' | 'dispute' | 'resolve' | 'amend' | 'describe';

/** What a caller orders by naming the status that it leads to. */
const ORDERED: readonly PurchaseMove[] = ['authorize', 'post', 'settle', 'cancel', 'decline'];

/** The transitions of each status, taken from the statechart once. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, PurchaseStatus | null>> = new Map(
  Object.entries(purchaseMachine.states).map(([status, node]) => [
    status,
    new Map(
      Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as PurchaseStatus | null]),
    ),
  ]),
);

/** Undefined when the status does not allow the move. */
export function targetOf(from: PurchaseStatus | 'new', move: PurchaseMove): PurchaseStatus | 'new' | undefined {
  const target = TRANSITIONS.get(from)?.get(move);
  return target === null ? from : target;
}

export function statusAfter(from: PurchaseStatus | 'new', move: PurchaseMove): PurchaseStatus {
  const target = targetOf(from, move);
  assert(target !== undefined && target !== 'new', `a ${from} purchase cannot ${move}`);
  return target;
}

export const mayMove = (from: PurchaseStatus, move: PurchaseMove): boolean => targetOf(from, move) !== undefined;

/** The statuses in which a move is legal, in the order of life. */
export const statusesFor = (move: PurchaseMove): readonly PurchaseStatus[] =>
  PURCHASE_STATUSES.filter((status): status is PurchaseStatus => status !== 'new' && mayMove(status, move));

/** The move by which a caller leads a purchase from one status to another; undefined when none does. */
export const orderedMoveBetween = (from: PurchaseStatus | 'new', to: PurchaseStatus): PurchaseMove | undefined =>
  ORDERED.find((move) => targetOf(from, move) === to);

/** Statuses in which a purchase holds credit, and those in which the ledger counts it. */
export const isHeld = (status: PurchaseStatus): boolean => status === 'authorized' || status === 'pending';
export const isCounted = (status: PurchaseStatus): boolean => status === 'settled' || status === 'disputed';
