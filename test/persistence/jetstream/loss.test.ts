import { connect, type NatsConnection } from '@nats-io/transport-node';
import { test, type Test } from 'tap';
import { JournalFenced, type JournalStream, StreamDamaged, type StreamPart } from '../../../persistence/index.js';
import { natsServer, openPatiently, type NatsServer } from '../../nats.js';
import { StoredStream } from '../../nats-store.js';
import { blockOf } from '../journal/blocks.js';
import { readAll } from '../journal/conformance.js';

const STREAM: JournalStream = { name: 'JOURNAL', subjects: 'journal' };

async function lastingConnection(t: Test, { url }: NatsServer): Promise<NatsConnection> {
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  t.teardown(() => connection.close());
  return connection;
}

test('acknowledged messages that a server has lost are missed by their writer, and by the next process that opens the shard', async (t) => {
  const server = await natsServer(t);
  const connection = await lastingConnection(t, server);
  const open = (shards: readonly number[], part: Partial<StreamPart> = {}) =>
    openPatiently({ connection, stream: STREAM, shards, owner: 'w1', ...part });
  let isHeld = true;
  const [hurt, whole, reopened, forsaken] = [await open([0]), await open([1]), await open([2]), await open([3], { isHeld: () => isHeld })];
  let lateLooks = 0;
  const late = await open([4], { isHeld: () => lateLooks-- <= 0 });
  await whole.append([blockOf(1, 1, ['x'])]);
  await hurt.append([blockOf(0, 1, ['a'])]);
  await hurt.append([blockOf(0, 2, ['b', 'c'])]);
  await reopened.append([blockOf(2, 1, ['y'])]);
  await forsaken.append([blockOf(3, 1, ['z'])]);
  await late.append([blockOf(4, 1, ['q'])]);
  const back = statusOf(connection, 'reconnect');
  await server.restart(() => {
    const stored = new StoredStream(server.folder, STREAM.name);
    stored.loseFrom(stored.messages.filter(({ subject }) => subject === 'journal.0').at(-1)?.sequence ?? 0);
  });
  await back;
  const lost = {
    name: 'StreamDamaged',
    code: 'streamDamaged',
    shard: 0,
    message: /shard 0.*record 3 is gone, and the shard ends with record 1/,
  };
  await t.rejects(hurt.append([blockOf(0, 4, ['d'])]), lost, 'by the next append');
  await t.rejects(open([0]), lost, 'nobody serves what is left as if it were all');
  await t.rejects(open([2], { acknowledged: reopened.heads() }), StreamDamaged, 'by the next opening, where an append had failed before');
  await t.rejects(open([2]), StreamDamaged);
  await whole.append([blockOf(1, 2, ['u'])]);

  lateLooks = 3;
  await t.rejects(late.append([blockOf(4, 2, ['r'])]), StreamDamaged);
  await t.rejects(open([4]), StreamDamaged, 'also where the lease is renewed only a moment later');

  isHeld = false;
  await t.rejects(forsaken.append([blockOf(3, 2, ['v'])]), { name: 'StreamDamaged', message: /It is not marked: no lease/ });
  await (await open([3])).close(); // who does not own it any more leaves no word

  await t.rejects(hurt.append([blockOf(0, 4, ['d'])]), StreamDamaged, 'a journal that failed takes nothing');
});

test('a writer that is fenced is reported as fenced where the server has lost nothing', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const open = () => openPatiently({ connection, stream: STREAM, shards: [0], owner: 'w1' });
  const zombie = await open();
  await open();
  await t.rejects(zombie.append([blockOf(0, 1, ['a'])]), JournalFenced);
});

async function statusOf(connection: NatsConnection, wanted: string): Promise<void> {
  for await (const { type } of connection.status()) if (type === wanted) return;
}

test('a byte that changes on the disk of the server is found, with its place, whatever the server makes of it', async (t) => {
  const server = await natsServer(t);
  const connection = await lastingConnection(t, server);
  const open = (shard: number) => openPatiently({ connection, stream: STREAM, shards: [shard], owner: 'w1' });
  const journal = await open(0);
  for (let record = 1; record <= 6; record += 1) await journal.append([blockOf(0, record, [`${record}`.repeat(200)])]);
  const back = statusOf(connection, 'reconnect');
  await server.restart(() => {
    const stored = new StoredStream(server.folder, STREAM.name);
    stored.damage(stored.messages[3]?.sequence ?? 0);
  });
  await back;
  const reopened = await open(0)
    .then(readAll)
    .catch((cause: unknown) => cause);
  const appended = await journal.append([blockOf(0, 7, ['7'])]).catch((cause: unknown) => cause);
  t.ok(
    [reopened, appended].some((cause) => cause instanceof StreamDamaged && cause.shard === 0),
    `${String(reopened)}, ${String(appended)}`,
  );
});
