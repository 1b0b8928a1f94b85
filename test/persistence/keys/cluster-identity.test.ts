import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import type { SharedKeyValue } from '../../../actors/index.js';
import { ClusterIdentity, ClusterMismatch, MasterKeyError, MemoryKeyValue, noteRestore } from '../../../persistence/index.js';
import { natsServer } from '../../nats.js';

const MASTER_KEY = randomBytes(32);
const open = (records: SharedKeyValue, masterKey: Uint8Array = MASTER_KEY, shards = 64): Promise<ClusterIdentity> =>
  ClusterIdentity.open({ records, masterKey, shards });

test('the first process creates the identity, and all that come with it or later have the same', async (t) => {
  const server = await natsServer(t);
  const stores = await Promise.all([1, 2, 3].map(() => server.records()));
  const made = await Promise.all(stores.map((records) => open(records)));
  const [first] = made;
  t.equal(first?.idKey.length, 32);
  for (const { idKey, shards, epoch } of made)
    t.match(
      { idKey: Buffer.from(idKey).toString('hex'), shards, epoch },
      { idKey: Buffer.from(first?.idKey ?? []).toString('hex'), shards: 64, epoch: 0 },
    );
});

test('another master key and another number of shards are refused, and no secret is shown', async (t) => {
  const records = new MemoryKeyValue();
  const { idKey } = await open(records);
  const other = randomBytes(32);
  const refused = await open(records, other).catch((cause: unknown) => cause);
  t.type(refused, MasterKeyError);
  t.match(String(refused), /another master key than the one that is set/);
  t.notMatch(String(refused), other.toString('hex'));
  await t.rejects(open(records, MASTER_KEY, 128), ClusterMismatch);
  const written = Buffer.from((await records.get('identity'))?.value ?? []);
  for (const secret of [idKey, MASTER_KEY])
    t.notOk(
      written.includes(Buffer.from(secret)) ||
        written.includes(Buffer.from(secret).toString('base64')) ||
        written.includes(Buffer.from(secret).toString('hex')),
    );
});

test('a rotation changes neither the key of ids nor what was wrapped before', async (t) => {
  const records = new MemoryKeyValue();
  const before = await open(records);
  const [idKey, wrapping] = [Buffer.from(before.idKey), before.ring.key(1)];
  const other = randomBytes(32);
  await before.rotate(other);
  await t.rejects(open(records), MasterKeyError);
  const after = await open(records, other);
  t.same(Buffer.from(after.idKey), idKey);
  t.same(after.ring.key(1), wrapping);
  t.equal(after.ring.newest, 2);
  t.equal(before.ring.newest, 2);
});

test('of two rotations at once one is refused', async (t) => {
  const records = new MemoryKeyValue();
  const [one, other] = [await open(records), await open(records)];
  await one.rotate(randomBytes(32));
  await t.rejects(other.rotate(randomBytes(32)), MasterKeyError);
});

test('a restore is recorded for good', async (t) => {
  const records = new MemoryKeyValue();
  await t.rejects(noteRestore(records), ClusterMismatch);
  await open(records);
  t.same(await Promise.all([noteRestore(records), noteRestore(records)]).then((epochs) => [...epochs].sort()), [1, 2]);
  t.equal((await open(records)).epoch, 2);
});
