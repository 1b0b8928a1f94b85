import { test } from 'tap';
import { amount } from '../../actors/index.js';
import { cents } from '../../engine/index.js';
import { gatewayFor, scriptedEngine, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

test('a list has its envelope, and its neighbours keep the filters', async (t) => {
  const items = [
    { id: 'XX-AAAA-1111', amount: amount(cents(1250)) },
    { id: 'XX-BBBB-2222', amount: amount(cents(5)) },
  ];
  const engine = scriptedEngine({ query: () => ({ items, total: 7, hasMore: true, hasPrevious: true }) });
  const { ask, gateway } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const answer = await ask('/api/things?limit=2&statuses=open,closed&startingAfter=XX-ZZZZ-9999', {
    headers: { Host: 'loans.example.com:8080' },
  });
  const base = 'http://loans.example.com:8080/api/things?limit=2&statuses=open%2Cclosed';
  t.strictSame(answer.json, {
    status: 200,
    message: 'OK',
    count: 2,
    total: 7,
    nextUrl: `${base}&startingAfter=XX-BBBB-2222`,
    previousUrl: `${base}&endingBefore=XX-AAAA-1111`,
    data: [
      { id: 'XX-AAAA-1111', amount: 12.5 },
      { id: 'XX-BBBB-2222', amount: 0.05 },
    ],
  });
  t.match(answer.text, /"amount":12\.50\b.*"amount":0\.05\b/, 'amounts have two decimals');
  t.ok(gateway.port > 0);
});

test('the first and the last page have no neighbor there, and no match is an empty list', async (t) => {
  const engine = scriptedEngine({ query: () => ({ items: [], total: null, hasMore: false, hasPrevious: false }) });
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine, publicOrigin: 'https://loans.example.com' });
  const answer = await ask('/api/things');
  t.equal(answer.status, 200);
  t.strictSame(answer.json, { status: 200, message: 'OK', count: 0, total: null, nextUrl: null, previousUrl: null, data: [] });
});

test('addresses are absolute as the operator or a trusted proxy says', async (t) => {
  const engine = scriptedEngine({ query: () => ({ items: [{ id: 'XX-AAAA-1111' }], total: 2, hasMore: true, hasPrevious: false }) });
  const nextUrl = async (options: object, headers: Record<string, string>): Promise<unknown> => {
    const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine, ...options });
    return (await ask('/api/things?offset=1', { headers: { 'X-API-KEY': TEST_KEY, ...headers } })).json['nextUrl'];
  };
  const path = '/api/things?startingAfter=XX-AAAA-1111';
  t.equal(await nextUrl({ publicOrigin: 'https://loans.example.com' }, { Host: 'inside' }), `https://loans.example.com${path}`);
  t.equal(
    await nextUrl({ trustedProxies: ['127.0.0.1'] }, { Host: 'a.example', 'X-Forwarded-Proto': 'https' }),
    `https://a.example${path}`,
  );
  t.equal(await nextUrl({}, { Host: 'a.example', 'X-Forwarded-Proto': 'https' }), `http://a.example${path}`);
  t.equal(await nextUrl({}, { Host: 'a"b/c' }), `http://localhost${path}`);
});
