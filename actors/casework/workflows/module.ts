import { type ActorModule, actorModule, type CatalogRow } from '../../kernel/actor.js';
import { evolveWorkflow } from './facts.js';
import { workflowQueries } from './view.js';
import { newWorkflow, type WorkflowState } from './state.js';
import { workflowMachine } from './machine.js';

/** Workflows, each beside its case; what is done with one is done with its case. */
export const workflowModule: ActorModule = actorModule<WorkflowState>({
  definition: {
    kind: 'workflow',
    prefix: 'WF',
    initial: newWorkflow,
    evolve: evolveWorkflow,
    clone: (state) => ({ ...state }),
    row: rowOf,
    pack: (state) => state,
    unpack: (packed) => packed as WorkflowState,
    lifecycle: { machine: workflowMachine, at: ({ status }) => ({ value: status }) },
  },
  commands: [],
  queries: workflowQueries,
});

function rowOf({ id, caseId, createdStamp, updatedStamp, status, workflowTypeId }: WorkflowState): CatalogRow | null {
  return createdStamp === 0
    ? null
    : { id, externalId: null, createdStamp, updatedStamp, parentId: caseId, fields: { status, workflowTypeId } };
}
