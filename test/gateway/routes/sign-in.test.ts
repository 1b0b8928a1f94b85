import { test } from 'tap';
import { openHttpLender, servePortfolio } from './http-lender.js';
import { openWithAda, PASSWORD } from './signed-in.js';

test('a user signs in by password, works with the token as its roles allow, and signs out', async (t) => {
  const { ask, signIn, company, adaId } = await openWithAda(t, ['person:list']);
  const answer = await signIn('ada@northwind.example', PASSWORD);
  t.match(answer, { status: 200, headers: { 'cache-control': 'no-store' } });
  t.same(Object.keys(answer.json), ['token'], 'the reply is bare');
  const key = String(answer.json['token']);
  t.match(await ask('GET', '/people', undefined, { key }), { status: 200 });
  t.match(await ask('GET', '/people', undefined, { key: false, headers: { 'X-API-KEY': key } }), { status: 200 });
  t.match(await ask('GET', '/loans', undefined, { key }), { status: 403, json: { permission: 'loan:list' } });
  t.match(await ask('GET', '/users/me', undefined, { key }), { status: 200, json: { data: { id: adaId, userName: 'ada' } } });
  t.match(await ask('GET', '/auth/permissions', undefined, { key }), { json: { [company]: ['person:list'] } });
  t.match(await ask('DELETE', '/auth/token', undefined, { key }), { status: 200, json: { message: 'The session has ended.' } });
  t.match(await ask('GET', '/people', undefined, { key }), { status: 401, json: { errorType: 'tokenRevoked' } });
});

test('refreshing a token ends it; sessions last at most one day from sign-in', async (t) => {
  const { ask, token, h } = await openWithAda(t, ['person:list']);
  const first = await token();
  const second = String((await ask('PUT', '/auth/token', undefined, { key: first })).json['token']);
  t.match(await ask('GET', '/people', undefined, { key: first }), { status: 401, json: { errorType: 'tokenRevoked' } });
  t.match(await ask('PUT', '/auth/token', undefined, { key: first }), { status: 401 });
  t.match(await ask('GET', '/people', undefined, { key: second }), { status: 200 });
  h.nowMs += 11.9 * 3_600_000;
  const third = String((await ask('PUT', '/auth/token', undefined, { key: second })).json['token']);
  h.nowMs += 11.9 * 3_600_000;
  const last = String((await ask('PUT', '/auth/token', undefined, { key: third })).json['token']);
  t.match(await ask('GET', '/people', undefined, { key: last }), { status: 200 });
  h.nowMs += 0.3 * 3_600_000;
  t.match(await ask('GET', '/people', undefined, { key: last }), { status: 401, json: { errorType: 'tokenExpired' } });
  t.match(await ask('PUT', '/auth/token'), { status: 401, json: { errorType: 'unauthenticated' } }, 'a key has no session');
});

test('all wrong credentials get the same answer, and the fifth consecutive failure locks', async (t) => {
  const { ask, signIn, adaId, h } = await openWithAda(t, []);
  const wrong = await signIn('ada@northwind.example', 'not the password');
  t.match(wrong, { status: 401, json: { errorType: 'unauthenticated' } });
  for (const [name, password] of [
    ['nobody', PASSWORD],
    ['api', PASSWORD],
  ] as const) {
    t.match(await signIn(name, password), { status: 401, json: { message: wrong.json['message'] } });
  }
  t.match(await signIn('ada', PASSWORD), { status: 200 }, 'the user name is good as well, and success forgets the failures');
  await Promise.all(Array.from({ length: 5 }, () => signIn('ada', 'not the password')));
  const locked = await signIn('ada', PASSWORD);
  t.match(locked, { status: 423, json: { errorType: 'accountLocked' }, headers: { 'retry-after': '900' } });
  h.nowMs += 15 * 60_000;
  t.match(await signIn('ada', PASSWORD), { status: 200 });
  await ask('PUT', `/users/${adaId}`, { status: 'inactive' });
  t.match(await signIn('ada', PASSWORD), { status: 401, json: { message: wrong.json['message'] } });
});

test('deactivation ends all sessions of a user at once, for good', async (t) => {
  const { ask, token, adaId } = await openWithAda(t, ['person:list']);
  const key = await token();
  await ask('DELETE', `/users/${adaId}`);
  t.match(await ask('GET', '/people', undefined, { key }), { status: 401, json: { errorType: 'tokenRevoked' } });
  await ask('PUT', `/users/${adaId}`, { status: 'active' });
  t.match(await ask('GET', '/people', undefined, { key }), { status: 401, json: { errorType: 'tokenRevoked' } });
  t.match(await ask('GET', '/people', undefined, { key: await token() }), { status: 200 });
});

test('after a restart ended sessions stay ended, and open sessions continue', {
  skip: process.env['TENOR_TEST_CLUSTER'] === '1' && 'there is no one process',
}, async (t) => {
  const { ask, token, h, exchangeTokenOf } = await openWithAda(t, ['person:list']);
  const [ended, key] = [await token(), await token()];
  await ask('DELETE', '/auth/token', undefined, { key: ended });
  const exchangeToken = await exchangeTokenOf();
  t.match(await ask('POST', '/auth/token', { exchangeToken }), { status: 200 });
  await h.restart();
  const { ask: again } = await servePortfolio(t, h);
  t.match(await again('/api/people', { key: ended }), { status: 401, json: { errorType: 'tokenRevoked' } });
  t.match(await again('/api/people', { key }), { status: 200 });
  t.match(await again('/api/auth/token', { method: 'POST', body: { exchangeToken }, key: false }), { status: 401 });
});

