import { test } from 'tap';
import { ANN, HOME } from '../../actors/borrower/lender.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { bareId, DESCRIPTORS } from './make-template.js';
import { NAME } from '../../people.js';

const HIT = {
  kind: 'bankruptcy',
  externalReference: 'PACER-77',
  effectiveDate: '2026-02-27',
  details: { courtCaseChapter: 'chapter13', courtCaseNumber: '26-10001' },
  source: 'courts',
};

const switchOn = ({ ask, company }: HttpLender, ...policies: readonly string[]): Promise<unknown> =>
  ask('PUT', `/companies/${company}`, Object.fromEntries(policies.map((policy) => [policy, true])));

const started = async ({ ask }: HttpLender, person: string): Promise<readonly string[]> =>
  listOf(await ask('GET', `/people/${person}/events?order=asc`))
    .map(({ eventType }) => String(eventType))
    .filter((name) => name.startsWith('person.monitoring'));

const kinds = async ({ ask }: HttpLender, person: string): Promise<Record<string, unknown>> =>
  Object.fromEntries(listOf(await ask('GET', `/people/${person}/monitoring-statuses`)).map(({ kind, status }) => [String(kind), status]));

test('monitoring begins by itself where the policy is on and nothing is lacking', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const before = idOf(await ask('POST', '/people', { ...ANN, externalId: 'before' }));
  t.match(await kinds(lender, before), { bankruptcy: 'notMonitored', sanctions: 'notMonitored' });
  await switchOn(lender, 'bankruptcyPolicy', 'deceasedPolicy', 'scraPolicy', 'femaPolicy', 'rndPolicy');
  const ann = idOf(await ask('POST', '/people', ANN));
  t.same(await kinds(lender, ann), {
    bankruptcy: 'monitored',
    deceased: 'monitored',
    militaryDuty: 'monitored',
    disaster: 'missingData',
    sanctions: 'notMonitored',
    phoneReassigned: 'missingData',
  });
  t.same(await started(lender, ann), ['person.monitoring.bankruptcy.started', 'person.monitoring.scra.started']);
  await ask('POST', `/people/${ann}/contacts`, HOME);
  t.match(await ask('GET', `/people/${ann}/monitoring-statuses?kind=disaster`), {
    json: { count: 1, data: [{ id: /^MS-/, kind: 'disaster', status: 'monitored', startedAt: '2026-03-02', missingFields: [] }] },
  });
  t.same(await started(lender, before), []);
  await ask('PUT', `/people/${before}`, { collectionsIntensity: 'light' });
  t.match(await kinds(lender, before), { bankruptcy: 'monitored' });
});

test('monitoring waits for a later start date, and starts again for another number', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  await switchOn(lender, 'bankruptcyPolicy', 'scraPolicy');
  const later = idOf(await ask('POST', '/people', { ...ANN, externalId: 'later', monitorStartDate: '2026-06-01' }));
  t.match(await kinds(lender, later), { bankruptcy: 'notMonitored' });
  const ann = idOf(await ask('POST', '/people', ANN));
  const identity = idOf(await ask('GET', `/people/${ann}/identity`));
  await ask('PUT', `/people/${ann}/identities/${identity}`, { valid: false });
  t.equal((await started(lender, ann)).length, 2);
  await ask('PUT', `/people/${ann}/identities/${identity}`, { value: '900112233' });
  t.equal((await started(lender, ann)).length, 2, 'another spelling of the number');
  await ask('PUT', `/people/${ann}/identities/${identity}`, { value: '900-11-2244' });
  t.equal((await started(lender, ann)).length, 4);
});

