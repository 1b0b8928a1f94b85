import { type ResourceHost, type ResourceRecord, recordsOf } from '../../kernel/resources/index.js';
import type { OffsetQuery } from '../../page.js';
import type { AnyId, DateTimeText } from '../../wire.js';
import { type Employee, employeesOf, type TaskType } from '../access/employee.js';
import { rolesOf } from '../access/role.js';
import { usersOf } from '../access/user.js';
import { EVERY_PERMISSION } from '../../permission.js';

/** Where an employee stands as one who receives tasks. One who never said anything is offline. */
export interface Presence {
  readonly activity: Activity;
  /** Kinds of tasks that the employee has switched off. */
  readonly switchedOff: readonly TaskType[];
}

export type Activity = (typeof ACTIVITIES)[number];

export const ACTIVITIES = ['offline', 'available', 'busy', 'break'] as const;

export const PRESENCE_TYPE = 'workerPresence';

const ABSENT: Presence = { activity: 'offline', switchedOff: [] };

/** By the id of the employee. */
export const presenceOf = (host: ResourceHost, employeeId: string): Presence =>
  (recordsOf(host, PRESENCE_TYPE).get(employeeId) as ResourceRecord<Presence> | undefined)?.stored ?? ABSENT;

/** An employee as pairing sees one. */
export interface TaskWorker {
  readonly employeeId: string;
  readonly employee: Employee;
  readonly activity: Activity;
  readonly roleIds: readonly string[];
  readonly isManager: boolean;
  /** What the employee may and wants to receive. */
  readonly taskTypes: readonly TaskType[];
  /** Whether the user may receive tasks at all. */
  readonly mayReceive: boolean;
}

const RECEIVE = 'taskrouter.task:receive';

export function workersOf(host: ResourceHost): readonly TaskWorker[] {
  const employees = [...employeesOf(host)];
  const managers = new Set(employees.map(([, { stored }]) => stored.managerEmployeeId));
  const [users, roles] = [usersOf(host), rolesOf(host)];
  return employees.map(([employeeId, { stored: employee }]): TaskWorker => {
    const { activity, switchedOff } = presenceOf(host, employeeId);
    const user = users.get(employee.userId)?.stored;
    const roleIds = user?.status === 'active' ? user.roleIds : [];
    const permissions = roleIds.flatMap((id) => roles.get(id)?.stored.permissions ?? []);
    return {
      employeeId,
      employee,
      activity,
      roleIds,
      isManager: managers.has(employeeId),
      taskTypes: employee.taskTypes.filter((taskType) => !switchedOff.includes(taskType)),
      mayReceive: permissions.includes(RECEIVE) || permissions.includes(EVERY_PERMISSION),
    };
  });
}

/** Whether one is there, be it busy with something. */
export const isOnline = ({ activity }: Pick<TaskWorker, 'activity'>): boolean => activity !== 'offline';

export const mayBeGiven = ({ activity, mayReceive }: TaskWorker): boolean => activity === 'available' && mayReceive;

export interface WorkerActivityRequest {
  readonly activity: Activity;
}

export interface TaskTypeAvailabilityRequest {
  /** By kind of task: whether the caller wants it. Kinds that are not named stay as they are. */
  readonly availableByUserConfig: { readonly [Type in TaskType]?: boolean };
}

export interface TaskTypeAvailabilityView {
  readonly object: 'taskTypeAvailability';
  readonly employeeId: string;
  /** What the employee's record allows. */
  readonly permittedTaskTypes: readonly TaskType[];
  readonly availableByUserConfig: { readonly [Type in TaskType]?: boolean };
}

export interface WorkerListQuery extends OffsetQuery {
  readonly isOnline?: boolean;
  readonly teamId?: AnyId;
}

export interface WorkerView {
  readonly id: string;
  readonly object: 'worker';
  readonly employeeId: string;
  readonly userId: string;
  readonly name: string;
  readonly teamIds: readonly string[];
  readonly roleIds: readonly string[];
  readonly isManager: boolean;
  readonly activity: Activity;
  readonly isOnline: boolean;
  readonly taskTypes: readonly TaskType[];
  readonly openTaskIds: readonly string[];
  readonly lastAssignedAt: DateTimeText | null;
}
