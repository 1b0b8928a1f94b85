import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

test('a snooze ends at its time, and a scheduled call is due at its time', async (t) => {
  const { ask } = await openHttpLender(t);
  const clock = idOf(await ask('POST', '/test-clocks', { startDate: '2026-03-02' }));
  const cases = `/people/${idOf(await ask('POST', '/people', ANN))}/cases`;
  const id = idOf(await ask('POST', cases, { caseType: 'generic' }));
  const path = `${cases}/${id}`;
  t.match(await ask('POST', `${path}/snooze`, { until: '2026-03-01T10:00:00Z' }), { status: 400, json: { errors: [{ path: 'until' }] } });
  t.match(await ask('POST', `${path}/snooze`, { until: '2026-03-03T17:30:00Z', reason: 'asked for time' }), {
    status: 200,
    json: { data: { reason: 'asked for time' } },
  });
  t.match(await ask('POST', `${path}/scheduled-calls`, { scheduledAt: '2026-03-04T15:00:00Z', timezone: 'Mars/North' }), { status: 400 });
  const call = await ask('POST', `${path}/scheduled-calls`, { scheduledAt: '2026-03-04T15:00:00Z', instructions: 'ask for the letter' });
  t.match(call, { status: 200, json: { data: { status: 'scheduled', instructions: 'ask for the letter' } } });
  t.match(await ask('GET', '/cases?isSnoozed=true'), { json: { total: 1 } });
  t.match(await ask('GET', `${path}?expand=true`), {
    json: { data: { snooze: { until: '2026-03-03T17:30:00.000Z' }, scheduledCall: { id: idOf(call) } } },
  });

  await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2026-03-03T17:29:00Z' });
  t.match(await ask('GET', `${path}/snooze`), { status: 200 });
  await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2026-03-03T17:30:00Z' });
  t.match(await ask('GET', `${path}/snooze`), { status: 404 });
  await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2026-03-06T00:00:00Z' });
  const [due, resumed] = listOf(await ask('GET', `${path}/events`));
  t.match(due, { action: 'callDue', occurredAt: '2026-03-04T15:00:00.000Z', actor: { userType: 'system' } });
  t.match(resumed, { action: 'woken', occurredAt: '2026-03-03T17:30:00.000Z' });
  t.match(await ask('PUT', `${path}/scheduled-calls/${idOf(call)}`, { scheduledAt: '2026-03-09T15:00:00Z' }), { status: 200 });
  t.match(await ask('DELETE', `${path}/scheduled-calls/${idOf(call)}`), { json: { data: { status: 'canceled' } } });
});

test('each call has a task when it is due, which ends with a call that is canceled or moved', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const clock = idOf(await ask('POST', '/test-clocks', { startDate: '2026-03-02' }));
  const cases = `/people/${idOf(await ask('POST', '/people', ANN))}/cases`;
  const id = idOf(await ask('POST', cases, { caseType: 'generic' }));
  const calls = `${cases}/${id}/scheduled-calls`;
  const schedule = async (date: string): Promise<string> => idOf(await ask('POST', calls, { scheduledAt: `${date}T15:00:00Z` }));
  const advance = async (date: string): Promise<unknown> =>
    ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: `${date}T20:00:00Z` });
  const tasks = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    listOf(await ask('GET', `/companies/${company}/tasks?caseId=${id}&taskType=makeScheduledCall`));
  const due = async (): Promise<readonly unknown[]> =>
    (await tasks()).map(({ attributes }) => (attributes as { readonly scheduledCallId: string }).scheduledCallId).sort();
  const [first, second, third] = [await schedule('2026-03-04'), await schedule('2026-03-05'), await schedule('2026-03-06')];
  await advance('2026-03-05');
  t.same(await due(), [first, second].sort(), 'a task for each');
  t.match(await ask('DELETE', `${calls}/${first}`), { json: { data: { status: 'canceled' } } });
  t.same(await due(), [second]);
  t.match(await ask('PUT', `${calls}/${second}`, { scheduledAt: '2026-03-09T15:00:00Z' }), { status: 200 });
  t.same(await due(), []);
  await advance('2026-03-09');
  t.same(await due(), [second, third].sort());
  const isOfThird = ({ attributes }: Readonly<Record<string, unknown>>): boolean =>
    (attributes as { readonly scheduledCallId: string }).scheduledCallId === third;
  const ofThird = `/companies/${company}/tasks/${String((await tasks()).find(isOfThird)?.['id'])}`;
  t.match(await ask('POST', `${ofThird}/cancel`, { reason: 'nobody was there' }), { status: 200 });
  t.same(await due(), [second]);
  const statuses = listOf(await ask('GET', calls)).map(({ id: call, status }) => `${String(call)} ${String(status)}`);
  t.same(statuses.sort(), [`${first} canceled`, `${second} scheduled`, `${third} missed`].sort());
});

