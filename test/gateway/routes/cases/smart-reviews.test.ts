import { test } from 'tap';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { NAME } from '../../../people.js';

/** A lender in New York whose case types have smart reviews. The clock is on 2026-03-02. */
interface ReviewedCases extends HttpLender {
  /** Opens a case of a new borrower; returns its path. */
  open(body: object): Promise<string>;
  /** Enables the reviews of a case type; returns its id. */
  reviewed(caseType: string, config?: object): Promise<string>;
  /** Attributes of the review tasks of a case. */
  tasks(path: string): Promise<readonly unknown[]>;
  at(date: string): Promise<void>;
}

async function openReviewedCases(t: Parameters<typeof openHttpLender>[0]): Promise<ReviewedCases> {
  const lender = await openHttpLender(t);
  const { ask, h, company } = lender;
  return {
    ...lender,
    async open(body) {
      const person = `/people/${idOf(await ask('POST', '/people', { name: NAME }))}`;
      return `${person}/cases/${idOf(await ask('POST', `${person}/cases`, body))}`;
    },
    async reviewed(caseType, config) {
      const id = String(listOf(await ask('GET', `/case-types?caseType=${caseType}`))[0]?.['id']);
      t.match(await ask('PUT', `/case-types/${id}/smart-reviews`, { enable: true, ...(config === undefined ? {} : { config }) }), {
        status: 200,
        json: { data: { smartReviews: { enable: true } } },
      });
      await h.engine.settled();
      return id;
    },
    async tasks(path) {
      const answer = await ask('GET', `/companies/${company}/tasks?taskType=smartReviewCase&caseId=${path.split('/').at(-1)}`);
      return listOf(answer).map(({ attributes }) => attributes);
    },
    async at(date) {
      h.nowMs = Date.parse(`${date}T17:00:00Z`);
      await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
      await h.engine.settled();
    },
  };
}

const done = async ({ ask, company }: ReviewedCases, path: string): Promise<void> => {
  const [task] = listOf(await ask('GET', `/companies/${company}/tasks?taskType=smartReviewCase&caseId=${path.split('/').at(-1)}`));
  await ask('POST', `/companies/${company}/tasks/${String(task?.['id'])}/cancel`, {});
};

test('a case gets a review task on its key dates', async (t) => {
  const lender = await openReviewedCases(t);
  const { open, reviewed, tasks, at } = lender;
  await reviewed('militaryDuty', { keyDates: { dutyStartDate: 1, dutyEndDate: [-2, 0] } });
  const path = await open({ caseType: 'militaryDuty', dutyStartDate: '2026-03-04', dutyEndDate: '2026-03-10' });
  const without = await open({ caseType: 'militaryDuty' });
  await at('2026-03-04');
  t.same(await tasks(path), []);
  await at('2026-03-05');
  t.same(await tasks(path), [{ keyDates: ['dutyStartDate'] }]);
  await at('2026-03-08');
  t.same(await tasks(path), [{ keyDates: ['dutyStartDate'] }], 'one open task for a case');
  await done(lender, path);
  await at('2026-03-10');
  t.same(await tasks(path), [{ keyDates: ['dutyEndDate'] }]);
  t.same(await tasks(without), []);
  t.match(listOf(await lender.ask('GET', `${path}/events`)), [{ action: 'created' }], 'planned reviews are no events of the case');
});

test('review tasks follow changes of the case and of its type', async (t) => {
  const lender = await openReviewedCases(t);
  const { ask, open, reviewed, tasks, at } = lender;
  const before = await open({ caseType: 'deceased', deceasedNoticeReceivedDate: '2026-03-04' });
  const id = await reviewed('deceased');
  const moved = await open({ caseType: 'deceased', deceasedNoticeReceivedDate: '2026-03-04' });
  await ask('PUT', moved, { deceasedNoticeReceivedDate: '2026-03-06' });
  const closed = await open({ caseType: 'deceased', deceasedNoticeReceivedDate: '2026-03-04' });
  await ask('PUT', closed, { status: 'canceled' });
  const over = await open({ caseType: 'deceased', deceasedNoticeReceivedDate: '2026-03-02' });
  await at('2026-03-04');
  t.same(await Promise.all([before, moved, closed, over].map(tasks)), [[{ keyDates: ['deceasedNoticeReceivedDate'] }], [], [], []]);
  await ask('PUT', `/case-types/${id}/smart-reviews`, { enable: false });
  await at('2026-03-06');
  t.same(await tasks(moved), [], 'switched off');
  await ask('PUT', `/case-types/${id}/smart-reviews`, { enable: true, config: { keyDates: { deceasedNoticeReceivedDate: 3 } } });
  await lender.h.engine.settled();
  await at('2026-03-09');
  t.same(await tasks(moved), [{ keyDates: ['deceasedNoticeReceivedDate'] }]);
  t.match(await ask('GET', `/case-types/${id}`), { json: { data: { version: 1 } } }, 'no new version');
});

