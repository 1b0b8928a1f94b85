import { setup } from 'xstate';
import { assert } from '../../../engine/index.js';

/** Every status of a promo program. */
const PROMO_STATUSES = ['pending', 'active', 'exercised', 'canceled', 'expired'] as const;

export type PromoStatus = (typeof PROMO_STATUSES)[number];

/**
 * The life of a promo program. It is exercised when it is earned and expires when its time is over, both by themselves; money
 * that is recorded late, or comes back, may change that. `weigh` notes money that has not. A transition without a target leaves it as it
 * is.
 */
export const promoMachine = setup({
  types: { events: {} as { readonly type: PromoMove } },
}).createMachine({
  id: 'promoProgram',
  initial: 'pending',
  states: {
    pending: { on: { activate: 'active', cancel: 'canceled', expire: 'expired', change: {} } },
    active: { on: { exercise: 'exercised', expire: 'expired', cancel: 'canceled', weigh: {}, change: {} } },
    exercised: { on: { withdraw: 'active', weigh: {} } },
    canceled: { on: { reactivate: 'active' } },
    expired: { on: { exercise: 'exercised', weigh: {} } },
  },
});

/** What may happen to a program, in the words of the statechart. */
export type PromoMove = 'activate' | 'exercise' | 'expire' | 'cancel' | 'reactivate' | 'weigh' | 'withdraw' | 'change';

/** The transitions of each status, taken from the statechart once. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, PromoStatus | null>> = new Map(
  Object.entries(promoMachine.states).map(([status, node]) => [
    status,
    new Map(Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as PromoStatus | null])),
  ]),
);

export const mayMove = (status: PromoStatus, move: PromoMove): boolean => TRANSITIONS.get(status)?.has(move) ?? false;

/** The status after a move that the status allows. */
export function statusAfter(status: PromoStatus, move: PromoMove): PromoStatus {
  const target = TRANSITIONS.get(status)?.get(move);
  assert(target !== undefined, `a promo program that is ${status} cannot ${move}`);
  return target ?? status;
}

export const statusesFor = (move: PromoMove): readonly PromoStatus[] => PROMO_STATUSES.filter((status) => mayMove(status, move));
