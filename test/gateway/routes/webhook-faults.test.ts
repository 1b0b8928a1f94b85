import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { until } from '../../persistence/key-values/conformance.js';
import { receiverFor } from '../receiver.js';
import { idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

const subscription = (webhookUrl: string): object => ({
  webhookType: 'direct',
  eventTypes: ['person.created'],
  webhookDirectDetails: { webhookUrl },
});

test('a receiver that hangs harms no other', async (t) => {
  const lender = await openHttpLender(t);
  const [stuck, quick] = [await receiverFor(t), await receiverFor(t)];
  stuck.answer = () => undefined;
  for (const { url } of [stuck, quick]) await lender.ask('POST', '/webhooks', subscription(url));
  await lender.h.webhooks.tick();
  const people: string[] = [];
  for (let made = 0; made < 100; made++) people.push(idOf(await lender.ask('POST', '/people', { name: NAME })));
  await quick.calls(100);
  t.strictSame(quick.received.map(({ event }) => event.personId).sort(), people.sort());
  t.ok(stuck.received.length < 40, 'the one that hangs gets few calls at once');
  await until(() => (lender.h.backlog?.().waiting ?? 0) >= 100); // all of its messages wait, those on their way included
  t.strictSame(lender.failures, []);
});

test('after a restart deliveries continue in order, and none is lost', async (t) => {
  const lender = await openHttpLender(t);
  const { h } = lender;
  const receiver = await receiverFor(t);
  const id = idOf(await lender.ask('POST', '/webhooks', subscription(receiver.url)));
  await h.webhooks.tick();
  receiver.answer = (response, { event }) => response.writeHead(event.sequence === 1 && receiver.received.length <= 3 ? 503 : 200).end();
  const people: string[] = [];
  const add = async (count: number): Promise<void> => {
    for (let made = 0; made < count; made++) people.push((await h.data('person.create', null, { name: NAME })).id);
  };
  await add(10);
  await receiver.calls(10);
  h.nowMs += 1; // no unit gives a stamp again that another gave before
  await h.restart();
  await add(5); // while nothing delivers
  h.deliver();
  h.nowMs += 70_000; // the first tries have failed
  await h.webhooks.tick();
  await add(5);
  await h.webhooks.tick();
  const delivered = async (): Promise<ReadonlySet<unknown>> => {
    const { items } = await h.query('webhookMessage.list', h.company, { limit: 100, status: 'delivered' }, { params: { webhookId: id } });
    return new Set((items as readonly { readonly eventId: string }[]).map(({ eventId }) => eventId));
  };
  while ((await delivered()).size < 20) await new Promise((resolve) => setTimeout(resolve, 5));
  t.strictSame(new Set(receiver.received.map(({ event }) => event.personId)), new Set(people));
  t.equal((await delivered()).size, 20, 'each is one message, however often it was sent');
});

test('without its own files a webhook continues from the position in the journal', async (t) => {
  const lender = await openHttpLender(t);
  const { h } = lender;
  const receiver = await receiverFor(t);
  const id = idOf(await lender.ask('POST', '/webhooks', subscription(receiver.url)));
  await h.webhooks.tick();
  const first = idOf(await lender.ask('POST', '/people', { name: NAME }));
  await receiver.calls(1);
  while (listOf(await lender.ask('GET', `/webhooks/${id}/messages`))[0]?.['status'] !== 'delivered')
    await new Promise((resolve) => setTimeout(resolve, 5));
  h.nowMs += 61_000;
  await h.webhooks.tick(); // records in the journal that all is settled
  const second = idOf(await lender.ask('POST', '/people', { name: NAME }));
  await receiver.calls(2);
  await h.close();
  rmSync(join(h.folder, 'snapshots', 'outbox.lmdb'));
  await h.start();
  h.deliver();
  await h.webhooks.tick();
  await receiver.calls(3);
  t.strictSame(
    receiver.received.map(({ event }) => event.personId),
    [first, second, second],
    'a delivery that was not recorded as settled is sent again',
  );
  t.equal(receiver.ids()[1], receiver.ids()[2], 'under the same id');
});
