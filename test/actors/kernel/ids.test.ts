import { createHash } from 'node:crypto';
import fc from '../../fast-check.js';
import { test } from 'tap';
import { Ids } from '../../../actors/kernel/ids.js';

const ids = new Ids(createHash('sha256').update('a key for tests').digest());
const shards = fc.integer({ min: 0, max: 63 });
const counters = fc.integer({ min: 0, max: 2 ** 35 - 1 });

test('an id has the form XX-YYYY-YYYY of capital letters and digits 1 to 9', async (t) => {
  fc.assert(fc.property(shards, counters, (shard, counter) => /^LN-[A-Z1-9]{4}-[A-Z1-9]{4}$/.test(ids.encode('LN', shard, counter))));
  t.match(ids.encode('P2', 63, 2 ** 35 - 1), /^P2-[A-Z1-9]{4}-[A-Z1-9]{4}$/);
});

test('the key decodes an id into its prefix, shard and counter', async (t) => {
  fc.assert(
    fc.property(shards, counters, (shard, counter) => {
      const parts = ids.decode(ids.encode('TX', shard, counter));
      return parts?.prefix === 'TX' && parts.shard === shard && parts.counter === counter;
    }),
  );
  fc.assert(fc.property(shards, counters, (shard, counter) => ids.shardOf(ids.encode('EV', shard, counter)) === shard));
  for (const text of [
    '',
    'LN-AAAA',
    'LN-AAAA-AAAAA',
    'ln-AAAA-AAAA',
    '1N-AAAA-AAAA',
    'L--AAAA-AAAA',
    'LN_AAAA-AAAA',
    'LN-AAAA-AAA\u00e9',
    'LN-AAAA-AAA\u2603',
  ]) {
    t.equal(ids.decode(text), undefined, text);
    t.equal(ids.shardOf(text), undefined, text);
  }
  t.equal(ids.decode('LN-AAA0-AAAA'), undefined, 'the digit zero is never used');
});

test('ids of neighbours do not look alike, and no id is given twice', async (t) => {
  const seen = new Set<string>();
  for (let counter = 0; counter < 20_000; counter++) seen.add(ids.encode('BO', 3, counter));
  t.equal(seen.size, 20_000);
  const starts = new Set([...seen].map((id) => id.slice(3, 5)));
  t.ok(starts.size > 1000, `neighbours start with ${starts.size} different pairs`);
});

test('another key gives other ids, so that ids of one installation cannot be guessed from another', async (t) => {
  const other = new Ids(createHash('sha256').update('another key').digest());
  t.not(other.encode('LN', 1, 1), ids.encode('LN', 1, 1));
});
