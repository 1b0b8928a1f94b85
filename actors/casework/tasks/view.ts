import { companyOf, employeeOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-view.js';
import { dateTimeText, orNull } from '../../wire.js';
import type { TaskView } from './requests.js';
import { sidOf, type TaskState } from './state.js';

export function taskView(state: TaskState, env: EvolveEnv): TaskView {
  const {
    id,
    tenant,
    taskType,
    status,
    priority,
    personId,
    caseId,
    supercaseId,
    interactionId,
    documentId,
    noteId,
    reservation,
    queueName,
    pairingConfigId,
  } = state;
  return {
    id,
    object: 'task',
    companyId: tenant.company,
    sid: sidOf(id),
    taskType,
    assignmentStatus: status,
    priority,
    personId,
    caseId,
    supercaseId,
    interactionId,
    documentId,
    noteId,
    assignedEmployee: status === 'reserved' ? null : employeeShown(state, env),
    reservation: reservation && { employeeId: reservation.employeeId, expiresAt: dateTimeText(reservation.expiresAt) },
    queueName,
    pairingConfigId,
    attributes: state.attributes ?? {},
    taskInitAt: dateTimeText(state.createdAt),
    assignedAt: orNull(dateTimeText, state.assignedAt),
    terminatedAt: orNull(dateTimeText, state.terminatedAt),
    terminationReason: state.terminationReason,
    createdBy: orNull(actorView, state.createdBy),
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

/** By the names of today; an employee who is gone is known by the id. */
function employeeShown({ employeeId, tenant }: TaskState, env: EvolveEnv): TaskView['assignedEmployee'] {
  const employee = employeeId === null ? undefined : employeeOf(companyOf(env, tenant), employeeId)?.stored;
  return employeeId === null
    ? null
    : { id: employeeId, firstName: employee?.firstName ?? null, lastName: employee?.lastName ?? null, userId: employee?.userId ?? '' };
}
