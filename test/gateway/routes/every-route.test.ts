import { randomBytes } from 'node:crypto';
import { test, type Test } from 'tap';
import { type CompanyState, SHARED_SHARD, usersOf } from '../../../actors/index.js';
import { must } from '../../../engine/index.js';
import { hashOfKey, isOpen, RESOURCE_ROUTES, type Route } from '../../../gateway/index.js';
import { ANN, HOME } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { Random } from '../fuzz/random.js';
import { valueFor } from '../fuzz/values.js';
import type { HttpAnswer } from '../harness.js';
import { type HttpLender, idOf, openHttpLender } from './http-lender.js';

/*
 * Requests every route of the table as callers who may not use it. A new route is included by itself. It has to declare its permission (a
 * row of actors/company/access/permission-table.ts, or `null` for any credential) and to answer 404 `notFound` for objects of others, as
 * for objects that do not exist. The ids in paths are discovered: `/things/{thingId}` takes the first object of `GET /things`. So a route
 * is only tested with a real object if `furnish` makes one.
 */

type Ask = HttpLender['ask'];

const AT_ONCE = 16;
const random = new Random(1);

const NOTHING_THERE = 'XX-AAAA-AAAA';
const PARAMETER = /\{([^}]+)\}/g;

const parametersOf = ({ path }: Route): readonly string[] => [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
/** Ids of objects that are the same for all companies. */
const SHARED_IDS: ReadonlySet<string> = new Set(['permissionId', 'ruleId', 'reportName']);

const pathOf = ({ path }: Route, objects: ReadonlyMap<string, string>): string =>
  path.replace(PARAMETER, (_, name: string) => objects.get(name) ?? NOTHING_THERE);
const bodyOf = (route: Route): object | undefined =>
  route.body ? ((valueFor(route.body.schemas, { random, oddness: 0, ids: [NOTHING_THERE], line: {} }) as object | null) ?? {}) : undefined;

/** Makes an object of each kind that is made easily, so that lists return it. */
async function furnish({ ask, company }: HttpLender): Promise<Map<string, string>> {
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await ask('POST', path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.text}`);
    return idOf(answer);
  };
  const personId = await made('/people', { ...ANN, externalId: 'secret-borrower' });
  await made(`/people/${personId}/contacts?validate=false`, HOME);
  const loanTypeId = await made(`/companies/${company}/loan-types`, { type: 'installment', name: 'Secret product' });
  const loanId = await made(`/people/${personId}/loans`, { ...loanBody(loanTypeId), externalId: 'secret-loan' });
  await made(`/people/${personId}/loans/${loanId}/activate`, {});
  await made(`/people/${personId}/loans/${loanId}/transactions`, { type: 'oneTime', amount: 25, isExternal: true, status: 'succeeded' });
  await made(`/people/${personId}/interactions`, { channel: 'email', externalId: 'secret-interaction' });
  await made('/teams', { name: 'Secret team' });
  await made(`/companies/${company}/loan-labels`, { name: 'Secret label' });
  // The default chart and mapping have the same ids in each company and mode.
  const account = { number: '9999', name: 'Secret account', type: 'asset', normalBalance: 'debit' };
  const accountId = await made(`/companies/${company}/general-ledger/accounts`, account);
  const mapping = { rows: [{ role: 'bank', accountId }] };
  const mappingId = await made(`/companies/${company}/general-ledger/mappings`, mapping);
  await made(`/companies/${company}/app-domains`, { domain: 'app.secret.example', type: 'agent' });
  await made(`/companies/${company}/compliance/business-rules`, {
    code: 'SECRET-RULE',
    name: 'Secret rule',
    parameters: { type: 'never' },
  });
  await made(`/people/${personId}/can-interact`, { channel: 'voice', theme: 'opsServicing' });
  const userId = await made('/users', {
    type: 'agent',
    userName: 'secret-agent',
    auths: [{ authType: 'basic', authValueType: 'email', value: 'agent@secret.example' }],
  });
  await made(`/people/${personId}/user`, {
    userName: 'borrower@secret.example',
    auths: [{ authType: 'basic', authValueType: 'email', value: 'borrower@secret.example' }],
  });
  await made('/employees', { userId, firstName: 'Secret employee' });
  const {
    json: { id: descriptorId },
  } = await ask('POST', '/communicator/templatedescriptors', { subject: 'secretHeader', channel: null });
  await ask('POST', `/communicator/templatedescriptors/${String(descriptorId)}/versions`, { contentTextTemplate: 'secret' });
  await made('/webhooks', {
    webhookType: 'direct',
    eventTypes: ['loan.created'],
    enabled: false,
    webhookDirectDetails: { webhookUrl: 'https://secret.example/hook' },
  });
  return new Map([
    ['companyId', company],
    ['personId', personId],
    ['loanTypeId', loanTypeId],
    ['loanId', loanId],
    ['accountId', accountId],
    ['mappingId', mappingId],
  ]);
}

/** Requests lists until they return no new ids for the paths below them. Returns the paths for which it has found an id. */
async function discover(ask: Ask, objects: Map<string, string>): Promise<ReadonlySet<string>> {
  const asked = new Set<Route>();
  const paths = new Set<string>();
  for (let found = true; found; ) {
    found = false;
    for (const route of RESOURCE_ROUTES) {
      const below = new RegExp(`^${route.path.replace(/[{}.]/g, '\\$&')}/\\{([^}]+)\\}$`);
      const name = RESOURCE_ROUTES.flatMap(({ path }) => below.exec(path)?.[1] ?? []).find(
        (known) => !objects.has(known) && !SHARED_IDS.has(known),
      );
      if (name === undefined || route.method !== 'GET' || asked.has(route) || !parametersOf(route).every((known) => objects.has(known)))
        continue;
      asked.add(route);
      const { json } = await ask('GET', pathOf(route, objects));
      const list: unknown = Array.isArray(json) ? json : json['data'];
      const [first] = (Array.isArray(list) ? list : []) as readonly { readonly id?: string | null }[];
      if (first?.id == null) continue;
      objects.set(name, first.id);
      paths.add(`${route.path}/{${name}}`);
      found = true;
    }
  }
  return paths;
}

interface Visitor {
  readonly name: string;
  readonly key: string | false;
  /** Which routes it tries; by default all that need a credential. */
  readonly tries?: (route: Route) => boolean;
  /** What is wrong with the answer; null if nothing is. */
  readonly fault: (route: Route, answer: HttpAnswer) => string | null;
}

const refusedAs =
  (status: number, errorType: string) =>
  (_route: Route, answer: HttpAnswer): string | null =>
    answer.status === status && answer.json['errorType'] === errorType ? null : `expected ${status} ${errorType}`;

const OBJECTS = (route: Route): readonly string[] => parametersOf(route).filter((name) => name !== 'companyId');

/** Objects of another company or mode are not found, and no answer mentions them. */
const seesNothing =
  (secrets: readonly string[], objects: ReadonlyMap<string, string>, isForeign: (route: Route) => boolean) =>
  (route: Route, answer: HttpAnswer): string | null => {
    const path = pathOf(route, objects);
    const leaked = secrets.find((secret) => !path.includes(secret) && answer.text.includes(secret));
    if (leaked !== undefined) return `shows ${leaked}`;
    if (answer.status >= 500) return 'the service failed';
    if (isForeign(route) && answer.status < 300) return "expected 404 notFound: what the path names is not the caller's";
    return route.method === 'GET' && isForeign(route) && ![404, 400].includes(answer.status) ? 'expected 404 notFound' : null;
  };

async function visit(
  t: Test,
  ask: Ask,
  objects: ReadonlyMap<string, string>,
  { name, key, tries = ({ permission }) => !isOpen(permission), fault }: Visitor,
): Promise<void> {
  const waiting = RESOURCE_ROUTES.filter(tries);
  const count = waiting.length;
  const bad: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let route = waiting.shift(); route !== undefined; route = waiting.shift()) {
        const answer = await ask(route.method, pathOf(route, objects), bodyOf(route), { key });
        const wrong = fault(route, answer);
        if (wrong !== null)
          bad.push(
            `${route.operation} (${route.method} ${route.path}): ${wrong}, but it answers ${answer.status} ${answer.text.slice(0, 200)}`,
          );
      }
    }),
  );
  t.strictSame(bad, [], `${name}, ${count} routes`);
}

test('every route refuses callers who may not use it', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, company, keys, h, userId } = lender;
  const objects = await furnish(lender);
  const discovered = await discover(ask, objects);
  const unseen = [...new Set(RESOURCE_ROUTES.flatMap(parametersOf))].filter((name) => !objects.has(name));
  t.comment(`no object for ${unseen.join(', ')}: make one in furnish to test its routes with a real id`);

  const keyOf = async (changes: object): Promise<{ readonly id: string; readonly key: string }> =>
    (await ask('POST', '/keys', { userId, ...changes })).json as { readonly id: string; readonly key: string };
  const powerless = idOf(
    await ask('POST', '/users', {
      type: 'api',
      userName: 'powerless',
      auths: [{ authType: 'basic', authValueType: 'username', value: 'powerless' }],
    }),
  );
  const [revoked, remote, without] = [
    await keyOf({}),
    await keyOf({ whitelistedIPs: ['192.0.2.0/24'] }),
    await keyOf({ userId: powerless }),
  ];
  await ask('DELETE', `/keys/${revoked.id}`);

  const other = h.engine.world.ids.encode('CP', SHARED_SHARD, 4_000);
  await h.command(
    'company.create',
    null,
    { name: 'Other Lending', timezone: 'America/New_York' },
    { system: true, company: other, params: { newId: other } },
  );
  const foreign = `test_${randomBytes(32).toString('base64url')}`;
  const state = must(h.engine.stateOf<CompanyState>({ company: other, mode: 'test' }, 'company', other), 'the other company');
  await h.data(
    'apiKey.create',
    other,
    { userId: must([...usersOf(state).keys()][0], 'its user'), hash: hashOfKey(foreign) },
    { company: other, permissions: ['*'] },
  );

  const secrets = [
    ...[...objects].filter(([name]) => name !== 'companyId').map(([, id]) => id),
    'Quimby',
    'secret-',
    'Secret ',
    'secret.example',
  ];
  const ofCompany = (route: Route): boolean => parametersOf(route).some((name) => objects.has(name));
  const ofMode = (route: Route): boolean => OBJECTS(route).some((name) => objects.has(name));

  await visit(t, ask, objects, { name: 'no credential', key: false, fault: refusedAs(401, 'unauthenticated') });
  await visit(t, ask, objects, { name: 'a revoked key', key: revoked.key, fault: refusedAs(401, 'unauthenticated') });
  await visit(t, ask, objects, { name: 'an address outside of the list', key: remote.key, fault: refusedAs(403, 'ipNotAllowed') });
  await visit(t, ask, objects, {
    name: 'a permission that is missing',
    key: without.key,
    tries: ({ permission }) => permission !== null && !isOpen(permission),
    fault: (route, answer) =>
      refusedAs(403, 'permissionDenied')(route, answer) ??
      (answer.json['permission'] === route.permission ? null : `expected the permission ${String(route.permission)} to be named`),
  });
  await visit(t, ask, objects, { name: 'another company', key: foreign, fault: seesNothing([...secrets, company], objects, ofCompany) });
  await visit(t, ask, objects, { name: 'the other mode', key: keys.live, fault: seesNothing(secrets, objects, ofMode) });
  await visit(t, ask, objects, {
    name: 'its own key finds what the others do not',
    key: keys.test,
    tries: ({ method, path }) => method === 'GET' && discovered.has(path),
    fault: (_route, { status }) => (status === 200 ? null : 'expected to find it'),
  });

  for (const key of [foreign, keys.live]) {
    for (const path of [
      '/people/ext-secret-borrower',
      '/people/ext-secret-borrower/loans',
      `/people/ext-secret-borrower/loans/ext-secret-loan`,
    ])
      t.match(await ask('GET', path, undefined, { key }), { status: 404 }, path);
    for (const [list, cursor] of [
      ['/people', 'personId'],
      ['/loans', 'loanId'],
      ['/teams', 'teamId'],
    ] as const) {
      const answer = await ask('GET', `${list}?startingAfter=${must(objects.get(cursor), cursor)}`, undefined, { key });
      t.match(answer, { status: 400 }, `${list} has no such cursor`);
      t.notOk(answer.text.includes('Quimby'));
    }
    t.match(await ask('GET', '/events?limit=100', undefined, { key }), { status: 200, json: { data: [] } });
  }
});
