import { test } from 'tap';
import { SHARED_UNIT } from '../../../../actors/kernel/cluster/units.js';
import { TaskRouter } from '../../../../actors/index.js';
import type { HttpAnswer } from '../../harness.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';

interface Agent {
  readonly employeeId: string;
  readonly key: string;
}

/** An available employee who may receive tasks of these types. */
async function agent({ ask }: HttpLender, name: string, taskTypes: readonly string[], teams: readonly string[] = []): Promise<Agent> {
  const role = idOf(await ask('POST', '/roles', { alias: name, permissions: ['taskrouter.task:receive', 'task:list', 'task:read'] }));
  const auths = [{ authType: 'basic', authValueType: 'username', value: name }];
  const userId = idOf(await ask('POST', '/users', { type: 'agent', userName: name, auths, roleIds: [role] }));
  const employeeId = idOf(await ask('POST', '/employees', { userId, firstName: name, availableAndPermittedTasktypes: taskTypes, teams }));
  const key = String((await ask('POST', '/keys', { userId })).json['key']);
  await ask('PUT', '/workers/me/activity', { activity: 'available' }, { key });
  return { employeeId, key };
}

function routerOf({ h }: HttpLender): TaskRouter {
  const report = (message: string, details: object): void => void h.reports.push(`${message} ${JSON.stringify(details)}`);
  if (!h.cluster) return new TaskRouter({ engine: h.engine, asked: h.engine, report });
  return new TaskRouter({ engine: h.cluster.cluster.engine(SHARED_UNIT), asked: h.cluster.gateway.client, report });
}

const KIND = 'reviewCaseInstructions';
const tasksOf = ({ company }: HttpLender): string => `/companies/${company}/tasks`;

test('a task waits for a worker, is offered to one, accepted and completed', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, company, h } = lender;
  const router = routerOf(lender);
  const path = tasksOf(lender);
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const made = await ask('POST', path, { taskType: KIND, personId, attributes: { ticket: 7 } });
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'task',
        assignmentStatus: 'pending',
        taskType: KIND,
        personId,
        priority: 10,
        attributes: { ticket: 7 },
        assignedEmployee: null,
        reservation: null,
      },
    },
  });
  const task = `${path}/${idOf(made)}`;
  await router.run();
  t.match(await ask('GET', task), { json: { data: { assignmentStatus: 'pending' } } }, 'nobody is there');

  const ann = await agent(lender, 'ann', [KIND]);
  const bob = await agent(lender, 'bob', ['makeScheduledCall']);
  await router.run();
  t.match(await ask('GET', task), {
    json: {
      data: {
        assignmentStatus: 'reserved',
        reservation: { employeeId: ann.employeeId, expiresAt: new Date(h.nowMs + 120_000).toISOString() },
        queueName: 'Default',
        assignedEmployee: null,
      },
    },
  });
  t.match(await ask('POST', `${task}/accept`, {}, { key: bob.key }), { status: 403 }, 'it is offered to another');
  t.match(await ask('POST', `${task}/accept`, {}, { key: ann.key }), {
    json: { data: { assignmentStatus: 'assigned', reservation: null, assignedEmployee: { id: ann.employeeId, firstName: 'ann' } } },
  });
  t.match(await ask('POST', `${task}/accept`, {}, { key: ann.key }), { status: 409, json: { errorType: 'invalidTransition' } });
  const workers = listOf(await ask('GET', `/companies/${company}/workers?isOnline=true`));
  t.match(
    workers.find(({ id }) => id === ann.employeeId),
    { object: 'worker', openTaskIds: [idOf(made)], activity: 'available', taskTypes: [KIND], name: 'ann' },
  );

  t.match(await ask('GET', `${path}?status=assigned&employeeId=${ann.employeeId}`), { json: { total: 1 } });
  t.match(await ask('POST', `${task}/complete`, {}, { key: bob.key }), { status: 403 });
  t.match(await ask('POST', `${task}/complete`, {}, { key: ann.key }), {
    json: { data: { assignmentStatus: 'completed', terminationReason: 'completed' } },
  });
  t.match(await ask('GET', path), { json: { total: 0 } });
  const { sid } = dataOf(made);
  t.match(await ask('GET', `/companies/${company}/terminated-tasks`), { json: { total: 1, data: [{ id: idOf(made), sid }] } });
  t.match(await ask('GET', `/companies/${company}/terminated-tasks/${String(sid)}`), { status: 200, json: { data: { id: idOf(made) } } });
  const cloned = await ask('POST', `/companies/${company}/terminated-tasks/${idOf(made)}/clone`);
  t.match(cloned, { status: 200, json: { data: { assignmentStatus: 'pending', personId, attributes: { ticket: 7 } } } });
  t.match(await ask('POST', `/companies/${company}/terminated-tasks/${idOf(cloned)}/clone`), { status: 404 }, 'it is not over');
});

