import { jetstream } from '@nats-io/jetstream';
import { test, type Test } from 'tap';
import { leaseKey } from '../../actors/kernel/placement/records.js';
import { SHARED_UNIT } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { EMAIL } from '../actors/borrower/lender.js';
import { type Receiver, receiverFor } from '../gateway/receiver.js';
import { natsServer, type NatsServer } from '../nats.js';
import type { Member } from '../../bench/index.js';
import { TEST_KEY } from '../service/service.js';
import { testCluster, type TestCluster } from './test-cluster.js';
import { NAME } from '../people.js';

/** An event as a reader of any kind gets it. */
interface DeliveredEvent {
  readonly id: string;
  readonly eventType: string;
  readonly orderKey: string;
  readonly sequence: number;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The worker that owns the shared unit, and delivers webhooks. */
async function deliverer(nats: NatsServer, { workers }: { readonly workers: readonly Member[] }): Promise<Member> {
  const records = await nats.records('tenor-members');
  const lease = must(await records.get(leaseKey(SHARED_UNIT.name)), 'the lease of the shared unit');
  const { address } = JSON.parse(Buffer.from(lease.value).toString()) as { readonly address: string };
  return must(
    workers.find(({ name }) => name === address),
    `the worker ${address}`,
  );
}

/** Creates borrowers with two contacts each, through both gateways, until it is stopped; refused requests are ignored. */
function load({ ask }: TestCluster): { stop(): Promise<void> } {
  let isOver = false;
  const callers = Array.from({ length: 6 }, async (_, at) => {
    const gateway = at % 2;
    while (!isOver) {
      const made = await ask('POST', '/people', { name: NAME }, gateway).catch(() => null);
      const id = (made?.json['data'] as { readonly id: string } | undefined)?.id;
      if (id === undefined) await pause(100);
      else
        for (const value of ['one', 'two'])
          await ask('POST', `/people/${id}/contacts`, { ...EMAIL, value: `${value}@example.com` }, gateway).catch(() => null);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

/** The whole log of the test mode, through the gateway, once all units are served. */
async function logOf({ insist }: TestCluster, gateway: number): Promise<readonly DeliveredEvent[]> {
  const all: DeliveredEvent[] = [];
  for (;;) {
    const { status, json } = await insist(
      'GET',
      `/events?order=asc&limit=100${all.length === 0 ? '' : `&startingAfter=${all.at(-1)?.id ?? ''}`}`,
      undefined,
      gateway,
    );
    const page = must(json['data'], `a page, not ${status}`) as readonly DeliveredEvent[];
    all.push(...page);
    if (page.length < 100) return all;
  }
}

/** Checks that each event of the log came, and the first copies of each key in order. */
function cameWhole(t: Test, received: readonly DeliveredEvent[], log: readonly DeliveredEvent[], way: string): void {
  const seen = new Set<string>();
  const lasts = new Map<string, number>();
  for (const { id, orderKey, sequence } of received) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (sequence <= (lasts.get(orderKey) ?? 0)) t.fail(`${way}: ${id} came after a later one of ${orderKey}`);
    lasts.set(orderKey, sequence);
  }
  const missing = log.filter(({ id }) => !seen.has(id));
  t.equal(missing.length, 0, `${way}: ${log.length} events, ${received.length} received`);
}

/** All published events, in the order of the stream, once each of the log is among them. */
async function publishedAt(nats: NatsServer, subject: string, log: readonly DeliveredEvent[]): Promise<readonly DeliveredEvent[]> {
  const consumer = await jetstream(await nats.connect()).consumers.get('EVENTS', { filter_subjects: subject });
  const found: DeliveredEvent[] = [];
  for (const wanted = new Set(log.map(({ id }) => id)); wanted.size > 0; ) {
    for await (const message of await consumer.fetch({ max_messages: 1_000, expires: 1_000 })) {
      const event = message.json<DeliveredEvent>();
      wanted.delete(event.id);
      found.push(event);
    }
  }
  return found;
}

/** The events that a webhook has received, in order, once each of the log is among them. */
async function sentTo({ received }: Receiver, log: readonly DeliveredEvent[]): Promise<readonly DeliveredEvent[]> {
  const missing = (): boolean => {
    const ids = new Set(received.map(({ event }) => event.id));
    return log.some(({ id }) => !ids.has(id));
  };
  while (missing()) await pause(50);
  return received.map(({ event }) => event);
}

/** Reads the stream of events through one gateway and then the other, a few events each, starting after the last one received. */
class WanderingReader {
  readonly ids: string[] = [];
  #isOver = false;
  readonly #reading: Promise<void>;

  constructor(
    private readonly gateways: readonly string[],
    private readonly begin: string,
  ) {
    this.#reading = this.#read();
  }

  /** Resolves when it has received the event. */
  async until(id: string): Promise<void> {
    while (this.ids.at(-1) !== id) await pause(50);
    this.#isOver = true;
    await this.#reading;
  }

  async #read(): Promise<void> {
    for (let round = 0; !this.#isOver; round++) {
      const gateway = must(this.gateways[round % this.gateways.length], 'a gateway');
      await this.#readSome(gateway).catch(() => pause(100)); // refused while units are taken over
    }
  }

  async #readSome(gateway: string): Promise<void> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), 2_000);
    const headers = { Authorization: `Bearer ${TEST_KEY}`, 'Last-Event-ID': this.ids.at(-1) ?? this.begin };
    const { body } = await fetch(`${gateway}/api/events/stream`, { headers, signal: ending.signal });
    const wanted = this.ids.length + 20;
    let text = '';
    for await (const chunk of body ?? []) {
      const lines = (text + Buffer.from(chunk as Uint8Array).toString()).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('id: ')) this.ids.push(line.slice(4));
      if (this.ids.length >= wanted) break;
    }
    clearTimeout(timer);
    ending.abort();
  }
}

/** How the delivering worker leaves: killed, or paused past its lease and resumed when another has taken over. */
const ENDS: Readonly<Record<string, (worker: Member, others: () => Promise<unknown>) => Promise<void>>> = {
  'is killed': async (worker, others) => {
    await worker.end('SIGKILL');
    await others();
  },
  'is stopped past its lease': async (worker, others) => {
    worker.signal('SIGSTOP');
    await others();
    worker.signal('SIGCONT');
    await worker.ended;
  },
};

for (const [end, away] of Object.entries(ENDS).slice(0, process.env['TENOR_KILLS'] === undefined ? 1 : undefined)) {
  test(`the worker that delivers ${end}: no event is lost to a webhook or a subject, and those of one key come in their order`, {
    timeout: 580_000,
  }, async (t) => {
    const nats = await natsServer(t);
    const receiver = await receiverFor(t);
    const cluster = await testCluster(t, {
      workers: 2,
      gateways: 2,
      nats: nats.url,
      environment: { TENOR_OUTGOING_ALLOW: '127.0.0.0/8', TENOR_EVENTS_NATS: nats.url },
    });
    const webhook = {
      webhookType: 'direct',
      eventTypes: ['person.created', 'contact.created'],
      webhookDirectDetails: { webhookUrl: receiver.url },
    };
    t.match(await cluster.insist('POST', '/people', { name: NAME }), { status: 200 });
    const made = await cluster.insist('POST', '/webhooks', webhook);
    t.match(made, { status: 200 });
    const { id, companyId } = made.json['data'] as { readonly id: string; readonly companyId: string };
    const [begin] = await logOf(cluster, 0);
    const reader = new WanderingReader(
      cluster.gateways.map(({ url }) => must(url, 'its address')),
      begin?.id ?? '',
    );
    const loading = load(cluster);
    await receiver.calls(60);
    await away(await deliverer(nats, cluster), () => receiver.calls(receiver.received.length + 60));
    await loading.stop();
    const log = await logOf(cluster, 1);
    const wanted = log.slice(1).filter(({ eventType }) => webhook.eventTypes.includes(eventType));
    cameWhole(t, await sentTo(receiver, wanted), wanted, 'webhook');
    cameWhole(t, await publishedAt(nats, `events.${companyId}.test.>`, log), log, 'subjects');
    await reader.until(log.at(-1)?.id ?? '');
    t.strictSame(
      reader.ids,
      log.slice(1).map((event) => event.id),
      'a stream that is resumed at one gateway and the other, each once and in order',
    );
    const { json } = await cluster.insist('GET', `/webhooks/${id}/messages?status=delivered&limit=100`, undefined, 1);
    const [newest] = json['data'] as readonly { readonly id: string; readonly eventId: string }[];
    const count = receiver.received.length;
    t.match(await cluster.insist('POST', `/webhooks/${id}/messages/${newest?.id ?? ''}/redeliver`, {}, 0), { status: 200 });
    await receiver.calls(count + 1);
    t.equal(
      receiver.received.slice(count).some(({ event }) => event.id === newest?.eventId),
      true,
      'sent again through the other gateway',
    );
  });
}
