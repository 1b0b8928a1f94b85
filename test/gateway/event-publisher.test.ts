import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { test } from 'tap';
import type { StoredEvent } from '../../actors/index.js';
import { startNats } from '../../bench/index.js';
import { EventPublisher, engineEventSource } from '../../gateway/index.js';
import { connectNats, NatsEventStream } from '../../persistence/index.js';
import { EMAIL } from '../actors/borrower/lender.js';
import { tempFolder } from '../temp-folder.js';
import { openHttpLender } from './routes/http-lender.js';
import { NAME } from '../people.js';

interface Published {
  readonly subject: string;
  readonly id: string;
  readonly orderKey: string;
  readonly sequence: number;
}

/** All messages of the stream, in order. */
async function publishedAt(url: string, count: number): Promise<readonly Published[]> {
  const connection = await connectNats(url, 'a consumer');
  try {
    const manager = await jetstreamManager(connection);
    while ((await manager.streams.info('EVENTS')).state.messages < count) await new Promise((resolve) => setTimeout(resolve, 20));
    const consumer = await jetstream(connection).consumers.get('EVENTS', {});
    const found: Published[] = [];
    const { messages } = (await manager.streams.info('EVENTS')).state;
    for await (const message of await consumer.fetch({ max_messages: messages })) {
      const event = message.json<{ readonly id: string; readonly orderKey: string; readonly sequence: number }>();
      found.push({ subject: message.subject, id: event.id, orderKey: event.orderKey, sequence: event.sequence });
    }
    return found;
  } finally {
    await connection.close();
  }
}

test('all events are published once under their subjects, over a kill of the message server and starts of our own', async (t) => {
  const folder = tempFolder(t);
  let nats = await startNats({ folder });
  t.teardown(() => nats.stop('SIGKILL'));
  const port = Number(new URL(nats.url).port);
  const { h } = await openHttpLender(t);
  const reports: string[] = [];
  const start = (): EventPublisher =>
    new EventPublisher({
      source: engineEventSource(h.engine),
      target: new NatsEventStream(nats.url),
      tenants: () => h.engine.tenants(),
      store: () => h.outbox,
      report: (message) => reports.push(message),
    });
  const logged = (): readonly StoredEvent[] => h.engine.events.page({ company: h.company, mode: 'test' }, {}, 'asc', 10_000);
  const add = async (count: number): Promise<void> => {
    for (let made = 0; made < count; made++) {
      const { id } = await h.data('person.create', null, { name: NAME });
      for (const value of ['one', 'two']) {
        await h.command('contact.create', id, { ...EMAIL, value: `${value}@example.com` }, { params: { personId: id } });
      }
    }
  };
  await add(20); // before there was a publisher
  let publisher = start();
  await add(30);
  const underWay = add(60);
  await nats.stop('SIGKILL');
  await underWay;
  nats = await startNats({ folder, port });
  await add(10);
  await publishedAt(nats.url, logged().length);
  await publisher.close();
  await h.restart();
  h.deliver();
  publisher = start();
  await add(5);
  const published = await publishedAt(nats.url, logged().length);
  await publisher.close();
  t.equal(new Set(published.map(({ id }) => id)).size, published.length, 'each once');
  t.strictSame(new Set(published.map(({ id }) => id)), new Set(logged().map(({ id }) => id)));
  t.strictSame(
    new Set(published.map(({ subject }) => subject)),
    new Set(logged().map(({ eventType }) => `events.${h.company}.test.${eventType}`)),
  );
  const lasts = new Map<string, number>();
  for (const { orderKey, sequence } of published) {
    if (sequence <= (lasts.get(orderKey) ?? 0)) t.fail(`an event of ${orderKey} came after a later one`);
    lasts.set(orderKey, sequence);
  }
});

test('without its stored position the publisher continues after the last event on the server', async (t) => {
  const nats = await startNats({ folder: tempFolder(t) });
  t.teardown(() => nats.stop('SIGKILL'));
  const { h } = await openHttpLender(t);
  const target = new NatsEventStream(nats.url);
  t.teardown(() => target.close());
  const tenant = { company: h.company, mode: 'test' } as const;
  for (let made = 0; made < 3; made++) await h.data('person.create', null, { name: NAME });
  const [first, second, third] = h.engine.events.page(tenant, {}, 'asc', 3);
  t.equal(await target.storedThrough(`events.${h.company}.test.>`), null);
  if (second)
    await target.publish({
      subject: `events.${h.company}.test.person.created`,
      id: second.id,
      text: JSON.stringify(second),
      storedThrough: first?.stamp ?? 0,
    });
  const publisher = new EventPublisher({
    source: engineEventSource(h.engine),
    target,
    tenants: () => [tenant],
    store: () => h.outbox,
    report: (message) => t.fail(message),
  });
  const published = await publishedAt(nats.url, 2);
  await publisher.close();
  t.strictSame(
    published.map(({ id }) => id),
    [second?.id, third?.id],
  );
  t.notOk(published.some(({ id }) => id === first?.id));
});
