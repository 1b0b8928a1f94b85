import { setup } from 'xstate';
import { LOAN_STATUSES, type LoanStatus } from '../machine.js';

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
    pending: { on: { originate: 'originated', decline: 'declined', cancel: 'canceled', update: {}, changeTerms: {} } },
    originated: { on: { activate: 'active', cancel: 'canceled', reopen: 'pending', update: {}, forceTerms: {} } },
    declined: { on: { update: {} } },
    active: {
      on: {
        cancel: 'canceled',
        payOff: 'paidOff',
        followFreeze: 'frozen',
        followAcceleration: 'accelerated',
        followChargeOff: 'chargedOff',
        close: {},
        purchase: {},
        amortize: {},
        changeLimit: {},
        changeRates: {},
        promo: {},
        manageFees: {},
        pay: {},
        update: {},
      },
    },
    frozen: { on: { followReversal: 'active', followChargeOff: 'chargedOff', update: {} } },
    accelerated: {
      on: { followReversal: 'active', followChargeOff: 'chargedOff', payOff: 'paidOff', manageFees: {}, pay: {}, update: {} },
    },
    chargedOff: { on: { followReversal: 'active', pay: {}, update: {} } },
    paidOff: { on: { owe: 'active', manageFees: {}, update: {} } },
    canceled: { type: 'final' },
  },
});

const MOVES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(drawMachine.states).map(([status, node]) => [status, new Set(Object.keys(node.on))]),
);

export const mayMoveDraw = (status: LoanStatus, move: DrawMove): boolean => MOVES.get(status)?.has(move) === true;

export const drawStatusesFor = (move: DrawMove): readonly LoanStatus[] => LOAN_STATUSES.filter((status) => mayMoveDraw(status, move));
