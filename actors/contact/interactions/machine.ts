import { setup } from 'xstate';
import type { InteractionStatus } from '../../../engine/index.js';
import { Chart } from '../../statechart.js';

/**
 * The life of an interaction (communications 4.3). Who may make which move is the table `STATUS_MOVES` of the engine.
 * One begins in any of them: it is recorded as it stands.
 */
export const interactionMachine = setup({
  types: { events: {} as { readonly type: InteractionMove } },
}).createMachine({
  id: 'interaction',
  initial: 'attempted',
  states: {
    scheduled: { on: { attempt: 'attempted', cancel: 'canceled', fail: 'failed' } },
    inProgress: { on: { succeed: 'succeeded', attempt: 'attempted', fail: 'failed' } },
    attempted: { on: { succeed: 'succeeded', fail: 'failed' } },
    succeeded: { on: { fail: 'failed' } },
    failed: { on: { attempt: 'attempted', succeed: 'succeeded' } },
    canceled: { type: 'final' },
  },
});

export type InteractionMove = 'attempt' | 'succeed' | 'fail' | 'cancel';

/** The move that leads to a status. */
export const MOVE_TO: Readonly<Partial<Record<InteractionStatus, InteractionMove>>> = {
  attempted: 'attempt',
  succeeded: 'succeed',
  failed: 'fail',
  canceled: 'cancel',
};

export const INTERACTION_CHART = new Chart<InteractionStatus, InteractionMove>(interactionMachine);