test('tasks go to workers by priority, each to one worker, at most three to a worker at a time', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = tasksOf(lender);
  for (const priority of [1, 5, 3, 2, 9, 7, 8, 4, 6]) await ask('POST', path, { taskType: KIND, priority });
  const agents = [await agent(lender, 'ann', [KIND]), await agent(lender, 'bob', [KIND])];
  await Promise.all([routerOf(lender).run(), routerOf(lender).run()]);
  const reserved = listOf(await ask('GET', `${path}?status=reserved`));
  t.same(reserved.map(({ priority }) => priority).sort(), [4, 5, 6, 7, 8, 9]);
  const held = agents.map(
    ({ employeeId }) =>
      reserved.filter(({ reservation }) => (reservation as { readonly employeeId: string }).employeeId === employeeId).length,
  );
  t.same(held, [3, 3]);
  t.match(await ask('GET', `/companies/${lender.company}/task-queues`), {
    json: [
      {
        friendlyName: 'Default',
        realTimeStatistics: {
          tasksByStatus: { pending: 3, reserved: 6 },
          totalTasks: 9,
          totalAvailableWorkers: 2,
          tasksByPriority: { 9: 1 },
        },
        cumulativeStatistics: { reservationsCreated: 6, reservationsAccepted: 0, tasksEntered: 6 },
      },
    ],
  });
});

