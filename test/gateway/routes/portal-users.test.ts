import { test } from 'tap';
import { RESOURCE_ROUTES } from '../../../gateway/index.js';
import { ANN, EMAIL, PHONE } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import type { HttpAnswer } from '../harness.js';
import { type HttpLender, idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

const PASSWORD = 'correct horse battery';
const USER = {
  userName: 'Ann@Quimby.example',
  auths: [{ authType: 'basic', authValueType: 'email', value: 'ann@quimby.example' }],
  password: PASSWORD,
};
const OTHERS_CONTACT = { ...EMAIL, status: 'additional', affiliation: 'spouse', value: 'spouse@quimby.example' };

const signIn = ({ ask }: HttpLender, username: string, password = PASSWORD): Promise<HttpAnswer> =>
  ask('POST', '/auth/token?mode=test&userType=borrower', { username, password }, { key: false });

test('a borrower gets a user, signs in and reads what is its own', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const personId = idOf(await ask('POST', '/people', { ...ANN, externalId: 'ann' }));
  const otherId = idOf(await ask('POST', '/people', { name: NAME }));
  const made = await ask('POST', `/people/${personId}/user`, USER);
  t.match(made, {
    status: 200,
    json: {
      data: {
        object: 'user',
        type: 'borrower',
        status: 'active',
        userName: 'Ann@Quimby.example',
        roleIds: [],
        person: { id: personId },
        employee: null,
      },
    },
  });
  t.notMatch(made.text, /scrypt|battery/);
  t.match(await ask('POST', `/people/${personId}/user`, { ...USER, userName: 'second' }), { status: 409 });
  t.match(await ask('POST', `/people/${otherId}/user`, { ...USER, userName: 'ann@quimby.EXAMPLE' }), {
    status: 409,
    json: { errors: [{ path: 'userName' }] },
  });
  t.match(await ask('POST', `/people/${otherId}/user`, { ...USER, userName: 'b', password: 'short' }), { status: 400 });
  const userId = idOf(made);
  t.match(await ask('GET', `/people/${personId}`), {
    json: { data: { user: { id: userId, object: 'user', type: 'borrower', userName: 'Ann@Quimby.example', person: null } } },
  });
  t.match(await ask('GET', `/people/${otherId}`), { json: { data: { user: null } } });
  t.match(await ask('GET', `/users/${userId}`), { status: 200, json: { data: { id: userId } } });
  t.same(
    listOf(await ask('GET', '/users?type=borrower')).map(({ id }) => id),
    [userId],
  );

  t.match(await signIn(lender, 'ann@quimby.example', 'not the password'), { status: 401 });
  const key = String((await signIn(lender, 'ann@quimby.example')).json['token']);
  const as = (method: string, path: string, body?: object): Promise<HttpAnswer> => ask(method, path, body, { key });
  for (const path of [`/people/${personId}`, '/people/ext-ann', `/people/${personId}/loans`, `/people/${personId}/contacts`])
    t.match(await as('GET', path), { status: 200 }, path);
  t.match(await as('GET', `/people/${otherId}`), { status: 404 });
  t.match(await as('GET', `/people/${otherId}/loans`), { status: 404 });
  for (const path of ['/people', '/loans', '/users', '/events', '/users/me', '/companies'])
    t.match(await as('GET', path), { status: 403 }, path);
  t.match(await as('PUT', `/people/${personId}`, { status: 'inactive' }), { status: 403 });

  await ask('POST', `/people/${personId}/contacts?validate=false`, OTHERS_CONTACT);
  const [others] = listOf(await ask('GET', `/people/${personId}/contacts`));
  t.same(listOf(await as('GET', `/people/${personId}/contacts`)), [], 'contacts of relatives are not its own');
  t.match(await as('GET', `/people/${personId}/contacts/${String(others?.['id'])}`), { status: 404 });
  t.match(await as('POST', `/people/${personId}/contacts`, OTHERS_CONTACT), { status: 403 });
  const own = await as('POST', `/people/${personId}/contacts`, EMAIL);
  t.match(own, { status: 200 });
  t.match(await as('GET', `/people/${personId}/contacts/${idOf(own)}`), { status: 200 });
  const judged = [{ verified: true }, { valid: true }, { phoneDisconnectionDetails: null }, { powerOfAttorney: true }];
  for (const field of judged) {
    t.match(await as('PUT', `/people/${personId}/contacts/${idOf(own)}`, field), { status: 403 }, 'not what agents and carriers say');
    t.match(await as('POST', `/people/${personId}/contacts`, { ...EMAIL, ...field }), { status: 403 });
  }
  const phone = await as('POST', `/people/${personId}/contacts`, { ...PHONE, receiveTextMessages: true });
  t.match(phone, { status: 200 });
  const answer = { list: 'reassigned', isListed: false, checkedOn: '2026-03-02' };
  const checks = `/people/${personId}/contacts/${idOf(phone)}/number-checks`;
  t.match(await as('POST', checks, answer), { status: 403, json: { errorType: 'permissionDenied', permission: 'contact:update' } });

  t.match(await as('PUT', '/auth/token'), { status: 200 });
  t.match(await as('GET', `/people/${personId}`), { status: 401, json: { errorType: 'tokenRevoked' } });
  const next = String((await signIn(lender, 'ann@quimby.example')).json['token']);
  await ask('DELETE', `/users/${userId}`);
  t.match(await ask('GET', `/people/${personId}`, undefined, { key: next }), { status: 401 });
  t.match(await signIn(lender, 'ann@quimby.example'), { status: 401 });
  await ask('PUT', `/users/${userId}`, { status: 'active' });
  t.match(await ask('GET', `/people/${personId}`, undefined, { key: next }), { status: 401 }, 'what ended stays ended');
  t.match(await ask('POST', '/auth/exchange-token', { userId }), { status: 200 });
  t.notMatch(h.written(), /quimby\.example|horse battery/i, 'what is stored shows neither name nor password');
});

