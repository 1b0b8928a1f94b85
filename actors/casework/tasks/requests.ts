import type { tags } from 'typia';
import type { TaskType } from '../../company/index.js';
import type { OffsetQuery } from '../../list-order.js';
import type { ActorView } from '../../kernel/actor-logic.js';
import type { AnyId, DateTimeText, FreeJson, Text } from '../../wire.js';
import type { TaskStatus } from './state.js';

/** The wire of tasks. */

type Priority = number & tags.Type<'int32'>;

export interface CreateTaskRequest {
  readonly taskType: TaskType;
  readonly priority?: Priority;
  /** The borrower of the task; not needed with `caseId`. Without either, the task is about no borrower. */
  readonly personId?: AnyId | null;
  readonly caseId?: AnyId | null;
  readonly supercaseId?: AnyId | null;
  readonly interactionId?: AnyId | null;
  readonly documentId?: AnyId | null;
  readonly noteId?: AnyId | null;
  /** Only this employee gets the task. */
  readonly employeeId?: AnyId | null;
  /** Only members of this team get the task. */
  readonly teamId?: AnyId | null;
  readonly attributes?: FreeJson;
}

export interface UpdateTaskRequest {
  readonly priority?: Priority;
  readonly attributes?: FreeJson;
}

export interface CancelTaskRequest {
  readonly reason?: Text | null;
}

/** Exactly one of the two. */
export interface TransferTaskRequest {
  readonly employeeId?: AnyId;
  readonly teamId?: AnyId;
}

export interface ListTasksQuery extends OffsetQuery {
  readonly taskType?: TaskType;
  readonly status?: TaskStatus;
  readonly personId?: AnyId;
  readonly caseId?: AnyId;
  readonly employeeId?: AnyId;
}

export interface TaskView {
  readonly id: string;
  readonly object: 'task';
  readonly companyId: string;
  readonly sid: string;
  readonly taskType: TaskType;
  readonly assignmentStatus: TaskStatus;
  readonly priority: number;
  readonly personId: string | null;
  readonly caseId: string | null;
  readonly supercaseId: string | null;
  readonly interactionId: string | null;
  readonly documentId: string | null;
  readonly noteId: string | null;
  readonly assignedEmployee: {
    readonly id: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
    readonly userId: string;
  } | null;
  readonly reservation: { readonly employeeId: string; readonly expiresAt: DateTimeText } | null;
  readonly queueName: string | null;
  readonly pairingConfigId: string | null;
  readonly attributes: FreeJson;
  readonly taskInitAt: DateTimeText;
  readonly assignedAt: DateTimeText | null;
  readonly terminatedAt: DateTimeText | null;
  readonly terminationReason: string | null;
  readonly createdBy: ActorView | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}
