import { test, type Test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import type { HttpAnswer } from '../harness.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

interface CaseLender extends HttpLender {
  readonly personId: string;
  readonly cases: string;
  open(body?: object): Promise<HttpAnswer>;
}

async function openCaseLender(t: Test): Promise<CaseLender> {
  const lender = await openHttpLender(t);
  const personId = idOf(await lender.ask('POST', '/people', ANN));
  const cases = `/people/${personId}/cases`;
  return { ...lender, personId, cases, open: (body = {}) => lender.ask('POST', cases, { caseType: 'generic', ...body }) };
}

test('a case is opened, worked, closed and reopened', async (t) => {
  const { ask, cases, open, failures } = await openCaseLender(t);
  const created = await open({
    caseType: 'bankruptcy',
    externalId: 'bk-1',
    courtCaseChapter: 'chapter7',
    courtCaseNumber: '26-10233',
    description: 'filed in May',
  });
  t.match(created, {
    status: 200,
    json: {
      data: {
        object: 'case',
        status: 'initiated',
        outcome: null,
        name: 'Bankruptcy',
        courtCaseChapter: 'chapter7',
        courtCaseNumber: '26-10233',
        trusteeName: null,
        description: 'filed in May',
        autoCreated: false,
        snooze: null,
        createdBy: { userType: 'api' },
      },
    },
  });
  const path = `${cases}/${idOf(created)}`;
  t.match(await ask('PUT', path, { status: 'completed', outcome: 'resolved' }), {
    status: 409,
    json: { errorType: 'invalidCaseTransition', errors: [{ path: 'status' }] },
  });
  t.match(await ask('PUT', path, { status: 'processing', outcome: 'resolved' }), { status: 400, json: { errors: [{ path: 'outcome' }] } });
  t.match(await ask('PUT', path, { status: 'processing', trusteeName: 'M. Hale' }), {
    status: 200,
    json: { data: { status: 'processing', trusteeName: 'M. Hale', courtCaseNumber: '26-10233' } },
  });
  t.match(await ask('PUT', path, { status: 'completed' }), { status: 400, json: { errorType: 'missingOutcome' } });
  t.match(await ask('PUT', path, { status: 'completed', outcome: 'resolved', outcomeNote: 'discharged' }), {
    status: 200,
    json: { data: { status: 'completed', outcome: 'resolved' } },
  });
  t.match(await ask('PUT', path, { name: 'Other' }), { status: 409, json: { errorType: 'caseClosed' } });
  t.match(await ask('PUT', path, { status: 'reopened' }), {
    status: 200,
    json: { data: { status: 'reopened', outcome: null, outcomeNote: 'discharged' } },
  });
  const timeline = listOf(await ask('GET', `${path}/events`));
  t.same(
    timeline.map(({ action }) => action),
    ['reopened', 'completed', 'updated', 'processing', 'updated', 'created'],
  );
  t.match(timeline[0], {
    action: 'reopened',
    changes: [
      { field: 'status', oldValue: 'completed' },
      { field: 'outcome', oldValue: 'resolved', newValue: null },
    ],
  });
  t.match(await ask('GET', '/cases/ext-bk-1'), { json: { data: { id: idOf(created) } } });
  t.match(await ask('DELETE', path), { status: 200 });
  t.match(await ask('GET', path), { status: 404 });
  t.same(failures, []);
});

test('a case accepts only the fields of its type', async (t) => {
  const { open, ask, cases } = await openCaseLender(t);
  const wrong = await open({ caseType: 'deceased', courtCaseNumber: '1', dutyStartDate: '2026-01-01', dateOfDeath: '2026-02-03' });
  t.match(wrong, { status: 400, json: { errors: [{ path: 'courtCaseNumber' }, { path: 'dutyStartDate' }] } });
  t.match(await open({ caseType: 'disputeOfDebt', disputeReason: 'whatever' }), {
    status: 400,
    json: { errors: [{ path: 'disputeReason' }] },
  });
  t.match(await open({ caseType: 'disputeOfPurchase', disputeReason: 'whatever' }), {
    status: 200,
    json: { data: { disputeReason: 'whatever' } },
  });
  const legal = await open({ caseType: 'legalAction', legalActionInitiatedDate: '2026-03-01', judgementAmount: 120.5 });
  t.match(legal.text, '"judgementAmount":120.50');
  t.match(dataOf(legal), { legalActionIntiatedDate: '2026-03-01', judgementAmount: 120.5 });
  t.match(await ask('PUT', `${cases}/${idOf(legal)}`, { judgementAmount: null }), {
    json: { data: { judgementAmount: null, legalActionIntiatedDate: '2026-03-01' } },
  });
  t.match(await open({ customFields: { colour: 'red' } }), { status: 400, json: { errors: [{ path: 'customFields.colour' }] } });
  t.match(await open({ caseType: undefined }), { status: 400, json: { errors: [{ path: 'caseType' }] } });
});

test('a borrower has one active collection case', async (t) => {
  const { open, ask, cases } = await openCaseLender(t);
  const first = await open({ caseType: 'collection' });
  t.match(await open({ caseType: 'collection' }), { status: 409, json: { errorType: 'activeCollectionCaseExists' } });
  await ask('PUT', `${cases}/${idOf(first)}`, { status: 'canceled' });
  t.match(await open({ caseType: 'collection' }), { status: 200 });
  t.match(await ask('PUT', `${cases}/${idOf(first)}`, { status: 'reopened' }), {
    status: 409,
    json: { errorType: 'activeCollectionCaseExists' },
  });
});

test('cases are filtered and ordered', async (t) => {
  const { open, ask, h, company, personId, cases } = await openCaseLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const loanId = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
  const { id: userId } = await h.data('user.create', company, { type: 'agent', userName: 'mia' }, { permissions: ['*'] });
  const employee = await ask('POST', '/employees', { userId, firstName: 'Mia', lastName: 'Orr' });
  const a = idOf(await open({ name: 'Beta', loanIds: [loanId] }));
  const b = idOf(await open({ caseType: 'identityTheft', name: 'Alpha', owningEmployeeId: idOf(employee) }));
  const c = idOf(await open({ caseType: 'collection', status: 'processing' }));
  const ids = async (query: string, path = '/cases'): Promise<unknown> => listOf(await ask('GET', `${path}?${query}`)).map(({ id }) => id);
  t.same(await ids(''), [c, b, a]);
  t.same(await ids('', cases), [c, b, a]);
  t.same(await ids('sortBy=name'), [b, a, c]);
  t.same(await ids('sortBy=-caseType'), [b, a, c]);
  t.same(await ids('sortBy=-owningEmployeeFirstName,createdAt'), [b, a, c]);
  t.same(await ids(`loanId=${loanId}`), [a]);
  t.same(await ids(`owningEmployeeId=${idOf(employee)}&caseType=identityTheft`), [b]);
  t.same(await ids('status=processing,completed'), [c]);
  t.same(await ids('isEscalated=true'), []);
  t.same(await ids(`limit=1&startingAfter=${c}`), [b]);
  t.match(await ask('GET', '/cases?limit=1&offset=1'), { json: { total: 3, count: 1, data: [{ id: b }] } });
  t.match(await ask('GET', '/cases?sortBy=colour'), { status: 400 });
  t.match(await ask('GET', `/cases/${b}?expand=true`), {
    json: { data: { owningEmployee: { firstName: 'Mia' }, person: { id: personId, name: { lastName: 'Quimby' } }, associations: [] } },
  });
  t.match(await ask('PUT', `${cases}/${b}/owner`, { employeeId: null }), { json: { data: { owningEmployeeId: null } } });
  t.match(await ask('GET', '/people/BO-AAAA-AAAA/cases'), { status: 404 });
});

test('a case is about loans of its borrower', async (t) => {
  const { open, ask, h, company, personId, cases } = await openCaseLender(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  const loanId = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
  const other = idOf(await ask('POST', '/people', { name: NAME }));
  const foreign = idOf(await ask('POST', `/people/${other}/loans`, { ...loanBody(loanTypeId), externalId: 'other' }));
  const path = `${cases}/${idOf(await open())}/associations`;
  t.match(await ask('POST', path, { loanIds: [foreign] }), { status: 400, json: { errors: [{ path: 'loanIds[0]' }] } });
  t.match(await ask('POST', path, { loanId }), { status: 200, json: { data: [{ objectType: 'loan', objectId: loanId }] } });
  t.match(await ask('GET', path), { json: { count: 1 } });
  t.match(listOf(await ask('GET', '/events?eventType=case.association.added')), [{ data: { associatedObjectId: loanId } }]);
  t.match(await ask('DELETE', `${path}/${loanId}`), { status: 200, json: { data: { loanIds: [] } } });
  t.match(await ask('GET', `/people/${other}/cases/${path.split('/')[4]}`), { status: 404 });
});

test('a case of a type for one product gets no loans of another', async (t) => {
  const { open, ask, h, company, personId, cases } = await openCaseLender(t);
  const loanOf = async (name: string): Promise<readonly [loanTypeId: string, loanId: string]> => {
    const { id } = await h.data('loanType.create', company, { type: 'installment', name });
    return [id, idOf(await ask('POST', `/people/${personId}/loans`, { ...loanBody(id), externalId: name }))];
  };
  const [loanTypeId, loanId] = await loanOf('Car');
  const [, other] = await loanOf('Home');
  const caseTypeId = idOf(await ask('POST', '/case-types', { caseType: 'generic', name: 'Repossession', status: 'active', loanTypeId }));
  const caseId = idOf(await open({ caseType: undefined, caseTypeId }));
  const path = `${cases}/${caseId}/associations`;
  t.match(await ask('POST', path, { loanId: other }), { status: 400, json: { errors: [{ path: 'loanId' }] } });
  t.match(await ask('POST', path, { loanIds: [loanId, other] }), { status: 400, json: { errors: [{ path: 'loanIds' }] } });
  t.match(await ask('GET', path), { json: { count: 0 } });
  t.match(await ask('POST', path, { loanId }), { status: 200 });
  const supercase = { supercaseType: 'generic', name: 'Recall', subcaseTypeId: caseTypeId, subcaseName: 'Recall' };
  const populations = `/supercases/${idOf(await ask('POST', '/supercases', supercase))}/populations`;
  const population = `${populations}/${idOf(await ask('POST', populations, { name: 'All' }))}`;
  await ask('POST', `${population}/members`, { members: [loanId, other].map((id) => ({ personId, loanId: id })) });
  await ask('PUT', population, { isDraft: false });
  await h.engine.settled();
  const members = listOf(await ask('GET', `${population}/members`));
  const statuses = members.map(({ loanId: id, status, failureReason }) => [id === loanId, status, failureReason]).sort();
  t.same(statuses, [
    [false, 'failed', 'All loans of a case of the type Repossession must be of its product.'],
    [true, 'created', null],
  ]);
});

test("a case is made from its company's type: its name, its own fields and its blocks", async (t) => {
  const { open, ask, cases } = await openCaseLender(t);
  const schemas = [
    { name: 'Colour', fieldName: 'colour', dataType: 'string', default: 'red', validation: { enum: ['red', 'blue'] } },
    { name: 'Hearing', fieldName: 'hearing', dataType: 'date', required: true },
  ];
  const type = idOf(
    await ask('POST', '/case-types', { caseType: 'legalAction', name: 'Small claim', status: 'active', customFieldSchemas: schemas }),
  );
  await ask('POST', '/do-not-interact-types', {
    name: 'Quiet',
    status: 'active',
    channel: 'voice',
    theme: 'all',
    onStatus: 'processing',
    onCondition: [{ fieldName: 'colour', dataType: 'string', value: 'blue' }],
    duration: 10,
    caseTypeIds: [type],
  });
  t.match(await open({ caseType: 'bankruptcy', caseTypeId: type }), { status: 400, json: { errors: [{ path: 'caseType' }] } });
  t.match(await open({ caseType: undefined, caseTypeId: type, customFields: { colour: 'green' } }), {
    status: 400,
    json: { errors: [{ path: 'customFields.colour' }] },
  });
  const created = await open({ caseType: undefined, caseTypeId: type });
  t.match(dataOf(created), {
    name: 'Small claim',
    caseType: 'legalAction',
    caseTypeId: type,
    caseTypeVersion: 1,
    customFields: { colour: 'red' },
  });
  const path = `${cases}/${idOf(created)}`;
  t.match(await ask('PUT', path, { status: 'processing' }), { json: { data: { doNotInteract: null } } });
  await ask('PUT', path, { status: 'initiated' });
  t.match(await ask('PUT', path, { status: 'processing', customFields: { colour: 'blue' } }), {
    json: { data: { doNotInteract: { id: String } } },
  });
  t.match(listOf(await ask('GET', `${path}/do-not-interacts`)), [{ channels: ['voice'], source: 'system', endDate: '2026-03-12' }]);
  const narrow = dataOf(await open({ caseType: undefined, caseTypeId: type, customFields: { colour: 'blue' } }));
  const blocks = `${cases}/${String(narrow['id'])}/do-not-interacts`;
  await ask('POST', blocks, {
    channels: ['mail'],
    themes: ['opsCollDebt'],
    daysOfWeek: [0],
    timesOfDay: [{ fromHour: 9, toHour: 12 }],
    contactLabels: ['work'],
    startDate: '2026-04-01',
  });
  await ask('PUT', `${cases}/${String(narrow['id'])}`, { status: 'processing' });
  const wider = {
    channels: ['mail', 'voice'],
    themes: ['opsCollDebt', 'all'],
    daysOfWeek: [],
    timesOfDay: [],
    contactLabels: [],
    startDate: '2026-03-02',
    endDate: null,
  };
  t.match(listOf(await ask('GET', blocks)), [wider], 'a block that the case has becomes as wide as what its type blocks, at any hour');
  t.match(await ask('PUT', path, { status: 'completed', outcome: 'resolved' }), {
    status: 400,
    json: { errors: [{ path: 'customFields.hearing' }] },
  });
  t.match(await ask('PUT', path, { status: 'completed', outcome: 'resolved', customFields: { hearing: '2026-05-01' } }), { status: 200 });
});

test('a collection case is sent back as it was read', async (t) => {
  const { ask } = await openHttpLender(t);
  const cases = `/people/${idOf(await ask('POST', '/people', { name: NAME }))}/cases`;
  const path = `${cases}/${idOf(await ask('POST', cases, { caseType: 'collection' }))}`;
  const read = dataOf(await ask('GET', path));
  t.match(read, { daysOverdue: 0, overdueAmount: 0, overdueSinceDate: null });
  t.match(await ask('PUT', path, read), { status: 200 });
});
