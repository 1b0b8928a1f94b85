import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { test } from 'tap';
import { ClusterIdentity, openStreamKeyStore, openStreamKeyValue, type StreamKeyStore } from '../../../persistence/index.js';
import { limits } from '../../../persistence/limits.js';
import { natsServer, PATIENT_MS } from '../../nats.js';
import { CONTEXT, MASTER_KEY } from './conformance.js';

const OWNERS = Array.from({ length: 50 }, (_, at) => `PE-${at}`);
const [ERASED = '', NEXT = ''] = OWNERS;

test('the next owner reads keys from the image, and one by one only those that came later', async (t) => {
  const { open } = await keysIn(t);
  const first = await open();
  for (const owner of OWNERS) first.create(owner);
  const sealed = first.seal(NEXT, 'Ada', CONTEXT);
  await first.flush();
  await first.destroy(ERASED);
  first.create('PE-unflushed');
  await first.storeImage();
  await first.flush();
  first.create('PE-later');
  await first.flush();

  const heir = await open();
  t.equal(heir.readSingly, 2, 'what was not flushed is in no image');
  t.match(heir.report, { keys: OWNERS.length + 1, destroyed: 1 });
  t.equal(heir.open(NEXT, sealed, CONTEXT), 'Ada');
  t.ok(heir.has('PE-unflushed') && heir.has('PE-later'));
  t.notOk(heir.has(ERASED));
});

test('an image is asked for when it lacks many keys, and again after each erasure', async (t) => {
  const { open } = await keysIn(t);
  const first = await open();
  for (let owner = 0; owner <= limits.unimagedKeys; owner += 1) {
    t.notOk(first.needsImage);
    first.create(`PE-new-${owner}`);
    if (owner % 500 === 0) await first.flush();
  }
  await first.flush();
  t.ok(first.needsImage);
  t.ok((await open()).needsImage, 'a next owner had to read all of them one by one');
  await first.storeImage();
  t.notOk(first.needsImage);
  t.notOk((await open()).needsImage);
  await first.destroy('PE-new-7');
  t.ok(first.needsImage, 'the erasure has destroyed the image');
  await first.storeImage();
  const heir = await open();
  t.notOk(first.needsImage || heir.needsImage);
  t.equal(heir.readSingly, 0);
  t.match(heir.report, { keys: limits.unimagedKeys, destroyed: 1 });
});

test('an image says no more than its store has seen: keys that another process wrote meanwhile are read one by one', async (t) => {
  const { open } = await keysIn(t);
  const former = await open();
  former.create('PE-1');
  await former.flush();
  const owner = await open();
  owner.create('PE-2');
  await owner.flush();
  await former.storeImage(); // late: it has lost the unit
  const heir = await open();
  t.ok(heir.has('PE-1') && heir.has('PE-2'));
  t.equal(heir.readSingly, 1);
});

test('an erased key does not come back from an image', async (t) => {
  const { open, chunks } = await keysIn(t);
  const first = await open();
  for (const owner of OWNERS) first.create(owner);
  const sealed = first.seal(ERASED, 'Ada', CONTEXT);
  await first.flush();
  await first.storeImage();
  t.ok((await chunks()) > 0);
  await first.destroy(ERASED);
  t.equal(await chunks(), 0, 'the image goes before the key');
  const heir = await open();
  t.equal(heir.open(ERASED, sealed, CONTEXT), undefined);

  const storing = heir.storeImage();
  await heir.destroy(NEXT);
  await storing;
  const last = await open();
  t.notOk(last.has(NEXT), 'one that was on its way while a key was erased does not stay');
  t.equal(await chunks(), 0);
});

test('a mark that is newer than an image destroys the key and all that is left of it', async (t) => {
  const { open, chunks, mark } = await keysIn(t);
  const first = await open();
  for (const owner of OWNERS) first.create(owner);
  const sealed = first.seal(ERASED, 'Ada', CONTEXT);
  await first.flush();
  await first.storeImage();
  await mark(ERASED); // and killed before the rest
  const heir = await open();
  t.equal(heir.open(ERASED, sealed, CONTEXT), undefined);
  t.equal(await chunks(), 0);
  const later = await open();
  t.equal(later.open(ERASED, sealed, CONTEXT), undefined);
});

test('an image that lacks a piece, or is of another bucket, is not used', async (t) => {
  const { open, spoil } = await keysIn(t);
  const first = await open();
  for (const owner of OWNERS) first.create(owner);
  await first.flush();
  await first.storeImage();
  await spoil();
  const heir = await open();
  t.equal(heir.readSingly, OWNERS.length);
  t.match(heir.report, { keys: OWNERS.length });
});

interface Keys {
  open(): Promise<StreamKeyStore>;
  /** Pieces of images that are there. */
  chunks(): Promise<number>;
  /** The first step of an erasure alone. */
  mark(owner: string): Promise<void>;
  spoil(): Promise<void>;
}

async function keysIn(t: { teardown(run: () => void | Promise<void>): void }): Promise<Keys> {
  const server = await natsServer(t);
  const connection = await server.connect();
  const records = await openStreamKeyValue({ connection, bucket: 'members' });
  const identity = await ClusterIdentity.open({ records, masterKey: MASTER_KEY, shards: 64 });
  const manager = await jetstreamManager(connection);
  return {
    async open() {
      const store = await openStreamKeyStore({ connection, bucket: 'keys', imageBucket: 'images', identity, timeoutMs: PATIENT_MS });
      await store.load();
      return store;
    },
    chunks: async () =>
      Object.keys((await manager.streams.info('KV_images', { subjects_filter: '$KV.images.>' })).state.subjects ?? {}).filter((subject) =>
        subject.includes('.c'),
      ).length,
    async mark(owner) {
      const header = headers();
      header.set('KV-Operation', 'DEL');
      await jetstream(connection).publish(`$KV.keys.${owner}`, new Uint8Array(0), { headers: header });
    },
    async spoil() {
      await manager.streams.purge('KV_images', { filter: '$KV.images.c1-0' });
    },
  };
}
