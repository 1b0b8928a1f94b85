import fc from '../../../fast-check.js';
import { test } from 'tap';
import { Forms } from '../../../../actors/kernel/journal/record-shapes.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';

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

test('objects are read back as they were packed, also by those who know the forms from a store alone', async (t) => {
  const forms = new Forms();
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (values) => {
      const packed = values.map((each) => forms.pack(each));
      const others = new Forms();
      others.unpackForms(forms.packForms());
      for (const read of [forms, others])
        t.strictSame(
          packed.map((bytes) => plain(read.unpack(bytes))),
          values.map(plain),
        );
      t.equal(others.count, forms.count);
    }),
  );
});

test('an object of a known form takes its values and two bytes, and is read as often as it is asked for', async (t) => {
  const forms = new Forms();
  const row = { date: 1, principalCents: 2, isForced: false };
  t.equal(forms.pack(row).length, 5);
  for (let time = 0; time < LIMITS.formReads * 2; time++) t.strictSame(forms.unpack(forms.pack(row)), row);
  t.equal(forms.count, 1);
  forms.pack({ principalCents: 2, date: 1, isForced: false });
  t.equal(forms.count, 2, 'names in another order are another form');
});

test('names that somebody else made up fill no memory', async (t) => {
  const forms = new Forms();
  const wide = Object.fromEntries(Array.from({ length: LIMITS.formNames + 1 }, (_, at) => [`name-${at}`, at]));
  t.strictSame(forms.unpack(forms.pack(wide)), wide);
  t.equal(forms.count, 0);
  const own = Array.from({ length: LIMITS.forms + 10 }, (_, at) => ({ [`own-${at}`]: at }));
  t.strictSame(forms.unpack(forms.pack(own)), own);
  t.equal(forms.count, LIMITS.forms);
});

test('an unknown form is damage', async (t) => {
  const forms = new Forms();
  const packed = forms.pack({ a: 1 });
  t.throws(() => new Forms().unpack(packed), /no form 0 is known/);
});

/** Dictionaries have no prototype, and what is read has. */
function plain(each: unknown): unknown {
  if (Array.isArray(each)) return each.map(plain);
  if (typeof each !== 'object' || each === null) return each;
  return Object.entries(each).map(([key, inner]) => [key, plain(inner)]);
}
