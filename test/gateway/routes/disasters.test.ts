import { setTimeout as pause } from 'node:timers/promises';
import { test, type Test } from 'tap';
import { lineBody, loanBody } from '../../actors/loan/setting.js';
import { HOME } from '../../actors/borrower/lender.js';
import { until } from '../../persistence/key-values/conformance.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

const FLOOD = {
  femaDisasterNumber: 4801,
  declarationDate: '2026-02-20',
  incidentType: 'Flood',
  description: 'The river rose',
  incidentBeginDate: '2026-02-18',
  programs: ['IHP'],
  impactedAreas: [{ state: 'NY', county: 'Albany County', fipsCode: '36001' }, { state: 'TX' }],
};

interface River extends HttpLender {
  /** A borrower with a home, and a loan that was activated. */
  settle(state: string | null, county: string | null, isActive?: boolean): Promise<{ readonly personId: string; readonly loanId: string }>;
  declare(body?: object): Promise<{ readonly supercase: string; readonly operation: Record<string, unknown> }>;
  /** Borrowers in the newest population. */
  matched(supercase: string): Promise<readonly unknown[]>;
  done(operationId: unknown): Promise<Record<string, unknown>>;
}

const home = (state: string, county: string | null): object => ({
  ...HOME,
  address: { ...HOME.address, state, ...(county === null ? {} : { countyOrRegion: county }) },
});

async function openRiver(t: Test): Promise<River> {
  const lender = await openHttpLender(t);
  const { ask, h, company } = lender;
  await ask('PUT', `/companies/${company}`, { femaPolicy: true });
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  let made = 0;
  const settle: River['settle'] = async (state, county, isActive = true) => {
    const personId = idOf(await ask('POST', '/people', { name: NAME }));
    if (state !== null) t.match(await ask('POST', `/people/${personId}/contacts`, home(state, county)), { status: 200 });
    const loanId = idOf(await ask('POST', `/people/${personId}/loans`, { ...loanBody(loanTypeId), externalId: `loan-${(made += 1)}` }));
    if (isActive) t.match(await ask('POST', `/people/${personId}/loans/${loanId}/activate`, {}), { status: 200 });
    return { personId, loanId };
  };
  const done = async (operationId: unknown): Promise<Record<string, unknown>> => {
    for (;;) {
      const answer = await ask('GET', `/operations/${String(operationId)}`);
      if (answer.status !== 206) return dataOf(answer);
      await pause(5);
    }
  };
  const declare: River['declare'] = async (body = FLOOD) => {
    const declared = await ask('POST', '/monitoring/disasters', body);
    t.match(declared, { status: 200, json: { data: { supercaseId: /^SC-/, operationId: String } } });
    const { supercaseId, operationId } = dataOf(declared);
    return { supercase: `/supercases/${String(supercaseId)}`, operation: await done(operationId) };
  };
  const matched = async (supercase: string): Promise<readonly unknown[]> => {
    const [newest] = listOf(await ask('GET', `${supercase}/populations`));
    return listOf(await ask('GET', `${supercase}/populations/${String(newest?.['id'])}/members`))
      .map(({ personId }) => personId)
      .sort();
  };
  return { ...lender, settle, declare, matched, done };
}

const ids = (...pairs: readonly { readonly personId: string }[]): readonly string[] => pairs.map(({ personId }) => personId).sort();

test('a declaration makes a supercase with a draft of the borrowers whose homes lie in it', async (t) => {
  const river = await openRiver(t);
  const { ask, settle, declare, matched, failures } = river;
  const [inCounty, inState] = [await settle('NY', 'ALBANY'), await settle('TX', null)];
  const nowhere = await settle('NY', null);
  await settle('NY', 'Kings County');
  await settle('NY', 'Albany', false);
  await settle(null, null);
  const { supercase, operation } = await declare();
  t.match(operation, {
    kind: 'supercase.match',
    counts: { changed: 2, failed: 1 },
    failures: [{ id: nowhere.personId, message: /has no county/ }],
  });
  t.match(await ask('GET', supercase), {
    json: {
      data: {
        supercaseType: 'federalEmergency',
        name: 'Flood 4801',
        description: 'The river rose',
        autoCreated: true,
        femaDisasterNumber: 4801,
        status: 'initiated',
        femaMonitoringEndDate: '2026-05-21',
        femaDisasterDetails: {
          incidentType: 'Flood',
          declarationDate: '2026-02-20',
          programs: ['IHP'],
          impactedAreas: [{ id: /^FD-/, county: 'Albany County' }, { state: 'TX' }],
        },
        populationCount: 1,
        memberCount: 2,
      },
    },
  });
  t.match(listOf(await ask('GET', `${supercase}/populations`)), [{ name: 'Matched borrowers', isDraft: true, memberCount: 2 }]);
  t.same(await matched(supercase), ids(inCounty, inState));
  t.match(listOf(await ask('GET', `/people/${inCounty.personId}/cases`)), [], 'a draft has no cases yet');
  t.same(failures, []);
});

