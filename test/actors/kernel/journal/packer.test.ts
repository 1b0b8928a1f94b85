import fc from '../../../fast-check.js';
import { test } from 'tap';
import { Packer } from '../../../../actors/kernel/journal/packer.js';
import { readPacked } from '../../../../actors/kernel/journal/read-packed.js';
import { pack, unpack } from '../../../../actors/kernel/journal/records.js';
import { keyAt } from '../../../../actors/kernel/journal/batch-writer.js';
import { Decimal, toJsonText } from '../../../../actors/wire.js';

const leaf = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ maxLength: 60 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
);
const keys = Array.from({ length: 128 }, (_, index) => keyAt(index) ?? '');
const name = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(...keys, '__proto__', '1'));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 40 }), fc.dictionary(name, tie('value'), { maxKeys: 40 })),
}));

test('what is packed is read back, and is not overwritten by what is packed next', async (t) => {
  const packer = new Packer();
  fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), (values) => {
      const packed = values.map((each) => packer.begin().value(each).end());
      t.strictSame(
        packed.map((each) => plain(readPacked(each))),
        values.map(plain),
      );
    }),
  );
});

test('values of every length of head are packed', async (t) => {
  const packer = new Packer();
  for (const length of [0, 31, 32, 255, 256, 65_535, 65_536, 200_000]) {
    for (const text of ['a'.repeat(length), 'é'.repeat(length), `${'a'.repeat(length)}☃`])
      t.equal(readPacked(packer.begin().value(text).end()), text);
    t.equal(readPacked<Buffer>(packer.begin().value(Buffer.alloc(length)).end()).length, length);
    t.equal(
      readPacked<readonly unknown[]>(
        packer
          .begin()
          .value(Array.from({ length }, () => 1))
          .end(),
      ).length,
      length,
    );
  }
  for (const number of [
    0,
    -0,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    2 ** 32 - 1,
    2 ** 32,
    -1,
    -32,
    -33,
    -(2 ** 31),
    -(2 ** 31) - 1,
    0.1,
    Number.MAX_SAFE_INTEGER,
  ]) {
    t.ok(Object.is(readPacked(packer.begin().value(number).end()), number), String(number));
  }
});

test('a name that is a word of the format takes one byte, and stands for the same word in every journal', async (t) => {
  t.equal(new Packer().begin().value({ transactionId: null }).end().length, 3);
  t.equal(keys.length, new Set(keys).size);
  t.strictSame([0, 1, 64, 127].map(keyAt), ['actualCents', 'additionalPeople', 'loanTypeId', 'zone']);
  t.throws(() => readPacked(Uint8Array.of(0x81, 0xcd, 0xff, 0xff, 0xc0)), 'an index beyond the dictionary names no key');
  t.throws(() => readPacked(Uint8Array.of(0x92, 0xc0)), 'a record that ends too early');
});

test('a number that is printed digit by digit is read back with its digits', async (t) => {
  const amounts = { amount: new Decimal('12.50'), balances: [new Decimal('-0.10'), new Decimal('999999999.99')] };
  const text = '{"amount":12.50,"balances":[-0.10,999999999.99]}';
  t.equal(toJsonText(readPacked(new Packer().begin().value(amounts).end())), text);
  t.equal(toJsonText(unpack(pack(amounts))), text, 'also packed by the library');
});

test('what has no place in a record is refused', async (t) => {
  const packer = new Packer();
  for (const odd of [new Map(), new Set(), 1n, () => undefined, new Date(0), new (class Odd {})()])
    t.throws(() => packer.begin().value(odd));
});

/** Without prototypes, which msgpack does not keep. */
function plain(each: unknown): unknown {
  if (each instanceof Uint8Array) return [...each];
  if (Array.isArray(each)) return each.map(plain);
  if (typeof each !== 'object' || each === null) return each;
  return Object.entries(each).map(([key, inner]) => [key, plain(inner)]);
}
