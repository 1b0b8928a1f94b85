import { applyRow, type FactTable } from '../../kernel/fact-table.js';
import { setup } from 'xstate';
import type { TaskType } from '../../company/index.js';
import type { CatalogRow } from '../../kernel/actor.js';
import type { Agent, Fact, Tenant } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';

/**
 * The lifecycle of a task. `reserve` offers it to a worker, who accepts, rejects or lets the offer expire. A task that a worker
 * has can be canceled only by a supervisor. A transition without a target does not change the status.
 */
export const taskMachine = setup({
  types: moves<TaskMove>(),
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

/** A task for an agent. It is kept on the shard of the borrower it is about, or on a shard of its own if it is about no borrower. */
export interface TaskState extends TaskSubject {
  readonly id: string;
  readonly tenant: Tenant;
  taskType: TaskType;
  status: TaskStatus;
  /** Higher ones first. */
  priority: number;
  /** Null after the borrower was erased. */
  attributes: Readonly<Record<string, unknown>> | null;
  /** The traits that pairing uses, as of the creation of the task. */
  traits: TaskTraits;
  /** The employee or team that the task is restricted to; null = no restriction beyond pairing. */
  target: TaskTarget;
  reservation: Reservation | null;
  /** The employee who has the task, or had it last. */
  employeeId: string | null;
  pairingConfigId: string | null;
  queueName: string | null;
  /** Employees who did not accept the task, and when: it is not offered to them again at once. */
  refusals: readonly Refused[];
  createdBy: Agent | null;
  /** Company's clock in milliseconds. */
  createdAt: number;
  updatedAt: number | null;
  reservedAt: number | null;
  assignedAt: number | null;
  terminatedAt: number | null;
  terminationReason: string | null;
  /** Microseconds; 0 before the task exists. */
  createdStamp: number;
  updatedStamp: number;
}

/** The objects that a task is about. */
export interface TaskSubject {
  personId: string | null;
  caseId: string | null;
  supercaseId: string | null;
  interactionId: string | null;
  documentId: string | null;
  noteId: string | null;
}

/** Values by the field names that pairing expressions use. */
export type TaskTraits = Readonly<Record<string, string | boolean | null>>;

export interface TaskTarget {
  readonly employeeId: string | null;
  readonly teamId: string | null;
  /** The task is offered to this employee before all others. */
  readonly preferredEmployeeId: string | null;
}

interface Reservation {
  readonly employeeId: string;
  readonly expiresAt: number;
}

export interface Refused {
  readonly employeeId: string;
  readonly at: number;
}

export const NO_SUBJECT: TaskSubject = {
  personId: null,
  caseId: null,
  supercaseId: null,
  interactionId: null,
  documentId: null,
  noteId: null,
};
export const NO_TARGET: TaskTarget = { employeeId: null, teamId: null, preferredEmployeeId: null };

export function newTask(id: string, tenant: Tenant): TaskState {
  return {
    id,
    tenant,
    ...NO_SUBJECT,
    taskType: 'reviewCaseInstructions',
    status: 'pending',
    priority: 0,
    attributes: {},
    traits: {},
    target: NO_TARGET,
    reservation: null,
    employeeId: null,
    pairingConfigId: null,
    queueName: null,
    refusals: [],
    createdBy: null,
    createdAt: 0,
    updatedAt: null,
    reservedAt: null,
    assignedAt: null,
    terminatedAt: null,
    terminationReason: null,
    createdStamp: 0,
    updatedStamp: 0,
  };
}

export const isOpen = ({ status }: Pick<TaskState, 'status'>): boolean => !TASK_CHART.isOver(status);

/** Kinds of tasks of which a worker can have one at a time. */
const VOICE: ReadonlySet<TaskType> = new Set<TaskType>(['answerInboundVoiceCall', 'makeScheduledCall']);

export const isVoice = (taskType: TaskType): boolean => VOICE.has(taskType);

/** The routing id of a task, derived from its id, for clients that expect ids of a routing provider. */
export const sidOf = (id: string): string => id.replaceAll('-', '');

/** The id of a task, from its id or its routing id. */
export const taskIdOf = (anyId: string): string => anyId.replace(/^TK([A-Z1-9]{4})([A-Z1-9]{4})$/, 'TK-$1-$2');

/** What can happen to a task. */
export interface TaskFacts {
  readonly TaskCreated: TaskSubject & {
    readonly taskType: TaskType;
    readonly priority: number;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly traits: TaskTraits;
    readonly target: TaskTarget;
  };
  readonly TaskChanged: { readonly priority?: number; readonly attributes?: Readonly<Record<string, unknown>> };
  readonly TaskReserved: {
    readonly employeeId: string;
    readonly expiresAt: number;
    readonly pairingConfigId: string;
    readonly queueName: string;
  };
  readonly TaskReleased: { readonly employeeId: string; readonly reason: ReleaseReason; readonly at: number };
  readonly TaskAccepted: Readonly<Record<string, never>>;
  readonly TaskTransferred: TaskTarget;
  readonly TaskCompleted: Readonly<Record<string, never>>;
  readonly TaskCanceled: { readonly reason: string | null };
}

export type ReleaseReason = 'rejected' | 'timedOut' | 'rescinded';

const APPLY: FactTable<TaskState, TaskFacts> = {
  TaskCreated(state, body, fact) {
    Object.assign(state, body);
    state.createdAt = fact.businessAt;
    state.createdBy = fact.by;
    state.createdStamp = fact.stamp;
  },
  TaskChanged(state, changes, fact) {
    Object.assign(state, changes);
    state.updatedAt = fact.businessAt;
  },
  TaskReserved(state, { employeeId, expiresAt, pairingConfigId, queueName }, fact) {
    state.status = TASK_CHART.after(state.status, 'reserve');
    state.reservation = { employeeId, expiresAt };
    state.employeeId = employeeId;
    state.pairingConfigId = pairingConfigId;
    state.queueName = queueName;
    state.reservedAt = fact.businessAt;
  },
  TaskReleased(state, { employeeId, reason, at }) {
    state.status = TASK_CHART.after(state.status, 'release');
    state.reservation = null;
    state.employeeId = null;
    if (reason !== 'rescinded')
      state.refusals = [...state.refusals.filter((refused) => refused.employeeId !== employeeId), { employeeId, at }];
  },
  TaskAccepted(state, _body, fact) {
    state.status = TASK_CHART.after(state.status, 'accept');
    state.reservation = null;
    state.assignedAt = fact.businessAt;
  },
  TaskTransferred(state, target) {
    state.status = TASK_CHART.after(state.status, 'transfer');
    state.target = target;
    state.reservation = null;
    state.employeeId = null;
    state.assignedAt = null;
    state.refusals = [];
  },
  TaskCompleted(state, _body, fact) {
    state.status = TASK_CHART.after(state.status, 'complete');
    state.terminatedAt = fact.businessAt;
    state.terminationReason = 'completed';
  },
  TaskCanceled(state, { reason }, fact) {
    state.status = TASK_CHART.after(state.status, TASK_CHART.allows(state.status, 'cancel') ? 'cancel' : 'withdraw');
    state.reservation = null;
    state.terminatedAt = fact.businessAt;
    state.terminationReason = reason ?? 'canceled';
  },
};

/** Applies a fact to a task. The contract has no events for tasks. */
export function evolveTask(state: TaskState, fact: Fact): void {
  applyRow(APPLY, state, fact);
  state.updatedStamp = fact.stamp;
}

/** The fields of a task in the list index, for lists and routing. */
export interface RowFields {
  readonly taskType: TaskType;
  readonly status: TaskStatus;
  readonly isOpen: boolean;
  readonly priority: number;
  /** Kind, traits and target as JSON. Many tasks share the same text, which saves memory. */
  readonly route: string;
  readonly caseId: string | null;
  readonly employeeId: string | null;
  readonly queueName: string | null;
  readonly createdAt: number;
  readonly reservedAt: number | null;
  readonly terminatedAt: number | null;
  /** As JSON; null if there are none, which saves memory. */
  readonly refusals: string | null;
}

/** The task's row in the list index, under its borrower, case and interaction. */
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