test('another number is registered again after a hit was cleared, and where it stands in for a social security number', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  await switchOn(lender, 'bankruptcyPolicy');
  const ann = idOf(await ask('POST', '/people', { ...ANN, identity: { identityType: 'ITIN', value: '900-70-6666' } }));
  const identity = idOf(await ask('GET', `/people/${ann}/identity`));
  const hit = { personId: ann, kind: 'bankruptcy', externalReference: 'r-1', effectiveDate: '2026-03-01' };
  const { monitoringStatusId } = dataOf(await ask('POST', '/monitoring/hits', hit));
  await ask('PUT', `/people/${ann}/monitoring-statuses/${String(monitoringStatusId)}`, { status: 'cleared' });
  t.match(await kinds(lender, ann), { bankruptcy: 'cleared' });
  await ask('PUT', `/people/${ann}/identities/${identity}`, { value: '900-70-7777' });
  t.match(await kinds(lender, ann), { bankruptcy: 'monitored' });
  t.equal((await started(lender, ann)).length, 2);
});

test('monitoring starts by itself on its day, for each kind that is switched on and has all its data', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, company, h, failures } = lender;
  const until = async (day: string): Promise<void> => {
    h.nowMs = Date.parse(`${day}T17:00:00Z`);
    await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  const make = async (body: object): Promise<string> =>
    idOf(await ask('POST', '/people', { name: { firstName: 'Ann', lastName: 'Ash' }, ...body }));
  const [ann, earlier, later, gone] = [
    await make({ monitorStartDate: '2026-03-10' }),
    await make({ monitorStartDate: '2026-03-10' }),
    await make({ monitorStartDate: '2026-03-10' }),
    await make({ monitorStartDate: '2026-03-10' }),
  ];
  await switchOn(lender, 'ofacPolicy', 'scraPolicy');
  await ask('PUT', `/people/${earlier}`, { monitorStartDate: '2026-03-05' });
  await ask('PUT', `/people/${later}`, { monitorStartDate: '2026-03-20' });
  await ask('DELETE', `/people/${gone}`);
  t.match(await kinds(lender, ann), { sanctions: 'notMonitored' });
  await until('2026-03-09');
  t.match(
    [await kinds(lender, ann), await kinds(lender, earlier)],
    [{ sanctions: 'notMonitored' }, { sanctions: 'monitored', militaryDuty: 'missingData' }],
  );
  await until('2026-03-12');
  t.match([await kinds(lender, ann), await kinds(lender, later)], [{ sanctions: 'monitored' }, { sanctions: 'notMonitored' }]);
  t.match(await ask('GET', `/people/${ann}/monitoring-statuses?kind=sanctions`), {
    json: { data: [{ id: /^MS-/, startedAt: '2026-03-10' }] },
  });
  await ask('PUT', `/people/${later}`, { monitorStartDate: '2026-03-01' });
  t.match(await kinds(lender, later), { sanctions: 'monitored' }, 'a day that has come begins at once');
  await until('2026-03-25');
  t.match(await ask('GET', `/people/${later}/monitoring-statuses?kind=sanctions`), {
    json: { data: [{ status: 'monitored', startedAt: '2026-03-12' }] },
  });
  t.same(failures, []);
});

test('a start that lies ahead, and a notification that waits, outlive a restart', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, company, h } = lender;
  const caseTypeId = idOf(await ask('POST', '/case-types', { caseType: 'generic', name: 'Any', status: 'active' }));
  await ask('POST', '/notification-types', {
    name: 'Letter',
    status: 'active',
    channel: 'mail',
    theme: 'opsServicing',
    templateId: bareId(await ask('POST', DESCRIPTORS, { subject: 'complaintAcknowledgement', channel: 'mail' })),
    onStatus: 'initiated',
    delay: 2,
    caseTypeIds: [caseTypeId],
  });
  await switchOn(lender, 'ofacPolicy');
  const ann = idOf(await ask('POST', '/people', { ...ANN, monitorStartDate: '2026-03-10' }));
  const caseId = idOf(await ask('POST', `/people/${ann}/cases`, { caseTypeId }));
  await ask('PUT', `/people/${ann}/cases/${caseId}`, { status: 'processing' });
  h.forgetSnapshots();
  await h.restart();
  h.nowMs = Date.parse('2026-03-12T17:00:00Z');
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
  await h.engine.settled();
  t.match(await h.query('monitoring.list', ann, { kind: 'sanctions' }), { items: [{ status: 'monitored', startedAt: '2026-03-10' }] });
  t.match(await h.query('caseNotification.list', caseId, {}, { params: { personId: ann } }), { items: [{ status: 'canceled' }] });
});

