import { jetstreamManager } from '@nats-io/jetstream';
import { test } from 'tap';
import { NatsEventStream } from '../../persistence/index.js';
import { natsServer, type NatsServer } from '../nats.js';

const EVENT = { subject: 'events.CP-AAAA-1111.test.person.created', id: 'EV-AAAA-1111', text: '{}', storedThrough: 5 };
const GIB = 1024 ** 3;

const mostBytes = async (server: NatsServer): Promise<number> =>
  (await (await jetstreamManager(await server.connect())).streams.info('EVENTS')).config.max_bytes;

test('where a server has less room than the stream of events is to have, it gets a part of it', async (t) => {
  const server = await natsServer(t, { storeBytes: GIB });
  const events = new NatsEventStream(server.url);
  t.teardown(() => events.close());
  await events.publish(EVENT);
  t.equal(await mostBytes(server), (10 * GIB) / 16);
  t.equal(await events.storedThrough('events.CP-AAAA-1111.test.>'), 5);
});

test('a server without room for a stream of any use is said to have none', async (t) => {
  const server = await natsServer(t, { storeBytes: 16 * 1024 ** 2 });
  const events = new NatsEventStream(server.url);
  t.teardown(() => events.close());
  await t.rejects(events.publish(EVENT), { message: /insufficient storage/ });
});
