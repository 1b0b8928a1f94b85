import { type Test, test } from 'tap';
import { type CampaignOverHttp, DUE, openCampaigns } from '../campaigns/campaign-over-http.js';
import { dataOf } from '../http-lender.js';
import { type Data, worksOf } from './days-over-http.js';

interface Watched extends CampaignOverHttp {
  /** Moves the clock to noon of a day, does all work that is due, and returns the works of the day. */
  on(date: string): Promise<Readonly<Record<string, Data>>>;
  works(date: string): Promise<Readonly<Record<string, Data>>>;
}

async function openWatched(t: Test): Promise<Watched> {
  const lender = await openCampaigns(t);
  const { ask, h, goTo } = lender;
  await h.dayWork.run();
  const works = async (date: string): Promise<Readonly<Record<string, Data>>> =>
    worksOf(dataOf(await ask('GET', `/operations/daily?date=${date}`)));
  return {
    ...lender,
    works,
    async on(date) {
      await goTo(date);
      await h.campaigns.settled();
      await h.dayWork.run();
      return works(date);
    },
  };
}

test('the reminders of each loan type are a work of the day', async (t) => {
  const { on, loanTypeId } = await openWatched(t);
  t.match(await on('2026-03-05'), {
    reminders: {
      state: 'done',
      subjectId: loanTypeId,
      timezone: 'America/Los_Angeles',
      dueAt: '2026-03-05T08:00:00.000Z',
      lateAt: '2026-03-05T17:00:00.000Z',
      operationId: /^[0-9a-f]{32}$/,
      counts: { changed: 1, unchanged: 0, failed: 0 },
      progress: { done: 1, total: 1 },
    },
  });
});

test('a campaign is a work of the days of its schedule; one that is paused is due, and a missed run is skipped', async (t) => {
  const { on, works, campaign, sender, ask } = await openWatched(t);
  const borrowerCampaignId = await campaign({ query: DUE, schedule: 'P P * * 1-5', bulkSenderId: await sender() });
  t.match(await on('2026-03-03'), {
    campaign: { state: 'done', subjectId: borrowerCampaignId, dueAt: /^2026-03-03T1[0-2]/, counts: { rows: 1 }, objectIds: [/^RN-/] },
  });
  await ask('PUT', `/campaigns/${borrowerCampaignId}`, { status: 'paused' });
  t.match(await on('2026-03-04'), { campaign: { state: 'paused', isLate: true, error: 'The campaign is paused.', pausedBy: 'status' } });
  await ask('PUT', `/campaigns/${borrowerCampaignId}`, { status: 'active' });
  t.match(await on('2026-03-06'), { campaign: { state: 'done', isLate: false } });
  t.match(await works('2026-03-05'), { campaign: { state: 'skipped', error: /not made up for/, isLate: false } });
  t.equal((await on('2026-03-07'))['campaign'], undefined, 'a Saturday has no run');
});