test('a case has one escalation at a time, and closing the case ends its escalation and snooze', async (t) => {
  const { ask, h, company } = await openHttpLender(t);
  const team = idOf(await ask('POST', '/teams', { name: 'Legal' }));
  const { id: userId } = await h.data('user.create', company, { type: 'agent', userName: 'mia' }, { permissions: ['*'] });
  const employeeId = idOf(await ask('POST', '/employees', { userId, firstName: 'Mia', lastName: 'Orr' }));
  const cases = `/people/${idOf(await ask('POST', '/people', ANN))}/cases`;
  const path = `${cases}/${idOf(await ask('POST', cases, { caseType: 'generic', status: 'processing' }))}`;
  t.match(await ask('POST', `${path}/escalations`, { targetType: 'agent', reason: 'hard' }), {
    status: 400,
    json: { errors: [{ path: 'employeeId' }] },
  });
  t.match(await ask('POST', `${path}/escalations`, { targetType: 'agent', employeeId }), {
    status: 400,
    json: { errors: [{ path: 'reason' }] },
  });
  const made = await ask('POST', `${path}/escalations`, { targetType: 'agent', employeeId, reason: 'hard' });
  t.match(dataOf(made), { status: 'open', employeeId, isUrgent: false, reason: 'hard' });
  t.match(await ask('POST', `${path}/escalations`, { targetType: 'team', teamId: team, reason: 'hard' }), {
    status: 409,
    json: { errorType: 'escalationExists' },
  });
  t.match(await ask('PUT', `${path}/escalations/${idOf(made)}`, { targetType: 'team', teamId: team, isUrgent: true, reason: 'harder' }), {
    json: { data: { teamId: team, employeeId: null, isUrgent: true } },
  });
  t.match(await ask('GET', '/cases?isEscalated=true'), { json: { total: 1 } });
  t.match(listOf(await ask('GET', cases.replace('/cases', '/notes'))), [
    { category: 'escalationUpdateReason', content: 'harder' },
    { category: 'escalationCreateReason', content: 'hard' },
  ]);
  await ask('POST', `${path}/snooze`, { until: '2127-01-01T00:00:00Z' });
  await ask('PUT', path, { status: 'completed', outcome: 'resolved' });
  t.match(await ask('GET', path), { json: { data: { snooze: null, escalation: null } } });
  t.match(listOf(await ask('GET', `${path}/escalations`)), [{ status: 'canceled' }]);
  t.match(
    listOf(await ask('GET', '/events?eventType=case.escalation.changed')).map(
      (event) => (event['data'] as Record<string, unknown>)['changeType'],
    ),
    ['deleted', 'updated', 'created'],
  );
  t.match(await ask('POST', `${path}/escalations`, { targetType: 'team', teamId: team, reason: 'hard' }), {
    status: 409,
    json: { errorType: 'caseClosed' },
  });
});

test('a block ends with its last day', async (t) => {
  const { ask } = await openHttpLender(t);
  const clock = idOf(await ask('POST', '/test-clocks', { startDate: '2026-03-02' }));
  const person = `/people/${idOf(await ask('POST', '/people', ANN))}`;
  const cases = `${person}/cases`;
  const path = `${cases}/${idOf(await ask('POST', cases, { caseType: 'ceaseCommunication' }))}/do-not-interacts`;
  t.match(await ask('POST', path, { endDate: '2026-03-01' }), { status: 400, json: { errors: [{ path: 'endDate' }] } });
  t.match(await ask('POST', path, { timesOfDay: [{ fromHour: 24, toHour: 0 }] }), { status: 400 }, 'midnight alone is no range');
  t.match(await ask('POST', path, { timesOfDay: [{ fromHour: 9, toHour: 9 }] }), {
    status: 400,
    json: { errors: [{ path: 'timesOfDay[0]' }] },
  });
  const made = await ask('POST', path, {
    channels: ['voice', 'text'],
    endDate: '2026-03-03',
    daysOfWeek: [4, 0],
    timesOfDay: [{ fromHour: 22, toHour: 6 }],
  });
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'doNotInteract',
        themes: ['all'],
        startDate: '2026-03-02',
        daysOfWeek: [0, 4],
        source: 'api',
        timezone: 'America/New_York',
      },
    },
  });
  t.match(await ask('POST', path, {}), { status: 409, json: { errorType: 'doNotInteractExists' } });
  t.match(await ask('PUT', `${path}/${idOf(made)}`, { channels: ['all'] }), {
    json: { data: { channels: ['all'], endDate: '2026-03-03' } },
  });
  t.match(await ask('GET', `${person}/do-not-interacts?activeOnly=true`), { json: { count: 1 } });
  await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2026-03-04' });
  t.match(await ask('GET', `${path}/${idOf(made)}`), { json: { data: { status: 'expired', endedAt: '2026-03-04T05:00:00.000Z' } } });
  t.match(await ask('GET', `${person}/do-not-interacts?activeOnly=true`), { json: { count: 0 } });
  await ask('POST', `${person}/contacts`, {
    contactType: 'address',
    label: 'home',
    status: 'primary',
    address: { addressLine1: '1 Elm Street', city: 'Chicago', state: 'IL', postalCode: '60601', country: 'US' },
  });
  const again = idOf(await ask('POST', path, {}));
  t.match(await ask('GET', `${path}/${again}`), { json: { data: { timezone: 'America/Chicago' } } });
  await ask('DELETE', `${path}/${again}`);
  t.match(listOf(await ask('GET', path)), [
    { id: again, status: 'lifted' },
    { id: idOf(made), status: 'expired' },
  ]);
});

test('documents of the borrower are attached to a case', async (t) => {
  const { ask } = await openHttpLender(t);
  const person = `/people/${idOf(await ask('POST', '/people', ANN))}`;
  const id = idOf(await ask('POST', `${person}/cases`, { caseType: 'deceased' }));
  const path = `${person}/cases/${id}/documents`;
  const made = async (body: object): Promise<unknown> =>
    (await ask('POST', `${person}/documents`, { type: 'evidence', ...body })).json['id'];
  const letter = await made({ description: 'letter' });
  const own = await made({ caseId: id });
  t.match(await ask('POST', `${path}/${letter}`), { status: 200, json: { data: { id: letter, description: 'letter' } } });
  t.match(listOf(await ask('GET', path)), [{ id: own }, { id: letter }]);
  t.match(await ask('DELETE', `${path}/${own}`), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('DELETE', `${path}/${letter}`), { status: 200 });
  t.match(await ask('DELETE', `${path}/${letter}`), { status: 404 });
  t.match(listOf(await ask('GET', path)), [{ id: own }]);
});
