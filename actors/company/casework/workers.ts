import { namesOf } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandRequest, CommandSpec, QuerySpec, QueryContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { changed, recordsOf, type ResourceCreated, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { matching, type OffsetQuery, pageOf } from '../../list-order.js';
import { EVERY_PERMISSION } from '../../permission.js';
import type { AnyId, DateTimeText } from '../../wire.js';
import { type Employee, employeeOfUser, employeesOf, type TaskType } from '../access/employee.js';
import { rolesOf } from '../access/roles.js';
import { usersOf } from '../access/user.js';
import { teamOf } from '../access/team.js';
import { displayName } from '../access/views.js';
import type { CompanyState } from '../state.js';
import { syncedConfigs } from './pairing/pairing-configs.js';

/** Whether an employee is available for tasks. Employees without a record are offline. */
interface Presence {
  readonly activity: Activity;
  /** Kinds of tasks that the employee has switched off. */
  readonly switchedOff: readonly TaskType[];
}

export type Activity = (typeof ACTIVITIES)[number];

export const ACTIVITIES = ['offline', 'available', 'busy', 'break'] as const;

const PRESENCE_TYPE = 'workerPresence';

const ABSENT: Presence = { activity: 'offline', switchedOff: [] };

/** The presence of an employee, by id. */
const presenceOf = (host: ResourceHost, employeeId: string): Presence =>
  recordsOf<Presence>(host, PRESENCE_TYPE).get(employeeId)?.stored ?? ABSENT;

/** An employee as pairing sees it. */
export interface TaskWorker {
  readonly employeeId: string;
  readonly employee: Employee;
  readonly activity: Activity;
  readonly roleIds: readonly string[];
  readonly isManager: boolean;
  /** The kinds of tasks that the employee may and wants to receive. */
  readonly taskTypes: readonly TaskType[];
  /** Whether the user has the permission to receive tasks. */
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

/** Whether the worker is online, busy or not. */
export const isOnline = ({ activity }: Pick<TaskWorker, 'activity'>): boolean => activity !== 'offline';

export const mayBeGiven = ({ activity, mayReceive }: TaskWorker): boolean => activity === 'available' && mayReceive;

export interface WorkerActivityRequest {
  readonly activity: Activity;
}

export interface TaskTypeAvailabilityRequest {
  /** By kind of task: whether the caller wants it. Kinds that are left out are unchanged. */
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

/** The caller as an employee; refuses callers who are not one. */
export function callingEmployee(host: ResourceHost, { actor }: Pick<CommandRequest, 'actor'>): ResourceRecord<Employee> {
  const userId = actor.type === 'user' ? (actor.userId ?? actor.id) : actor.userId;
  return (
    (userId === undefined ? undefined : employeeOfUser(host, userId)) ?? refuse('permissionDenied', 'Only an employee can receive tasks.')
  );
}

/** `PUT /workers/me/activity` */
const setActivity: CommandSpec<CompanyState, WorkerActivityRequest> = {
  kind: 'company',
  type: 'worker.setActivity',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, body, command }) {
    const { id } = callingEmployee(state, command);
    const { activity } = body;
    return { facts: [presence(state, id, { ...presenceOf(state, id), activity })], reply: (after) => ({ data: viewOf(after, id) }) };
  },
};

/** `PUT /tasktype-availability` */
const setAvailability: CommandSpec<CompanyState, TaskTypeAvailabilityRequest> = {
  kind: 'company',
  type: 'worker.setAvailability',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, body, command }) {
    const { id, stored } = callingEmployee(state, command);
    const before = presenceOf(state, id);
    const { availableByUserConfig: wanted } = body;
    for (const taskType of namesOf(wanted)) {
      if (wanted[taskType] !== true || stored.taskTypes.includes(taskType)) continue;
      refuse('businessValidation', `The employee has no permission to receive ${taskType}.`, {
        errors: [
          {
            path: `availableByUserConfig.${taskType}`,
            expected: 'a kind of task that the employee may receive',
            message: 'is not permitted',
          },
        ],
      });
    }
    const switchedOff = stored.taskTypes.filter((taskType) =>
      wanted[taskType] === undefined ? before.switchedOff.includes(taskType) : !wanted[taskType],
    );
    return { facts: [presence(state, id, { ...before, switchedOff })], reply: (after) => ({ data: availabilityView(after, id, stored) }) };
  },
};

export const workerCommands: readonly CommandSpec<CompanyState>[] = [setActivity, setAvailability];

export const workerQueries: readonly QuerySpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'taskQueue.parts',
    on: 'target',
    read: ({ state, env }) => ({ configs: syncedConfigs(state), workers: workersOf(state), now: env.now }),
  },
  {
    kind: 'company',
    type: 'worker.availability',
    on: 'target',
    read({ state, query }: QueryContext<CompanyState, { readonly userId: string | null }>) {
      const { userId } = query;
      const employee =
        (userId === null ? undefined : employeeOfUser(state, userId)) ?? refuse('permissionDenied', 'Only an employee can receive tasks.');
      return availabilityView(state, employee.id, employee.stored);
    },
  },
  {
    kind: 'company',
    type: 'worker.list',
    on: 'target',
    read({ state, query }: QueryContext<CompanyState, WorkerListQuery>) {
      const { isOnline: wanted, teamId, ...page } = query;
      const newestFirst = workersOf(state)
        .map((worker) => ({ id: worker.employeeId, worker }))
        .reverse();
      const workers = matching(
        newestFirst,
        ({ worker }) =>
          (wanted === undefined || isOnline(worker) === wanted) &&
          (teamId === undefined || worker.employee.teamIds.includes(teamOf(state, teamId)?.id ?? '')),
      );
      return pageOf(workers, page, ({ worker }) => workerView(worker));
    },
  },
];

/** The worker without its tasks, which the domain of casework adds. */
function workerView({ employeeId, employee, activity, roleIds, isManager, taskTypes }: TaskWorker): WorkerView {
  return {
    id: employeeId,
    object: 'worker',
    employeeId,
    userId: employee.userId,
    name: displayName(employee),
    teamIds: employee.teamIds,
    roleIds,
    isManager,
    activity,
    isOnline: isOnline({ activity }),
    taskTypes,
    openTaskIds: [],
    lastAssignedAt: null,
  };
}

function viewOf(host: ResourceHost, employeeId: string): WorkerView {
  const worker = workersOf(host).find((one) => one.employeeId === employeeId);
  return worker ? workerView(worker) : refuse('notFound', `There is no employee ${employeeId}.`);
}

function availabilityView(host: ResourceHost, employeeId: string, { taskTypes }: Employee): TaskTypeAvailabilityView {
  const { switchedOff } = presenceOf(host, employeeId);
  return {
    object: 'taskTypeAvailability',
    employeeId,
    permittedTaskTypes: taskTypes,
    availableByUserConfig: Object.fromEntries(taskTypes.map((taskType) => [taskType, !switchedOff.includes(taskType)])),
  };
}

function presence(host: ResourceHost, id: string, stored: Presence): FactDraft {
  const before = recordsOf(host, PRESENCE_TYPE).get(id);
  if (before) return changed(PRESENCE_TYPE, before, stored);
  const body: ResourceCreated = { resource: PRESENCE_TYPE, id, parentId: null, stored };
  return { type: 'ResourceCreated', body };
}
