import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { test } from 'tap';
import { must } from '../../../engine/index.js';
import { connectNats } from '../../../persistence/index.js';
import { streamMade } from '../../../persistence/jetstream/make-missing.js';
import { openNatsStream } from '../../../persistence/jetstream/nats-stream.js';
import { lossyWire, natsServer } from '../../nats.js';

const STREAM = { name: 'JOURNAL', subjects: 'journal' };
const BACK_MS = 5_000;

test('a follower of a shard has what comes after an outage of the server within five seconds', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const reading = await connectNats(wire.url, 'reader');
  const writing = await connectNats(server.url, 'writer');
  t.teardown(async () => {
    await reading.close();
    await writing.close();
  });
  const [reader, writer] = await Promise.all(
    [reading, writing].map((connection) =>
      openNatsStream({ connection: must(connection, 'a connection'), stream: STREAM, replicas: 1, ackMs: 2_000 }),
    ),
  );
  const ending = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const { bytes } of reader?.follow('journal.0', 1, ending.signal) ?? []) seen.push(Buffer.from(bytes).toString());
  })();
  let follows = 0;
  const publish = async (text: string): Promise<void> => {
    for (;;) {
      const message = { subject: 'journal.0', bytes: Buffer.from(text), headers: headers(), follows, messageId: text };
      const stored = await writer?.publish(message).catch(() => undefined); // the server is not back yet
      if (stored !== undefined) return void (follows = stored);
      await pause(50);
    }
  };
  const whenSeen = async (text: string): Promise<void> => {
    while (!seen.includes(text)) await pause(10);
  };
  await publish('before');
  await whenSeen('before');
  wire.isDeaf = true;
  const lost = wire.loses();
  await publish('lost on the way');
  await lost;
  wire.cut(); // with the message on its way
  wire.isDeaf = false;
  wire.mend();
  const deafUntilMs = performance.now();
  await whenSeen('lost on the way');
  t.ok(performance.now() - deafUntilMs < BACK_MS, `${Math.round(performance.now() - deafUntilMs)} ms after a connection broke`);
  for (const outageMs of [500, 12_000]) {
    await server.restart(() => undefined);
    const begunMs = performance.now();
    await publish(`after a restart ${outageMs}`);
    await whenSeen(`after a restart ${outageMs}`);
    t.ok(performance.now() - begunMs < BACK_MS, `${Math.round(performance.now() - begunMs)} ms after a restart`);
    await server.stop();
    await pause(outageMs);
    await server.start();
    const backMs = performance.now();
    await publish(`after ${outageMs}`);
    const storedMs = performance.now();
    t.comment(`stored ${Math.round(storedMs - backMs)} ms behind the start of the server`);
    await whenSeen(`after ${outageMs}`);
    t.ok(performance.now() - backMs < BACK_MS, `${Math.round(performance.now() - backMs)} ms after an outage of ${outageMs} ms`);
  }
  t.equal(new Set(seen).size, 6, 'nothing was missed');
  ending.abort();
  await following;
});

test('members that start together make a stream once; another refusal of the server is reported', async (t) => {
  const server = await natsServer(t);
  const [connection, other] = [await server.connect(), await server.connect()];
  const [manager, early] = [await jetstreamManager(connection), await jetstreamManager(other)];
  const settings = { name: 'MADE', subjects: ['made.>'] };
  let asked = 0;
  const config = await streamMade(manager, 'MADE', async () => {
    asked += 1;
    await early.streams.add({ ...settings, max_msgs_per_subject: 1 }); // another member comes first, between the look and the request
    await manager.streams.add(settings);
  });
  t.equal(asked, 1, 'a member that is refused finds what another one has made');
  t.match(config, { max_msgs_per_subject: 1 });
  asked = 0;
  const refused = streamMade(manager, 'OTHER', () => {
    asked += 1;
    return manager.streams.add({ name: 'OTHER', subjects: ['made.>'] });
  });
  await t.rejects(refused, /subjects overlap/);
  t.equal(asked, 10, 'a bounded number of tries');
});
