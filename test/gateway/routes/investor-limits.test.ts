import { test, type Test } from 'tap';
import { isOpen, kindOfRoute, RESOURCE_ROUTES, type Route } from '../../../gateway/index.js';
import { EMAIL } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { Random } from '../fuzz/random.js';
import { valueFor } from '../fuzz/values.js';
import { ask as askAt, type HttpAnswer } from '../harness.js';
import { dataOf, idOf, servePortfolio } from './http-lender.js';
import { type LenderWithAda, openWithAda, PASSWORD } from './signed-in.js';

const EVERYTHING = [
  ...new Set(RESOURCE_ROUTES.flatMap(({ permission }) => (permission === null || isOpen(permission) ? [] : [permission]))),
];

interface Person {
  readonly personId: string;
  readonly loanIds: readonly string[];
}

interface LenderWithInvestors extends LenderWithAda {
  /** The investor whose loans Ada sees, and another one. */
  readonly OURS: string;
  readonly THEIRS: string;
  /** Asks as Ada, an employee who sees only the loans of one investor. */
  asAda(method: string, path: string, body?: object): Promise<HttpAnswer>;
  readonly employeeId: string;
  person(name: string, owners: readonly string[]): Promise<Person>;
  readonly ours: Person;
  /** All of its loans are hidden. */
  readonly theirs: Person;
  readonly mixed: Person;
  readonly loanless: Person;
}

async function openLenderWithInvestors(t: Test): Promise<LenderWithInvestors> {
  const lender = await openWithAda(t, EVERYTHING);
  const { ask, company, adaId, token } = lender;
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: 'Loan' }));
  const investor = async (legalName: string): Promise<string> => idOf(await ask('POST', `/companies/${company}/investors`, { legalName }));
  const [OURS, THEIRS] = [await investor('Ours'), await investor('Theirs')];
  const person = async (name: string, owners: readonly string[]): Promise<Person> => {
    const personId = idOf(await ask('POST', '/people', { name: { firstName: name, lastName: 'Quimby' }, externalId: `${name}-1` }));
    const loanIds: string[] = [];
    for (const investorId of owners) {
      const body = {
        ...loanBody(loanTypeId, { atOrigination: { investors: [{ investorId, share: 1 }] } }),
        externalId: `${name}-${investorId}`,
      };
      loanIds.push(idOf(await ask('POST', `/people/${personId}/loans`, body)));
    }
    return { personId, loanIds };
  };
  const [ours, theirs, mixed, loanless] = [
    await person('Olive', [OURS]),
    await person('Thora', [THEIRS]),
    await person('Maxim', [OURS, THEIRS]),
    await person('Nobel', []),
  ];
  const employeeId = idOf(await ask('POST', '/employees', { userId: adaId, firstName: 'Ada', investorIds: [OURS] }));
  const key = await token();
  const asAda = (method: string, path: string, body?: object): Promise<HttpAnswer> => ask(method, path, body, { key });
  return { ...lender, OURS, THEIRS, asAda, employeeId, person, ours, theirs, mixed, loanless };
}

const idsOf = ({ json }: HttpAnswer): readonly string[] => (json['data'] as readonly { readonly id: string }[]).map(({ id }) => id);

test('an employee of some investors lists their loans alone, with totals and cursors of what it sees', async (t) => {
  const { asAda, ours, theirs, mixed, loanless } = await openLenderWithInvestors(t);
  const loans = await asAda('GET', '/loans');
  t.same(idsOf(loans), [mixed.loanIds[0], ours.loanIds[0]]);
  t.match(loans.json, { total: 2 });
  t.match(await asAda('GET', '/loans?limit=1'), { status: 200, json: { total: 2, data: [{ id: mixed.loanIds[0] }] } });
  t.same(idsOf(await asAda('GET', `/loans?limit=1&startingAfter=${mixed.loanIds[0] ?? ''}`)), [ours.loanIds[0]]);
  t.match(await asAda('GET', `/loans?startingAfter=${theirs.loanIds[0] ?? ''}`), { status: 400 }, 'what is hidden is no cursor');
  t.match(await asAda('GET', `/people?startingAfter=ext-Thora-1`), { status: 400 });
  t.match(await asAda('GET', `/people/${mixed.personId}/loans`), { status: 200, json: { total: 1, data: [{ id: mixed.loanIds[0] }] } });

  const people = await asAda('GET', '/people');
  t.same(idsOf(people), [loanless.personId, mixed.personId, ours.personId], 'a borrower without a loan is seen');
  t.match(people.json, { total: 3 });
  const found = await asAda('GET', '/people/search?lastName=Quimby');
  t.same([...idsOf(found)].sort(), [loanless.personId, mixed.personId, ours.personId].sort());
  t.match(found.json, { search: { total: { value: 3 } } });
  t.match(await asAda('GET', '/people/search?firstName=Thora'), {
    status: 200,
    json: { data: [], search: { total: { value: 0 }, hits: [] } },
  });
});

