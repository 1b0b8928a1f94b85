import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { test } from 'tap';
import {
  JournalFailed,
  JournalFenced,
  type JournalStream,
  openJournalOn,
  StreamDamaged,
  type StreamServer,
  UnsafeStream,
} from '../../../persistence/index.js';
import { openNatsStream } from '../../../persistence/jetstream/nats-stream.js';
import { lossyWire, natsServer, openPatiently } from '../../nats.js';
import { blockOf } from '../journal/blocks.js';
import { byShard, conforms, readAll } from '../journal/conformance.js';

const STREAM: JournalStream = { name: 'JOURNAL', subjects: 'journal' };
const SHARDS = [0, 1, 2, 3, 7];
/** Of a server that does not answer, in milliseconds; one that is there has as long. */
const ACK_MS = 5_000;

conforms('a stream', async (t) => {
  const { connect: join } = await natsServer(t);
  const connection = await join();
  return { open: () => openPatiently({ connection, stream: STREAM, shards: SHARDS, owner: 'w1' }) };
});

test('the server soon forgets the consumer of a reading that has ended, or whose reader has died', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const journal = await openPatiently({ connection, stream: STREAM, shards: SHARDS, owner: 'w1' });
  await journal.append([blockOf(0, 1, ['a'])]);
  t.equal((await readAll(journal)).length, 1);
  const consumers = await (await jetstreamManager(connection)).consumers.list(STREAM.name).next();
  t.equal(consumers.length, 1);
  for (const { config } of consumers) t.ok((config.inactive_threshold ?? Infinity) <= 60e9, 'a minute, and not the five of the library');
  await journal.close();
});

test('a reader of a long stream finds the first record that it lacks, and one that lacks little looks near the end alone', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const journal = await openPatiently({ connection, stream: STREAM, shards: [0, 1], owner: 'w1' });
  const blocks = 700;
  for (let block = 1; block <= blocks; block += 1) {
    await journal.append([blockOf(0, 2 * block - 1, [`a${block}`, `b${block}`]), blockOf(1, block, ['x'])]);
  }
  await journal.close();
  const stored = await openNatsStream({ connection, stream: STREAM, replicas: 1, ackMs: ACK_MS });
  const asked: number[] = [];
  const next: StreamServer['next'] = (subject, sequence) => {
    asked.push(sequence);
    return stored.next(subject, sequence);
  };
  const watched: StreamServer = {
    payloadBytes: stored.payloadBytes,
    publish: (message) => stored.publish(message),
    last: (subject) => stored.last(subject),
    next,
    follow: (subject, sequence, signal) => stored.follow(subject, sequence, signal),
  };
  const heir = await openJournalOn(watched, { stream: STREAM, shards: [0, 1], owner: 'w2' });
  const length = 2 * blocks;
  const nearFirstLook = Array.from({ length: 16 }, (_, at) => length - 2 * (120 + at));
  for (const after of [0, 1, 2, 500, 501, length - 600, ...nearFirstLook, length - 100, length - 2, length - 1, length]) {
    asked.length = 0;
    const sequences: number[] = [];
    for await (const { firstSequence } of heir.read(
      new Map([
        [0, after],
        [1, blocks],
      ]),
    ))
      sequences.push(firstSequence);
    const first = after - (after % 2) + 1;
    t.strictSame(
      sequences,
      Array.from({ length: Math.ceil((length - after) / 2) }, (_, at) => first + 2 * at),
      `behind record ${after}`,
    );
    if (after >= length - 100)
      t.ok(
        asked.every((sequence) => sequence > 0.75 * length),
        `not at ${Math.min(...asked)}`,
      );
  }
  await heir.close();
});

test('a former writer can append no more, and nothing that it sends is read', async (t) => {
  const server = await natsServer(t);
  const [one, other] = [await server.connect(), await server.connect()];
  const zombie = await openPatiently({ connection: one, stream: STREAM, shards: SHARDS, owner: 'w1' });
  await zombie.append([blockOf(0, 1, ['a']), blockOf(1, 1, ['b'])]);
  const heir = await openPatiently({ connection: other, stream: STREAM, shards: [0], owner: 'w2' });
  await t.rejects(zombie.append([blockOf(0, 2, ['too late'])]), JournalFenced);
  await t.rejects(
    zombie.append([blockOf(1, 2, ['not even here'])]),
    JournalFenced,
    'a journal that failed takes nothing until it is opened again',
  );
  t.notOk(zombie.hasRoom());
  await heir.append([blockOf(0, 2, ['c'])]);
  t.same(byShard(await readAll(heir)), { 0: ['a', 'c'] }, 'and of its own shards alone');
  t.throws(() => heir.append([blockOf(1, 2, ['x'])]), /shard 1 belongs to another writer/);
});

