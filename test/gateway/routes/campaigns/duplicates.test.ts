import { join } from 'node:path';
import { type Test, test } from 'tap';
import { RunExecution } from '../../../../actors/contact/campaigns/execution.js';
import { packBatch, unpackBatch } from '../../../../actors/contact/campaigns/run-files.js';
import type { ListCell, QueryList } from '../../../../actors/contact/campaigns/rows.js';
import type { CommandRequest, QueryRequest } from '../../../../actors/kernel/actor.js';
import { ServiceCalls } from '../../../../actors/kernel/jobs/service-calls.js';
import { SHARED_UNIT } from '../../../../actors/index.js';
import { ContentStore } from '../../../../gateway/documents/content-store.js';
import { FolderBlobs } from '../../../../persistence/index.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type CampaignOverHttp, DUE, openCampaigns } from './campaign-over-http.js';

/** The loan of the lender is named L-1, too. */
async function openNamed(t: Test): Promise<CampaignOverHttp> {
  const lender = await openCampaigns(t);
  t.equal((await lender.ask('PUT', lender.loan, { externalId: 'L-1' })).status, 200);
  return lender;
}

const BY_EXTERNAL_ID = DUE.replace('loan_id AS', `'ext-L-1' AS`);

test('a loan that two rows name in two ways is written to once', async (t) => {
  const { ask, campaign, sender, ran, rows, personId } = await openNamed(t);
  const query = `${DUE} UNION ALL ${BY_EXTERNAL_ID} UNION ALL ${BY_EXTERNAL_ID.replace('person_id', `'ext-ann-1'`)}`;
  const run = await ran(await campaign({ query, bulkSenderId: await sender({ interactionChannel: 'mail' }) }));
  t.match(run, { status: 'succeeded', sentCount: 1, duplicateCount: 2 });
  t.match(await rows(run), [{ status: 'sent' }, { status: 'skipped' }, { status: 'skipped' }]);
  t.equal(listOf(await ask('GET', `/people/${personId}/interactions?subject=paymentDueDateReminder`)).length, 1);
});

test('a loan that two rows name in two ways is exported once', async (t) => {
  const { campaign, exporter, ran, loanId } = await openNamed(t);
  const contactExporterId = await exporter({ contactMatchingCriteria: { contactType: ['phone'] } });
  const named = (loan: string): string => `SELECT person_id AS id, ${loan} AS "loanId" FROM v_people`;
  const query = [named(`'${loanId}'`), named(`'ext-L-1'`), named('NULL')].join(' UNION ALL ');
  const run = await ran(await campaign({ query, contactExporterId }));
  t.match(run, { exportedCount: 1, duplicateCount: 2 }, 'a row without a loan is about the only loan of the borrower');
});

/** As many rows as a sender records together. */
const BATCH = 100;

/**
 * A run of two batches: the first has the loan by its external id, the second another loan, at which the service stops, and then the first
 * by its id. It goes on after the stop, and reads what it has stored through `read`. Returns the rows of the second batch.
 */
async function stoppedRun(t: Test, read: (content: Uint8Array) => Uint8Array): Promise<readonly unknown[]> {
  const lender = await openNamed(t);
  const { h, ask, active, campaign, sender, runsOf, rows, company, personId, loanId } = lender;
  const other = (await active()).split('/').at(-1);
  const campaignId = await campaign({ query: DUE, bulkSenderId: await sender({ interactionChannel: 'mail' }) });
  await h.campaigns.close();
  const runId = idOf(await ask('POST', runsOf(campaignId)));
  const tenant = { company, mode: 'test' } as const;
  const row = (borrower: string, loan: unknown): ListCell[] => [borrower, String(loan), '109.14', '2026-03-15'];
  const unknown = Array.from({ length: BATCH - 1 }, () => row('BO-0000-0000', ''));
  const list: QueryList = {
    columns: ['borrowerId', 'loanId', 'context_paymentAmount', 'context_paymentDueDate'],
    rows: [row(personId, 'ext-L-1'), ...unknown, row(personId, other), row(personId, loanId)],
  };
  const store = new ContentStore(new FolderBlobs(join(h.folder, 'documents')));
  const asked = {
    execute: (command: CommandRequest) => h.engine.execute(command),
    query: (query: QueryRequest) => h.engine.query(query),
  };
  const execution = (paced: () => Promise<void>): RunExecution =>
    new RunExecution(
      {
        engine: h.cluster?.cluster.engine(SHARED_UNIT) ?? h.engine,
        calls: new ServiceCalls(asked, tenant),
        units: 1,
        questions: { ask: () => Promise.resolve(list) },
        contents: { put: (content) => store.put(content), get: async (content) => read(await store.get(content)) },
        outside: { fetchList: () => Promise.resolve(list), putFile: () => Promise.resolve() },
        paced,
        isClosed: () => false,
      },
      tenant,
      runId,
    );
  let sends = 0;
  const stopsAtSecond = (): Promise<void> => ((sends += 1) === 2 ? Promise.reject(new Error('the service stops')) : Promise.resolve());
  await t.rejects(execution(stopsAtSecond).run(), { message: 'the service stops' });
  const run = `${runsOf(campaignId)}/${runId}`;
  t.match(dataOf(await ask('GET', run)), { status: 'processing', processedCount: BATCH, sentCount: 1 });
  await execution(() => Promise.resolve()).run();
  t.match(dataOf(await ask('GET', run)), { status: 'partiallyFailed', processedCount: BATCH + 2, sentCount: 2, duplicateCount: 1 });
  return rows({ id: runId, campaignId }, `?startingAfter=${BATCH}`);
}

const SECOND = [{ status: 'sent' }, { status: 'skipped', reason: /earlier row/ }];

test('a run that goes on after a stop knows the loans of its stored rows by their ids', async (t) => {
  t.match(await stoppedRun(t, (content) => content), SECOND);
});

test('a run goes on from rows that an earlier release has stored without keys', async (t) => {
  const withoutKeys = (content: Uint8Array): Uint8Array => {
    if (!Buffer.from(content).toString().startsWith('{"results"')) return content;
    const { results, lines } = unpackBatch(content);
    return packBatch({ results, lines });
  };
  t.match(await stoppedRun(t, withoutKeys), SECOND);
});
