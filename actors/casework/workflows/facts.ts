import { must } from '../../../engine/index.js';
import type { Fact } from '../../kernel/fact.js';
import { WORKFLOW_CHART, type WorkflowMove } from './machine.js';
import type { ItemStatus, WorkflowItem, WorkflowState, WorkflowStep } from './state.js';

/** What happens to a workflow. */
export interface WorkflowFacts {
  readonly WorkflowCreated: Pick<WorkflowState, 'caseId' | 'personId' | 'workflowTypeId' | 'version'> & {
    readonly steps: readonly {
      readonly id: string;
      readonly stepTypeId: string;
      readonly items: readonly Pick<WorkflowItem, 'id' | 'itemTypeId'>[];
    }[];
  };
  /** `move` says whether anything that is needed is still to be done. */
  readonly WorkflowItemMoved: {
    readonly itemId: string;
    readonly status: ItemStatus;
    readonly value: WorkflowItem['value'];
    readonly move: 'work' | 'finish';
  };
  readonly WorkflowCanceled: Readonly<Record<string, never>>;
  readonly WorkflowResumed: Readonly<Record<string, never>>;
}

type Apply = { [Type in keyof WorkflowFacts]: (state: WorkflowState, body: WorkflowFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  WorkflowCreated(state, { steps, ...fields }, fact) {
    Object.assign(state, fields);
    state.steps = steps.map(
      ({ items, ...step }): WorkflowStep => ({
        ...step,
        items: items.map((item) => ({ ...item, status: 'pending', value: null, completedAt: null, completedBy: null })),
      }),
    );
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  WorkflowItemMoved(state, { itemId, status, value, move }, fact) {
    const done = status === 'pending' ? { completedAt: null, completedBy: null } : { completedAt: fact.businessAt, completedBy: fact.by };
    state.steps = state.steps.map((step) => ({
      ...step,
      items: step.items.map((item) => (item.id === itemId ? { ...item, status, value, ...done } : item)),
    }));
    moved(state, move, fact);
    state.startedAt ??= fact.businessAt;
  },
  WorkflowCanceled: (state, _body, fact) => moved(state, 'cancel', fact),
  WorkflowResumed: (state, _body, fact) => moved(state, 'resume', fact),
};

function moved(state: WorkflowState, move: WorkflowMove, fact: Fact): void {
  state.status = WORKFLOW_CHART.after(state.status, move);
  state.updatedAt = fact.businessAt;
  state.completedAt = state.status === 'completed' ? fact.businessAt : null;
}

/** Applies a fact to a workflow. Nothing of a workflow is an event of the contract. */
export function evolveWorkflow(state: WorkflowState, fact: Fact): void {
  const apply = must(APPLY[fact.type as keyof WorkflowFacts], `a workflow knows no fact ${fact.type}`);
  (apply as (state: WorkflowState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
  state.updatedStamp = fact.stamp;
}
