import type { CatalogRow } from '../../kernel/actor.js';
import type { TaskType } from '../../company/index.js';
import type { TaskStatus } from './machine.js';
import { isOpen, type TaskState } from './state.js';

/** What lists and routing need of a task while it rests. */
export interface RowFields {
  readonly taskType: TaskType;
  readonly status: TaskStatus;
  readonly isOpen: boolean;
  readonly priority: number;
  /** Kind, traits and target as JSON: few texts serve all tasks. */
  readonly route: string;
  readonly caseId: string | null;
  readonly employeeId: string | null;
  readonly queueName: string | null;
  readonly createdAt: number;
  readonly reservedAt: number | null;
  readonly terminatedAt: number | null;
  /** As JSON; null for none, as most have. */
  readonly refusals: string | null;
}

/** The task's line in the list index, below its borrower, case and interaction. */
export function rowOf(state: TaskState): CatalogRow | null {
  const {
    id,
    personId,
    caseId,
    interactionId,
    createdStamp,
    updatedStamp,
    taskType,
    status,
    priority,
    employeeId,
    queueName,
    createdAt,
    reservedAt,
    terminatedAt,
  } = state;
  if (createdStamp === 0) return null;
  const fields: RowFields = {
    taskType,
    status,
    isOpen: isOpen(state),
    priority,
    route: JSON.stringify([taskType, state.traits, state.target]),
    caseId,
    employeeId,
    queueName,
    createdAt,
    reservedAt,
    terminatedAt,
    refusals: state.refusals.length === 0 ? null : JSON.stringify(state.refusals),
  };
  return {
    id,
    externalId: null,
    createdStamp,
    updatedStamp,
    parentId: personId,
    alsoUnder: [caseId, interactionId].filter((other) => other !== null),
    fields: { ...fields },
  };
}
