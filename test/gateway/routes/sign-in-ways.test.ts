import { test } from 'tap';
import { idOf } from './http-lender.js';
import { arrived, openWithAda, PASSWORD } from './signed-in.js';

const NEXT = 'another horse battery';
const WAY = 'mode=test';

test('a session changes its password and continues, while all other sessions end', async (t) => {
  const { ask, token, signIn } = await openWithAda(t, ['person:list']);
  const [mine, other] = [await token(), await token()];
  const change = (currentPassword: string, password: string): ReturnType<typeof ask> =>
    ask('POST', '/auth/password', { currentPassword, password }, { key: mine });
  t.match(await change('not the password', NEXT), { status: 400, json: { errors: [{ path: 'currentPassword' }] } });
  t.match(await change(PASSWORD, 'short'), { status: 400, json: { errors: [{ path: 'password' }] } });
  t.match(await change(PASSWORD, 'ada and her battery'), { status: 400, json: { errors: [{ path: 'password' }] } });
  t.match(await change(PASSWORD, PASSWORD), { status: 400, json: { errors: [{ path: 'password', message: 'password was used before' }] } });
  t.match(await change(PASSWORD, NEXT), { status: 200 });
  t.match(await ask('GET', '/people', undefined, { key: mine }), { status: 200 });
  t.match(await ask('GET', '/people', undefined, { key: other }), { status: 401, json: { errorType: 'tokenRevoked' } });
  t.match(await signIn('ada', PASSWORD), { status: 401 });
  t.match(await signIn('ada', NEXT), { status: 200 });
  t.match(await change(NEXT, PASSWORD), { status: 400, json: { errors: [{ message: 'password was used before' }] } });
});

test('a user sets passwords of others only with that permission and all of their permissions', async (t) => {
  const lender = await openWithAda(t, ['person:list', 'user:update.password']);
  const { ask, token, signIn } = lender;
  const bob = (roleIds: readonly string[], userName: string): object => ({
    type: 'agent',
    userName,
    roleIds,
    auths: [{ authType: 'basic', authValueType: 'username', value: userName }],
  });
  await ask('POST', '/users', bob([], 'bob'));
  const role = idOf(await ask('POST', '/roles', { alias: 'More', permissions: ['loan:list'] }));
  await ask('POST', '/users', bob([role], 'eve'));
  const key = await token();
  t.match(await signIn('bob', NEXT), { status: 401 }, 'without a password nobody signs in');
  t.match(await ask('POST', '/auth/password', { username: 'bob', password: NEXT }, { key }), { status: 200 });
  t.match(await signIn('bob', NEXT), { status: 200 });
  t.match(await ask('POST', '/auth/password', { username: 'eve', password: NEXT }, { key }), {
    status: 403,
    json: { permission: 'loan:list' },
  });
  t.match(await ask('POST', '/auth/password', { username: 'nobody', password: NEXT }, { key }), { status: 404 });
  const bobs = String((await signIn('bob', NEXT)).json['token']);
  t.match(await ask('POST', '/auth/password', { username: 'ada', password: NEXT }, { key: bobs }), {
    status: 403,
    json: { permission: 'user:update.password' },
  });
  t.match(
    await ask('POST', `/auth/password?${WAY}`, { username: 'bob', password: NEXT }, { key: false }),
    { status: 200, json: { data: { token: String } } },
    'without a credential it signs in',
  );
});

test('a short-lived token has the requested part of its user’s permissions for 15 minutes', async (t) => {
  const { ask, token, h } = await openWithAda(t, ['person:list', 'loan:list']);
  const key = await token();
  const make = (permissions: readonly string[], from: string): ReturnType<typeof ask> =>
    ask('POST', '/auth/token/short-lived', { permissions }, { key: from });
  t.match(await make(['role:list'], key), { status: 403, json: { permission: 'role:list' } });
  const short = String((await make(['loan:list'], key)).json['token']);
  t.match(await ask('GET', '/loans', undefined, { key: short }), { status: 200 });
  t.match(await ask('GET', '/people', undefined, { key: short }), { status: 403 });
  t.match(await ask('PUT', '/auth/token', undefined, { key: short }), { status: 403 });
  t.match(await make(['loan:list'], short), { status: 403 });
  h.nowMs += 15 * 60_000;
  t.match(await ask('GET', '/loans', undefined, { key: short }), { status: 401, json: { errorType: 'tokenExpired' } });
  t.match(await ask('GET', '/loans', undefined, { key }), { status: 200 });
});