test('monitoring is started, stopped and resumed by hand', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const bob = idOf(await ask('POST', '/people', { name: NAME }));
  const path = `/people/${bob}/monitoring-statuses`;
  const made = await ask('POST', path, { kind: 'deceased', startDate: '2026-02-01' });
  t.match(made, {
    status: 200,
    json: {
      data: {
        id: /^MS-/,
        object: 'monitoringStatus',
        kind: 'deceased',
        status: 'missingData',
        missingFields: ['SSN'],
        startedAt: '2026-02-01',
      },
    },
  });
  const one = `${path}/${idOf(made)}`;
  t.match(await ask('PUT', one, { status: 'monitored' }), { status: 422 });
  await ask('POST', `/people/${bob}/identities`, { identityType: 'SSN', value: '219-09-9998' });
  t.match(await ask('PUT', one, { status: 'monitored' }), { json: { data: { status: 'monitored' } } });
  t.match(await ask('POST', path, { kind: 'deceased' }), { status: 409 });
  t.match(await ask('PUT', one, { status: 'cleared' }), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('PUT', one, { status: 'stopped' }), { json: { data: { status: 'stopped' } } });
  t.match(await ask('POST', '/monitoring/hits', { ...HIT, kind: 'deceased', personId: bob }), { status: 409 });
  t.match(await ask('GET', one), { status: 200, json: { data: { status: 'stopped' } } });
  t.match(await ask('GET', `${path}/MS-NONE-NONE`), { status: 404 });
  t.match(await ask('POST', path, { kind: 'deceased', startDate: '2026-12-01' }), {
    status: 400,
    json: { errors: [{ path: 'startDate' }] },
  });
});

test('a hit is recorded once, changed under its reference, and cleared when it was a mistake', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h, failures } = lender;
  const ann = idOf(await ask('POST', '/people', ANN));
  const known = { ...HIT, SSN: '900-11-2233', dateOfBirth: '1984-05-17', lastName: 'Quimby' };
  t.match(await ask('POST', '/monitoring/hits?dryRun=true', known), {
    status: 200,
    json: { data: { personId: ann, outcome: 'created', dryRun: true } },
  });
  t.match(await kinds(lender, ann), { bankruptcy: 'notMonitored' });
  const reported = await ask('POST', '/monitoring/hits', known);
  t.match(reported, {
    status: 200,
    json: {
      data: {
        object: 'monitoringHit',
        personId: ann,
        kind: 'bankruptcy',
        status: 'hit',
        outcome: 'created',
        externalReference: 'PACER-77',
        dryRun: false,
      },
    },
  });
  const again = { ...HIT, personId: 'ext-ann-1', details: { courtCaseNumber: '26-10001', courtCaseChapter: 'chapter13' } };
  t.match(await ask('POST', '/monitoring/hits', again), {
    json: { data: { outcome: 'repeated', monitoringStatusId: dataOf(reported)['monitoringStatusId'] } },
  });
  const one = `/people/${ann}/monitoring-statuses/${String(dataOf(reported)['monitoringStatusId'])}`;
  t.match(await ask('PUT', one, { status: 'cleared' }), { json: { data: { status: 'cleared', source: 'courts', lastHitAt: String } } });
  t.match(await ask('POST', '/monitoring/hits', again), { json: { data: { outcome: 'repeated', status: 'cleared' } } });
  t.match(await ask('POST', '/monitoring/hits', { ...again, details: { courtCaseChapter: 'chapter7' } }), {
    json: { data: { outcome: 'updated', status: 'hit' } },
  });
  t.notOk(h.written().includes('26-10001'), 'details of a hit are sealed');
  t.same(failures, []);
});