test('a repeated declaration changes nothing; a new area is searched, and a new end date is stored', async (t) => {
  const { ask, settle, declare, matched, h } = await openRiver(t);
  const [albany, kings] = [await settle('NY', 'Albany'), await settle('NY', 'Kings')];
  const { supercase } = await declare();
  const stamps = async (): Promise<unknown> => [
    dataOf(await ask('GET', supercase))['updatedAt'],
    listOf(await ask('GET', '/monitoring/disasters')),
  ];
  const before = await stamps();
  h.nowMs += 60_000;
  const again = await ask('POST', '/monitoring/disasters', FLOOD);
  t.match(again, { status: 200, json: { data: { supercaseId: supercase.split('/').at(-1) } } });
  t.notOk(dataOf(again)['operationId']);
  t.same(await stamps(), before);
  t.match(await ask('GET', '/supercases'), { json: { total: 1 } });
  const wider = await declare({
    ...FLOOD,
    incidentEndDate: '2026-04-01',
    impactedAreas: [...FLOOD.impactedAreas, { state: 'NY', county: 'Kings' }],
  });
  t.equal(wider.supercase, supercase);
  t.match(wider.operation, { status: 'succeeded', counts: { changed: 1 } });
  t.same(await matched(supercase), ids(albany, kings));
  t.match(await ask('GET', supercase), { json: { data: { femaMonitoringEndDate: '2026-04-01', memberCount: 2, populationCount: 1 } } });
  await ask('PUT', supercase, { femaMonitoringEndDate: '2026-04-20' });
  await ask('POST', '/monitoring/disasters', { ...FLOOD, incidentEndDate: '2026-04-05' });
  t.match(await ask('GET', supercase), { json: { data: { femaMonitoringEndDate: '2026-04-20' } } }, 'an end that somebody has set stays');
});

test('a borrower whose monitoring was stopped is left out, and a closed supercase adds nobody', async (t) => {
  const { ask, settle, declare, matched, h, company } = await openRiver(t);
  const [stopped, watched] = [await settle('NY', 'Albany'), await settle('NY', 'Albany')];
  const status = listOf(await ask('GET', `/people/${stopped.personId}/monitoring-statuses?kind=disaster`))[0]?.['id'];
  t.match(await ask('PUT', `/people/${stopped.personId}/monitoring-statuses/${String(status)}`, { status: 'stopped' }), { status: 200 });
  const { supercase } = await declare();
  t.same(await matched(supercase), ids(watched));
  const line = { type: 'lineOfCredit', name: 'Line' };
  const { id: lineTypeId } = await h.data('loanType.create', company, line);
  const borrower = idOf(await ask('POST', '/people', { name: NAME }));
  await ask('POST', `/people/${borrower}/contacts`, home('TX', null));
  const lineId = idOf(await ask('POST', `/people/${borrower}/loans`, lineBody(lineTypeId)));
  t.match(await ask('POST', `/people/${borrower}/loans/${lineId}/activate`, { previewMode: true }), { status: 200 });
  t.same(await matched(supercase), ids(watched), 'a preview adds nobody');
  t.match(await ask('POST', `/people/${borrower}/loans/${lineId}/activate`, {}), { status: 200 });
  t.same(await matched(supercase), ids(watched, { personId: borrower }));
  t.match(await ask('PUT', supercase, { status: 'canceled' }), { status: 200 });
  await settle('NY', 'Albany');
  t.same(await matched(supercase), ids(watched, { personId: borrower }));
});

test('a deleted draft is followed by another one, and members that were removed are not added again', async (t) => {
  const { ask, settle, declare, matched } = await openRiver(t);
  const first = await settle('NY', 'Albany');
  const { supercase } = await declare();
  const population = `${supercase}/populations/${String(listOf(await ask('GET', `${supercase}/populations`))[0]?.['id'])}`;
  t.match(await ask('DELETE', population), { status: 200 });
  t.match(listOf(await ask('GET', `${supercase}/populations`)), [{ name: 'Matched borrowers 2', isDraft: true }]);
  await ask('POST', '/monitoring/disasters', FLOOD);
  t.same(await matched(supercase), []);
  await settle('NY', 'Albany');
  t.equal((await matched(supercase)).length, 1);
  t.notOk((await matched(supercase)).includes(first.personId));
});

