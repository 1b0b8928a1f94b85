import fc from '../../../fast-check.js';
import { test } from 'tap';
import { RecordShapes } from '../../../../actors/kernel/journal/record-shapes.js';
import type { StoredValue } from '../../../../actors/kernel/journal/read-packed.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { lookedAt } from '../../../looked-at.js';

const leaf = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);
const name = fc.constantFrom('id', 'amount', 'rate', '__proto__', 'constructor', '1', '"', 'a b', '');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 20 }), fc.dictionary(name, tie('value'))),
}));

test('objects are read back as they were packed, also by those who know the shapes from a store alone', async (t) => {
  const shapes = new RecordShapes();
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (values) => {
      const packed = values.map((each) => shapes.pack(each));
      const others = new RecordShapes();
      others.unpackShapes(shapes.packShapes());
      for (const read of [shapes, others])
        t.strictSame(
          packed.map((bytes) => plain(read.unpack(bytes))),
          values.map(plain),
        );
      t.equal(others.count, shapes.count);
    }),
  );
});

test('an object of a known shape takes its values and two bytes, and is read as often as it is asked for', async (t) => {
  const shapes = new RecordShapes();
  const row = { date: 1, principalCents: 2, isForced: false };
  t.equal(shapes.pack(row).length, 5);
  for (let time = 0; time < LIMITS.shapeReads * 2; time++) t.strictSame(shapes.unpack(shapes.pack(row)), row);
  t.equal(shapes.count, 1);
  shapes.pack({ principalCents: 2, date: 1, isForced: false });
  t.equal(shapes.count, 2, 'names in another order are another shape');
});

test('names that somebody else made up fill no memory', async (t) => {
  const shapes = new RecordShapes();
  const wide = Object.fromEntries(Array.from({ length: LIMITS.shapeNames + 1 }, (_, at) => [`name-${at}`, at]));
  t.strictSame(shapes.unpack(shapes.pack(wide)), wide);
  t.equal(shapes.count, 0);
  const own = Array.from({ length: LIMITS.recordShapes + 10 }, (_, at) => ({ [`own-${at}`]: at }));
  t.strictSame(shapes.unpack(shapes.pack(own)), own);
  t.equal(shapes.count, LIMITS.recordShapes);
});

test('an unknown shape is damage', async (t) => {
  const shapes = new RecordShapes();
  const packed = shapes.pack({ a: 1 });
  t.throws(() => new RecordShapes().unpack(packed), /no shape 0 is known/);
});

/** Dictionaries have no prototype, and what is read has. */
function plain(each: unknown): unknown {
  if (Array.isArray(each)) return each.map(plain);
  if (typeof each !== 'object' || each === null) return each;
  return Object.entries(each).map(([key, inner]) => [key, plain(inner)]);
}

test('it is known of a value that was read whether there are bytes in it, wherever they are', async (t) => {
  const shapes = new RecordShapes();
  const holdsBytes = (each: unknown): boolean => stored(shapes, each)?.holdsBytes === true;
  t.ok(holdsBytes(Buffer.from('sealed')));
  t.ok(holdsBytes([1, { name: { parts: [null, Buffer.alloc(300)] } }]));
  t.notOk(holdsBytes([1, { name: { parts: [null, 'clear'] } }]), 'also behind a value with some');
  t.strictSame(stored(shapes, [1, 'clear'])?.value, [1, 'clear']);
  t.strictSame(stored(shapes, Buffer.alloc(100, 7))?.value, Buffer.alloc(100, 7), 'bytes are copies');
});

/** What is read of a value in a store that overwrites it afterwards. */
const stored = (shapes: RecordShapes, value: unknown): StoredValue | undefined =>
  shapes.storedIn({ look: (_key, read) => lookedAt(shapes.pack(value), read) }, 'key');
