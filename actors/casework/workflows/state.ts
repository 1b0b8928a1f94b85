import { applyRow, type FactTable } from '../../kernel/fact-table.js';
import { setup } from 'xstate';
import type { Agent, Fact, Tenant } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';

/** The lifecycle of a workflow: it follows its items, ends with its case, and resumes when the case is reopened. */
export const workflowMachine = setup({
  types: moves<WorkflowMove>(),
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
/** `finish`: the last required item is done. */
export type WorkflowMove = 'work' | 'finish' | 'cancel' | 'resume';

export const WORKFLOW_CHART = new Chart<WorkflowStatus, WorkflowMove>(workflowMachine);

/** The workflow of a case, by the version of its type that was active when it began. An actor on the shard of its case. */
export interface WorkflowState {
  readonly id: string;
  readonly tenant: Tenant;
  caseId: string;
  personId: string;
  workflowTypeId: string;
  version: number;
  status: WorkflowStatus;
  steps: readonly WorkflowStep[];
  createdAt: number;
  updatedAt: number | null;
  startedAt: number | null;
  completedAt: number | null;
  /** Its case was deleted. Absent: no, or an earlier release has deleted it. */
  isHidden?: boolean;
  /** Microseconds; 0 before the workflow exists. */
  createdStamp: number;
  updatedStamp: number;
}

interface WorkflowStep {
  readonly id: string;
  readonly stepTypeId: string;
  readonly items: readonly WorkflowItem[];
}

export interface WorkflowItem {
  readonly id: string;
  readonly itemTypeId: string;
  readonly status: ItemStatus;
  /** The entered value: choices, dates, ids and outcomes in clear, texts sealed with the borrower's key. */
  readonly value: string | boolean | Uint8Array | null;
  readonly completedAt: number | null;
  readonly completedBy: Agent | null;
}

/** Items of hidden steps are shown as `notApplicable`. */
export type ItemStatus = 'pending' | 'completed' | 'skipped';

export const newWorkflow = (id: string, tenant: Tenant): WorkflowState => ({
  id,
  tenant,
  caseId: '',
  personId: '',
  workflowTypeId: '',
  version: 1,
  status: 'notStarted',
  steps: [],
  createdAt: 0,
  updatedAt: null,
  startedAt: null,
  completedAt: null,
  createdStamp: 0,
  updatedStamp: 0,
});

/** What can happen to a workflow. */
export interface WorkflowFacts {
  readonly WorkflowCreated: Pick<WorkflowState, 'caseId' | 'personId' | 'workflowTypeId' | 'version'> & {
    readonly steps: readonly {
      readonly id: string;
      readonly stepTypeId: string;
      readonly items: readonly Pick<WorkflowItem, 'id' | 'itemTypeId'>[];
    }[];
  };
  /** `move` says whether required items are still open. */
  readonly WorkflowItemMoved: {
    readonly itemId: string;
    readonly status: ItemStatus;
    readonly value: WorkflowItem['value'];
    readonly move: 'work' | 'finish';
  };
  readonly WorkflowCanceled: Readonly<Record<string, never>>;
  readonly WorkflowResumed: Readonly<Record<string, never>>;
  /** Lists leave it out from now on. */
  readonly WorkflowHidden: Readonly<Record<string, never>>;
}

const APPLY: FactTable<WorkflowState, WorkflowFacts> = {
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
  WorkflowHidden(state) {
    state.isHidden = true;
  },
};

function moved(state: WorkflowState, move: WorkflowMove, fact: Fact): void {
  state.status = WORKFLOW_CHART.after(state.status, move);
  state.updatedAt = fact.businessAt;
  state.completedAt = state.status === 'completed' ? fact.businessAt : null;
}

/** Applies a fact to a workflow. The contract has no events for workflows. */
export function evolveWorkflow(state: WorkflowState, fact: Fact): void {
  applyRow(APPLY, state, fact);
  state.updatedStamp = fact.stamp;
}
