import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';
import type { LoanStatus } from '../machine.js';

/** What may be asked of a draw, in the words of its statechart. */
export type DrawMove =
  | 'originate'
  | 'decline'
  | 'reopen'
  | 'activate'
  | 'cancel'
  | 'close'
  | 'changeTerms'
  | 'forceTerms'
  | 'changeLimit'
  | 'changeRates'
  | 'promo'
  | 'amortize'
  | 'pay'
  | 'purchase'
  | 'manageFees'
  | 'update'
  | 'payOff'
  | 'owe'
  | 'followFreeze'
  | 'followAcceleration'
  | 'followChargeOff'
  | 'followReversal';

/**
 * The life of a draw: the statuses are those of loans. A draw is activated on its own; while its
 * line is frozen, accelerated or charged off so is the draw, and with the line it is canceled. Nobody orders these moves, nor
 * `payOff` and `owe`, which follow from the balance of a closed draw.
 */
export const drawMachine = setup({
  types: { events: {} as { readonly type: DrawMove } },
}).createMachine({
  id: 'draw',
  initial: 'pending',
  states: {
    pending: { on: { originate: 'originated', decline: 'declined', cancel: 'canceled', update: STAYS, changeTerms: STAYS } },
    originated: { on: { activate: 'active', cancel: 'canceled', reopen: 'pending', update: STAYS, forceTerms: STAYS } },
    declined: { on: { update: STAYS } },
    active: {
      on: {
        cancel: 'canceled',
        payOff: 'paidOff',
        followFreeze: 'frozen',
        followAcceleration: 'accelerated',
        followChargeOff: 'chargedOff',
        close: STAYS,
        purchase: STAYS,
        amortize: STAYS,
        changeLimit: STAYS,
        changeRates: STAYS,
        promo: STAYS,
        manageFees: STAYS,
        pay: STAYS,
        update: STAYS,
      },
    },
    frozen: { on: { followReversal: 'active', followChargeOff: 'chargedOff', update: STAYS } },
    accelerated: {
      on: { followReversal: 'active', followChargeOff: 'chargedOff', payOff: 'paidOff', manageFees: STAYS, pay: STAYS, update: STAYS },
    },
    chargedOff: { on: { followReversal: 'active', pay: STAYS, update: STAYS } },
    paidOff: { on: { owe: 'active', manageFees: STAYS, update: STAYS } },
    canceled: { type: 'final' },
  },
});

export const drawChart = new Chart<LoanStatus, DrawMove>(drawMachine);

export const mayMoveDraw = (status: LoanStatus, move: DrawMove): boolean => drawChart.allows(status, move);

export const drawStatusesFor = (move: DrawMove): readonly LoanStatus[] => drawChart.statesFor(move);