test('without the policy a declaration is only stored, and the first one after it is switched on makes the supercase', async (t) => {
  const { ask, company, settle, declare, matched } = await openRiver(t);
  const albany = await settle('NY', 'Albany');
  await ask('PUT', `/companies/${company}`, { femaPolicy: false });
  t.match(await ask('POST', '/monitoring/disasters', FLOOD), { status: 200, json: { data: { supercaseId: null } } });
  t.match(await ask('GET', '/supercases'), { json: { total: 0 } });
  await ask('PUT', `/companies/${company}`, { femaPolicy: true });
  const { supercase } = await declare();
  t.same(await matched(supercase), ids(albany));
  await ask('DELETE', supercase);
  t.match(await ask('POST', '/monitoring/disasters', { ...FLOOD, description: 'again' }), { status: 200 });
  t.match(await ask('GET', '/supercases'), { json: { total: 0 } }, 'one that was deleted does not come back');
});

test('borrowers who match later are added until monitoring ends: by a new home, by an activated loan', async (t) => {
  const { ask, settle, declare, matched, h, company } = await openRiver(t);
  const { supercase } = await declare();
  const mover = await settle('NY', 'Kings');
  const newcomer = await settle('NY', 'Albany');
  t.same(await matched(supercase), ids(newcomer));
  const contacts = `/people/${mover.personId}/contacts`;
  const contact = `${contacts}/${String(listOf(await ask('GET', contacts))[0]?.['id'])}`;
  t.match(await ask('PUT', contact, { address: { countyOrRegion: 'Queens' } }), { status: 200 });
  t.same(await matched(supercase), ids(newcomer));
  t.match(await ask('PUT', contact, { address: { countyOrRegion: 'Albany' } }), { status: 200 });
  t.same(await matched(supercase), ids(mover, newcomer));
  await ask('PUT', contact, { address: { addressLine1: '13 Larkspur Lane' } });
  t.same(await matched(supercase), ids(mover, newcomer), 'once');

  h.nowMs = Date.parse('2026-05-22T17:00:00Z');
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
  const late = await settle('NY', 'Albany');
  t.same(await matched(supercase), ids(mover, newcomer), 'monitoring has ended');
  await ask('PUT', supercase, { femaMonitoringEndDate: '2026-06-30' });
  await until(async () => (await matched(supercase)).length >= 3);
  t.same(await matched(supercase), ids(mover, newcomer, late), 'a later end looks for those who came meanwhile');
});

test('a committed draft is followed by another one for those who match later', async (t) => {
  const { ask, settle, declare, matched, done } = await openRiver(t);
  const first = await settle('NY', 'Albany');
  const { supercase } = await declare();
  const type = idOf(await ask('POST', '/case-types', { caseType: 'federalEmergency', name: 'Flood', status: 'active' }));
  await ask('PUT', supercase, { subcaseTypeId: type });
  const population = `${supercase}/populations/${String(listOf(await ask('GET', `${supercase}/populations`))[0]?.['id'])}`;
  const committed = await ask('PUT', population, { isDraft: false });
  t.match(await done(dataOf(committed)['operationId']), { status: 'succeeded', progress: { done: 1 } });
  t.match(listOf(await ask('GET', `/people/${first.personId}/cases`)), [
    { name: 'Flood 4801', femaDisasterNumber: '4801', supercaseId: supercase.split('/').at(-1) },
  ]);
  t.same(await matched(supercase), []);
  const second = await settle('TX', 'Travis');
  t.same(await matched(supercase), ids(second));
  t.match(listOf(await ask('GET', `${supercase}/populations`)), [
    { name: 'Matched borrowers 2', isDraft: true, memberCount: 1 },
    { isDraft: false, memberCount: 1 },
  ]);
});

test('a loan that comes from another system is matched when it is taken in', async (t) => {
  const { ask, declare, matched, h, company } = await openRiver(t);
  const { supercase } = await declare();
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Taken over' });
  const personId = idOf(await ask('POST', '/people', { name: NAME }));
  await ask('POST', `/people/${personId}/contacts`, home('TX', 'Travis'));
  const loans = `/people/${personId}/loans`;
  const body = loanBody(loanTypeId, { migration: { activatedDate: '2026-02-15' } } as object);
  const loan = `${loans}/${idOf(await ask('POST', loans, body))}`;
  t.match(await ask('POST', `${loan}/migrate?validateOnly=true`, {}), { status: 200 });
  t.same(await matched(supercase), []);
  t.match(await ask('POST', `${loan}/migrate`, {}), { status: 200 });
  t.same(await matched(supercase), [personId]);
});

test('a search that a restart interrupts goes on, and what was matched outlives it', async (t) => {
  const { settle, h, company } = await openRiver(t);
  for (let made = 0; made < 3; made++) await settle('NY', 'Albany');
  const { supercaseId } = await h.data('disaster.feed', company, FLOOD);
  h.forgetSnapshots();
  await h.restart();
  const read = async (): Promise<Record<string, unknown>> => h.query('supercase.get', String(supercaseId), {});
  await until(async () => (await read())['memberCount'] === 3);
  t.match(await read(), { autoCreated: true, memberCount: 3, populationCount: 1 });
  await h.restart();
  t.match(await read(), { autoCreated: true, memberCount: 3, populationCount: 1 });
});
