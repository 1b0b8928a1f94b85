import { setup } from 'xstate';
import { Chart, STAYS, moves } from '../statechart.js';

/**
 * The lifecycle of a borrower. A transition without a target is allowed in that state and does not change it. A deleted
 * borrower is kept, but requests cannot reach it. Erasing destroys the key of its personal data and is final.
 */
export const personMachine = setup({
  types: moves<PersonMove>(),
}).createMachine({
  id: 'person',
  initial: 'active',
  states: {
    active: { on: { deactivate: 'inactive', update: STAYS, delete: 'deleted', erase: 'erased' } },
    inactive: { on: { activate: 'active', update: STAYS, delete: 'deleted', erase: 'erased' } },
    deleted: { on: { erase: 'erased' } },
    erased: { type: 'final' },
  },
});

export type PersonStatus = 'active' | 'inactive' | 'deleted' | 'erased';
export type PersonMove = 'activate' | 'deactivate' | 'update' | 'delete' | 'erase';

/**
 * The lifecycle of a payment instrument. `pending` waits for its verification; only `active` can be
 * charged; `inactive` has a reason. An external instrument is never verified: the caller sets its status.
 */
export const instrumentMachine = setup({
  types: moves<InstrumentMove>(),
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
        sendDeposits: STAYS,
        update: STAYS,
        delete: 'deleted',
      },
    },
    active: {
      on: {
        setPending: 'pending',
        deactivate: 'inactive',
        vouch: STAYS,
        update: STAYS,
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
        update: STAYS,
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

export const personChart = new Chart<PersonStatus, PersonMove>(personMachine);
export const instrumentChart = new Chart<InstrumentStatus, InstrumentMove>(instrumentMachine);

export const mayMovePerson = (status: PersonStatus, move: PersonMove): boolean => personChart.allows(status, move);

export const mayMoveInstrument = (status: InstrumentStatus, move: InstrumentMove): boolean => instrumentChart.allows(status, move);
