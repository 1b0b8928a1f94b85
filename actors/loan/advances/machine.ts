import { setup } from 'xstate';

const ADVANCE_STATUSES = ['scheduled', 'pending', 'settled', 'canceled'] as const;
export type AdvanceStatus = (typeof ADVANCE_STATUSES)[number];
export type AdvanceMove = 'post' | 'settle' | 'cancel' | 'change';

/** The life of an advance. A scheduled one whose status has not moved by its day is canceled the day after. */
export const advanceMachine = setup({
  types: { events: {} as { readonly type: AdvanceMove } },
}).createMachine({
  id: 'advance',
  initial: 'scheduled',
  states: {
    scheduled: { on: { post: 'pending', settle: 'settled', cancel: 'canceled', change: {} } },
    pending: { on: { settle: 'settled', cancel: 'canceled', change: {} } },
    settled: { on: { cancel: 'canceled' } },
    canceled: { type: 'final' },
  },
});

const MOVES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(advanceMachine.states).map(([status, node]) => [status, new Set(Object.keys(node.on))]),
);

export const mayMove = (status: AdvanceStatus, move: AdvanceMove): boolean => MOVES.get(status)?.has(move) === true;

/** The move that brings a status. */
export const MOVE_TO: Readonly<Partial<Record<AdvanceStatus, AdvanceMove>>> = { pending: 'post', settled: 'settle', canceled: 'cancel' };