test('a shard that many processes open at once has one writer in the end', async (t) => {
  const server = await natsServer(t);
  const connections = await Promise.all([1, 2, 3, 4].map(() => server.connect()));
  const opened = await Promise.allSettled(
    connections.map((connection, at) => openPatiently({ connection, stream: STREAM, shards: [0], owner: `w${at}` })),
  );
  const journals = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  t.ok(journals.length > 0, `one has it: ${opened.map((one) => (one.status === 'rejected' ? String(one.reason) : 'opened')).join(', ')}`);
  const appended = await Promise.allSettled(journals.map((journal, at) => journal.append([blockOf(0, 1, [`w${at}`])])));
  t.equal(appended.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a writer that lost its lease while it opened takes nothing back from its successor', async (t) => {
  const server = await natsServer(t);
  const heir = await openPatiently({ connection: await server.connect(), stream: STREAM, shards: [0], owner: 'w2' });
  const late = openPatiently({ connection: await server.connect(), stream: STREAM, shards: [0], owner: 'w1', isHeld: () => false });
  await t.rejects(late, JournalFenced);
  await heir.append([blockOf(0, 1, ['a'])]);
  t.same(byShard(await readAll(heir)), { 0: ['a'] });
});

test('a lost acknowledgement is looked up: what arrived counts, once', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const connection = await connect({ servers: wire.url });
  t.teardown(() => connection.close());
  const journal = await openPatiently({ connection, stream: STREAM, shards: [0], owner: 'w1', ackMs: ACK_MS });
  await journal.append([blockOf(0, 1, ['a'])]);
  wire.isDeaf = true;
  const appended = journal.append([blockOf(0, 2, ['b'])]);
  await wire.loses();
  wire.isDeaf = false;
  await appended;
  await journal.append([blockOf(0, 3, ['c'])]);
  t.same(byShard(await readAll(journal)), { 0: ['a', 'b', 'c'] });
});

test('without the server an append fails within its bound, and the next opening continues', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const connection = await connect({ servers: wire.url });
  t.teardown(() => connection.close());
  const journal = await openPatiently({ connection, stream: STREAM, shards: [0], owner: 'w1', ackMs: ACK_MS });
  await journal.append([blockOf(0, 1, ['a'])]);
  wire.isDeaf = true;
  await t.rejects(journal.append([blockOf(0, 2, ['b'])]), JournalFailed);
  wire.isDeaf = false;
  const again = await openPatiently({ connection: await server.connect(), stream: STREAM, shards: [0], owner: 'w1' });
  t.same(byShard(await readAll(again)), { 0: ['a', 'b'] }, 'it had arrived: not acknowledged, and not lost either');
  await again.append([blockOf(0, 3, ['c'])]);
});

test('parts without a last one do not count', async (t) => {
  const server = await natsServer(t, { maxPayload: 4096 });
  const connection = await server.connect();
  const open = () => openPatiently({ connection, stream: STREAM, shards: [0], owner: 'w1' });
  const journal = await open();
  await journal.append([blockOf(0, 1, ['a'])]);
  const head = journal.heads().get(0);
  const torn = headers();
  torn.set('Tenor-Head', `1:${Buffer.from(head?.hash ?? []).toString('hex')}`);
  torn.set('Tenor-Part', '1/3');
  await jetstream(connection).publish('journal.0', Buffer.alloc(500), { headers: torn });
  const again = await open();
  await again.append([blockOf(0, 2, ['b'.repeat(10_000)])]);
  t.same(byShard(await readAll(again)), { 0: ['a', 'b'.repeat(10_000)] });
  t.same(byShard(await readAll(again, [[0, 1]])), { 0: ['b'.repeat(10_000)] });
});

test('a stream that differs from what was written is not served', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const open = () => openPatiently({ connection, stream: STREAM, shards: [0], owner: 'w1' });
  const journal = await open();
  await journal.append([blockOf(0, 1, ['a'])]);
  const forged = headers();
  forged.set('Tenor-Head', `2:${'0'.repeat(64)}`);
  await jetstream(connection).publish('journal.0', Buffer.from('not a block'), { headers: forged });
  await t.rejects(readAll(await open()), StreamDamaged);
  await jetstream(connection).publish('journal.0', Buffer.from('no journal at all'));
  await t.rejects(open(), StreamDamaged);
});

test('in a stream without room a shard can be read and not written, until there is room', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  const { streams } = await jetstreamManager(connection);
  const open = () => openPatiently({ connection, stream: STREAM, shards: [0, 1], owner: 'w1' });
  const journal = await open();
  await journal.append([blockOf(0, 1, ['a'])]);
  const zombie = await open();
  await streams.update(STREAM.name, { max_bytes: (await streams.info(STREAM.name)).state.bytes });
  await t.rejects(zombie.append([blockOf(0, 2, ['b'])]), JournalFailed);
  const [full, later] = [await open(), await open()];
  t.same(byShard(await readAll(full)), { 0: ['a'] });
  t.notOk(full.hasRoom());
  await streams.update(STREAM.name, { max_bytes: -1 });
  while (!full.hasRoom()) await new Promise((resolve) => setTimeout(resolve, 20));
  await full.append([blockOf(0, 2, ['c'])]);
  while (!later.hasRoom()) await new Promise((resolve) => setTimeout(resolve, 20));
  await t.rejects(later.append([blockOf(0, 2, ['d'])]), JournalFenced, 'who was late finds out');
  t.same(byShard(await readAll(await open())), { 0: ['a', 'c'] });
});

test('a stream that could lose what it has acknowledged is refused', async (t) => {
  const server = await natsServer(t);
  const connection = await server.connect();
  await (await jetstreamManager(connection)).streams.add({ name: STREAM.name, subjects: ['journal.*'], max_msgs: 1000 });
  await t.rejects(openPatiently({ connection, stream: STREAM, shards: [0], owner: 'w1' }), UnsafeStream);
});
