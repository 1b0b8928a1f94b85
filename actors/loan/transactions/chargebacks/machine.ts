import { setup } from 'xstate';
import { assert } from '../../../../engine/index.js';
import { Chart, STAYS } from '../../../statechart.js';

/** Every status of a chargeback, with the moment before its first one. */
const CHARGEBACK_STATUSES = ['new', 'open', 'won', 'lost', 'reversed'] as const;

export type ChargebackStatus = Exclude<(typeof CHARGEBACK_STATUSES)[number], 'new'>;

/**
 * The life of a chargeback: while it is open the payment is in dispute and still counts; once it is lost the money is gone
 * from the ledger, until the bank gives it back after all.
 */
export const chargebackMachine = setup({
  types: { events: {} as { readonly type: ChargebackMove } },
}).createMachine({
  id: 'chargeback',
  initial: 'new',
  states: {
    new: { on: { open: 'open', lose: 'lost' } },
    open: { on: { win: 'won', lose: 'lost', amend: STAYS, describe: STAYS } },
    won: { on: { describe: STAYS } },
    lost: { on: { reverse: 'reversed', describe: STAYS } },
    reversed: { on: { describe: STAYS } },
  },
});

export type ChargebackMove = 'open' | 'win' | 'lose' | 'reverse' | 'amend' | 'describe';

export const chargebackChart = new Chart<ChargebackStatus | 'new', ChargebackMove>(chargebackMachine);

/** Undefined when the status does not allow the move. */
export const targetOf = (from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus | 'new' | undefined =>
  chargebackChart.target(from, move);

export function statusAfter(from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus {
  const target = chargebackChart.after(from, move);
  assert(target !== 'new', 'a chargeback begins with a move');
  return target;
}

/** The move that leads from one status to another; undefined when none does. */
export const chargebackMoveBetween = (from: ChargebackStatus | 'new', to: ChargebackStatus): ChargebackMove | undefined =>
  chargebackChart.moveBetween(from, to);
