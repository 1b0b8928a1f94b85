import { must } from '../../../engine/index.js';
import type { TaskType } from '../../company/index.js';
import type { Fact } from '../../kernel/fact.js';
import { TASK_CHART } from './machine.js';
import type { TaskState, TaskSubject, TaskTarget, TaskTraits } from './state.js';

/** What happens to a task. */
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

type Apply = { [Type in keyof TaskFacts]: (state: TaskState, body: TaskFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
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

/** Applies a fact to a task. Nothing of a task is an event of the contract. */
export function evolveTask(state: TaskState, fact: Fact): void {
  const apply = must(APPLY[fact.type as keyof TaskFacts], `a task knows no fact ${fact.type}`);
  (apply as (state: TaskState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
  state.updatedStamp = fact.stamp;
}
