import { test } from 'tap';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';

const HOUR = 3_600_000;

interface OpenCase {
  readonly path: string;
  readonly caseId: string;
  readonly personId: string;
  readonly tasks: string;
  /** Type and assignment status of each open task of the case. */
  open(): Promise<readonly string[]>;
  wait(ms: number): Promise<void>;
}

async function openCase({ ask, company, h }: HttpLender, body: object = { caseType: 'generic' }): Promise<OpenCase> {
  const personId = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: 'Green' } }));
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, body));
  const tasks = `/companies/${company}/tasks`;
  return {
    personId,
    caseId,
    tasks,
    path: `/people/${personId}/cases/${caseId}`,
    open: async () =>
      listOf(await ask('GET', `${tasks}?caseId=${caseId}`)).map(
        ({ taskType, assignmentStatus }) => `${String(taskType)} ${String(assignmentStatus)}`,
      ),
    async wait(ms) {
      h.nowMs += ms;
      await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
      await h.engine.settled();
    },
  };
}

const employee = async ({ ask }: HttpLender, name: string): Promise<string> => {
  const auths = [{ authType: 'basic', authValueType: 'username', value: name }];
  return idOf(
    await ask('POST', '/employees', {
      userId: idOf(await ask('POST', '/users', { type: 'agent', userName: name, auths })),
      firstName: name,
    }),
  );
};

test('an escalation is a task by target and urgency, which resolves it when it is completed', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const employeeId = await employee(lender, 'ann');
  const { path, open, tasks, caseId } = await openCase(lender);
  const escalated = await ask('POST', `${path}/escalations`, { targetType: 'agent', employeeId, reason: 'is angry' });
  t.same(await open(), ['reviewEscalatedCaseAgent pending']);
  await ask('PUT', `${path}/escalations/${idOf(escalated)}`, { isUrgent: true, reason: 'is very angry' });
  t.same(await open(), ['reviewEscalatedCaseAgentUrgent pending'], 'the task is another');
  t.same(
    listOf(await ask('GET', `${path}/notes`)).map(({ category }) => category),
    ['escalationUpdateReason', 'escalationCreateReason'],
  );
  const [task] = listOf(await ask('GET', `${tasks}?caseId=${caseId}`));
  t.match(task, { priority: 50, attributes: { escalationId: idOf(escalated) } });
  t.match(await ask('POST', `${tasks}/${String(task?.['id'])}/complete`), { status: 409 }, 'nobody has it yet');
  await ask('DELETE', `${path}/escalations/${idOf(escalated)}`, { reason: 'is calm' });
  t.same(await open(), []);
});

test('snoozed cases and scheduled calls become tasks at their times', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const { path, open, wait, tasks, caseId } = await openCase(lender);
  await ask('POST', `${path}/snooze`, { until: new Date(h.nowMs + HOUR).toISOString() });
  await ask('POST', `${path}/scheduled-calls`, { scheduledAt: new Date(h.nowMs + 2 * HOUR).toISOString() });
  t.same(await open(), []);
  await wait(HOUR + 1000);
  t.same(await open(), ['reviewSnoozedCase pending']);
  await wait(HOUR);
  t.same(await open(), ['makeScheduledCall pending', 'reviewSnoozedCase pending']);
  t.match(await ask('GET', `${tasks}?caseId=${caseId}&taskType=makeScheduledCall`), { json: { total: 1, data: [{ priority: 60 }] } });
  await ask('PUT', path, { status: 'canceled' });
  t.same(await open(), [], 'with the case its tasks end');
});

test('a note with an instruction makes a task, at most one for a case', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const { path, open, personId, tasks } = await openCase(lender);
  const noted = await ask('POST', `${path}/notes`, { content: 'send the letter again', taskableInstruction: true });
  t.match(noted, { status: 200, json: { data: { taskableInstruction: true } } });
  t.same(await open(), ['reviewCaseInstructions pending']);
  await ask('POST', `${path}/notes`, { content: 'and the other', taskableInstruction: true });
  t.same(await open(), ['reviewCaseInstructions pending']);
  await ask('POST', `/people/${personId}/notes`, { content: 'call the employer', taskableInstruction: true });
  t.match(await ask('GET', `${tasks}?personId=${personId}`), { json: { total: 2 } });
  t.match(await ask('POST', tasks, { taskType: 'reviewCaseInstructions', caseId: path.split('/').at(-1) }), {
    status: 409,
    json: { errorType: 'duplicate' },
  });
  t.match(await ask('POST', tasks, { taskType: 'reviewVoicemail', caseId: path.split('/').at(-1) }), {
    status: 200,
    json: { data: { personId } },
  });
});

test('a case has its own notes, which can be added after it is closed', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const { path, personId, wait } = await openCase(lender);
  const other = await openCase(lender);
  await wait(HOUR);
  const note = await ask('POST', `${path}/notes`, { content: 'first' });
  t.equal(dataOf(await ask('GET', path))['lastSubresourceUpdatedAt'], new Date(h.nowMs).toISOString());
  t.match(await ask('GET', `${path}/notes/${idOf(note)}`), { status: 200, json: { data: { content: 'first' } } });
  t.match(await ask('GET', `${other.path}/notes/${idOf(note)}`), { status: 404 });
  t.match(await ask('GET', `${other.path}/notes`), { json: { total: 0 } });
  t.match(await ask('GET', `/people/${personId}/notes?objectType=case`), { json: { total: 1 } });
  await ask('PUT', path, { status: 'canceled' });
  t.match(await ask('POST', `${path}/notes`, { content: 'second' }), { status: 200 });
  t.match(await ask('DELETE', `${path}/notes/${idOf(note)}`), { json: { data: { archived: true } } });
  t.match(await ask('GET', `${path}/notes`), { json: { total: 1 } });
  t.match(await ask('GET', `/people/${personId}/cases/CS-AAAA-AAAA/notes`), { status: 404 });
});

test('a workflow begins with a case whose type has an active one', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const workflowTypeId = idOf(await ask('POST', '/workflow-types', { name: 'Draft', steps: [{ name: 'One' }] }));
  await ask('POST', '/case-types', { caseType: 'generic', workflowTypeId, status: 'active' });
  const { path } = await openCase(lender);
  t.match(await ask('GET', path), { json: { data: { workflowId: null } } }, 'a draft of a workflow type is of no use');
  await ask('PUT', `/workflow-types/${workflowTypeId}`, { status: 'active' });
  t.match(await ask('GET', `${(await openCase(lender)).path}/workflow`), { status: 200, json: { data: { workflowTypeId } } });
});
