import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { dataOf, listOf } from '../http-lender.js';
import { openCampaigns } from './campaign-over-http.js';
import { openSftpServer } from './sftp-server.js';

const LOGIN = { username: 'tenor', password: 'word-of-the-server' };

const COLUMNS = [
  { field: 'person.id' },
  { field: 'person.firstName', outputName: 'first, "given"' },
  { field: 'contact.value', outputName: 'phone' },
  { field: 'contact.contactType' },
  { field: 'address.city' },
  { field: 'loan.id' },
  { field: 'loan.status' },
  { field: 'loan.nextDueAmount' },
  { field: 'loan.outstandingBalance' },
  { field: 'query.score' },
];

/** A query tool with answers of the test. */
async function openQueryTool(
  t: Test,
  answer: () => { readonly status?: number; readonly body: string },
): Promise<{ readonly url: string; readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const { status = 200, body } = answer();
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/queries/7`, asked };
}

test('an exporter writes a line for each contact that it wants, and the file can be downloaded', async (t) => {
  const { ask, campaign, exporter, ran, rows, personId, loanId, runsOf } = await openCampaigns(t);
  const contactExporterId = await exporter({
    columnSettings: COLUMNS,
    contactMatchingCriteria: { contactType: ['phone', 'address'], status: ['primary'] },
  });
  const query = `SELECT person_id AS id, 'a "b", c' AS score FROM v_people UNION ALL SELECT 'BO-0000-0000', 'x'`;
  const campaignId = await campaign({ query, contactExporterId });
  const run = await ran(campaignId);
  t.match(run, { status: 'partiallyFailed', rowCount: 2, exportedCount: 2, failedCount: 1, sentCount: 0, blockedCount: 0 });
  t.match(run['fileName'], new RegExp(`^${campaignId}_20260302_1000\\.csv$`));
  t.match(await rows(run), [{ borrowerId: personId, status: 'exported', interactionId: null }, { status: 'failed' }]);
  const file = await ask('GET', `${runsOf(campaignId)}/${String(run['id'])}/file`);
  t.equal(file.headers['content-type'], 'text/csv; charset=utf-8');
  t.match(file.headers['content-disposition'], `attachment; filename="${String(run['fileName'])}"`);
  t.equal(
    file.text,
    [
      'person.id,"first, ""given""",phone,contact.contactType,address.city,loan.id,loan.status,' +
        'loan.nextDueAmount,loan.outstandingBalance,query.score',
      `${personId},Annabel,,address,Albany,${loanId},active,109.14,1200.00,"a ""b"", c"`,
      `${personId},Annabel,+12025550143,phone,,${loanId},active,109.14,1200.00,"a ""b"", c"`,
      '',
    ].join('\r\n'),
  );
});

test('contacts that the guard does not let through are left out and counted', async (t) => {
  const { ask, campaign, exporter, ran, rows, runsOf } = await openCampaigns(t);
  const checkCompliance = { channel: 'voice', theme: 'opsServicing' };
  const contactExporterId = await exporter({ contactMatchingCriteria: { contactType: ['phone'] }, checkCompliance });
  const campaignId = await campaign({ query: 'SELECT person_id AS id FROM v_people', contactExporterId });
  t.match(await ran(campaignId), { status: 'succeeded', exportedCount: 1, blockedCount: 0 });
  const dialed = { channel: 'voice', theme: 'marketing', isAutodialed: true };
  await ask('PUT', `/campaign-workers/contact-exporters/${contactExporterId}`, { checkCompliance: dialed });
  const run = await ran(campaignId);
  t.match(run, { status: 'succeeded', exportedCount: 0, blockedCount: 1 });
  t.match(await rows(run), [{ status: 'blocked', reason: /guard/ }]);
  const file = await ask('GET', `${runsOf(campaignId)}/${String(run['id'])}/file`);
  t.equal(file.text, 'person.id\r\n', 'a file without lines has its header');
  const kinds = listOf(await ask('GET', '/operations')).map(({ kind }) => kind);
  t.notOk(kinds.includes('person.canInteract'), 'what the service asks of itself is no operation of the lender');
});

test('a query tool is asked with its key, and the file is put by SFTP with three tries', async (t) => {
  const { campaign, exporter, ran, personId, h, ask, runsOf } = await openCampaigns(t);
  const server = await openSftpServer(t, LOGIN);
  const answers = { status: 200, body: JSON.stringify([{ id: personId, score: 7 }]) };
  const tool = await openQueryTool(t, () => answers);
  const contactExporterId = await exporter({
    columnSettings: [{ field: 'query.score' }],
    contactMatchingCriteria: { contactType: ['phone'] },
    fileNamePattern: 'list.csv',
  });
  const campaignId = await campaign({
    queryUrl: tool.url,
    queryApiKey: 'key-of-the-tool',
    contactExporterId,
    sftpSettings: { host: server.host, ...LOGIN, cdDir: '/in' },
  });
  server.refuses = 2;
  t.match(await ran(campaignId), { status: 'succeeded', exportedCount: 1, fileName: 'list.csv' });
  t.equal(server.connections, 3);
  t.strictSame([...server.files], [['/in/list.csv', 'query.score\r\n7\r\n']]);
  t.equal(tool.asked[0]?.headers.authorization, 'Bearer key-of-the-tool');

  server.refuses = 100;
  const run = await ran(campaignId);
  t.match(run, { status: 'failed', error: /SFTP/ });
  t.equal(server.connections, 6);
  t.equal((await ask('GET', `${runsOf(campaignId)}/${String(run['id'])}/file`)).status, 200, 'the file is kept');
  for (const secret of [LOGIN.password, 'key-of-the-tool']) t.notMatch(JSON.stringify([run, h.reports]) + h.written(), secret);

  for (const [body, error] of [
    ['{"columns": ["id"], "rows": [["x"], 3]}', /no list of rows/],
    ['not JSON', /no JSON/],
    ['{"data": [{"name": 1}]}', /lacks the columns id, score/],
  ] as const) {
    answers.body = body;
    t.match(await ran(campaignId), { status: 'failed', error }, body);
  }
  answers.status = 500;
  t.match(await ran(campaignId), { status: 'failed', error: 'The query tool has answered 500.' });
});

test('addresses that the operator does not allow are reached by no campaign', async (t) => {
  const { campaign, exporter, ran } = await openCampaigns(t);
  const contactExporterId = await exporter();
  for (const queryUrl of ['http://10.0.0.1/queries/1', 'https://192.168.0.1/queries/1', 'http://example.com/queries/1'])
    t.match(await ran(await campaign({ queryUrl, contactExporterId })), { status: 'failed', error: /address/ }, queryUrl);
  const query = 'SELECT person_id AS id FROM v_people';
  const inside = await campaign({ query, contactExporterId, sftpSettings: { host: '10.0.0.1', ...LOGIN } });
  t.match(await ran(inside), { status: 'failed', error: /SFTP server/ });
});

test('a scheduled campaign runs once on its day, between five and seven', async (t) => {
  const { ask, campaign, exporter, h, runsOf, goTo } = await openCampaigns(t);
  const campaignId = await campaign({
    query: 'SELECT person_id AS id FROM v_people',
    contactExporterId: await exporter(),
    schedule: 'P P * * TUE',
  });
  const { nextRunAt } = dataOf(await ask('GET', `/campaigns/${campaignId}`));
  t.match(nextRunAt, /^2026-03-03T1[01]:\d\d:00/, 'Tuesday morning in New York');
  await h.campaigns.settled();
  t.equal(dataOf(await ask('GET', `/campaigns/${campaignId}`))['lastRunId'], null);
  await goTo('2026-03-03');
  await h.campaigns.settled();
  await h.campaigns.settled();
  const list = await ask('GET', runsOf(campaignId));
  t.match(list.json, { total: 1, data: [{ trigger: 'schedule', status: 'succeeded', rowCount: 1 }] });
  t.match(dataOf(await ask('GET', `/campaigns/${campaignId}`)), { nextRunAt: /^2026-03-10T/, lastRunId: /^RN-/ });
});

test('days that were missed bring no run, and a campaign that was late runs on its day', async (t) => {
  const { ask, campaign, exporter, h, runsOf, goTo } = await openCampaigns(t);
  const contactExporterId = await exporter();
  const campaignId = await campaign({ query: 'SELECT person_id AS id FROM v_people', contactExporterId, schedule: 'P P * * 5' });
  const nextRunAt = async (): Promise<unknown> => dataOf(await ask('GET', `/campaigns/${campaignId}`))['nextRunAt'];
  t.match(await nextRunAt(), /^2026-03-06T1[01]:/, 'Friday');
  await goTo('2026-03-07');
  await h.campaigns.settled();
  t.match(
    (await ask('GET', runsOf(campaignId))).json,
    { total: 0 },
    'the service was away on Friday, and Saturday is no day of the schedule',
  );
  t.match(await nextRunAt(), /^2026-03-13T(?:09|10):/, 'the next Friday');

  await goTo('2026-03-20');
  await h.campaigns.settled();
  t.match(
    (await ask('GET', runsOf(campaignId))).json,
    { total: 1, data: [{ trigger: 'schedule', status: 'succeeded', createdAt: /^2026-03-20T17:00/ }] },
    'it was away until one in the afternoon: the run of the day starts then, and the Friday before has none',
  );
  t.match(await nextRunAt(), /^2026-03-27T(?:09|10):/);
});