test('a forged or foreign token is refused', async (t) => {
  const { ask, token } = await openWithAda(t, ['person:list']);
  const key = await token();
  const [header = '', payload = '', signature = ''] = key.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  t.match(claims, { userType: 'agent', mode: 'test', sub: String, companyId: String, jti: String, iat: Number, exp: Number });
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const forged = [
    `${header}.${encoded({ ...claims, mode: 'live' })}.${signature}`,
    `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${encoded({ alg: 'none', typ: 'JWT', kid: 'SK-AAAA-AAAA' })}.${payload}.x`,
    `${header}.${payload}.${signature.slice(0, -2)}AA`,
    `${header}.${payload}`,
    `${header}.e30.${signature}`,
    'a.b.c',
  ];
  for (const text of forged)
    t.match(await ask('GET', '/people', undefined, { key: text }), { status: 401, json: { errorType: 'unauthenticated' } });
});

test('sign-in methods that need an outside service are refused by name, and so are incomplete requests', async (t) => {
  const { ask, company } = await openWithAda(t, []);
  for (const authType of ['openIdConnect', 'SAML']) {
    t.match(await ask('POST', `/auth/token?mode=test&authType=${authType}`, { username: 'ada', password: PASSWORD }, { key: false }), {
      status: 422,
      json: { errorType: 'businessValidation' },
    });
  }
  t.match(await ask('POST', '/auth/token?mode=test', { username: 'ada' }, { key: false }), {
    status: 400,
    json: { errorType: 'validationError' },
  });
  t.match(await ask('POST', '/auth/token?mode=test', {}, { key: false }), { status: 400 });
  t.match(
    await ask('POST', `/auth/token?companyId=${company}`, { username: 'ada', password: PASSWORD }, { key: false }),
    { status: 401 },
    'users of the test mode cannot sign in to the live mode',
  );
  t.match(await ask('POST', '/auth/token?mode=test&companyId=CP-AAAA-AAAA', { username: 'ada', password: PASSWORD }, { key: false }), {
    status: 401,
  });
});

test('live mode accepts ten attempts a minute from one address under one name', async (t) => {
  const { ask } = await openHttpLender(t);
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await ask('POST', '/auth/token', { username: 'x', password: 'y' }, { key: false })).status),
  );
  t.same(statuses.sort(), [...Array<number>(10).fill(401), 429, 429]);
});

test('test mode accepts any number of attempts from one address; the lock of a user is the same in both modes', async (t) => {
  const { ask, keys } = await openHttpLender(t);
  const status = async (where: string, username: string, password: string): Promise<number> =>
    (await ask('POST', `/auth/token${where}`, { username, password }, { key: false })).status;
  const guessed = await Promise.all(Array.from({ length: 40 }, (_none, at) => status('?mode=test', `name-${at}`, 'Winter2026!')));
  t.same(guessed, Array<number>(40).fill(401));
  for (const [where, key] of [
    ['?mode=test', keys.test],
    ['', keys.live],
  ] as const) {
    const auths = [{ authType: 'basic', authValueType: 'email', value: 'lee@northwind.example' }];
    t.match(await ask('POST', '/users', { type: 'agent', userName: 'lee', auths, password: PASSWORD }, { key }), { status: 200 });
    for (let count = 0; count < 5; count += 1) t.equal(await status(where, 'lee', 'not the password'), 401);
    t.equal(await status(where, 'lee', PASSWORD), 423);
  }
});

test('an address that tries many names is limited for all of them; successful attempts do not count', async (t) => {
  const { ask, keys, h } = await openHttpLender(t);
  const auths = [{ authType: 'basic', authValueType: 'email', value: 'lee@northwind.example' }];
  t.match(await ask('POST', '/users', { type: 'agent', userName: 'lee', auths, password: PASSWORD }, { key: keys.live }), { status: 200 });
  const status = async (username: string, password: string): Promise<number> =>
    (await ask('POST', '/auth/token', { username, password }, { key: false })).status;
  for (let count = 0; count < 8; count += 1) t.equal(await status('lee', PASSWORD), 200);
  const guessed = await Promise.all(Array.from({ length: 33 }, (_none, at) => status(`name-${at}`, 'Winter2026!')));
  t.same(guessed.sort(), [...Array<number>(30).fill(401), ...Array<number>(3).fill(429)]);
  t.equal(await status('lee', PASSWORD), 429, 'for an existing user as well');
  h.nowMs += 6_000;
  t.equal(await status('lee', PASSWORD), 200, 'ten a minute');
  t.equal(await status('one-more', 'x'), 401);
  t.equal(await status('and-another', 'x'), 429);
});

test('a user is sent five tokens an hour to set a password with, and one address a hundred under all names', async (t) => {
  const { ask } = await openHttpLender(t);
  const status = async (username: string): Promise<number> =>
    (await ask('POST', '/auth/password-reset?mode=test', { username }, { key: false })).status;
  const ofOne = [];
  for (let count = 0; count < 6; count += 1) ofOne.push(await status('Lee'));
  t.same(ofOne, [200, 200, 200, 200, 200, 429]);
  const ofAll = [];
  for (let count = 0; count < 96; count += 1) ofAll.push(await status(`name-${count}`));
  t.same(
    ofAll.filter((each) => each !== 200),
    [429],
  );
});
