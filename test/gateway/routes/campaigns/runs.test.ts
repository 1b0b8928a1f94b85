import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { itemsOf } from '../../../actors/harness.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { DUE, openCampaigns } from './campaign-over-http.js';

test('a run by hand sends one message a row, and records what became of each', async (t) => {
  const { h, ask, campaign, sender, ran, rows, personId, loanId, runsOf, company, failures } = await openCampaigns(t);
  const bulkSenderId = await sender({ interactionChannel: 'email' });
  const query = `${DUE} UNION ALL ${DUE} UNION ALL SELECT 'BO-0000-0000', NULL, 1, DATE '2026-03-15' UNION ALL SELECT NULL, NULL, 1, NULL`;
  const campaignId = await campaign({ name: 'Due soon', query, bulkSenderId });
  const run = await ran(campaignId);
  t.match(run, {
    id: /^RN-/,
    object: 'campaignRun',
    campaignId,
    companyId: company,
    trigger: 'manual',
    status: 'partiallyFailed',
    rowCount: 4,
    processedCount: 4,
    sentCount: 1,
    blockedCount: 0,
    failedCount: 2,
    duplicateCount: 1,
    exportedCount: 0,
    fileDocumentId: null,
    error: null,
    campaign: { id: campaignId, name: 'Due soon', bulkSenderId },
  });
  const all = await rows(run);
  t.match(all, [
    { rowNumber: 1, borrowerId: personId, status: 'sent', interactionId: /^IN-/, reason: null },
    { rowNumber: 2, borrowerId: personId, status: 'skipped', interactionId: null, reason: /earlier row/ },
    { rowNumber: 3, borrowerId: 'BO-0000-0000', status: 'failed', reason: /no person/ },
    { rowNumber: 4, borrowerId: null, status: 'failed', reason: /no borrower/ },
  ]);
  t.match(await rows(run, '?status=failed&limit=1'), [{ rowNumber: 3 }]);
  t.match(await rows(run, '?status=failed&limit=1&startingAfter=3'), [{ rowNumber: 4 }]);
  t.match(await rows(run, '?limit=2&endingBefore=4'), [{ rowNumber: 2 }, { rowNumber: 3 }]);
  t.equal((await ask('GET', `${runsOf(campaignId)}/${String(run['id'])}/rows?startingAfter=LN-AAAA-BBBB`)).status, 400);
  const sent = listOf(await ask('GET', `/people/${personId}/interactions?subject=paymentDueDateReminder`));
  t.equal(sent.length, 1);
  t.match(sent[0], { id: all[0]?.['interactionId'], channel: 'email', loanId, content: { contentHtml: /109\.14/ } });
  t.match(listOf(await ask('GET', runsOf(campaignId))), [{ id: run['id'] }]);
  t.match(dataOf(await ask('GET', `/campaigns/${campaignId}`)), { lastRunId: run['id'] });
  const events = listOf(await ask('GET', `/events?eventType=campaign.run.statuschanged&objectId=${String(run['id'])}&order=asc`));
  const none = { campaignId, trigger: 'manual', rowCount: null, processedCount: 0, sentCount: 0 };
  t.match(
    events.map(({ data }) => data),
    [
      { ...none, oldStatus: null, newStatus: 'queued' },
      { ...none, oldStatus: 'queued', newStatus: 'querying' },
      { ...none, oldStatus: 'querying', newStatus: 'processing', rowCount: 4 },
      { oldStatus: 'processing', newStatus: 'partiallyFailed', rowCount: 4, processedCount: 4, sentCount: 1, failedCount: 2 },
    ],
    'each step is an event, with its counts',
  );
  t.equal(events.length, 4);
  const metrics = await h.metrics.registry.metrics();
  for (const line of [
    'tenor_campaign_runs_total{status="partiallyFailed"} 1',
    'tenor_campaign_rows_total{status="failed"} 2',
    'tenor_campaign_rows_total{status="sent"} 1',
    'tenor_questions_total{outcome="answered"} 1',
    'tenor_question_seconds_count 1',
    'tenor_views_fill_seconds_count 1',
  ])
    t.ok(metrics.includes(`${line}\n`), line);
  t.same(failures, []);
});

