import { test } from 'tap';
import { isAddressOrBlock, isKeyText } from '../../gateway/index.js';
import { clientAddress, isWithin } from '../../gateway/auth/addresses.js';
import { gatewayFor, keyRecord, scriptedEngine, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

const LIVE_KEY = 'live_0123456789abcdef';
const thing = '/api/things/1';

test('the three spellings of a credential are equal', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const spellings: Record<string, string>[] = [
    { Authorization: `Bearer ${TEST_KEY}` },
    { authorization: `bearer  ${TEST_KEY} ` },
    { 'X-API-KEY': TEST_KEY },
    { X_API_KEY: TEST_KEY },
  ];
  for (const headers of spellings) {
    t.equal((await ask(thing, { key: false, headers })).status, 200, JSON.stringify(headers));
  }
  t.equal((await ask(thing, { headers: { 'X-API-KEY': TEST_KEY } })).status, 200, 'the same twice');
});

test('no credential, a wrong one or two different ones are 401', async (t) => {
  const { ask } = await gatewayFor(t, {
    routes: THING_ROUTES,
    keys: [keyRecord(TEST_KEY), keyRecord('test_revoked_0123456789', { isActive: false })],
  });
  const wrong: Record<string, string>[] = [
    {},
    { Authorization: 'Bearer test_0000000000000000' },
    { Authorization: `Basic ${TEST_KEY}` },
    { Authorization: 'Bearer' },
    { Authorization: `Bearer ${TEST_KEY} x` },
    { 'X-API-KEY': 'x'.repeat(5000) },
    { 'X-API-KEY': 'test_revoked_0123456789' },
    { Authorization: `Bearer ${TEST_KEY}`, 'X-API-KEY': LIVE_KEY },
    { 'X-API-KEY': TEST_KEY.toUpperCase() },
  ];
  for (const headers of wrong) {
    const answer = await ask(thing, { key: false, headers });
    t.equal(answer.status, 401, JSON.stringify(headers).slice(0, 80));
    t.equal(answer.json['errorType'], 'unauthenticated');
    t.equal(answer.headers['www-authenticate'], 'Bearer');
  }
});

test('the key decides the mode', async (t) => {
  const engine = scriptedEngine({});
  const keys = [keyRecord(TEST_KEY), keyRecord(LIVE_KEY, { keyId: 'AK-LIVE-KEY1' }), keyRecord('live_wrong_0123456789', { mode: 'test' })];
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, keys, engine });
  await ask('/api/things', { method: 'POST', body: {}, key: TEST_KEY });
  await ask('/api/things', { method: 'POST', body: {}, key: LIVE_KEY });
  t.strictSame(
    engine.commands.map(({ mode, actor }) => [mode, actor.id]),
    [
      ['test', 'AK-TEST-KEY1'],
      ['live', 'AK-LIVE-KEY1'],
    ],
  );
  t.equal((await ask(thing, { key: 'live_wrong_0123456789' })).status, 401, 'text and record must agree');
});

test('a key works only from its addresses', async (t) => {
  const { ask } = await gatewayFor(t, {
    routes: THING_ROUTES,
    keys: [
      keyRecord(TEST_KEY, { whitelistedIPs: ['10.1.2.3', '127.0.0.0/8'] }),
      keyRecord('test_private_0123456789', { whitelistedIPs: ['10.0.0.0/8', '::1', 'fd00::/8'] }),
    ],
  });
  t.equal((await ask(thing)).status, 200);
  const refused = await ask(thing, { key: 'test_private_0123456789' });
  t.equal(refused.status, 403);
  t.equal(refused.json['errorType'], 'ipNotAllowed');
});

test('the address behind a proxy counts only when the operator trusts the proxy', async (t) => {
  const keys = [keyRecord(TEST_KEY, { whitelistedIPs: ['203.0.113.7'] })];
  const headers = { 'X-Forwarded-For': '203.0.113.9, 203.0.113.7, 10.0.0.1' };
  const trusting = await gatewayFor(t, { routes: THING_ROUTES, keys, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
  t.equal((await trusting.ask(thing, { headers })).status, 200);
  const plain = await gatewayFor(t, { routes: THING_ROUTES, keys });
  t.equal((await plain.ask(thing, { headers })).status, 403);
});

test('addresses and blocks of both families', (t) => {
  for (const text of ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32', '::/0']) t.ok(isAddressOrBlock(text), text);
  for (const text of ['10.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', 'host', '', '10.0.0.0/-1'])
    t.notOk(isAddressOrBlock(text), text);
  t.ok(isWithin(['2001:db8::/32'], '2001:0db8:0000:0000:0000:0000:0000:0001'));
  t.notOk(isWithin(['2001:db8::/32'], '2001:db9::1'));
  t.notOk(isWithin([], '10.0.0.1'));
  t.notOk(isWithin(['10.0.0.0/8'], 'nonsense'));
  t.equal(clientAddress('10.0.0.1', '203.0.113.7, nonsense', ['10.0.0.0/8']), 'unknown', 'what is no address ends the chain');
  t.ok(isKeyText(TEST_KEY));
  t.end();
});

test('a missing permission is 403 and named; public routes need nothing', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, keys: [keyRecord(TEST_KEY, { permissions: new Set(['thing:read']) })] });
  t.equal((await ask(thing)).status, 200);
  t.equal((await ask('/api/things/search')).status, 200, 'any credential');
  const refused = await ask(thing, { method: 'DELETE' });
  t.equal(refused.status, 403);
  t.match(refused.json, { errorType: 'permissionDenied', permission: 'thing:delete' });
  t.match(refused.json['message'], /thing:delete/);
  t.strictSame((await ask('/api/public/word', { method: 'POST', key: false })).json['data'], { word: 'word', address: '127.0.0.1' });
});
