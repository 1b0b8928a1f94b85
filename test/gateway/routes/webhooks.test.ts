import { createHmac } from 'node:crypto';
import { test } from 'tap';
import { EMAIL } from '../../actors/borrower/lender.js';
import { type Received, type Receiver, receiverFor } from '../receiver.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

type Data = Record<string, unknown>;

const subscription = ({ url }: Pick<Receiver, 'url'>, changes: object = {}): object => ({
  webhookType: 'direct',
  eventTypes: ['person.created'],
  webhookDirectDetails: { webhookUrl: url },
  ...changes,
});

const secretOf = (webhook: Data): string => String((webhook['webhookDirectDetails'] as Data)['hmacSecretKey']);

/** The signature as a receiver computes it, by the convention of Standard Webhooks. */
function signatureOf(secret: string, { headers, text }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

async function addPeople({ ask }: HttpLender, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push(idOf(await ask('POST', '/people', { name: NAME })));
  return ids;
}

/** Waits until the log of a webhook meets the condition: it is written a moment after sending. */
async function logWhen({ ask }: HttpLender, webhookId: string, holds: (log: readonly Data[]) => boolean): Promise<readonly Data[]> {
  for (;;) {
    const log = listOf(await ask('GET', `/webhooks/${webhookId}/messages`));
    if (holds(log)) return log;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const areAll =
  (status: string, count: number) =>
  (log: readonly Data[]): boolean =>
    log.length === count && log.every((message) => message['status'] === status);

test('a webhook gets the events of its types, signed, from its creation on', async (t) => {
  const lender = await openHttpLender(t);
  const receiver = await receiverFor(t);
  await addPeople(lender, 1);
  const created = await lender.ask('POST', '/webhooks', subscription(receiver, { description: 'our ledger', metaData: { team: 'a' } }));
  t.match(created, { status: 200 });
  const webhook = dataOf(created);
  t.match(webhook, {
    id: /^WH-/,
    object: 'webhook',
    companyId: lender.company,
    webhookType: 'direct',
    eventTypes: ['person.created'],
    enabled: true,
    hydrateData: false,
    apiVersion: '2023-11-29',
    webhookDirectDetails: { webhookUrl: receiver.url, hmacSecretKey: /^whsec_/ },
    description: 'our ledger',
    metaData: { team: 'a' },
    status: 'healthy',
    deletedAt: null,
  });
  await lender.h.webhooks.tick();
  const people = await addPeople(lender, 3);
  await lender.ask('PUT', `/people/${people[0]}`, { metaData: { code: 'x' } });
  const received = await receiver.calls(3);
  t.strictSame(received.map(({ event }) => event.personId).sort(), [...people].sort());
  const pulled = listOf(await lender.ask('GET', '/events?eventType=person.created&limit=3'));
  const [first] = received;
  t.strictSame(
    JSON.parse(first?.text ?? ''),
    pulled.find((event) => event['id'] === first?.event.id),
    'the body is the event as the pull gives it',
  );
  t.match(first?.headers, {
    'content-type': 'application/json',
    'webhook-id': first?.event.id,
    'x-event-id': first?.event.id,
    'x-event-type': 'person.created',
    'x-message-id': /^EM-/,
    'x-delivery-attempt': '1',
  });
  if (first) t.equal(first.headers['webhook-signature'], signatureOf(secretOf(webhook), first));
  const log = await logWhen(lender, String(webhook['id']), areAll('delivered', 3));
  t.match(log[0], {
    id: /^EM-/,
    object: 'eventMessage',
    eventType: 'person.created',
    webhookId: webhook['id'],
    status: 'delivered',
    nextAttemptAt: null,
    attempts: [{ responseStatus: 200, error: null }],
  });
  const ofEvent = listOf(await lender.ask('GET', `/events/${first?.event.id ?? ''}/messages`));
  t.match(ofEvent, [{ id: first?.headers['x-message-id'], status: 'delivered' }]);
  t.strictSame(listOf(await lender.ask('GET', `/events/${first?.event.id ?? ''}/messages?status=failed`)), []);
  t.strictSame(lender.failures, []);
});

test('the signing key is shown when it is created, also to a retry, and is stored encrypted', async (t) => {
  const lender = await openHttpLender(t);
  const receiver = await receiverFor(t);
  const question = { headers: { 'Idempotency-Key': 'hook-1' } };
  const first = await lender.ask('POST', '/webhooks', subscription(receiver), question);
  const again = await lender.ask('POST', '/webhooks', subscription(receiver), question);
  t.strictSame(dataOf(again), dataOf(first));
  t.equal(again.headers['idempotent-replayed'], 'true');
  const id = idOf(first);
  t.match(dataOf(await lender.ask('GET', `/webhooks/${id}`)), { webhookDirectDetails: { webhookUrl: receiver.url, hmacSecretKey: null } });
  t.match(listOf(await lender.ask('GET', '/webhooks')), [{ id, webhookDirectDetails: { hmacSecretKey: null } }]);
  const old = secretOf(dataOf(first));
  const rotated = secretOf(dataOf(await lender.ask('POST', `/webhooks/${id}/rotate-secret`)));
  t.not(rotated, old);
  await lender.h.webhooks.tick();
  await addPeople(lender, 1);
  const [both] = await receiver.calls(1);
  if (both)
    t.equal(both.headers['webhook-signature'], `${signatureOf(rotated, both)} ${signatureOf(old, both)}`, 'both keys sign for a day');
  lender.h.nowMs += 24 * 3_600_000 + 1;
  await addPeople(lender, 1);
  const [, newest] = await receiver.calls(2);
  if (newest) t.equal(newest.headers['webhook-signature'], signatureOf(rotated, newest));
  await lender.h.engine.snapshot();
  const written = lender.h.written();
  for (const secret of [old, rotated]) t.notOk(written.includes(secret) || written.includes(secret.slice(6)));
});

test('a message is retried by the schedule and then fails; later ones of its key wait for three attempts', async (t) => {
  const lender = await openHttpLender(t);
  const receiver = await receiverFor(t);
  const id = idOf(await lender.ask('POST', '/webhooks', subscription(receiver, { eventTypes: ['person.created', 'contact.created'] })));
  await lender.h.webhooks.tick();
  const first = idOf(await lender.ask('POST', '/people', { name: NAME }));
  await receiver.calls(1);
  let isFailing = true;
  receiver.answer = (response, { event }) => response.writeHead(isFailing && event.eventType === 'person.created' ? 500 : 204).end();
  const [person] = await addPeople(lender, 1);
  await lender.ask('POST', `/people/${person}/contacts`, EMAIL);
  await lender.ask('POST', `/people/${first}/contacts`, EMAIL);
  await receiver.calls(3);
  const sent = receiver.received.map(({ event }) => `${event.eventType} ${event.personId}`);
  t.strictSame(sent.slice(1).sort(), [`contact.created ${first}`, `person.created ${person}`], 'other keys do not wait');
  const tries = async (count: number): Promise<Data> => {
    const isIt = (message: Data): boolean => (message['attempts'] as unknown[]).length === count && message['status'] !== 'delivered';
    return (await logWhen(lender, id, (messages) => messages.some(isIt))).find(isIt) ?? {};
  };
  let failed = await tries(1);
  const minutes: number[] = [];
  for (let count = 2; count <= 9; count++) {
    const due = Date.parse(String(failed['nextAttemptAt']));
    minutes.push(Math.round((due - lender.h.nowMs) / 60_000));
    const { length } = receiver.received;
    lender.h.nowMs = due - 1;
    await lender.h.webhooks.tick();
    t.equal(receiver.received.length, length, 'not before its time');
    lender.h.nowMs = due;
    await lender.h.webhooks.tick();
    failed = await tries(count);
    if (count === 3) await logWhen(lender, id, (log) => log.filter((message) => message['status'] === 'delivered').length === 3);
    const isNextSent = receiver.received.some(({ event }) => event.eventType === 'contact.created' && event.personId === person);
    t.equal(isNextSent, count >= 3, `the next of the key after ${count} tries`);
  }
  t.strictSame(minutes, [1, 5, 15, 60, 180, 360, 720, 1440]);
  t.match(failed, { status: 'failed', nextAttemptAt: null, deliveredAt: null });
  t.match(listOf(await lender.ask('GET', `/webhooks/${id}/messages?status=failed&eventType=person.created`)), [{ id: failed['id'] }]);
  isFailing = false;
  const { length } = receiver.received;
  t.match(await lender.ask('POST', `/webhooks/${id}/messages/${String(failed['id'])}/redeliver`), {
    status: 200,
    json: { data: { status: 'pending' } },
  });
  await receiver.calls(length + 1);
  t.equal(receiver.received.at(-1)?.event.id, failed['eventId'], 'sent again by hand');
  await logWhen(lender, id, areAll('delivered', 4));
  t.match(await lender.ask('POST', `/webhooks/${id}/messages/EM-AAAA-1111/redeliver`), { status: 404 });
});

test('a message is sent again by hand at any moment of its last attempt', async (t) => {
  const lender = await openHttpLender(t);
  const receiver = await receiverFor(t);
  const id = idOf(await lender.ask('POST', '/webhooks', subscription(receiver)));
  await lender.h.webhooks.tick();
  const { store } = lender.h.webhooks;
  const write = store.write.bind(store);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  store.write = async (entries) => {
    await write(entries);
    if (receiver.received.length === 1) await finished; // the outcome is on the disk, and the attempt has not ended
  };
  await addPeople(lender, 1);
  const [message] = await logWhen(lender, id, areAll('delivered', 1));
  const again = lender.ask('POST', `/webhooks/${id}/messages/${String(message?.['id'])}/redeliver`);
  setTimeout(finish, 50);
  t.match(await again, { status: 200, json: { data: { status: 'pending' } } });
  await receiver.calls(2);
  t.strictSame(new Set(receiver.ids()), new Set([message?.['eventId']]));
  await logWhen(lender, id, ([sent]) => (sent?.['attempts'] as unknown[]).length === 2);
});

test('three days without a delivery disable a webhook, a 410 at once; enabled again it sends new events', async (t) => {
  const lender = await openHttpLender(t);
  const [dead, gone] = [await receiverFor(t), await receiverFor(t)];
  dead.answer = (response) => response.destroy();
  gone.answer = (response) => response.writeHead(410).end();
  const [deadId, goneId] = [
    idOf(await lender.ask('POST', '/webhooks', subscription(dead))),
    idOf(await lender.ask('POST', '/webhooks', subscription(gone))),
  ];
  await lender.h.webhooks.tick();
  await addPeople(lender, 1);
  await Promise.all([dead.calls(1), gone.calls(1)]);
  for (;;) {
    if (dataOf(await lender.ask('GET', `/webhooks/${goneId}`))['enabled'] === false) break;
  }
  t.match(dataOf(await lender.ask('GET', `/webhooks/${goneId}`)), { enabled: false, status: 'disabledByFailures' });
  await logWhen(lender, deadId, (log) => log[0]?.['nextAttemptAt'] !== null);
  lender.h.nowMs += 61_000;
  await lender.h.webhooks.tick();
  await dead.calls(2);
  t.match(dataOf(await lender.ask('GET', `/webhooks/${deadId}`)), { enabled: true, status: 'failing' });
  const attempted = (count: number) => logWhen(lender, deadId, ([sent]) => (sent?.['attempts'] as unknown[]).length === count);
  await attempted(2);
  const threeDaysMs = 3 * 24 * 3_600_000;
  lender.h.nowMs += threeDaysMs;
  lender.h.jumpedMs += threeDaysMs;
  await lender.h.webhooks.tick();
  await attempted(3);
  t.match(
    dataOf(await lender.ask('GET', `/webhooks/${deadId}`)),
    { enabled: true, status: 'failing' },
    'a clock that is set ahead disables nothing',
  );
  lender.h.nowMs += threeDaysMs;
  await lender.h.webhooks.tick();
  t.match(dataOf(await lender.ask('GET', `/webhooks/${deadId}`)), { enabled: false, status: 'disabledByFailures' });
  await lender.h.webhooks.tick();
  t.match(listOf(await lender.ask('GET', `/webhooks/${deadId}/messages`)), [{ status: 'canceled', nextAttemptAt: null }]);
  await addPeople(lender, 1);
  dead.answer = (response) => response.end();
  t.match(dataOf(await lender.ask('PUT', `/webhooks/${deadId}`, { enabled: true })), { enabled: true, status: 'healthy' });
  await lender.h.webhooks.tick();
  const before = dead.received.length;
  const [person] = await addPeople(lender, 1);
  await dead.calls(before + 1);
  t.equal(dead.received.at(-1)?.event.personId, person);
  t.equal(dead.received.length, before + 1, 'not what came while it was disabled');
});

test('a period is replayed, and a sample is sent', async (t) => {
  const lender = await openHttpLender(t);
  const receiver = await receiverFor(t);
  const from = new Date(lender.h.nowMs).toISOString();
  const people = await addPeople(lender, 5);
  lender.h.nowMs += 60_000;
  const to = new Date(lender.h.nowMs).toISOString();
  const id = idOf(await lender.ask('POST', '/webhooks', subscription(receiver)));
  await lender.h.webhooks.tick();
  await addPeople(lender, 1);
  await receiver.calls(1);
  const replay = await lender.ask('POST', `/webhooks/${id}/replay`, { from, to });
  t.match(replay, { status: 200, json: { data: { kind: 'webhook.replay' } } });
  await receiver.calls(6);
  t.strictSame(new Set(receiver.received.slice(1).map(({ event }) => event.personId)), new Set(people));
  const operationId = String(dataOf(replay)['operationId']);
  for (;;) if (dataOf(await lender.ask('GET', `/operations/${operationId}`))['status'] === 'succeeded') break;
  t.match(await lender.ask('POST', `/webhooks/${id}/replay`, { from: to, to: from }), { status: 400 });
  t.match(await lender.ask('POST', `/webhooks/${id}/replay`, { from, to, eventTypes: ['no.event'] }), { status: 400 });
  const sample = await lender.ask('POST', `/webhooks/${id}/test`, { eventType: 'loan.created' });
  t.match(sample, { status: 200, json: { data: { status: 'delivered', eventType: 'loan.created', attempts: [{ responseStatus: 200 }] } } });
  t.match(receiver.received.at(-1)?.event, { id: /^EV-/, eventType: 'loan.created', objectType: 'loan', data: {} });
  receiver.answer = (response) => response.writeHead(302, { Location: 'http://127.0.0.1/' }).end();
  t.match(await lender.ask('POST', `/webhooks/${id}/test`, {}), {
    status: 200,
    json: { data: { status: 'failed', attempts: [{ responseStatus: 302, error: 'answered 302' }] } },
  });
  t.match(await lender.ask('POST', `/webhooks/${id}/test`, { eventType: 'no.event' }), { status: 400 });
});

test('hydrated payloads show what the creator of the webhook may read', async (t) => {
  const lender = await openHttpLender(t);
  const receiver = await receiverFor(t);
  t.match(await lender.ask('POST', '/webhooks', subscription(receiver, { hydrateData: true })), { status: 200 });
  await lender.h.webhooks.tick();
  const [person] = await addPeople(lender, 1);
  const [received] = await receiver.calls(1);
  t.match(received?.event, { personId: person, hydrated: { id: person, object: 'person' } });
});

test('a webhook is sent back as it is read', async (t) => {
  const { ask } = await openHttpLender(t);
  const direct = { webhookType: 'direct', eventTypes: ['loan.created'], webhookDirectDetails: { webhookUrl: 'https://example.com/x' } };
  const made = await ask('POST', '/webhooks', { ...direct, webhookProxyDetails: null });
  t.equal(made.status, 200);
  const path = `/webhooks/${idOf(made)}`;
  const shown = dataOf(await ask('GET', path));
  t.equal(shown['webhookProxyDetails'], null);
  t.match(await ask('PUT', path, { ...shown, description: 'sent back' }), { status: 200, json: { data: { description: 'sent back' } } });
  t.match(await ask('PUT', path, { webhookDirectDetails: null }), { status: 400, json: { errors: [{ path: 'webhookDirectDetails' }] } });
  t.match(dataOf(await ask('GET', path)), { webhookDirectDetails: { webhookUrl: 'https://example.com/x' } });
});

test('a webhook that contradicts itself, a private address and a twenty-first one are refused', async (t) => {
  const lender = await openHttpLender(t);
  const refused = (changes: object): Promise<{ readonly status: number }> =>
    lender.ask('POST', '/webhooks', subscription({ url: 'https://example.com/hooks' }, changes));
  const addressed = (webhookUrl: string): Promise<{ readonly status: number }> => refused({ webhookDirectDetails: { webhookUrl } });
  for (const url of [
    'http://example.com/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://0x7f.1:1/',
    'https://[::ffff:10.0.0.1]/',
    'ftp://example.com/',
    'https://a:b@example.com/',
    'nonsense',
  ]) {
    const expected = url.startsWith('https://0x7f.1') ? 200 : 400; // 127.0.0.1, which this test's operator allows
    t.match(await addressed(url), { status: expected }, url);
  }
  t.match(await refused({ eventTypes: [] }), { status: 400, json: { errors: [{ path: 'eventTypes' }] } });
  t.match(await refused({ eventTypes: ['person.created', 'no.event'] }), { status: 400, json: { errors: [{ path: 'eventTypes[1]' }] } });
  t.match(await refused({ webhookDirectDetails: undefined }), { status: 400 });
  t.match(await refused({ webhookType: 'other' }), { status: 400 });
  const proxy = {
    webhookType: 'proxyCardProcessor',
    webhookProxyDetails: { providerId: 'p-1', baseUrl: 'https://cards.example.com', login: 'user-name', transactionKey: 'key-text' },
  };
  t.match(await lender.ask('POST', '/webhooks', proxy), {
    status: 400,
    json: { errors: [{ path: 'webhookType', expected: 'direct' }] },
  });
  t.match((await lender.ask('GET', '/webhooks')).json, { total: 1 });
  const { url } = await receiverFor(t);
  for (let count = 1; count < 20; count++) t.match(await lender.ask('POST', '/webhooks', subscription({ url })), { status: 200 });
  t.match(await lender.ask('POST', '/webhooks', subscription({ url })), { status: 422 });
  t.match((await lender.ask('GET', '/webhooks?enabled=false&limit=100')).json, { count: 0 });
  t.match((await lender.ask('GET', '/webhooks?enabled=true&limit=100')).json, { count: 20, total: 20 });
  const [last] = listOf(await lender.ask('GET', '/webhooks'));
  t.match(await lender.ask('DELETE', `/webhooks/${String(last?.['id'])}`), { status: 200 });
  t.match(await lender.ask('GET', `/webhooks/${String(last?.['id'])}`), { status: 404 });
  t.match(await lender.ask('GET', `/webhooks/${String(last?.['id'])}/messages`), { status: 404 });
  t.match(
    await lender.ask('GET', '/webhooks', undefined, { key: lender.keys.live }),
    { status: 200, json: { count: 0 } },
    'the other mode has its own',
  );
});
