import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';

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
    pending: { on: { activate: 'active', cancel: 'canceled', expire: 'expired', change: STAYS } },
    active: { on: { exercise: 'exercised', expire: 'expired', cancel: 'canceled', weigh: STAYS, change: STAYS } },
    exercised: { on: { withdraw: 'active', weigh: STAYS } },
    canceled: { on: { reactivate: 'active' } },
    expired: { on: { exercise: 'exercised', weigh: STAYS } },
  },
});

/** What may happen to a program, in the words of the statechart. */
export type PromoMove = 'activate' | 'exercise' | 'expire' | 'cancel' | 'reactivate' | 'weigh' | 'withdraw' | 'change';

export const promoChart = new Chart<PromoStatus, PromoMove>(promoMachine);

export const mayMove = (status: PromoStatus, move: PromoMove): boolean => promoChart.allows(status, move);

/** The status after a move that the status allows. */
export const statusAfter = (status: PromoStatus, move: PromoMove): PromoStatus => promoChart.after(status, move);

export const statusesFor = (move: PromoMove): readonly PromoStatus[] => promoChart.statesFor(move);