test('a hit opens a case in its own batch, and changes it when it is reported again', async (t) => {
  const { ask, failures, company } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const tasks = async (caseId: unknown): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `/companies/${company}/tasks?caseId=${String(caseId)}`)).map(({ taskType }) => taskType);
  t.match(await ask('POST', '/monitoring/hits?dryRun=true', { ...HIT, personId: ann }), { json: { data: { caseId: null } } });
  const reported = dataOf(await ask('POST', '/monitoring/hits', { ...HIT, personId: ann }));
  const path = `/people/${ann}/cases/${String(reported['caseId'])}`;
  t.match(await ask('GET', path), {
    status: 200,
    json: {
      data: { caseType: 'bankruptcy', status: 'processing', autoCreated: true, courtCaseChapter: 'chapter13', courtCaseNumber: '26-10001' },
    },
  });
  t.match(await ask('GET', `/people/${ann}/cases`), { json: { total: 1 } });
  t.same(await tasks(reported['caseId']), ['reviewAutoCreatedCase']);
  t.match(await ask('POST', '/monitoring/hits', { ...HIT, personId: ann, details: { courtCaseChapter: 'chapter7' } }), {
    json: { data: { outcome: 'updated', caseId: reported['caseId'] } },
  });
  t.match(await ask('GET', path), { json: { data: { courtCaseChapter: 'chapter7', courtCaseNumber: '26-10001' } } });
  t.same(await tasks(reported['caseId']), ['reviewAutoUpdatedCase', 'reviewAutoCreatedCase']);
  t.match(await ask('GET', `/people/${ann}/monitoring-statuses?kind=bankruptcy`), {
    json: { data: [{ status: 'hit', caseId: reported['caseId'] }] },
  });
  const second = dataOf(
    await ask('POST', '/monitoring/hits', {
      ...HIT,
      personId: ann,
      kind: 'militaryDuty',
      externalReference: 'DMDC-1',
      details: { dutyStartDate: '2026-01-15', branch: 'navy' },
    }),
  );
  t.match(await ask('GET', `/people/${ann}/cases/${String(second['caseId'])}`), {
    json: { data: { caseType: 'militaryDuty', dutyStartDate: '2026-01-15', branch: 'navy' } },
  });
  t.match(
    await ask('POST', '/monitoring/hits', { ...HIT, personId: ann, externalReference: 'X', details: { courtCaseChapter: 'chapter99' } }),
    { status: 400 },
  );
  t.match(await ask('POST', '/monitoring/hits', { ...HIT, personId: ann, externalReference: 'X', details: { branch: 'navy' } }), {
    status: 400,
  });
  t.match(
    await ask('POST', '/monitoring/hits', {
      ...HIT,
      personId: ann,
      kind: 'phoneReassigned',
      externalReference: 'R-1',
    }),
    { json: { data: { outcome: 'created', caseId: null } } },
  );
  t.match(await ask('PUT', `/people/${ann}`, { collectionsIntensity: 'light', caseId: reported['caseId'] }), { status: 200 });
  t.match(await ask('POST', `/people/${ann}/legal-representatives`, { caseIds: [reported['caseId']] }), {
    json: { data: { caseIds: [reported['caseId']] } },
  });
  t.same(failures, []);
});

test('details of a hit have the names of fields of cases, so that none is lost', async (t) => {
  const { ask } = await openHttpLender(t);
  const personId = idOf(await ask('POST', '/people', ANN));
  for (const kind of ['bankruptcy', 'deceased', 'militaryDuty', 'sanctions', 'disaster', 'phoneReassigned'])
    t.match(await ask('POST', '/monitoring/hits', { ...HIT, personId, kind, details: { courtCaseChaptr: 'chapter7' } }), {
      status: 400,
      json: { errors: [{ path: 'details.courtCaseChaptr', message: /nearest is courtCaseChapter/ }] },
    });
  t.match(listOf(await ask('GET', `/people/${personId}/cases`)), []);
});

