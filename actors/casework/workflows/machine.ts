import { setup } from 'xstate';
import { Chart, STAYS } from '../../statechart.js';

/** The life of a workflow: it follows its items, ends with its case, and goes on when the case is reopened. */
export const workflowMachine = setup({
  types: { events: {} as { readonly type: WorkflowMove } },
}).createMachine({
  id: 'workflow',
  initial: 'notStarted',
  states: {
    notStarted: { on: { work: 'inProgress', finish: 'completed', cancel: 'canceled' } },
    inProgress: { on: { work: STAYS, finish: 'completed', cancel: 'canceled' } },
    completed: { on: { work: 'inProgress', finish: STAYS } },
    canceled: { on: { resume: 'inProgress' } },
  },
});

export type WorkflowStatus = 'notStarted' | 'inProgress' | 'completed' | 'canceled';
/** `finish`: the last item that is needed is done. */
export type WorkflowMove = 'work' | 'finish' | 'cancel' | 'resume';

export const WORKFLOW_CHART = new Chart<WorkflowStatus, WorkflowMove>(workflowMachine);
