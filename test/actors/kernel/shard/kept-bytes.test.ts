import { test } from 'tap';
import { KeptBytes } from '../../../../actors/kernel/shard/kept-bytes.js';
import fc from '../../../fast-check.js';

const SLAB = 256 * 1024;

test('each value stays what it was until it is dropped, whatever comes and goes meanwhile', (t) => {
  const length = fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: SLAB + 1_000 }));
  const step = fc.oneof(fc.record({ keep: length, fill: fc.nat({ max: 255 }) }), fc.record({ drop: fc.nat({ max: 20 }) }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const bytes = new KeptBytes();
      const kept: { readonly value: Uint8Array; readonly expected: Buffer }[] = [];
      for (const each of steps) {
        if ('keep' in each) {
          const expected = Buffer.alloc(each.keep, each.fill);
          kept.push({ value: bytes.keep(expected), expected });
        } else {
          const count = Math.min(each.drop, kept.length);
          bytes.drop(count);
          kept.splice(0, count);
        }
        for (const { value, expected } of kept) if (Buffer.compare(value, expected) !== 0) return false;
      }
      return true;
    }),
    { numRuns: 50 },
  );
  t.end();
});

test('memory is used again once its values are dropped', (t) => {
  const bytes = new KeptBytes();
  const buffers = new Set<ArrayBufferLike>();
  for (let round = 0; round < 100; round += 1) {
    for (let n = 0; n < 10; n += 1) buffers.add(bytes.keep(Buffer.alloc(SLAB / 4)).buffer);
    bytes.drop(10);
  }
  t.ok(buffers.size <= 4, `${buffers.size} slabs`);
  t.throws(() => bytes.drop(1), 'nothing is left');
  t.end();
});