test('a hidden loan and a borrower with only hidden loans are not found', async (t) => {
  const { asAda, ask, ours, theirs, mixed, loanless, THEIRS } = await openLenderWithInvestors(t);
  for (const path of [
    `/people/${theirs.personId}`,
    '/people/ext-Thora-1',
    `/people/${theirs.personId}/loans`,
    `/people/${theirs.personId}/loans/${theirs.loanIds[0] ?? ''}`,
    '/people/ext-Thora-1/contacts',
    `/people/${mixed.personId}/loans/${mixed.loanIds[1] ?? ''}`,
    `/people/${mixed.personId}/loans/ext-Maxim-${THEIRS}`,
    `/loans/${theirs.loanIds[0] ?? ''}/events`,
    `/people/${mixed.personId}/loans/${mixed.loanIds[1] ?? ''}/transactions`,
  ])
    t.match(await asAda('GET', path), { status: 404, json: { errorType: 'notFound' } }, path);
  for (const path of [
    `/people/${ours.personId}/loans/${ours.loanIds[0] ?? ''}`,
    `/people/${ours.personId}/cases`,
    `/people/${mixed.personId}`,
    `/people/${loanless.personId}/cases`,
    `/loans/${ours.loanIds[0] ?? ''}/events`,
  ]) {
    t.match(await asAda('GET', path), { status: 200 }, path);
  }
  t.match(await asAda('PUT', `/people/${theirs.personId}`, { metaData: { a: 1 } }), { status: 404 });
  t.match(await asAda('POST', `/people/${theirs.personId}/loans/${theirs.loanIds[0] ?? ''}/activate`, {}), { status: 404 });
  t.match((await ask('GET', `/people/${theirs.personId}`)).json, { data: { metaData: null } }, 'nothing was changed');

  for (const path of ['cases', 'notes', 'documents', 'interactions', 'events', 'transactions']) {
    t.match(await asAda('GET', `/people/${mixed.personId}/${path}`), { status: 404 }, `${path} of a borrower may show each of its loans`);
    t.match(await asAda('GET', `/people/${theirs.personId}/${path}`), { status: 404 });
  }
  t.match(await asAda('GET', `/cases?personId=${theirs.personId}`), { status: 404 }, 'the person of a query is not found either');
});

test('a list that cannot be limited by investor is refused, and so is any change that would lift the limit', async (t) => {
  const { ask, asAda, adaId, employeeId, theirs, signIn, OURS, THEIRS } = await openLenderWithInvestors(t);
  const refused = { status: 403, json: { errorType: 'permissionDenied' } };
  for (const path of ['/events', '/operations', '/webhooks', `/interactions`, '/keys', '/users', '/supercases'])
    t.match(await asAda('GET', path), refused, path);
  t.match(await asAda('PUT', `/employees/${employeeId}`, { investorIds: [] }), refused);
  t.match(await asAda('POST', '/keys', { userId: adaId }), refused);
  t.match(await asAda('POST', '/operations/replays', {}), refused);

  t.match(dataOf(await ask('GET', `/employees/${employeeId}`)), { investorIds: [OURS] });
  t.same(idsOf(await ask('GET', `/employees?investorId=${OURS}`)), [employeeId]);
  t.same(idsOf(await ask('GET', `/employees?investorId=${THEIRS}`)), []);
  await ask('PUT', `/employees/${employeeId}`, { investorIds: [THEIRS] });
  t.match(await asAda('GET', `/people/${theirs.personId}`), { status: 200 }, 'a change takes effect at once');
  await ask('PUT', `/employees/${employeeId}`, { investorIds: [] });
  t.match((await asAda('GET', '/loans')).json, { total: 4 }, 'without investors it sees all');
  t.match(await signIn('ada', PASSWORD), { status: 200 });
});

test('a loan is seen by the owners of the day: a sale hides it from those who have sold it', async (t) => {
  const { ask, token, ours, theirs, h, company, OURS, THEIRS } = await openLenderWithInvestors(t);
  const [sold = '', bought = ''] = [ours.loanIds[0], theirs.loanIds[0]];
  const asAda = async (path: string): Promise<HttpAnswer> => ask('GET', path, undefined, { key: await token() });
  const loans = (): Promise<readonly string[]> => asAda('/loans').then(idsOf);
  for (const [personId, loanId, investorId] of [
    [ours.personId, sold, THEIRS],
    [theirs.personId, bought, OURS],
  ] as const) {
    await ask('POST', `/people/${personId}/loans/${loanId}/activate`, {});
    const tomorrow = new Date(h.nowMs + 86_400_000).toISOString().slice(0, 10);
    const body = { effectiveDate: tomorrow, investors: [{ investorId, share: 1 }] };
    t.equal((await ask('PUT', `/people/${personId}/loans/${loanId}/investors`, body)).status, 204);
  }
  t.ok((await loans()).includes(sold), 'until the day of the sale');
  t.notOk((await loans()).includes(bought));
  h.nowMs += 2 * 86_400_000;
  await h.engine.sweeper.advance({ company, mode: 'test' }, h.nowMs);
  await h.engine.settled();
  t.notOk((await loans()).includes(sold));
  t.ok((await loans()).includes(bought));
  t.match(await asAda(`/people/${ours.personId}/loans/${sold}/investors`), { status: 404 });
  t.match(await asAda(`/companies/${company}/people/${theirs.personId}/loans/${bought}/investors`), {
    status: 200,
    json: { data: [{ investorId: OURS }] },
  });
});

