import { test } from 'tap';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';

const pathOf = ({ company }: HttpLender): string => `/companies/${company}/task-worker-pairing-configs`;

test('a company begins with the default configuration, which is always the last and stays', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = pathOf(lender);
  const list = await ask('GET', path);
  t.match(list, {
    status: 200,
    json: {
      total: 1,
      data: [
        {
          object: 'taskWorkerPairingConfig',
          isDefault: true,
          priority: null,
          workerQueueExpression: 'true',
          taskWorkflowExpression: 'true',
          reservationTimeoutSecs: 120,
          isSynced: true,
        },
      ],
    },
  });
  const id = String(listOf(list)[0]?.['id']);
  t.match(await ask('DELETE', `${path}/${id}`), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('PUT', `${path}/${id}`, { priority: 5 }), { status: 400, json: { errors: [{ path: 'priority' }] } });
  t.match(await ask('PUT', `${path}/${id}`, { reservationTimeoutSecs: 30 }), {
    json: { data: { reservationTimeoutSecs: 30, isSynced: false } },
  });
});

test('a match is shown as its expression, and takes effect with the next sync', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = pathOf(lender);
  const teamId = idOf(await ask('POST', '/teams', { name: 'Collections' }));
  const made = await ask('POST', path, {
    name: 'Collections',
    priority: 10,
    externalId: 'coll',
    workerMatch: { isManager: false, teamIds: [teamId] },
    taskMatch: {
      not: true,
      taskTypes: ['makeScheduledCall'],
      case: { caseTypeEnums: ['collection'], autocreated: true },
      interaction: { channels: ['voice'] },
    },
  });
  t.match(made, {
    status: 200,
    json: {
      data: {
        workerQueueExpression: `isManager == false AND teamIds IN ['${teamId}']`,
        taskWorkflowExpression:
          "NOT (taskType IN ['makeScheduledCall'] AND case.caseType IN ['collection'] " +
          "AND case.autoCreated == true AND interaction.channel IN ['voice'])",
        isDefault: false,
        isSynced: false,
      },
    },
  });
  const high = idOf(await ask('POST', path, { priority: 20 }));
  const synced = dataOf(await ask('POST', `${path}/sync`))['syncedConfigIds'] as string[];
  t.same(synced.slice(0, 2), [high, idOf(made)], 'higher priorities are asked first');
  t.equal(synced.length, 3);
  t.match(await ask('GET', `${path}/ext-coll`), { json: { data: { isSynced: true } } });
  t.same(
    listOf(await ask('GET', `${path}?sortBy=-priority`)).map(({ priority }) => priority),
    [20, 10, null],
  );
  t.same(
    listOf(await ask('GET', `${path}?sortBy=%2Bpriority`)).map(({ priority }) => priority),
    [null, 10, 20],
  );
  t.match(await ask('DELETE', `${path}/${high}`), { status: 200 });
  t.match(await ask('POST', path, { externalId: 'coll' }), { status: 409 });
});

test('named objects must exist, and expressions must be valid', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const path = pathOf(lender);
  t.match(await ask('POST', path, { workerMatch: { teamIds: ['TM-AAAA-AAAA'] } }), {
    status: 400,
    json: { errors: [{ path: 'workerMatch.teamIds[0]' }] },
  });
  t.match(await ask('POST', path, { workerMatch: { roleIds: ['RL-AAAA-AAAA'] } }), {
    status: 400,
    json: { errors: [{ path: 'workerMatch.roleIds[0]' }] },
  });
  t.match(await ask('POST', path, { taskMatch: { taskTypes: ['drinkCoffee'] } }), { status: 400 });
  const refused = async (overrideTaskWorkflowExpression: string, character: number): Promise<void> => {
    const answer = await ask('POST', path, { overrideTaskWorkflowExpression });
    t.match(
      answer,
      {
        status: 400,
        json: { errors: [{ path: 'overrideTaskWorkflowExpression', message: `The expression cannot be read at character ${character}.` }] },
      },
      overrideTaskWorkflowExpression,
    );
  };
  await refused('taskType', 9);
  await refused('taskType ==', 12);
  await refused("mood == 'good'", 1);
  await refused("taskType == 'makeScheduledCall' priority > 1", 32);
  await refused("(taskType == 'makeScheduledCall'", 33);
  await refused('taskType IN []', 14);
  await refused('priority > 1 ; true', 13);
  await refused('('.repeat(30), 22);
  t.match(
    await ask('POST', path, {
      overrideTaskWorkflowExpression: "NOT (taskType == 'makeScheduledCall' OR priority >= 5) AND case.autoCreated != true",
      overrideWorkerQueueExpression: 'isManager == true',
    }),
    { status: 200 },
  );
});
