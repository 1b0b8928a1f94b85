import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { test } from 'tap';
import {
  ClusterIdentity,
  KeyFlushFailed,
  KeyValueUnavailable,
  MasterKeyError,
  MemoryKeyValue,
  openStreamKeyStore,
  type StreamKeyStore,
  type StreamKeyStoreOptions,
} from '../../../persistence/index.js';
import { lossyWire, natsServer, PATIENT_MS } from '../../nats.js';
import { conforms, CONTEXT, MASTER_KEY } from './conformance.js';

const SHARDS = 64;
/** Of a server that does not answer, in milliseconds; one that is there has as long. */
const TIMEOUT_MS = 4_000;

function memory(): { identity(masterKey?: Uint8Array): Promise<ClusterIdentity> } {
  const records = new MemoryKeyValue();
  return { identity: (masterKey = MASTER_KEY) => ClusterIdentity.open({ records, masterKey, shards: SHARDS }) };
}

/** Asks again while the server answers later than that; `may` says for how long it may do so. */
async function insisting<T>(ask: () => Promise<T>, may = (): boolean => true): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      if (!(cause instanceof KeyValueUnavailable) || !may()) throw cause;
    }
  }
}

async function opened(options: StreamKeyStoreOptions): Promise<StreamKeyStore> {
  const keys = await openStreamKeyStore({ timeoutMs: PATIENT_MS, ...options });
  await keys.load();
  return keys;
}

conforms('a bucket of the cluster', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const { identity } = memory();
  return { open: async (masterKey) => opened({ connection, bucket: 'keys-u00', identity: await identity(masterKey) }) };
});

test('a key of another worker is never overwritten: the flush fails, and after a load that key is used', async (t) => {
  const server = await natsServer(t);
  const identity = await memory().identity();
  const open = async () => opened({ connection: await server.connect(), bucket: 'keys-u00', identity });
  const [zombie, heir] = [await open(), await open()];
  heir.create('PE-1');
  const sealed = heir.seal('PE-1', 'text', CONTEXT);
  await heir.flush();
  zombie.create('PE-1');
  await t.rejects(zombie.flush(), KeyFlushFailed);
  await t.rejects(zombie.flush(), KeyFlushFailed, 'again and again');
  await zombie.load();
  t.equal(zombie.open('PE-1', sealed, CONTEXT), 'text');
  await zombie.flush();
  t.equal((await open()).open('PE-1', sealed, CONTEXT), 'text');
});

test('a worker that takes over loads what the one before it has made and destroyed', async (t) => {
  const server = await natsServer(t);
  const identity = await memory().identity();
  const open = async () => opened({ connection: await server.connect(), bucket: 'keys-u00', identity });
  const [before, heir] = [await open(), await open()];
  for (const owner of ['PE-1', 'PE-2']) before.create(owner);
  const sealed = before.seal('PE-1', 'text', CONTEXT);
  await before.flush();
  await before.destroy('PE-2');
  t.notOk(heir.has('PE-1'));
  heir.create('PE-9');
  await heir.load();
  t.equal(heir.open('PE-1', sealed, CONTEXT), 'text');
  t.equal(heir.open('PE-2', sealed, CONTEXT), undefined);
  t.notOk(heir.has('PE-9'), 'what was not flushed is forgotten');
});

test('nothing of a destroyed key is left in the stream or on the disk of the server', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const identity = await memory().identity();
  const keys = await opened({ connection, bucket: 'keys-u00', identity });
  keys.create('PE-1');
  keys.create('PE-2');
  await keys.flush();
  const manager = await jetstreamManager(connection);
  const wrapped = (await manager.streams.getMessage('KV_keys-u00', { last_by_subj: '$KV.keys-u00.PE-1' }))?.data ?? new Uint8Array();
  const kept = (await manager.streams.getMessage('KV_keys-u00', { last_by_subj: '$KV.keys-u00.PE-2' }))?.data ?? new Uint8Array();
  await keys.destroy('PE-1');
  const { state } = await manager.streams.info('KV_keys-u00', { subjects_filter: '>' });
  t.same(state.subjects, { '$KV.keys-u00.PE-1': 1, '$KV.keys-u00.PE-2': 1 });
  const isOnDisk = (value: Uint8Array): boolean =>
    filesBelow(server.folder).some((file) => readFileSync(file).includes(Buffer.from(value)));
  t.ok(isOnDisk(kept));
  t.notOk(isOnDisk(wrapped));
});

