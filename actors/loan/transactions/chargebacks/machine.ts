import { setup } from 'xstate';
import { assert } from '../../../../engine/index.js';

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
    open: { on: { win: 'won', lose: 'lost', amend: {}, describe: {} } },
    won: { on: { describe: {} } },
    lost: { on: { reverse: 'reversed', describe: {} } },
    reversed: { on: { describe: {} } },
  },
});

export type ChargebackMove = 'open' | 'win' | 'lose' | 'reverse' | 'amend' | 'describe';

const MOVES: readonly ChargebackMove[] = ['open', 'win', 'lose', 'reverse'];

/** The transitions of each status, taken from the statechart once. */
const TRANSITIONS: ReadonlyMap<string, ReadonlyMap<string, ChargebackStatus | null>> = new Map(
  Object.entries(chargebackMachine.states).map(([status, node]) => [
    status,
    new Map(
      Object.entries(node.on).map(([move, transitions]) => [move, (transitions[0]?.target?.[0]?.key ?? null) as ChargebackStatus | null]),
    ),
  ]),
);

/** Undefined when the status does not allow the move. */
export function targetOf(from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus | 'new' | undefined {
  const target = TRANSITIONS.get(from)?.get(move);
  return target === null ? from : target;
}

export function statusAfter(from: ChargebackStatus | 'new', move: ChargebackMove): ChargebackStatus {
  const target = targetOf(from, move);
  assert(target !== undefined && target !== 'new', `a ${from} chargeback cannot ${move}`);
  return target;
}

/** The move that leads from one status to another; undefined when none does. */
export const chargebackMoveBetween = (from: ChargebackStatus | 'new', to: ChargebackStatus): ChargebackMove | undefined =>
  MOVES.find((move) => targetOf(from, move) === to);