test('a run whose query lacks a column, or is none, sends nothing', async (t) => {
  const { ask, campaign, sender, ran, personId } = await openCampaigns(t);
  const bulkSenderId = await sender({ interactionChannel: 'email' });
  const lacking = await campaign({ query: 'SELECT person_id AS "borrowerId" FROM v_loans', bulkSenderId });
  t.match(await ran(lacking), {
    status: 'failed',
    rowCount: null,
    sentCount: 0,
    error: 'The result of the query lacks the columns loanId, context_paymentAmount, context_paymentDueDate.',
  });
  const wrong = await ask('POST', '/campaigns', { query: "SELECT * FROM read_text('/etc/passwd')", bulkSenderId });
  t.match(wrong.json, { statusCode: 400, errors: [{ path: 'query' }] });
  t.equal((await ask('PUT', `/campaigns/${lacking}`, { query: 'DELETE FROM v_loans' })).status, 400);
  const unknown = await campaign({ query: 'SELECT no_such_column FROM v_loans', bulkSenderId });
  t.match(await ran(unknown), { status: 'failed', error: /no_such_column/ });
  t.same(listOf(await ask('GET', `/people/${personId}/interactions?subject=paymentDueDateReminder`)), []);
});

test('a variable that a template lacks fails its row', async (t) => {
  const { campaign, sender, ran, rows } = await openCampaigns(t);
  const bulkSenderId = await sender({ interactionChannel: 'email' });
  const query = `SELECT person_id AS "borrowerId", loan_id AS "loanId", '{"paymentAmount": "1.00"}' AS context FROM v_loans`;
  const run = await ran(await campaign({ query, bulkSenderId }));
  t.match(run, { status: 'failed', failedCount: 1, sentCount: 0, error: null });
  t.match(await rows(run), [{ status: 'failed', reason: /context_paymentDueDate/ }]);
});

test('a query sees personal data where its author may', async (t) => {
  const { askWith, ask, ran, sender, rows } = await openCampaigns(t);
  const bulkSenderId = await sender({ interactionSubject: 'freeForm', interactionTheme: 'opsServicing' });
  const query = `SELECT person_id AS "borrowerId", first_name FROM v_people`;
  const permissions = ['campaign:create', 'campaign:update', 'campaign:run', 'campaign:read'];
  const blind = await askWith(permissions, 'POST', '/campaigns', { query, bulkSenderId });
  t.equal(blind.status, 200);
  t.match(await ran(idOf(blind)), { status: 'failed', error: /first_name/ });
  const seeing = idOf(await ask('POST', '/campaigns', { query, bulkSenderId }));
  const run = await ran(seeing);
  t.match(run, { rowCount: 1 });
  t.match(await rows(run), [{ status: 'failed', reason: /template/i }], 'free texts have no template here');
});

test('a run that goes on makes the next one skip, and one that is stopped sends no more', async (t) => {
  const { ask, campaign, sender, runsOf, h } = await openCampaigns(t);
  const campaignId = await campaign({ query: DUE, bulkSenderId: await sender({ interactionChannel: 'email' }) });
  await h.campaigns.settled();
  const [first, second] = [await ask('POST', runsOf(campaignId)), await ask('POST', runsOf(campaignId))];
  t.match(dataOf(second), { status: 'skipped', error: /still going/ });
  const stopped = await ask('POST', `${runsOf(campaignId)}/${idOf(first)}/cancel`);
  t.match(dataOf(stopped), { status: 'canceled' });
  await h.campaigns.settled();
  t.match(dataOf(await ask('GET', `${runsOf(campaignId)}/${idOf(first)}`)), { status: 'canceled', sentCount: 0 });
  t.equal((await ask('POST', `${runsOf(campaignId)}/${idOf(first)}/cancel`)).status, 409);
  t.equal((await ask('GET', `${runsOf(campaignId)}/RN-AAAA-BBBB`)).status, 404);
});

test('a run that a stop of the service has broken off goes on, and sends nothing twice', async (t) => {
  const { ask, campaign, sender, runsOf, h, active, company } = await openCampaigns(t);
  for (let more = 0; more < 7; more += 1) await active();
  const campaignId = await campaign({ query: DUE, bulkSenderId: await sender({ interactionChannel: 'email' }) });
  const runId = idOf(await ask('POST', runsOf(campaignId)));
  const reminders = async (): Promise<number> =>
    itemsOf(await h.query('interaction.list', null, { subject: 'paymentDueDateReminder', limit: 100 })).length;
  const running = h.campaigns.settled();
  while ((await reminders()) < 2) await pause(5);
  await h.campaigns.close();
  await running;
  const before = await reminders();
  t.ok(before >= 2 && before < 8, 'some are sent, and none is recorded with the run');
  t.match(dataOf(await ask('GET', `${runsOf(campaignId)}/${runId}`)), { status: 'processing', processedCount: 0 });
  await h.restart();
  h.deliver();
  await h.campaigns.settled();
  t.equal(await reminders(), 8);
  const params = { companyId: company, borrowerCampaignId: campaignId };
  t.match(
    await h.query('campaignRun.get', runId, {}, { params }),
    { status: 'succeeded', rowCount: 8, processedCount: 8, sentCount: 3, blockedCount: 5 },
    'three a day',
  );
});
