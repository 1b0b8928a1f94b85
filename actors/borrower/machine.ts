import { setup } from 'xstate';

/**
 * The life of a borrower. A transition without a target is something that may be done in that
 * state and leaves it as it is. A deleted borrower is kept but cannot be reached; erasing destroys the key of
 * its personal data and is final.
 */
export const personMachine = setup({
  types: { events: {} as { readonly type: PersonMove } },
}).createMachine({
  id: 'person',
  initial: 'active',
  states: {
    active: { on: { deactivate: 'inactive', update: {}, delete: 'deleted', erase: 'erased' } },
    inactive: { on: { activate: 'active', update: {}, delete: 'deleted', erase: 'erased' } },
    deleted: { on: { erase: 'erased' } },
    erased: { type: 'final' },
  },
});

export type PersonStatus = 'active' | 'inactive' | 'deleted' | 'erased';
export type PersonMove = 'activate' | 'deactivate' | 'update' | 'delete' | 'erase';

/**
 * The life of a payment instrument. `pending` waits for its verification; only `active` can be
 * charged; `inactive` says why. An external instrument is never verified: its caller sets its status.
 */
export const instrumentMachine = setup({
  types: { events: {} as { readonly type: InstrumentMove } },
}).createMachine({
  id: 'paymentInstrument',
  initial: 'pending',
  states: {
    pending: {
      on: {
        verify: 'active',
        vouch: 'active',
        setActive: 'active',
        exhaust: 'inactive',
        deactivate: 'inactive',
        sendDeposits: {},
        update: {},
        delete: 'deleted',
      },
    },
    active: {
      on: {
        setPending: 'pending',
        deactivate: 'inactive',
        vouch: {},
        update: {},
        delete: 'deleted',
      },
    },
    inactive: {
      on: {
        vouch: 'active',
        reactivate: 'active',
        setActive: 'active',
        sendDeposits: 'pending',
        setPending: 'pending',
        update: {},
        delete: 'deleted',
      },
    },
    deleted: { type: 'final' },
  },
});

export type InstrumentStatus = 'pending' | 'active' | 'inactive';
export type InstrumentMove =
  | 'verify'
  | 'vouch'
  | 'sendDeposits'
  | 'exhaust'
  | 'deactivate'
  | 'reactivate'
  | 'setPending'
  | 'setActive'
  | 'update'
  | 'delete';

type Moves = ReadonlyMap<string, ReadonlySet<string>>;

/** The moves of each state, taken from the statecharts once: asking costs a set look-up. */
const movesOf = (machine: { readonly states: Readonly<Record<string, { readonly on: object }>> }): Moves =>
  new Map(Object.entries(machine.states).map(([state, { on }]) => [state, new Set(Object.keys(on))]));

const PERSON_MOVES = movesOf(personMachine);
const INSTRUMENT_MOVES = movesOf(instrumentMachine);

export const mayMovePerson = (status: PersonStatus, move: PersonMove): boolean => PERSON_MOVES.get(status)?.has(move) ?? false;

export const mayMoveInstrument = (status: InstrumentStatus, move: InstrumentMove): boolean =>
  INSTRUMENT_MOVES.get(status)?.has(move) ?? false;
