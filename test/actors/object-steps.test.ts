import fc from '../fast-check.js';
import { test } from 'tap';
import { Decimal, toJsonText } from '../../actors/wire.js';
import { STEP_LIMITS } from '../../actors/wire/object-steps.js';

const RUNS = { numRuns: 300 };

/** The expected text: `JSON.stringify` with the digits of decimals inserted afterwards. */
function plainText(value: unknown): string {
  const digits: string[] = [];
  const marked = JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key: string, property: unknown) {
    const own = this[key];
    return own instanceof Decimal ? `<${digits.push(own.text) - 1}>` : property;
  });
  return marked.replace(/"<(\d+)>"/g, (_, index: string) => digits[Number(index)] ?? '');
}

const decimal = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => new Decimal((cents / 100).toFixed(2)));
const text = fc
  .oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('active', 'USD', '"', '\\', '\n', '\u2028', '\ud800', '😀'))
  .filter((word) => !/^<\d+>$/.test(word));
const leaf = fc.oneof(
  fc.constant(null),
  fc.constant(undefined),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  text,
  decimal,
);
/** Few common names, so that objects share steps, and some random ones. */
const key = fc.oneof(fc.constantFrom('id', 'status', 'amount', 'drawId', 'isExternal', 'metaData'), text);
const { reply } = fc.letrec((again) => ({
  reply: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.dictionary(key, again('reply'), { maxKeys: 8, noNullPrototype: true }),
    fc.array(
      again('reply').map((value) => value ?? null),
      { maxLength: 4 },
    ),
  ),
}));

test('objects of all shapes, one after the other, are printed as by JSON.stringify', (t) => {
  fc.assert(
    fc.property(fc.array(reply, { minLength: 1, maxLength: 12 }), (values) =>
      values.every((value) => toJsonText(value ?? null) === plainText(value ?? null)),
    ),
    RUNS,
  );
  t.end();
});

test('objects with the same names and other kinds of values are printed correctly', (t) => {
  const kinds = [null, true, false, 'text', 'a "quote"', 12, new Decimal('12.50'), [], {}, undefined];
  const pairs = kinds.flatMap((first) => kinds.map((second) => ({ first, second, last: null })));
  for (const pair of [...pairs, ...pairs.reverse()]) t.equal(toJsonText(pair), plainText(pair));
  t.end();
});

test('names and constants of any length are printed', (t) => {
  const long = 'x'.repeat(STEP_LIMITS.keyLength + 1);
  const nothing = Object.fromEntries(Array.from({ length: STEP_LIMITS.constantLength / 4 }, (_, index) => [`name${index}`, null]));
  for (const value of [{ [long]: null, id: 'a' }, { [long]: 'b', [`${long}y`]: true, id: 'a' }, nothing, { ...nothing, id: 'a' }]) {
    for (let again = 0; again < 3; again += 1) t.equal(toJsonText(value), plainText(value));
  }
  t.end();
});

test('more names than the cache holds are printed correctly', (t) => {
  const object = { id: 'a', drawId: null, amount: new Decimal('1.00') };
  for (let index = 0; index < STEP_LIMITS.steps * 2; index += 1) {
    const value = { ...object, [`name${index}`]: index % 2 === 0 ? null : 'b' };
    if (toJsonText(value) !== plainText(value)) t.fail(toJsonText(value));
  }
  t.equal(toJsonText(object), '{"id":"a","drawId":null,"amount":1.00}');
  t.end();
});