test('a destruction that was interrupted after its mark is finished by the next load', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const identity = await memory().identity();
  const keys = await opened({ connection, bucket: 'keys-u00', identity });
  keys.create('PE-1');
  await keys.flush();
  const manager = await jetstreamManager(connection);
  const mark = headers();
  mark.set('KV-Operation', 'DEL');
  await connection.request('$KV.keys-u00.PE-1', '', { headers: mark, timeout: PATIENT_MS });
  t.equal((await manager.streams.info('KV_keys-u00')).state.messages, 2);
  await keys.load();
  t.equal((await manager.streams.info('KV_keys-u00')).state.messages, 1);
  t.equal(keys.open('PE-1', new Uint8Array(60), CONTEXT), undefined);
});

test('a process that was busy for longer than it waits for a key loads what has arrived meanwhile', async (t) => {
  const server = await natsServer(t);
  const identity = await memory().identity();
  const before = await opened({ connection: await server.connect(), bucket: 'keys-u00', identity });
  const owners = Array.from({ length: 3_000 }, (_, place) => `PE-${place}`);
  for (const owner of owners) before.create(owner);
  await before.flush();
  const connection = await server.connect();
  const heir = await insisting(() => openStreamKeyStore({ connection, bucket: 'keys-u00', identity, timeoutMs: 200 }));
  const keysCome = (): boolean => connection.stats().inMsgs > 500;
  const busy = setInterval(() => {
    if (keysCome()) for (const until = performance.now() + 450; performance.now() < until; );
  }, 5);
  t.teardown(() => clearInterval(busy));
  await insisting(
    () => heir.load(),
    () => !keysCome(),
  );
  t.ok(owners.every((owner) => heir.has(owner)));
});

test('without the server a flush fails within its bound, and the next one writes what is missing', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const connection = await connect({ servers: wire.url, maxReconnectAttempts: -1 });
  t.teardown(() => connection.close());
  const identity = await memory().identity();
  const keys = await opened({ connection, bucket: 'keys-u00', identity, timeoutMs: TIMEOUT_MS });
  keys.create('PE-1');
  keys.create('PE-2');
  const sealed = keys.seal('PE-1', 'text', CONTEXT);
  await keys.flush();
  wire.isDeaf = true;
  keys.create('PE-3');
  await t.rejects(keys.flush(), KeyFlushFailed);
  await t.rejects(keys.destroy('PE-2'), KeyFlushFailed);
  t.notOk(keys.has('PE-2'));
  wire.isDeaf = false;
  await keys.flush();
  const again = await opened({ connection: await server.connect(), bucket: 'keys-u00', identity });
  t.same([again.has('PE-1'), again.has('PE-2'), again.has('PE-3')], [true, false, true]);
  t.equal(again.open('PE-1', sealed, CONTEXT), 'text');
});

test('a process that was started before a rotation continues, and reports a key that it cannot open', async (t) => {
  const server = await natsServer(t);
  const { identity } = memory();
  const open = async (masterKey?: Uint8Array) =>
    opened({ connection: await server.connect(), bucket: 'keys-u00', identity: await identity(masterKey) });
  const [running, rotating] = [await open(), await open()];
  running.create('PE-1');
  const sealed = running.seal('PE-1', 'text', CONTEXT);
  await running.flush();
  const other = new Uint8Array(32).fill(5);
  await rotating.rotate(other);
  running.create('PE-2');
  const later = running.seal('PE-2', 'later', CONTEXT);
  await running.flush();
  const started = await open(other);
  t.same([started.open('PE-1', sealed, CONTEXT), started.open('PE-2', later, CONTEXT)], ['text', 'later']);
  started.create('PE-3');
  const newest = started.seal('PE-3', 'newest', CONTEXT);
  await started.flush();
  await running.load();
  t.equal(running.open('PE-1', sealed, CONTEXT), 'text');
  t.throws(() => running.open('PE-3', newest, CONTEXT), MasterKeyError);
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}