test('a task that is rejected or not accepted in time is pending again, and rests before the same worker gets it', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const router = routerOf(lender);
  const path = tasksOf(lender);
  const ann = await agent(lender, 'ann', [KIND]);
  const task = `${path}/${idOf(await ask('POST', path, { taskType: KIND }))}`;
  await router.run();
  t.match(await ask('POST', `${task}/reject`, {}, { key: ann.key }), {
    json: { data: { assignmentStatus: 'pending', reservation: null } },
  });
  await router.run();
  t.match(await ask('GET', task), { json: { data: { assignmentStatus: 'pending' } } });
  const wait = async (seconds: number): Promise<void> => {
    h.nowMs += seconds * 1000;
    await h.engine.sweeper.advance({ company: lender.company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  await wait(61);
  await router.run();
  t.match(await ask('GET', task), { json: { data: { assignmentStatus: 'reserved' } } });
  h.nowMs += 121_000;
  t.match(await ask('GET', task), { json: { data: { assignmentStatus: 'pending' } } }, 'the time is over');
  t.match(await ask('POST', `${task}/accept`, {}, { key: ann.key }), { status: 409 });
  await wait(61);
  await ask('PUT', '/workers/me/activity', { activity: 'break' }, { key: ann.key });
  await router.run();
  t.match(await ask('GET', task), { json: { data: { assignmentStatus: 'pending' } } }, 'who has a break gets nothing');
});

test('a retry of a change of activity shows the open tasks of the worker, as the first reply does', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const ann = await agent(lender, 'ann', [KIND]);
  const taskId = idOf(await ask('POST', tasksOf(lender), { taskType: KIND }));
  await routerOf(lender).run();
  await ask('POST', `${tasksOf(lender)}/${taskId}/accept`, {}, { key: ann.key });
  const asked = (): Promise<HttpAnswer> =>
    ask('PUT', '/workers/me/activity', { activity: 'break' }, { key: ann.key, headers: { 'Idempotency-Key': 'break' } });
  const first = await asked();
  t.match(first.json, { data: { openTaskIds: [taskId] } });
  t.equal((await asked()).text, first.text);
});

test('a transferred task goes only to its team, and a supervisor cancels a task that is assigned', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const router = routerOf(lender);
  const path = tasksOf(lender);
  const teamId = idOf(await ask('POST', '/teams', { name: 'Collections' }));
  const ann = await agent(lender, 'ann', [KIND]);
  const task = `${path}/${idOf(await ask('POST', path, { taskType: KIND }))}`;
  await router.run();
  await ask('POST', `${task}/accept`, {}, { key: ann.key });
  t.match(await ask('POST', `${task}/transfer`, { employeeId: ann.employeeId, teamId }), { status: 400 });
  t.match(await ask('POST', `${task}/transfer`, { teamId: 'TM-AAAA-AAAA' }), { status: 400, json: { errors: [{ path: 'teamId' }] } });
  t.match(await ask('POST', `${task}/transfer`, { teamId }), { json: { data: { assignmentStatus: 'pending', assignedEmployee: null } } });
  await router.run();
  t.match(await ask('GET', task), { json: { data: { assignmentStatus: 'pending' } } });
  const bob = await agent(lender, 'bob', [KIND], [teamId]);
  await router.run();
  t.match(await ask('GET', task), { json: { data: { reservation: { employeeId: bob.employeeId } } } });
  await ask('POST', `${task}/accept`, {}, { key: bob.key });
  t.match(await ask('POST', `${task}/cancel`, {}, { key: bob.key }), { status: 403 });
  t.match(await ask('PUT', task, { priority: 70, attributes: { a: 1 } }), { json: { data: { priority: 70, attributes: { a: 1 } } } });
  t.match(await ask('POST', `${task}/cancel`, { reason: 'made twice' }), {
    json: { data: { assignmentStatus: 'canceled', terminationReason: 'made twice' } },
  });
  t.match(await ask('PUT', task, { priority: 1 }), { status: 409 });
});

test('an employee switches permitted types of tasks off', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const ann = await agent(lender, 'ann', [KIND, 'makeScheduledCall']);
  const as = { key: ann.key };
  t.match(await ask('GET', '/tasktype-availability', undefined, as), {
    json: { data: { permittedTaskTypes: [KIND, 'makeScheduledCall'], availableByUserConfig: { [KIND]: true, makeScheduledCall: true } } },
  });
  t.match(await ask('PUT', '/tasktype-availability', { availableByUserConfig: { [KIND]: false } }, as), {
    json: { data: { availableByUserConfig: { [KIND]: false, makeScheduledCall: true } } },
  });
  t.match(await ask('PUT', '/tasktype-availability', { availableByUserConfig: { reviewVoicemail: true } }, as), { status: 422 });
  t.match(
    await ask('PUT', '/tasktype-availability', { availableByUserConfig: { dance: true } }, as),
    { status: 400, json: { errors: [{ path: 'availableByUserConfig.dance' }] } },
    'unknown names are refused',
  );
  t.match(await ask('GET', '/tasktype-availability'), { status: 403 }, 'the founding key is no employee');
  const path = tasksOf(lender);
  const task = `${path}/${idOf(await ask('POST', path, { taskType: KIND }))}`;
  await routerOf(lender).run();
  t.match(await ask('GET', task), { json: { data: { assignmentStatus: 'pending' } } });
});
