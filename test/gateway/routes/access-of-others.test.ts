import { test, type Test } from 'tap';
import { PERMISSIONS } from '../../../actors/index.js';
import { isOpen, RESOURCE_ROUTES, type Route } from '../../../gateway/index.js';
import { loanBody } from '../../actors/loan/setting.js';
import type { HttpAnswer } from '../harness.js';
import { dataOf, idOf } from './http-lender.js';
import { openWithAda, PASSWORD } from './signed-in.js';
import { NAME } from '../../people.js';

/** The permission that Bea has and Ada lacks. */
const BEYOND = 'loan:chargeoff';
const NEW_PASSWORD = 'staple battery horse';

const basic = (userName: string): object => ({
  type: 'agent',
  userName,
  auths: [{ authType: 'basic', authValueType: 'email', value: `${userName}@northwind.example` }],
  password: PASSWORD,
});

/** Two agents of a company: Ada makes requests, which must not change Bea, who may do or see more than Ada. */
interface Office {
  readonly ids: Readonly<
    Record<'bea' | 'beaRole' | 'sharedRole' | 'beaEmployee' | 'cai' | 'adaEmployee' | 'beaKey' | 'team' | 'borrower' | 'portal', string>
  >;
  asAda(method: string, path: string, body?: object): Promise<HttpAnswer>;
  /** All that must not change, and whether Bea and Ann can still sign in. */
  protectedState(): Promise<object>;
}

async function openOffice(
  t: Test,
  { permissions, investorIds }: { readonly permissions: readonly string[]; readonly investorIds?: readonly string[] },
): Promise<Office> {
  const lender = await openWithAda(t, permissions);
  const { ask, adaId, company } = lender;
  const made = async (path: string, body: object): Promise<string> => idOf(await ask('POST', path, body));
  for (const externalId of ['ours', 'theirs']) await made(`/companies/${company}/investors`, { legalName: externalId, externalId });
  const sharedRole = await made('/roles', { alias: 'Shared', permissions: ['note:list', 'note:read'] });
  const beaRole = await made('/roles', { alias: 'Boss', permissions: [...permissions.filter((name) => name !== 'note:read'), BEYOND] });
  const bea = await made('/users', { ...basic('bea'), roleIds: [beaRole, sharedRole] });
  const cai = await made('/users', { ...basic('cai'), roleIds: [beaRole] });
  const team = await made('/teams', { name: 'Collections' });
  const beaEmployee = await made('/employees', { userId: bea, email: 'bea@northwind.example', teams: [team] });
  const adaEmployee = await made('/employees', { userId: adaId, ...(investorIds === undefined ? {} : { investorIds }) });
  const beaKey = String((await ask('POST', '/keys', { userId: bea, whitelistedIPs: ['203.0.113.7'] })).json['id']);
  const borrower = await made('/people', { externalId: 'ann-1', name: NAME });
  const loanTypeId = await made(`/companies/${company}/loan-types`, { type: 'installment', name: 'Loan' });
  await ask('POST', `/people/${borrower}/loans`, {
    ...loanBody(loanTypeId, { atOrigination: { investors: [{ investorId: 'ext-theirs', share: 1 }] } }),
    externalId: 'l-1',
  });
  const portal = await made(`/people/${borrower}/user`, { ...basic('ann'), type: undefined });
  const key = await lender.token();
  const reads = [
    `/users/${bea}`,
    `/users/${cai}`,
    `/users/${portal}`,
    `/employees/${beaEmployee}`,
    `/employees/${adaEmployee}`,
    `/teams/${team}`,
    `/roles/${beaRole}`,
    `/roles/${sharedRole}`,
  ];
  return {
    ids: { bea, beaRole, sharedRole, beaEmployee, cai, adaEmployee, beaKey, team, borrower, portal },
    asAda: (method, path, body) => ask(method, path, body, { key }),
    async protectedState() {
      const shown = [];
      for (const path of reads) shown.push(dataOf(await ask('GET', path)));
      const signsIn = [];
      for (const [name, type] of [
        ['bea', 'agent'],
        ['ann', 'borrower'],
      ] as const)
        signsIn.push(
          (await ask('POST', `/auth/token?mode=test&userType=${type}`, { username: name, password: PASSWORD }, { key: false })).status,
        );
      const counts = [];
      for (const path of ['/users', '/keys', '/roles', '/employees']) counts.push((await ask('GET', path)).json['total']);
      return { shown, key: (await ask('GET', `/keys/${beaKey}`)).json, signsIn, counts };
    },
  };
}