test('a later hit opens another case when its case was deleted, and leaves a closed one to a review', async (t) => {
  const { ask, failures, company } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const cases = `/people/${ann}/cases`;
  const report = async (details: object, query = ''): Promise<Readonly<Record<string, unknown>>> =>
    dataOf(await ask('POST', `/monitoring/hits${query}`, { ...HIT, personId: ann, details }));
  const tasks = async (caseId: unknown): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `/companies/${company}/tasks?caseId=${String(caseId)}`)).map(({ taskType }) => taskType);
  const { caseId: deleted } = await report({});
  t.match(await ask('DELETE', `${cases}/${String(deleted)}`), { status: 200 });
  const details = { courtCaseFiledDate: '2026-03-01', courtCaseChapter: 'chapter7' };
  t.match(await report(details, '?dryRun=true'), { outcome: 'updated', caseId: null });
  const { outcome, caseId } = await report(details);
  t.match([outcome, caseId === deleted], ['updated', false]);
  t.match(await ask('GET', `${cases}/${String(caseId)}`), { json: { data: { ...details, status: 'processing', autoCreated: true } } });
  t.same([await tasks(deleted), await tasks(caseId)], [[], ['reviewAutoCreatedCase']]);
  t.match(await ask('GET', `/people/${ann}/monitoring-statuses?kind=bankruptcy`), { json: { data: [{ caseId }] } });
  t.match(await ask('PUT', `${cases}/${String(caseId)}`, { status: 'canceled' }), { status: 200 });
  t.match(await report({ ...details, courtCaseLastStatus: 'reinstated' }), { outcome: 'updated', caseId });
  t.match(await ask('GET', `${cases}/${String(caseId)}`), { json: { data: { status: 'canceled', courtCaseLastStatus: null } } });
  t.same(await tasks(caseId), ['reviewAutoUpdatedCase']);
  t.same(failures, []);
});

test('a hit that matches nobody or names no person is refused', async (t) => {
  const { ask } = await openHttpLender(t);
  await ask('POST', '/people', ANN);
  t.match(await ask('POST', '/monitoring/hits', HIT), { status: 400, json: { errors: [{ path: 'personId' }] } });
  t.match(await ask('POST', '/monitoring/hits', { ...HIT, personId: 'BO-NONE-NONE' }), { status: 404 });
  const other = { ...HIT, SSN: '900112299', dateOfBirth: '1984-05-17', lastName: 'Quimby' };
  t.match(await ask('POST', '/monitoring/hits', other), { status: 404 });
  t.match(await ask('POST', '/monitoring/hits', { ...HIT, kind: 'weather' }), { status: 400 });
});

test('disasters are fed, changed by their number, and listed by state', async (t) => {
  const { ask } = await openHttpLender(t);
  const flood = {
    femaDisasterNumber: 4801,
    declarationDate: '2026-02-20',
    incidentType: 'Flood',
    impactedAreas: [{ state: 'NY', county: 'Albany', fipsCode: '36001' }],
    programs: ['IHP'],
  };
  const fed = await ask('POST', '/monitoring/disasters', flood);
  t.match(fed, {
    status: 200,
    json: {
      data: {
        id: /^FE-/,
        object: 'disaster',
        femaDisasterNumber: 4801,
        impactedAreas: [{ id: /^FD-/, fipsCode: '36001' }],
        incidentEndDate: null,
      },
    },
  });
  await ask('POST', '/monitoring/disasters', { ...flood, femaDisasterNumber: 4802, impactedAreas: [{ state: 'TX' }] });
  t.match(await ask('POST', '/monitoring/disasters', { ...flood, incidentEndDate: '2026-02-25' }), {
    json: { data: { id: idOf(fed), incidentEndDate: '2026-02-25' } },
  });
  t.same(
    listOf(await ask('GET', '/monitoring/disasters')).map(({ femaDisasterNumber }) => femaDisasterNumber),
    [4802, 4801],
  );
  t.match(await ask('GET', '/monitoring/disasters?state=NY'), { json: { total: 1 } });
  t.match(await ask('GET', '/monitoring/disasters?activeOnly=true'), { json: { total: 1, data: [{ femaDisasterNumber: 4802 }] } });
  t.match(await ask('POST', '/monitoring/disasters', { ...flood, incidentBeginDate: '2026-03-01', incidentEndDate: '2026-02-01' }), {
    status: 400,
  });
});