test('a caller creates a session of a borrower only if it has all permissions of the borrower', async (t) => {
  const { ask } = await openHttpLender(t);
  const userId = idOf(await ask('POST', `/people/${idOf(await ask('POST', '/people', { name: NAME }))}/user`, USER));
  const role = idOf(await ask('POST', '/roles', { alias: 'Tokens', permissions: ['auth.exchangetoken:create'] }));
  const agent = idOf(await ask('POST', '/users', { type: 'api', userName: 'tokens', auths: USER.auths, roleIds: [role] }));
  const { key } = (await ask('POST', '/keys', { userId: agent })).json as { readonly key: string };
  t.match(await ask('POST', '/auth/exchange-token', { userId }, { key }), { status: 403, json: { permission: 'person:read' } });
  const { exchangeToken } = (await ask('POST', '/auth/exchange-token', { userId })).json['data'] as { readonly exchangeToken: string };
  t.match(await ask('POST', '/auth/token', { exchangeToken }, { key: false }), { status: 200 });
});

test('a borrower pays its own loan, and may not record payments that were made outside of the service', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, company } = lender;
  const personId = idOf(await ask('POST', '/people', { name: NAME }));
  await ask('POST', `/people/${personId}/user`, USER);
  const loanTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: 'Personal loan' }));
  const loanId = idOf(await ask('POST', `/people/${personId}/loans`, loanBody(loanTypeId)));
  await ask('POST', `/people/${personId}/loans/${loanId}/activate`, {});
  const key = String((await signIn(lender, USER.userName)).json['token']);
  const path = `/people/${personId}/loans/${loanId}`;
  t.match(await ask('GET', `${path}/balances`, undefined, { key }), { status: 200 });
  t.match(await ask('POST', `${path}/transactions`, { type: 'oneTime', amount: 25, isExternal: true, status: 'succeeded' }, { key }), {
    status: 403,
  });
  t.match(await ask('POST', `${path}/transactions`, { type: 'serviceCredit', amount: 25 }, { key }), { status: 403 });
  const paid = await ask('POST', `${path}/transactions`, { type: 'oneTime', amount: 25 }, { key });
  t.notOk([401, 403, 404].includes(paid.status), `it is asked for an instrument: ${paid.text.slice(0, 200)}`);
  t.match(await ask('POST', `${path}/freeze`, {}, { key }), { status: 403 });
});

test('a borrower may use only operations on its own path and of its session', async (t) => {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const personId = idOf(await ask('POST', '/people', { name: NAME }));
  const otherId = idOf(await ask('POST', '/people', ANN));
  await ask('POST', `/people/${personId}/user`, USER);
  const key = String((await signIn(lender, USER.userName)).json['token']);
  const ofSession = new Set(['refreshToken', 'signOut', 'createShortLivedToken', 'changePassword', 'listOwnPermissions']);
  const bad: string[] = [];
  for (const { method, path, operation, permission } of RESOURCE_ROUTES) {
    if (permission === 'public' || ofSession.has(operation)) continue;
    const answer = await ask(
      method,
      path.replace('{personId}', otherId).replace(/\{[^}]+\}/g, 'XX-AAAA-AAAA'),
      method === 'GET' ? undefined : {},
      { key },
    );
    if (![400, 403, 404].includes(answer.status) || answer.text.includes('Quimby')) bad.push(`${operation}: ${answer.status}`);
  }
  t.strictSame(bad, []);
});

test('bootstrap returns how the users of a front end sign in', async (t) => {
  const { ask, company } = await openHttpLender(t);
  await ask('POST', `/companies/${company}/app-domains`, { domain: 'portal.northwind.example', type: 'borrower' });
  const show = (query: string): Promise<HttpAnswer> => ask('GET', `/bootstrap?mode=test&${query}`, undefined, { key: false });
  t.match(await show('domain=Portal.northwind.example'), {
    status: 200,
    json: {
      appDomainType: 'borrower',
      userType: 'borrower',
      ssoLoginUrl: null,
      authType: 'basic',
      authValueType: 'email',
      company: { id: company, name: 'Northwind Lending' },
    },
  });
  t.match(await show(`companyId=${company}&appDomainType=agent`), { status: 200, json: { userType: 'agent' } });
  t.match(await show('domain=nobody.example'), { status: 404 });
  t.match(await show(`companyId=${company}`), { status: 400 });
  t.match(
    await ask('GET', '/bootstrap?domain=portal.northwind.example', undefined, { key: false }),
    { status: 404 },
    'the live mode has no such domain',
  );
});
