import type { Agent, Tenant } from '../../kernel/fact.js';
import type { WorkflowStatus } from './machine.js';

/** The steps by which a case is worked, after the version of the type that was active when it began. It lies beside its case. */
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
  /** Microseconds; 0 before it is there. */
  createdStamp: number;
  updatedStamp: number;
}

export interface WorkflowStep {
  readonly id: string;
  readonly stepTypeId: string;
  readonly items: readonly WorkflowItem[];
}

export interface WorkflowItem {
  readonly id: string;
  readonly itemTypeId: string;
  readonly status: ItemStatus;
  /** What was entered: choices, dates, ids and outcomes as they are, texts sealed with the borrower's key. */
  readonly value: string | boolean | Uint8Array | null;
  readonly completedAt: number | null;
  readonly completedBy: Agent | null;
}

/** Those of a step that is hidden are shown as `notApplicable`. */
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