test('a collection case gets a review task when there was no contact and nothing is planned', async (t) => {
  const lender = await openReviewedCases(t);
  const { ask, open, reviewed, tasks, at } = lender;
  await reviewed('collection', { lastOutboundInteractionThreshold: 3 });
  const silent = await open({ caseType: 'collection' });
  const called = await open({ caseType: 'collection', lastOutboundInteractionDate: '2026-03-02' });
  const snoozed = await open({ caseType: 'collection' });
  await ask('POST', `${snoozed}/snooze`, { until: '2026-03-07T15:00:00Z' });
  await at('2026-03-04');
  await ask('PUT', called, { lastOutboundInteractionDate: '2026-03-04' });
  await at('2026-03-05');
  t.same(await Promise.all([silent, called, snoozed].map(tasks)), [[{}], [], []]);
  await at('2026-03-07');
  t.same(await Promise.all([called, snoozed].map(tasks)), [[{}], []]);
  await at('2026-03-08');
  t.same(await tasks(snoozed), [{}], 'the day after the end of the snooze');
  await done(lender, silent);
  await at('2026-03-10');
  t.same(await tasks(silent), []);
  await at('2026-03-11');
  t.same(await tasks(silent), [{}], 'and again, since there was no contact');
});

test('a preview lists the cases that a day would bring up', async (t) => {
  const lender = await openReviewedCases(t);
  const { ask, open } = lender;
  const id = String(listOf(await ask('GET', '/case-types?caseType=debtValidation'))[0]?.['id']);
  const preview = `/case-types/${id}/smart-reviews/preview`;
  await ask('PUT', `/case-types/${id}/smart-reviews`, { config: { keyDates: { requestDate: [0, 25] } } });
  const early = await open({ caseType: 'debtValidation', requestDate: '2026-03-05' });
  const late = await open({ caseType: 'debtValidation', requestDate: '2026-03-30' });
  const cases = async (date: string): Promise<unknown[]> => listOf(await ask('POST', preview, { date })).map((found) => found['id']);
  const idsOf = (...paths: string[]): unknown[] => paths.map((path) => path.split('/').at(-1));
  t.same(await cases('2026-03-05'), idsOf(early));
  t.same(await cases('2026-03-30'), idsOf(late, early));
  t.same(await cases('2026-03-31'), []);
  t.match(await ask('POST', `${preview}?limit=1`, { date: '2026-03-30' }), { status: 200, json: { total: 2, data: { length: 1 } } });
  const [collection] = listOf(await ask('GET', '/case-types?caseType=collection'));
  const reminded = await open({ caseType: 'collection' });
  t.same(
    listOf(await ask('POST', `/case-types/${String(collection?.['id'])}/smart-reviews/preview`, { date: '2026-03-09' })).map(
      (found) => found['id'],
    ),
    idsOf(reminded),
  );
  t.match(await ask('POST', preview, {}), { status: 400 });
  t.match(await ask('POST', '/case-types/CE-AAAA-AAAA/smart-reviews/preview', { date: '2026-03-05' }), { status: 404 });
  t.match(await ask('PUT', '/case-types/CE-AAAA-AAAA/smart-reviews', { enable: true }), { status: 404 });
  t.match(await ask('PUT', `/case-types/${id}/smart-reviews`, { config: { keyDates: { dutyEndDate: 1 } } }), {
    status: 400,
    json: { errors: [{ path: 'config.keyDates.dutyEndDate' }] },
  });
  t.match(await ask('PUT', `/case-types/${id}/smart-reviews`, { config: { keyDates: { requestDate: 1.5 } } }), { status: 400 });
  t.match(dataOf(await ask('GET', early)), { caseType: 'debtValidation' });
});

test('a reminder waits while contacts are recent, and the case shows the last one', async (t) => {
  const lender = await openReviewedCases(t);
  const { ask, h, open, reviewed, tasks, at } = lender;
  const typeId = await reviewed('collection', { lastOutboundInteractionThreshold: 3 });
  const path = await open({ caseType: 'collection' });
  const person = path.split('/').slice(0, 3).join('/');
  const said = (body: object): Promise<unknown> =>
    ask('POST', `${person}/interactions`, { theme: 'opsCollDebt', startedAt: new Date(h.nowMs).toISOString(), ...body });
  t.match(await ask('GET', path), { json: { data: { lastOutboundInteractionDate: null, lastSuccessfulContactDate: null } } });
  await at('2026-03-03');
  await said({ channel: 'voice', agentOutcome: 'voiceSpokeWithFirstParty' });
  await at('2026-03-04');
  await said({ channel: 'email' });
  await said({ channel: 'email', status: 'failed' });
  t.match(await ask('GET', path), {
    json: { data: { lastOutboundInteractionDate: '2026-03-04', lastSuccessfulContactDate: '2026-03-03' } },
  });
  t.match(listOf(await ask('POST', `/case-types/${typeId}/smart-reviews/preview`, { date: '2026-03-07' })), [
    { lastOutboundInteractionDate: '2026-03-04' },
  ]);
  await at('2026-03-05');
  t.same(await tasks(path), [], 'three days since the case, one since the last contact');
  await said({ channel: 'text', direction: 'inbound', theme: 'inbGeneral' });
  await at('2026-03-06');
  t.same(await tasks(path), []);
  t.match(await ask('GET', path), {
    json: { data: { lastOutboundInteractionDate: '2026-03-04', lastSuccessfulContactDate: '2026-03-05' } },
  });
  await at('2026-03-07');
  t.same(await tasks(path), [{}]);
  await done(lender, path);
  await at('2026-03-10');
  t.same(await tasks(path), [{}], 'and again');
});
