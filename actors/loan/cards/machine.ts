import { setup } from 'xstate';
import { Chart, moves } from '../../statechart.js';

/** Every status of a card. `inactive` is another word for a card that was not activated yet. */
const CARD_STATUSES = ['inactive', 'unactivated', 'active', 'suspended', 'expired', 'terminated'] as const;

export type CardStatus = (typeof CARD_STATUSES)[number];

export type CardMove = 'activate' | 'suspend' | 'expire' | 'terminate';

export const cardMachine = setup({
  types: moves<CardMove>(),
}).createMachine({
  id: 'card',
  initial: 'unactivated',
  states: {
    inactive: { on: { activate: 'active', terminate: 'terminated' } },
    unactivated: { on: { activate: 'active', terminate: 'terminated' } },
    active: { on: { suspend: 'suspended', expire: 'expired', terminate: 'terminated' } },
    suspended: { on: { activate: 'active', terminate: 'terminated' } },
    expired: { on: { terminate: 'terminated' } },
    terminated: {},
  },
});

export const cardChart = new Chart<CardStatus, CardMove>(cardMachine);
