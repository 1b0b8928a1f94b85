import typia from 'typia';
import {
  type CancelTaskRequest,
  type CreateTaskRequest,
  type ListTasksQuery,
  type LoadItem,
  type OffsetQuery,
  queuesOf,
  taskIdOf,
  type TaskQueueView,
  type TaskView,
  type TransferTaskRequest,
  type UpdateTaskRequest,
} from '../../../actors/index.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import type { Checked } from '../../routing/faults.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Tasks'];
const TASKS = '/companies/{companyId}/tasks';
const ENDED = '/companies/{companyId}/terminated-tasks';
const RECEIVE = 'taskrouter.task:receive';
const taskReply = typia.json.schemas<[TaskView], '3.1'>();
const tasksReply = typia.json.schemas<[TaskView[]], '3.1'>();

/** Items about all tasks of the company of the caller come from all shards. */
const ALL_TASKS = { query: { limit: 100_000 } };

/** Creates a task on the shard of its case or borrower. */
function create(call: Call<{ readonly companyId: string }, unknown, CreateTaskRequest>): Promise<Reply> {
  ownCompany(call);
  const { caseId = null, personId = null } = call.body;
  if (caseId !== null) return call.command('task.createForCase', caseId);
  return personId === null ? call.command('task.create', null) : call.command('task.createForPerson', personId);
}

interface Action<Body> {
  readonly name: string;
  readonly operation: string;
  readonly summary: string;
  readonly permission: string;
  readonly body?: Checked<Body>;
}

const action = <Body>({ name, operation, summary, permission, body }: Action<Body>): Route =>
  defineRoute({
    method: 'POST',
    path: `${TASKS}/{taskId}/${name}`,
    operation,
    summary,
    tags: TAGS,
    permission,
    reply: taskReply,
    ...(body === undefined ? {} : { body }),
    handle(call) {
      ownCompany(call);
      return call.command(`task.${name}`, call.params.taskId);
    },
  });

/** Work for agents, which the service assigns. */
export const taskRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: TASKS,
    operation: 'listTasks',
    summary: 'List open tasks, newest first',
    tags: TAGS,
    permission: 'task:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ListTasksQuery>(), schemas: typia.json.schemas<[ListTasksQuery], '3.1'>() },
    reply: tasksReply,
    handle(call) {
      ownCompany(call);
      return call.read('task.list', null);
    },
  }),
  defineRoute({
    method: 'POST',
    path: TASKS,
    operation: 'createTask',
    summary: 'Create a task',
    tags: TAGS,
    permission: 'task:create',
    body: { validate: typia.misc.createValidatePrune<CreateTaskRequest>(), schemas: typia.json.schemas<[CreateTaskRequest], '3.1'>() },
    reply: taskReply,
    handle: create,
  }),
  defineRoute({
    method: 'GET',
    path: `${TASKS}/{taskId}`,
    operation: 'getTask',
    summary: 'Get a task',
    tags: TAGS,
    permission: 'task:read',
    reply: taskReply,
    handle(call) {
      ownCompany(call);
      return call.read('task.get', call.params.taskId);
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${TASKS}/{taskId}`,
    operation: 'updateTask',
    summary: 'Update the priority or the attributes of a task',
    tags: TAGS,
    permission: 'task:update',
    body: { validate: typia.misc.createValidatePrune<UpdateTaskRequest>(), schemas: typia.json.schemas<[UpdateTaskRequest], '3.1'>() },
    reply: taskReply,
    handle(call) {
      ownCompany(call);
      return call.command('task.update', call.params.taskId);
    },
  }),
  action({ name: 'accept', operation: 'acceptTask', summary: 'Accept a task that is offered to the caller', permission: RECEIVE }),
  action({ name: 'reject', operation: 'rejectTask', summary: 'Reject a task that is offered to the caller', permission: RECEIVE }),
  action({ name: 'complete', operation: 'completeTask', summary: 'Complete a task', permission: RECEIVE }),
  action({
    name: 'cancel',
    operation: 'cancelTask',
    summary: 'Cancel a task',
    permission: 'task:update',
    body: { validate: typia.misc.createValidatePrune<CancelTaskRequest>(), schemas: typia.json.schemas<[CancelTaskRequest], '3.1'>() },
  }),
  action({
    name: 'transfer',
    operation: 'transferTask',
    summary: 'Transfer a task to an employee or a team',
    permission: 'task:update',
    body: { validate: typia.misc.createValidatePrune<TransferTaskRequest>(), schemas: typia.json.schemas<[TransferTaskRequest], '3.1'>() },
  }),
  defineRoute({
    method: 'GET',
    path: ENDED,
    operation: 'listTerminatedTasks',
    summary: 'List completed and canceled tasks, the latest first',
    tags: TAGS,
    permission: 'task:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<OffsetQuery>(), schemas: typia.json.schemas<[OffsetQuery], '3.1'>() },
    reply: tasksReply,
    handle(call) {
      ownCompany(call);
      return call.read('task.listTerminated', null);
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ENDED}/{taskHistoryId}`,
    operation: 'getTerminatedTask',
    summary: 'Get a completed or canceled task by its id or routing id',
    tags: TAGS,
    permission: 'task:read',
    textParameters: ['taskHistoryId'],
    reply: taskReply,
    handle(call) {
      ownCompany(call);
      return call.read('task.getTerminated', taskIdOf(call.params.taskHistoryId));
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ENDED}/{taskHistoryId}/clone`,
    operation: 'cloneTerminatedTask',
    summary: 'Create a completed or canceled task again',
    tags: TAGS,
    permission: 'task:create',
    textParameters: ['taskHistoryId'],
    reply: taskReply,
    handle(call) {
      ownCompany(call);
      return call.command('task.clone', taskIdOf(call.params.taskHistoryId));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}/task-queues',
    operation: 'listTaskQueues',
    summary: 'List the queues of tasks with their counts',
    tags: TAGS,
    permission: 'task:list',
    envelope: 'bare',
    reply: typia.json.schemas<[TaskQueueView[]], '3.1'>(),
    async handle(call) {
      const parts = await call.read('taskQueue.parts', ownCompany(call));
      const counts = await call.read('task.counts', null, ALL_TASKS);
      const tallies = await call.read('task.tallies', null, ALL_TASKS);
      return { data: queuesOf(parts.data, counts.data.items, tallies.data.items) };
    },
  }),
];

/** The open tasks of each worker, by employee. */
export async function loadsOf(call: Call): Promise<ReadonlyMap<string, LoadItem>> {
  const loads = new Map<string, LoadItem>();
  const { data } = await call.read('task.loads', null, ALL_TASKS);
  for (const load of data.items) {
    const known = loads.get(load.employeeId);
    loads.set(
      load.employeeId,
      known ? { ...load, taskIds: [...known.taskIds, ...load.taskIds], lastAt: Math.max(known.lastAt, load.lastAt) } : load,
    );
  }
  return loads;
}
