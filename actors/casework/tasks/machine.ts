import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';

/**
 * The life of a task. `reserve` offers it to a worker, who accepts, rejects or lets the time pass; a task that a
 * worker has is canceled by a supervisor alone. A transition without a target leaves it as it is.
 */
export const taskMachine = setup({
  types: { events: {} as { readonly type: TaskMove } },
}).createMachine({
  id: 'task',
  initial: 'pending',
  states: {
    pending: { on: { reserve: 'reserved', transfer: STAYS, cancel: 'canceled', change: STAYS } },
    reserved: { on: { accept: 'assigned', release: 'pending', transfer: 'pending', cancel: 'canceled', change: STAYS } },
    assigned: { on: { wrap: 'wrapping', complete: 'completed', transfer: 'pending', withdraw: 'canceled', change: STAYS } },
    wrapping: { on: { complete: 'completed', withdraw: 'canceled', change: STAYS } },
    completed: { type: 'final' },
    canceled: { type: 'final' },
  },
});

export type TaskStatus = 'pending' | 'reserved' | 'assigned' | 'wrapping' | 'completed' | 'canceled';
export type TaskMove = 'reserve' | 'accept' | 'release' | 'wrap' | 'complete' | 'transfer' | 'cancel' | 'withdraw' | 'change';

export const TASK_CHART = new Chart<TaskStatus, TaskMove>(taskMachine);
