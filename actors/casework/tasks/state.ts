import type { TaskType } from '../../company/index.js';
import type { Agent, Tenant } from '../../kernel/fact.js';
import { TASK_CHART, type TaskStatus } from './machine.js';

/** A task for an agent. It is kept on the shard of the borrower it is about, or on a shard of its own if it is about no borrower. */
export interface TaskState extends TaskSubject {
  readonly id: string;
  readonly tenant: Tenant;
  taskType: TaskType;
  status: TaskStatus;
  /** Higher ones first. */
  priority: number;
  /** Null once its borrower was erased. */
  attributes: Readonly<Record<string, unknown>> | null;
  /** What pairing asks of it, as it was when the task was made. */
  traits: TaskTraits;
  /** The only ones who get it; null = whoever the pairing allows. */
  target: TaskTarget;
  reservation: Reservation | null;
  /** Who has it, or had it last. */
  employeeId: string | null;
  pairingConfigId: string | null;
  queueName: string | null;
  /** Who did not take it, and when: they are not asked again at once. */
  refusals: readonly Refused[];
  createdBy: Agent | null;
  /** Company's clock in milliseconds. */
  createdAt: number;
  updatedAt: number | null;
  reservedAt: number | null;
  assignedAt: number | null;
  terminatedAt: number | null;
  terminationReason: string | null;
  /** Microseconds; 0 before it is there. */
  createdStamp: number;
  updatedStamp: number;
}

/** What a task is about. */
export interface TaskSubject {
  personId: string | null;
  caseId: string | null;
  supercaseId: string | null;
  interactionId: string | null;
  documentId: string | null;
  noteId: string | null;
}

/** By the names of the expressions of pairing configurations. */
export type TaskTraits = Readonly<Record<string, string | boolean | null>>;

export interface TaskTarget {
  readonly employeeId: string | null;
  readonly teamId: string | null;
  /** Asked first, before all others. */
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

/** A worker has one of these at a time. */
const VOICE: ReadonlySet<TaskType> = new Set<TaskType>(['answerInboundVoiceCall', 'makeScheduledCall']);

export const isVoice = (taskType: TaskType): boolean => VOICE.has(taskType);

/** The name that a routing provider would know it by: it follows from the id. */
export const sidOf = (id: string): string => id.replaceAll('-', '');

/** The id that is meant by an id or a routing id. */
export const taskIdOf = (anyId: string): string => anyId.replace(/^TK([A-Z1-9]{4})([A-Z1-9]{4})$/, 'TK-$1-$2');
