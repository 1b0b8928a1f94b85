import fc from '../fast-check.js';
import { test } from 'tap';
import { type Refusal, toJsonText } from '../../actors/index.js';
import { LIMITS } from '../../gateway/limits.js';
import { parseJson } from '../../gateway/wire/json.js';
import { gatewayFor, refusalOf, scriptedEngine } from './harness.js';
import { THING_ROUTES } from './routes.js';

const RUNS = { numRuns: 500 };

/** Compares both as whole numbers of 1e-6. */
const exactlyText = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
};
const exactly = (value: number): bigint => exactlyText(String(value));

test('a number that is accepted prints to the same value', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      try {
        t.strictSame(JSON.parse(toJsonText(parseJson(text))), JSON.parse(text));
      } catch (cause) {
        t.equal((cause as Refusal).errorType, 'badRequest');
      }
    }),
    { numRuns: 200 },
  );
  t.end();
});

test('a number of up to 15 significant digits keeps its value, one with more is refused', (t) => {
  const decimal = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 17n }), fc.nat(6));
  fc.assert(
    fc.property(decimal, ([digits, decimals]) => {
      const whole = digits.toString().padStart(decimals + 1, '0');
      const text = decimals === 0 ? whole : `${whole.slice(0, -decimals)}.${whole.slice(-decimals)}`;
      const isShort = digits.toString().replace(/0+$/, '').length <= 15;
      if (!isShort) return refusalOf(() => parseJson(`{"x": [${text}]}`)) === 'badRequest';
      const value = parseJson(`{"x": [${text}]}`) as { x: [number] };
      return exactly(value.x[0]) === exactlyText(text);
    }),
    RUNS,
  );
  t.end();
});

test('numbers that no float can hold, deep nesting and prototypes are refused', (t) => {
  const bad = [
    '{"x": 1e400}',
    '{"x": 1e-400}',
    '{"x": 1.2345678901234567}',
    '{"x": 12345678901234567890}',
    '{"x": 1e-320}',
    '{"__proto__": {"admin": true}}',
    '{"a": {"\\u005f_proto__": 1}}',
    '{"a": [{"_\\u005fpro\\u0074o__": 1}]}',
    `${'['.repeat(33)}${']'.repeat(33)}`,
    `${'{"a":'.repeat(100_000)}1`,
    '{',
    '',
    '{"a": 01}',
    '{"a": 1 2}',
    "{'a': 1}",
    '\ufeff{}',
    '{"a": NaN}',
  ];
  for (const text of bad)
    t.equal(
      refusalOf(() => parseJson(text)),
      'badRequest',
      text.slice(0, 40),
    );
  t.strictSame(parseJson('{"x": "12345678901234567890", "y": "[[[["}'), { x: '12345678901234567890', y: '[[[[' });
  t.strictSame(parseJson('{"x": 10000000000000000000, "y": -0.0, "z": 1e3, "\\u0061": "\\"\\\\"}'), { x: 1e19, y: -0, z: 1000, a: '"\\' });
  t.end();
});

test('a number of a million digits is looked at once', (t) => {
  const zeros = '0'.repeat(1_000_000);
  for (const text of [`1${zeros}1`, `-1${zeros}1e5`, `1.${zeros}1`])
    t.equal(
      refusalOf(() => parseJson(`{"x": ${text}}`)),
      'badRequest',
      `${text.slice(0, 4)}…`,
    );
  t.strictSame(parseJson(`{"x": 0.${zeros}, "y": 12.50${zeros}, "z": 0.000${'1'.repeat(15)}}`), { x: 0, y: 12.5, z: 0.000111111111111111 });
  t.end();
});

test('a body with too many values is refused before it is parsed completely', (t) => {
  const list = (length: number): string => `{"names": [${'"x",'.repeat(length - 1)}"x"]}`;
  const marks = 3; // the object, its name and the list
  t.match(parseJson(list(LIMITS.bodyValues - marks)), { names: { length: LIMITS.bodyValues - marks } });
  for (const text of [list(LIMITS.bodyValues), `[${'{"a":[1.25,"x",null]},'.repeat(90_000)}0]`, `{${'"a":1,'.repeat(200_000)}"b":1}`])
    t.equal(
      refusalOf(() => parseJson(text)),
      'badRequest',
      text.slice(0, 20),
    );
  t.strictSame(
    parseJson(JSON.stringify({ text: ',:[{'.repeat(100_000) })),
    { text: ',:[{'.repeat(100_000) },
    'what stands in a text is none',
  );
  t.end();
});

test('an amount with three decimals is a fault of the body, one with two arrives exactly', async (t) => {
  const engine = scriptedEngine({});
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES, engine });
  const headers = { 'Content-Type': 'application/json' };
  const fine = await ask('/api/things', { method: 'POST', body: '{"amount": 1234567890123.45}', headers });
  t.equal(fine.status, 201);
  t.strictSame(engine.commands[0]?.body, { amount: 1234567890123.45 });
  const wrong = await ask('/api/things', { method: 'POST', body: '{"amount": 0.125, "items": [{"amount": -1}]}', headers });
  t.strictSame(wrong.json['errors'], [
    { path: 'amount', expected: 'a number with at most 2 decimals', message: 'amount must be a number with at most 2 decimals' },
    { path: 'items[0].amount', expected: 'a number of at least 0', message: 'items[0].amount must be a number of at least 0' },
  ]);
  const long = await ask('/api/things', { method: 'POST', body: '{"amount": 12345678901234567.25}', headers });
  t.equal(long.status, 400);
  t.equal(long.json['errorType'], 'badRequest');
});
