import typia from 'typia';
import {
  type TaskTypeAvailabilityRequest,
  type TaskTypeAvailabilityView,
  type WorkerActivityRequest,
  type WorkerListQuery,
  type WorkerView,
} from '../../../actors/index.js';
import { dataOf } from '../../answers.js';
import { dateTimeText } from '../../../actors/index.js';
import { type Call, defineRoute, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';
import { loadsOf } from './tasks.js';

const TAGS = ['Tasks'];
const RECEIVE = 'taskrouter.task:receive';
const availabilityReply = typia.json.schemas<[TaskTypeAvailabilityView], '3.1'>();

/** Adds the open tasks of each worker: the company knows who is available, the shards have the tasks. */
async function withTasks(call: Call, workers: readonly WorkerView[]): Promise<readonly WorkerView[]> {
  const loads = await loadsOf(call);
  return workers.map((worker) => {
    const load = loads.get(worker.employeeId);
    return load ? { ...worker, openTaskIds: load.taskIds, lastAssignedAt: dateTimeText(load.lastAt) } : worker;
  });
}

/** The employees who receive tasks, and the kinds of tasks. */
export const workerRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}/workers',
    operation: 'listWorkers',
    summary: 'List employees as receivers of tasks',
    tags: TAGS,
    permission: 'task:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<WorkerListQuery>(), schemas: typia.json.schemas<[WorkerListQuery], '3.1'>() },
    reply: typia.json.schemas<[WorkerView[]], '3.1'>(),
    async handle(call) {
      const reply = await call.read('worker.list', ownCompany(call));
      return { ...reply, data: { ...reply.data, items: await withTasks(call, reply.data.items) } };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/workers/me/activity',
    operation: 'setOwnActivity',
    summary: 'Set whether the caller is available',
    tags: TAGS,
    permission: RECEIVE,
    body: {
      validate: typia.misc.createValidatePrune<WorkerActivityRequest>(),
      schemas: typia.json.schemas<[WorkerActivityRequest], '3.1'>(),
    },
    reply: typia.json.schemas<[WorkerView], '3.1'>(),
    async handle(call) {
      const reply = await call.command('worker.setActivity', call.caller.company);
      const [worker] = await withTasks(call, [dataOf(reply.data)]);
      return { ...reply, data: worker };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/tasktype-availability',
    operation: 'getTaskTypeAvailability',
    summary: 'List the kinds of tasks that the caller receives',
    tags: TAGS,
    permission: RECEIVE,
    reply: availabilityReply,
    handle: (call) => call.read('worker.availability', call.caller.company, { query: { userId: call.caller.userId } }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/tasktype-availability',
    operation: 'setTaskTypeAvailability',
    summary: 'Enable or disable kinds of tasks for the caller',
    tags: TAGS,
    permission: RECEIVE,
    body: {
      validate: typia.misc.createValidatePrune<TaskTypeAvailabilityRequest>(),
      schemas: typia.json.schemas<[TaskTypeAvailabilityRequest], '3.1'>(),
    },
    reply: availabilityReply,
    handle: (call) => call.command('worker.setAvailability', call.caller.company),
  }),
];
