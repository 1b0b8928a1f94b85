import { test } from 'tap';
import { parseUrlEncoded } from '../../gateway/wire/url-encoded.js';
import { gatewayFor, refusalOf, scriptedEngine } from './harness.js';
import { THING_ROUTES } from './routes.js';

const URLENCODED = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' };

test('a url-encoded body becomes the same command as its JSON', async (t) => {
  const engine = scriptedEngine({});
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const parameters = [
    'name=Two+words%21',
    'amount=12.50',
    'isOpen=true',
    'kind=large',
    'owner.city=Springfield',
    'owner.days[]=1',
    'owner.days[]=2',
    'items[0].amount=1',
    'items[0].date=2026-02-28',
    'items[1].amount=2.5',
    'labels=a,b',
    'labels=c',
    'nickname=',
    'term=',
    'metaData.code=007',
  ];
  const answer = await ask('/api/things', { method: 'POST', body: parameters.join('&'), headers: URLENCODED });
  t.equal(answer.status, 201, answer.text);
  t.strictSame(engine.commands[0]?.body, {
    name: 'Two words!',
    amount: 12.5,
    isOpen: true,
    kind: 'large',
    owner: { city: 'Springfield', days: [1, 2] },
    items: [{ amount: 1, date: '2026-02-28' }, { amount: 2.5 }],
    labels: ['a,b', 'c'],
    nickname: null,
    term: null,
    metaData: { code: '007' },
  });
});

test('a single value is a list where the type is a list', async (t) => {
  const engine = scriptedEngine({});
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  await ask('/api/things', { method: 'POST', body: 'labels=a', headers: URLENCODED });
  t.strictSame(engine.commands[0]?.body, { labels: ['a'] });
});

test('faults of a url-encoded body are reported like those of JSON', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const answer = await ask('/api/things', { method: 'POST', body: 'amount=12.345&isOpen=maybe&kind=tiny', headers: URLENCODED });
  t.equal(answer.status, 400);
  t.strictSame((answer.json['errors'] as { path: string }[]).map((fault) => fault.path).sort(), ['amount', 'isOpen', 'kind']);
});

test('malformed url-encoded bodies are refused', (t) => {
  const bad = [
    'a=%zz',
    '=1',
    'a.=1',
    'a[x]=1',
    '__proto__.a=1',
    'a.__proto__=1',
    'a=1&a.b=2',
    'a[]=1&a.b=2',
    'a[1000]=1',
    'a[b=1',
    `${'a.'.repeat(40)}b=1`,
  ];
  for (const text of bad)
    t.equal(
      refusalOf(() => parseUrlEncoded(text)),
      'badRequest',
      text,
    );
  t.equal(
    refusalOf(() => parseUrlEncoded('a=1&'.repeat(1001))),
    'badRequest',
    'too many names',
  );
  t.strictSame(parseUrlEncoded('constructor=1&toString.a=2&&b'), { constructor: '1', toString: { a: '2' }, b: '' });
  t.end();
});

test('other content types are refused with 415', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  for (const type of ['text/xml', 'multipart/form-data; boundary=x', 'constructor']) {
    const answer = await ask('/api/things', { method: 'POST', body: '{}', headers: { 'Content-Type': type } });
    t.equal(answer.status, 415, type);
    t.equal(answer.json['errorType'], 'unsupportedMediaType');
  }
  t.equal((await ask('/api/things', { method: 'POST', body: '{}' })).status, 201, 'a body without a type is read as JSON');
  t.equal((await ask('/api/things', { method: 'POST', body: Buffer.from([0x22, 0xff, 0x22]) })).status, 400, 'not UTF-8');
});