interface Attempt {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Each way to take over the permissions of another user, or to get more than one's own. */
function attempts({
  bea,
  beaRole,
  sharedRole,
  beaEmployee,
  cai,
  adaEmployee,
  beaKey,
  team,
  borrower,
  portal,
}: Office['ids']): readonly Attempt[] {
  const row = (operation: string, method: string, path: string, body?: object): Attempt => ({
    operation,
    method,
    path,
    ...(body === undefined ? {} : { body }),
  });
  const others = [{ authType: 'basic', authValueType: 'email', value: 'ada@northwind.example' }];
  return [
    row('createUser', 'POST', '/users', { ...basic('dan'), roleIds: [beaRole] }),
    row('updateUser', 'PUT', `/users/${bea}`, { userName: 'bee' }),
    row('updateUser', 'PUT', `/users/${bea}`, { auths: others }),
    row('updateUser', 'PUT', `/users/${bea}`, { roleIds: [] }),
    row('updateUser', 'PUT', `/users/${bea}`, { status: 'inactive' }),
    row('updateUser', 'PUT', `/users/${portal}`, { auths: others }),
    row('updateUser', 'PUT', `/users/${portal}`, { status: 'inactive' }),
    row('deleteUser', 'DELETE', `/users/${bea}`),
    row('deleteUser', 'DELETE', `/users/${portal}`),
    row('createPortalUser', 'POST', `/people/${borrower}/user`, { ...basic('ann-2'), type: undefined }),
    row('createKey', 'POST', '/keys', { userId: bea }),
    row('updateKey', 'PUT', `/keys/${beaKey}`, { whitelistedIPs: [] }),
    row('updateKey', 'PUT', `/keys/${beaKey}`, { status: 'inactive' }),
    row('revokeKey', 'DELETE', `/keys/${beaKey}`),
    row('createRole', 'POST', '/roles', { alias: 'More', permissions: [BEYOND] }),
    row('createRole', 'POST', '/roles', { alias: 'Less', permissions: ['note:list'], employeeIds: [beaEmployee] }),
    row('updateRole', 'PUT', `/roles/${beaRole}`, { permissions: [] }),
    row('updateRole', 'PUT', `/roles/${sharedRole}`, { permissions: ['note:list'] }),
    row('updateRole', 'PUT', `/roles/${sharedRole}`, { permissions: ['note:list', BEYOND] }),
    row('deleteRole', 'DELETE', `/roles/${beaRole}`),
    row('deleteRole', 'DELETE', `/roles/${sharedRole}`),
    row('cloneRole', 'POST', `/roles/${beaRole}/clone`, { alias: 'Mine' }),
    row('createEmployee', 'POST', '/employees', { userId: cai, investorIds: ['ext-ours'] }),
    row('updateEmployee', 'PUT', `/employees/${beaEmployee}`, { investorIds: ['ext-ours'] }),
    row('updateEmployee', 'PUT', `/employees/${beaEmployee}`, { teams: [] }),
    row('updateEmployee', 'PUT', `/employees/${beaEmployee}`, { email: 'ada@northwind.example' }),
    row('updateEmployee', 'PUT', `/employees/${beaEmployee}`, { userId: cai }),
    row('updateEmployee', 'PUT', `/employees/${adaEmployee}`, { userId: cai }),
    row('deleteEmployee', 'DELETE', `/employees/${beaEmployee}`),
    row('deleteTeam', 'DELETE', `/teams/${team}`),
    row('setTeamEmployees', 'PUT', `/teams/${team}/employees`, { employeeIds: [] }),
    row('createExchangeToken', 'POST', '/auth/exchange-token', { userId: bea }),
    row('createExchangeToken', 'POST', '/auth/exchange-token', { userId: portal }),
    row('changePassword', 'POST', '/auth/password', { username: 'bea', password: NEW_PASSWORD }),
    row('changePassword', 'POST', '/auth/password?userType=borrower', { username: 'ann', password: NEW_PASSWORD }),
  ];
}

const OF_ACCESS = /^(apikey|auth\.|employee|role|team|user)[.:]/;

/** Writes about access that change no permissions, each with its reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  createTeam: 'a new team has no members',
  updateTeam: 'its name, id and group address: messages to a team go to its members',
};

/** The permissions of a clerk: everything about access, nothing about money. */
const ACCESS = PERMISSIONS.map(({ name }) => name).filter((name) => OF_ACCESS.test(name));

test('the attempts include each write that changes access', (t) => {
  const isAboutAccess = ({ permission, path }: Route): boolean =>
    permission !== null && !isOpen(permission) ? OF_ACCESS.test(permission) : /^\/(users|roles|keys|employees|teams)/.test(path);
  const ids = Object.fromEntries(
    ['bea', 'beaRole', 'sharedRole', 'beaEmployee', 'cai', 'adaEmployee', 'beaKey', 'team', 'borrower', 'portal'].map((name) => [
      name,
      name,
    ]),
  );
  const tried = new Set(attempts(ids as unknown as Office['ids']).map(({ operation }) => operation));
  const writes = RESOURCE_ROUTES.filter((route) => route.method !== 'GET' && isAboutAccess(route)).map(({ operation }) => operation);
  t.ok(writes.length > 15);
  t.same(
    writes.filter((operation) => !tried.has(operation) && HARMLESS[operation] === undefined),
    [],
  );
  t.same(
    [...tried].filter((operation) => !RESOURCE_ROUTES.some((route) => route.operation === operation)),
    [],
  );
  t.end();
});

test('nobody changes credentials, roles, keys, teams or investors of a user with more permissions', async (t) => {
  const office = await openOffice(t, { permissions: [...ACCESS, 'note:list', 'note:read'] });
  await assertNothingMoves(t, office);
});

test('an employee who sees only the loans of some investors cannot change the access of one who sees more', async (t) => {
  const all = [...PERMISSIONS.map(({ name }) => name)].filter((name) => name !== BEYOND);
  const office = await openOffice(t, { permissions: all, investorIds: ['ext-ours'] });
  await assertNothingMoves(t, office);
});

async function assertNothingMoves(t: Test, { ids, asAda, protectedState }: Office): Promise<void> {
  const before = await protectedState();
  for (const { operation, method, path, body } of attempts(ids)) {
    const answer = await asAda(method, path, body);
    t.match(answer, { status: 403, json: { errorType: 'permissionDenied' } }, `${operation} ${method} ${path} ${JSON.stringify(body)}`);
  }
  t.same(await protectedState(), before);
}

test('an employee with the same permissions and loans as a colleague may change their access, keys and teams', async (t) => {
  const all = PERMISSIONS.map(({ name }) => name);
  const { ids, asAda } = await openOffice(t, { permissions: all });
  const { bea, beaKey, beaEmployee, team, sharedRole, portal } = ids;
  for (const [method, path, body] of [
    ['PUT', `/keys/${beaKey}`, { whitelistedIPs: ['203.0.113.8'] }],
    ['PUT', `/employees/${beaEmployee}`, { investorIds: ['ext-ours'], teams: [] }],
    ['PUT', `/teams/${team}/employees`, { employeeIds: [beaEmployee] }],
    ['PUT', `/roles/${sharedRole}`, { permissions: ['note:list'] }],
    ['PUT', `/users/${portal}`, { userName: 'annie' }],
    ['PUT', `/users/${bea}`, { userName: 'bee' }],
    ['POST', '/auth/password', { username: 'bee', password: NEW_PASSWORD }],
    ['DELETE', `/keys/${beaKey}`, undefined],
  ] as const)
    t.match(await asAda(method, path, body), { status: 200 }, `${method} ${path}`);
});

test('a clerk renames employees with more permissions and roles that they have', async (t) => {
  const { ids, asAda } = await openOffice(t, { permissions: [...ACCESS, 'note:list', 'note:read'] });
  t.match(await asAda('PUT', `/employees/${ids.beaEmployee}`, { firstName: 'Bea', phone: '+15125550100' }), { status: 200 });
  t.match(await asAda('PUT', `/roles/${ids.sharedRole}`, { alias: 'Readers of notes' }), { status: 200 });
});

test('an employee limited to investors cannot set the password of one who sees more', async (t) => {
  const { ids, asAda } = await openOffice(t, { permissions: [...PERMISSIONS.map(({ name }) => name)], investorIds: ['ext-ours'] });
  t.match(await asAda('POST', '/auth/password', { username: 'bea', password: NEW_PASSWORD }), { status: 403 });
  t.ok(ids.bea);
});

test('a key limited to addresses creates and changes only keys limited to those addresses', async (t) => {
  const { ask, adaId } = await openWithAda(t, ACCESS);
  const key = String((await ask('POST', '/keys', { userId: adaId, whitelistedIPs: ['127.0.0.0/8'] })).json['key']);
  const asKey = (method: string, path: string, body?: object): Promise<HttpAnswer> => ask(method, path, body, { key });
  const refused = { status: 403, json: { errorType: 'permissionDenied' } };
  for (const whitelistedIPs of [undefined, null, [], ['127.0.0.0/7'], ['127.0.0.1', '203.0.113.7'], ['::/0']])
    t.match(await asKey('POST', '/keys', { userId: adaId, whitelistedIPs }), refused, JSON.stringify(whitelistedIPs));
  const made = await asKey('POST', '/keys', { userId: adaId, whitelistedIPs: ['127.0.0.1', '127.1.0.0/16'] });
  t.match(made, { status: 201 });
  const id = String(made.json['id']);
  t.match(await asKey('PUT', `/keys/${id}`, { whitelistedIPs: [] }), refused);
  t.match(await asKey('PUT', `/keys/${id}`, { description: 'narrow' }), { status: 200 });
  const free = String((await ask('POST', '/keys', { userId: adaId })).json['id']);
  t.match(await asKey('PUT', `/keys/${free}`, { whitelistedIPs: ['127.0.0.1'] }), { status: 200 }, 'it may bind a free one');
});