test('an exchange token signs its user in once within five minutes, and only a caller with its permissions creates one', async (t) => {
  const { ask, token, exchangeTokenOf, userId, h, signIn } = await openWithAda(t, ['auth.exchangetoken:create']);
  const exchangeToken = await exchangeTokenOf();
  const signedIn = await ask('POST', '/auth/token', { exchangeToken }, { key: false });
  t.match(signedIn, { status: 200 });
  t.match(await ask('GET', '/users/me', undefined, { key: String(signedIn.json['token']) }), { json: { data: { userName: 'ada' } } });
  t.match(await ask('POST', '/auth/token', { exchangeToken }, { key: false }), { status: 401 });
  t.match(await ask('POST', '/auth/exchange-token', { userId }, { key: await token() }), { status: 403 });
  t.match(await ask('POST', '/auth/exchange-token', { userId: 'UR-AAAA-AAAA' }), { status: 400, json: { errors: [{ path: 'userId' }] } });
  const late = await exchangeTokenOf();
  h.nowMs += 5 * 60_000;
  t.match(await ask('POST', '/auth/token', { exchangeToken: late }, { key: false }), { status: 401 });
  const invitation = await exchangeTokenOf();
  t.match(await ask('POST', '/auth/password', { exchangeToken: invitation, password: NEXT }, { key: false }), {
    status: 200,
    json: { data: { token: String } },
  });
  t.match(await ask('POST', '/auth/password', { exchangeToken: invitation, password: 'yet another battery' }, { key: false }), {
    status: 401,
  });
  t.match(await signIn('ada', NEXT), { status: 200 });
});

test('a sent code signs in once, within five minutes and five attempts', async (t) => {
  const lender = await openWithAda(t, []);
  const { ask, sent, h } = lender;
  const auths = [{ authType: 'oneTimeCodeEmail', authValueType: 'email', value: 'grace@northwind.example' }];
  await ask('POST', '/users', { type: 'agent', userName: 'grace', auths });
  const way = `${WAY}&authType=oneTimeCodeEmail`;
  const username = 'grace@northwind.example';
  const send = (name = username): ReturnType<typeof ask> => ask('POST', `/auth/one-time-code?${way}`, { username: name }, { key: false });
  const show = (code: string): ReturnType<typeof ask> => ask('POST', `/auth/token?${way}`, { username, code }, { key: false });
  const answers = [await send(), await send('nobody')];
  t.equal(answers[0]?.text.replace(/"requestId":"[^"]*"/, ''), answers[1]?.text.replace(/"requestId":"[^"]*"/, ''));
  const code = await arrived(lender, 1);
  t.match(sent, [{ channel: 'email', destination: username, purpose: 'signIn', code: /^\d{6}$/ }]);
  const other = code === '000000' ? '000001' : '000000';
  t.match(await show(other), { status: 401 });
  t.match(await show(code), { status: 200 });
  t.match(await show(code), { status: 401 });
  await send();
  const late = await arrived(lender, 2);
  h.nowMs += 5 * 60_000;
  t.match(await show(late), { status: 401 });
  const statuses = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await send()).status);
  t.same(statuses, [200, 200, 200, 429], 'five an hour');
  t.match(await ask('POST', '/auth/one-time-code', { username }, { key: false }), { status: 422 }, 'nothing sends codes of the live mode');
});

test('a company may require a second factor', async (t) => {
  const { ask, sent, company, signIn } = await openWithAda(t, ['person:list']);
  await ask('PUT', `/companies/${company}`, { config: { auth: { requireSecondFactor: true } } });
  const asked = await signIn('ada', PASSWORD);
  t.match(asked, { status: 401, json: { errorType: 'secondFactorRequired', challengeId: String, factor: 'email' } });
  const { challengeId } = asked.json as { readonly challengeId: string };
  const code = sent.at(-1)?.code ?? '';
  const other = code === '000000' ? '000001' : '000000';
  t.match(await signIn('ada', PASSWORD, { challengeId, code: other }), { status: 401, json: { errorType: 'unauthenticated' } });
  t.match(await signIn('ada', 'not the password', { challengeId, code }), { status: 401 });
  const signedIn = await signIn('ada', PASSWORD, { challengeId, code });
  t.match(signedIn, { status: 200 });
  t.match(await ask('GET', '/people', undefined, { key: String(signedIn.json['token']) }), { status: 200 });
  t.match(await signIn('ada', PASSWORD, { challengeId, code }), { status: 401 });
});

test('a forgotten password is set once with a token that was sent', async (t) => {
  const lender = await openWithAda(t, ['person:list']);
  const { ask, sent, token, signIn } = lender;
  const key = await token();
  const request = (username: string): ReturnType<typeof ask> => ask('POST', `/auth/password-reset?${WAY}`, { username }, { key: false });
  t.match(await request('nobody'), { status: 200 });
  t.match(await request('ada'), { status: 200 });
  const text = await arrived(lender, 1);
  t.match(sent, [{ purpose: 'passwordReset', destination: 'ada@northwind.example' }]);
  const reset = (text: string, password: string): ReturnType<typeof ask> =>
    ask('PUT', '/auth/password-reset', { token: text, password }, { key: false });
  t.match(await reset(`${text.slice(0, -4)}AAAA`, PASSWORD), { status: 401 }, 'nobody learns whether it was used before');
  t.match(await reset(text, PASSWORD), { status: 400 });
  t.match(await reset(text, NEXT), { status: 200 });
  t.match(await reset(text, 'yet another battery'), { status: 401 });
  t.match(await ask('GET', '/people', undefined, { key }), { status: 401 });
  t.match(await signIn('ada', NEXT), { status: 200 });
});