test('the limit holds after a restart', async (t) => {
  const { h, token, ours, mixed } = await openLenderWithInvestors(t);
  if (h.cluster) return;
  const key = await token();
  await h.restart();
  const { gateway } = await servePortfolio(t, h);
  const answer = await askAt(gateway.port, '/api/loans', { key });
  t.same(idsOf(answer), [mixed.loanIds[0], ours.loanIds[0]]);
});

test('no route shows an employee of some investors anything of a hidden loan or its borrower', async (t) => {
  const lender = await openLenderWithInvestors(t);
  const {
    ask,
    asAda,
    company,
    theirs: {
      personId,
      loanIds: [loanId = ''],
    },
  } = lender;
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await ask('POST', path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.text}`);
    return idOf(answer);
  };
  await ask('POST', `/people/${personId}/loans/${loanId}/activate`, {});
  const objects = new Map([
    ['companyId', company],
    ['personId', personId],
    ['loanId', loanId],
  ]);
  objects.set('contactId', await made(`/people/${personId}/contacts`, EMAIL));
  objects.set(
    'transactionId',
    await made(`/people/${personId}/loans/${loanId}/transactions`, { type: 'oneTime', amount: 25, isExternal: true, status: 'succeeded' }),
  );
  objects.set('interactionId', await made(`/people/${personId}/interactions`, { channel: 'email', externalId: 'hidden-interaction' }));
  objects.set('noteId', await made(`/people/${personId}/notes`, { content: 'hidden note' }));
  objects.set('caseId', await made(`/people/${personId}/cases`, { caseType: 'generic' }));
  objects.set('eventId', idsOf(await ask('GET', `/loans/${loanId}/events`))[0] ?? '');
  const secrets = [...[...objects].filter(([name]) => name !== 'companyId').map(([, id]) => id), 'Thora', 'hidden'];
  const random = new Random(1);
  const bad: string[] = [];
  let asked = 0;
  for (const route of RESOURCE_ROUTES.filter(({ path }) => !path.startsWith('/auth/'))) {
    const path = route.path.replace(/\{([^}]+)\}/g, (_, name: string) => objects.get(name) ?? 'XX-AAAA-AAAA');
    const body = route.body
      ? ((valueFor(route.body.schemas, { random, oddness: 0, ids: [loanId, personId], line: {} }) as object | null) ?? {})
      : undefined;
    const answer = await asAda(route.method, path, body);
    asked++;
    // An answer may repeat what the caller has sent.
    const sent = path + JSON.stringify(body ?? '');
    const leaked = secrets.find((secret) => !sent.includes(secret) && answer.text.includes(secret));
    const isBelow = /\{(personId|loanId|interactionId|eventId)\}/.test(route.path);
    if (leaked !== undefined) bad.push(`${route.operation} shows ${leaked}`);
    if (answer.status >= 500 || (isBelow && answer.status < 300))
      bad.push(`${route.operation} answers ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  t.strictSame(bad, [], `${asked} routes`);
});

test('a route is closed until a rule opens it', (t) => {
  const kind = (method: Route['method'], path: string, more: object = {}): string =>
    kindOfRoute({ method, path, permission: 'thing:read', envelope: 'object', ...more });
  t.equal(kind('GET', '/things'), 'closed', 'one that nobody has thought of');
  t.equal(kind('GET', '/people/{personId}/things'), 'wholeBorrower');
  t.equal(kind('GET', '/people/{personId}/loans/{loanId}/things'), 'loan');
  t.equal(kind('GET', '/people/{personId}/contacts/{contactId}'), 'borrower');
  t.equal(kind('PUT', '/people/{personId}'), 'borrower');
  t.equal(kind('DELETE', '/people/{personId}'), 'wholeBorrower');
  t.equal(kind('POST', '/people/{personId}/user'), 'closed');
  t.equal(kind('GET', '/people/search'), 'people');
  t.equal(kind('GET', '/loans'), 'narrowed');
  t.equal(kind('GET', '/case-types/{caseTypeId}'), 'plain');
  t.equal(kind('PUT', '/case-types/{caseTypeId}'), 'closed', 'configuration is read alone');
  t.equal(kind('PUT', '/roles/{roleId}'), 'closed');
  t.equal(kind('GET', '/loans', { envelope: 'events' }), 'closed');
  t.equal(kind('POST', '/auth/token', { permission: 'public' }), 'plain');
  t.end();
});
