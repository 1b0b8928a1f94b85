import { type Test, test } from 'tap';
import { sendingWorker } from '../../../../actors/contact/campaigns/row-work.js';
import { ListColumns } from '../../../../actors/contact/campaigns/rows.js';
import { ServiceCalls } from '../../../../actors/kernel/jobs/service-calls.js';
import { type HttpLender, idOf, listOf } from '../http-lender.js';
import { bareList } from '../make-template.js';
import { type CampaignOverHttp, DUE, openCampaigns } from './campaign-over-http.js';

const REMINDER = 'paymentDueDateReminder';

/** The channel and status of each reminder of the borrower, the oldest first. */
const reminders = async ({ ask, personId }: CampaignOverHttp): Promise<readonly unknown[]> =>
  listOf(await ask('GET', `/people/${personId}/interactions?subject=${REMINDER}`))
    .map(({ channel, status }) => ({ channel, status }))
    .reverse();

async function templateOf({ ask }: Pick<HttpLender, 'ask'>, channel: string): Promise<string> {
  const all = bareList(await ask('GET', `/communicator/templatedescriptors?subject=${REMINDER}&channel=${channel}`));
  return String(all.find(({ language }) => language === 'en')?.['id']);
}

async function contactOf({ ask, personId }: CampaignOverHttp, contactType: string): Promise<string> {
  const all = listOf(await ask('GET', `/people/${personId}/contacts`));
  return String(all.find((contact) => contact['contactType'] === contactType)?.['id']);
}

/** A campaign for all channels, whose row has more columns. */
const allChannels = async ({ campaign, sender }: CampaignOverHttp, columns: string): Promise<string> =>
  campaign({ query: `SELECT *, ${columns} FROM (${DUE})`, bulkSenderId: await sender() });

const SENT = [{ status: 'sent', interactionId: /^IN-/, reason: null }];

test('a template of one channel is tried on that channel alone', async (t: Test) => {
  const lender = await openCampaigns(t);
  const email = await allChannels(lender, `'${await templateOf(lender, 'email')}' AS "useTemplate"`);
  const run = await lender.ran(email);
  t.match(run, { status: 'succeeded', sentCount: 1, failedCount: 0 });
  t.match(await lender.rows(run), SENT);
  t.strictSame(await reminders(lender), [{ channel: 'email', status: 'attempted' }], 'and no failed text beside it');
});

test('a contact of one channel is tried on that channel alone', async (t) => {
  const lender = await openCampaigns(t);
  const run = await lender.ran(await allChannels(lender, `'${await contactOf(lender, 'email')}' AS "contactId"`));
  t.match(run, { status: 'succeeded', sentCount: 1, failedCount: 0 });
  t.match(await lender.rows(run), SENT);
  t.strictSame(await reminders(lender), [{ channel: 'email', status: 'attempted' }]);
});

test('a contact and a template without a common channel, and those that are unknown, send nothing', async (t) => {
  const lender = await openCampaigns(t);
  const [contactId, useTemplate] = [await contactOf(lender, 'address'), await templateOf(lender, 'email')];
  const apart = await lender.ran(await allChannels(lender, `'${contactId}' AS "contactId", '${useTemplate}' AS "useTemplate"`));
  t.match(await lender.rows(apart), [{ status: 'failed', interactionId: null, reason: /no channel has in common/ }]);
  const unknown = await lender.ran(await allChannels(lender, `'TD-AAAA-BBBB' AS "useTemplate"`));
  t.match(await lender.rows(unknown), [{ status: 'failed', interactionId: null, reason: 'There is no template TD-AAAA-BBBB.' }]);
  t.strictSame(await reminders(lender), []);
});

test('a channel that is refused does not undo what another has sent', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, h, company, personId, loanId } = lender;
  const caseId = idOf(await ask('POST', `/people/${personId}/cases`, { caseType: 'generic' }));
  const calls = new ServiceCalls(
    {
      query: (request) => h.engine.query(request),
      execute: (command) => h.engine.execute(command),
    },
    { company, mode: 'test' },
  );
  let channels = 0;
  const worker = sendingWorker(
    { externalId: null, interactionSubject: REMINDER, interactionTheme: 'opsServicing', interactionChannel: null },
    {
      runId: 'RN-AAAA-BBBB',
      units: 1,
      calls,
      // After the first channel the case is gone, so that the others are refused.
      async paced() {
        channels += 1;
        if (channels === 2) t.equal((await ask('DELETE', `/people/${personId}/cases/${caseId}`)).status, 200);
      },
    },
  );
  const columns = new ListColumns(['borrowerId', 'loanId', 'caseId', 'context_paymentAmount', 'context_paymentDueDate']);
  const row = await worker.look({ rowNumber: 1, cells: [personId, loanId, caseId, '109.14', '2026-03-15'], columns });
  t.match('work' in row && (await row.work()).result, { borrowerId: personId, status: 'sent', interactionId: /^IN-/, reason: null });
  t.equal(channels, 3, 'each channel is tried');
  t.strictSame(await reminders(lender), [{ channel: 'email', status: 'attempted' }]);
});

test('a run with the same external ids sends nothing again on any channel', async (t) => {
  const lender = await openCampaigns(t);
  const campaignId = await allChannels(lender, `'reminder-1' AS "interactionExternalId"`);
  t.match(await lender.rows(await lender.ran(campaignId)), SENT);
  const before = await reminders(lender);
  const again = await lender.ran(campaignId);
  t.match(again, { sentCount: 0, duplicateCount: 1 });
  t.match(await lender.rows(again), [{ status: 'skipped', reason: /already used/ }]);
  t.strictSame(await reminders(lender), before);
});
