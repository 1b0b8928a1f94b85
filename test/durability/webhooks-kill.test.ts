import { test } from 'tap';
import { EMAIL } from '../actors/borrower/lender.js';
import { receiverFor } from '../gateway/receiver.js';
import { Service } from '../service/service.js';
import { tempFolder } from '../temp-folder.js';
import { NAME } from '../people.js';

const ROUNDS = 2;
const CALLERS = 8;

test('after a kill -9 no event is lost to a webhook, and those of one key come in their order', async (t) => {
  const folder = tempFolder(t);
  const receiver = await receiverFor(t);
  const start = (): Promise<Service> => Service.start(folder, { TENOR_OUTGOING_ALLOW: '127.0.0.0/8' });
  let service = await start();
  t.teardown(() => service.kill());
  const webhook = {
    webhookType: 'direct',
    eventTypes: ['person.created', 'contact.created'],
    webhookDirectDetails: { webhookUrl: receiver.url },
  };
  t.match(await service.ask('POST', '/webhooks', webhook), { status: 200 });
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const made = await service.ask('POST', '/people', { name: NAME }).catch(() => null);
        const id = (made?.json['data'] as { readonly id: string } | undefined)?.id;
        if (id === undefined) continue;
        for (const value of ['one', 'two'])
          await service.ask('POST', `/people/${id}/contacts`, { ...EMAIL, value: `${value}@example.com` }).catch(() => null);
      }
    });
    await receiver.calls(receiver.received.length + 60);
    isOver = true;
    await service.kill();
    await Promise.all(callers);
    service = await start();
  }
  const all: { readonly id: string; readonly orderKey: string; readonly sequence: number }[] = [];
  for (let after = ''; ; after = `&startingAfter=${all.at(-1)?.id ?? ''}`) {
    const { json } = await service.ask('GET', `/events?order=asc&limit=100&eventType=person.created,contact.created${after}`);
    const page = json['data'] as typeof all;
    all.push(...page);
    if (page.length < 100) break;
  }
  const wanted = new Set(all.map(({ id }) => id));
  while (new Set(receiver.ids()).size < wanted.size) await new Promise((resolve) => setTimeout(resolve, 20));
  t.strictSame(new Set(receiver.ids()), wanted, `${wanted.size} events, ${receiver.received.length} deliveries`);
  const seen = new Set<string>();
  const lasts = new Map<string, number>();
  for (const { event } of receiver.received) {
    if (seen.has(event.id)) continue;
    seen.add(event.id);
    if (event.sequence <= (lasts.get(event.orderKey) ?? 0)) t.fail(`event ${event.id} came after a later one of ${event.orderKey}`);
    lasts.set(event.orderKey, event.sequence);
  }
});
