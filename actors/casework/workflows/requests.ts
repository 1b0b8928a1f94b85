import type { tags } from 'typia';
import type { ItemKind } from '../../company/index.js';
import type { OffsetQuery } from '../../list-order.js';
import type { ActorView } from '../../kernel/actor-logic.js';
import type { AnyId, DateTimeText } from '../../wire.js';
import type { ItemStatus, WorkflowStatus } from './state.js';

/** The wire of workflows. */

export interface StartWorkflowRequest {
  readonly workflowTypeId: AnyId;
}

export interface UpdateWorkflowItemRequest {
  /** `pending` reopens the item. */
  readonly status: ItemStatus;
  /** For a completion, by the kind of the item. */
  readonly value?: (string & tags.MaxLength<10000>) | number | boolean | null;
}

export interface ListWorkflowsQuery extends OffsetQuery {
  readonly status?: WorkflowStatus;
  readonly workflowTypeId?: AnyId;
}

export interface WorkflowView {
  readonly id: string;
  readonly object: 'workflow';
  readonly companyId: string;
  readonly workflowTypeId: string;
  readonly version: number;
  readonly name: string;
  readonly caseId: string;
  readonly personId: string;
  readonly status: WorkflowStatus;
  /** For an item that sets the outcome: the outcome with which the case should be completed. */
  readonly proposedOutcome: string | null;
  readonly steps: readonly WorkflowStepView[];
  readonly startedAt: DateTimeText | null;
  readonly completedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

interface WorkflowStepView {
  readonly id: string;
  readonly stepTypeId: string;
  readonly name: string;
  readonly required: boolean;
  readonly status: 'pending' | 'completed';
  readonly items: readonly WorkflowItemView[];
}

export interface WorkflowItemView {
  readonly id: string;
  readonly itemTypeId: string;
  readonly name: string;
  readonly kind: ItemKind;
  readonly required: boolean;
  readonly status: ItemStatus;
  readonly value: string | number | boolean | null;
  readonly completedAt: DateTimeText | null;
  readonly completedBy: ActorView | null;
}
