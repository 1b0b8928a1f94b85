import { test } from 'tap';
import { dataOf, listOf, openHttpLender } from '../http-lender.js';

const COLUMNS = { columnSettings: [{ field: 'person.id' }, { field: 'contact.value', outputName: 'phone' }] };

test('a campaign has exactly one query and one worker, and shows no secret', async (t) => {
  const { ask, h } = await openHttpLender(t);
  const exporter = dataOf(await ask('POST', '/campaign-workers/contact-exporters', COLUMNS));
  t.match(exporter, { id: /^CX-/, fileNamePattern: '{campaignId}_{YYYYMMDD}_{HHmm}.csv', columnSettings: [{ field: 'person.id' }, {}] });
  const sender = dataOf(await ask('POST', '/campaign-workers/bulk-senders', { interactionSubject: 'paymentDueDateReminder' }));
  t.match(sender, { id: /^BK-/, interactionSubject: 'paymentDueDateReminder', interactionChannel: null });

  const neither = await ask('POST', '/campaigns', { name: 'Nothing' });
  t.equal(neither.status, 400);
  t.match(neither.json, { errors: [{ path: 'queryUrl' }, { path: 'contactExporterId' }] });
  const both = { queryUrl: 'https://query.example/queries/1', contactExporterId: exporter['id'], bulkSenderId: sender['id'] };
  t.match((await ask('POST', '/campaigns', both)).json, { statusCode: 400, errors: [{ path: 'contactExporterId' }] });

  const body = {
    externalId: 'late-payers',
    name: 'Late payers',
    queryUrl: 'https://query.example/queries/1',
    queryApiKey: 'key-that-is-secret',
    schedule: 'P P * * 1-5',
    contactExporterId: exporter['id'],
    sftpSettings: { host: 'files.example:23', username: 'tenor', password: 'word-that-is-secret', cdDir: '/in' },
  };
  const created = await ask('POST', '/campaigns', body);
  t.equal(created.status, 200);
  const campaign = dataOf(created);
  // Monday 2026-03-02, 10:00 in New York: the moment of today has passed.
  t.match(campaign, { id: /^BC-/, status: 'active', lastRunId: null, nextRunAt: /^2026-03-03T1[01]:/, queryApiKey: '********' });
  t.match(campaign, { sftpSettings: { host: 'files.example:23', username: 'tenor', password: '********', cdDir: '/in' } });
  t.equal((await ask('POST', '/campaigns', body)).status, 409, 'an external id is taken once');

  const path = `/campaigns/${String(campaign['id'])}`;
  const kept = dataOf(await ask('PUT', path, { sftpSettings: { host: 'other.example', username: 'tenor', password: '********' } }));
  t.match(kept, { sftpSettings: { host: 'other.example', password: '********' }, queryApiKey: '********' });
  t.match(dataOf(await ask('PUT', path, { queryApiKey: null, status: 'paused' })), {
    queryApiKey: null,
    status: 'paused',
    nextRunAt: null,
  });
  for (const secret of ['key-that-is-secret', 'word-that-is-secret']) {
    t.notMatch(h.written(), secret, 'no secret lies on the disk in clear');
    t.notMatch((await ask('GET', '/events?limit=100')).text, secret);
  }

  const used = await ask('DELETE', `/campaign-workers/contact-exporters/${String(exporter['id'])}`);
  t.match(used.json, { statusCode: 400, errors: [{ path: 'contactExporterId' }] });
  t.equal((await ask('DELETE', path)).status, 200);
  t.same(listOf(await ask('GET', '/campaigns')), []);
  t.equal(listOf(await ask('GET', '/campaigns?status=deleted')).length, 1);
  t.equal((await ask('DELETE', `/campaign-workers/contact-exporters/${String(exporter['id'])}`)).status, 200);
  t.equal((await ask('POST', '/campaigns', body)).status, 404, 'its worker is gone');
});

test('schedules, columns and subjects that are none are refused by name', async (t) => {
  const { ask } = await openHttpLender(t);
  const sender = dataOf(await ask('POST', '/campaign-workers/bulk-senders', { interactionSubject: 'locStatementGenerated' }));
  t.equal(sender['interactionSubject'], 'statementGenerated', 'a deprecated subject is converted');
  for (const schedule of ['5 4 * * *', 'P P * *', 'P P 32 * *', 'P P * * 8', 'P P P * *', 'P P * * 5-1', 'P P */0 * *', '* P * * *']) {
    const answer = await ask('POST', '/campaigns', { query: 'SELECT 1', bulkSenderId: sender['id'], schedule });
    t.match(answer.json, { statusCode: 400, errors: [{ path: 'schedule' }] }, schedule);
  }
  const columns = { columnSettings: [{ field: 'person.shoeSize' }, { field: 'query.score' }, { field: 'loan.id;' }] };
  const answer = await ask('POST', '/campaign-workers/contact-exporters', columns);
  t.match(answer.json, { errors: [{ path: 'columnSettings[0].field' }, { path: 'columnSettings[2].field' }] });
  t.equal((await ask('POST', '/campaign-workers/contact-exporters', { ...COLUMNS, contactMatchingCriteria: { label: [] } })).status, 400);
  t.equal((await ask('POST', '/campaign-workers/contact-exporters', { ...COLUMNS, fileNamePattern: '../{runId}' })).status, 400);
  t.equal((await ask('POST', '/campaign-workers/bulk-senders', { interactionSubject: 'noSuchSubject' })).status, 400);
});
