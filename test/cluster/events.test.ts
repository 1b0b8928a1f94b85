import { on, once } from 'node:events';
import { request } from 'node:http';
import { type Test, test } from 'tap';
import { WebSocket } from 'ws';
import { BORROWER_UNITS } from '../../actors/index.js';
import { apiKeyAuthenticator, clusterEventSource, keyDirectory, RESOURCE_ROUTES } from '../../gateway/index.js';
import { must } from '../../engine/index.js';
import { loanBody } from '../actors/loan/setting.js';
import { ask as askAt, gatewayFor } from '../gateway/harness.js';
import { type HttpLender, idOf, listOf, openHttpLender } from '../gateway/routes/http-lender.js';
import { NAME } from '../people.js';

type EventJson = Readonly<Record<string, unknown>>;

const idsOf = (events: readonly EventJson[]): readonly string[] => events.map(({ id }) => String(id));

/** The port of another gateway of the same cluster. */
async function anotherGateway(t: Test, { h }: HttpLender): Promise<number> {
  const { here, client } = await must(h.cluster, 'a cluster').cluster.gateway();
  const { gateway } = await gatewayFor(t, {
    routes: RESOURCE_ROUTES,
    engine: client,
    events: clusterEventSource(client.events),
    authenticator: apiKeyAuthenticator(keyDirectory(here)),
  });
  return gateway.port;
}

/** Reads a stream until it has sent so many events. */
async function streamed(port: number, key: string, after: string, count: number, query = ''): Promise<readonly EventJson[]> {
  const opened = request({
    host: '127.0.0.1',
    port,
    path: `/api/events/stream${query}`,
    headers: { 'X-API-KEY': key, 'Last-Event-ID': after },
  }).end();
  const [response] = (await once(opened, 'response')) as [AsyncIterable<Buffer>];
  let text = '';
  for await (const chunk of response) {
    text += chunk.toString('utf8');
    if ((text.match(/^data: .*\n/gm) ?? []).length >= count) break;
  }
  opened.destroy();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as EventJson).slice(0, count);
}

/**
 * The same over WebSockets: a reader that loses one opens the next after its last event. A server in the process of its clients loses one
 * in some hundreds: a newly accepted socket meets what the former owner of its number, a request of ours, has left in the event loop (seen
 * with the server library alone, and never with clients in a process of their own).
 */
async function overSockets(port: number, key: string, after: string, filter: string, count: number): Promise<readonly EventJson[]> {
  const received: EventJson[] = [];
  for (let opened = 0; received.length < count && opened < 3; opened++) {
    const url = `ws://127.0.0.1:${port}/api/events/socket?startingAfter=${String(received.at(-1)?.['id'] ?? after)}&${filter}`;
    const socket = new WebSocket(url, { headers: { 'X-API-KEY': key } });
    for await (const [data] of on(socket, 'message', { close: ['close'] }) as AsyncIterable<[Buffer]>) {
      received.push(JSON.parse(data.toString('utf8')) as EventJson);
      if (received.length === count) break;
    }
    socket.terminate();
  }
  return received;
}

test('who tails the events of a cluster misses none and sees none twice, while all units write and one changes its worker', {
  timeout: 300_000,
}, async (t) => {
  const lender = await openHttpLender(t, 'cluster');
  const { ask, keys, port, h } = lender;
  const other = await anotherGateway(t, lender);
  await ask('POST', '/people', { name: NAME });
  const [first] = listOf(await ask('GET', '/events?limit=1'));
  const begin = String(first?.['id']);
  let isWriting = true;
  const writing = Promise.all(
    [port, other].map(async (gatewayPort) => {
      for (let count = 0; count < 60; count++) {
        if (count === 30 && gatewayPort === port) await must(h.cluster, 'a cluster').cluster.takeOver(must(BORROWER_UNITS[3], 'a unit'));
        if (count % 10 === 0) h.nowMs += 1;
        t.equal((await askAt(gatewayPort, '/api/people', { method: 'POST', body: { name: NAME }, key: keys.test })).status, 200);
      }
    }),
  ).finally(() => (isWriting = false));
  const pulled: EventJson[] = [];
  for (let quiet = 0; isWriting || quiet < 2; ) {
    const gatewayPort = pulled.length % 2 === 0 ? port : other;
    const wasWriting = isWriting; // a page that was asked for before the last event may lack it
    const page = listOf(
      await askAt(gatewayPort, `/api/events?order=asc&limit=7&startingAfter=${String(pulled.at(-1)?.['id'] ?? begin)}`, { key: keys.test }),
    );
    pulled.push(...page);
    quiet = page.length === 0 && !wasWriting ? quiet + 1 : 0;
  }
  await writing;
  const whole: EventJson[] = [];
  for (let more = true; more; ) {
    const page = await ask('GET', `/events?limit=100${whole.length === 0 ? '' : `&startingAfter=${String(whole.at(-1)?.['id'])}`}`);
    whole.push(...listOf(page));
    more = page.json['nextUrl'] !== null;
  }
  const expected = idsOf(whole).slice(0, idsOf(whole).indexOf(begin)).reverse();
  t.equal(expected.length, 120);
  t.strictSame(idsOf(pulled), expected, 'pulled page by page, through either gateway');
  t.strictSame(
    idsOf(await streamed(other, keys.test, begin, expected.length)),
    expected,
    'streamed from an old place through the other gateway',
  );
  t.strictSame(await ask('GET', `/events/${expected[5] ?? ''}`).then(idOf), expected[5]);
});

test('a long poll and a stream get an event of another gateway as it happens', { timeout: 300_000 }, async (t) => {
  const lender = await openHttpLender(t, 'cluster');
  const { ask, keys, port } = lender;
  const other = await anotherGateway(t, lender);
  await ask('POST', '/people', { name: NAME });
  const [last] = listOf(await ask('GET', '/events?limit=1'));
  const after = String(last?.['id']);
  const polled = ask('GET', `/events?order=asc&startingAfter=${after}&waitSeconds=15`);
  const received = streamed(port, keys.test, after, 1);
  const person = idOf(await askAt(other, '/api/people', { method: 'POST', body: { name: NAME }, key: keys.test }));
  t.match(listOf(await polled), [{ personId: person }]);
  t.match(await received, [{ personId: person }]);
  t.strictSame(listOf(await ask('GET', `/events?order=asc&startingAfter=${after}&personId=ext-nobody`)), undefined);
});

test('streams and sockets of either gateway send what their filters select: type, loan, person, case', { timeout: 300_000 }, async (t) => {
  const lender = await openHttpLender(t, 'cluster');
  const { ask, keys, port } = lender;
  const other = await anotherGateway(t, lender);
  const ann = idOf(await ask('POST', '/people', { externalId: 'ann', name: NAME }));
  const [begin] = listOf(await ask('GET', '/events?limit=1'));
  const after = String(begin?.['id']);
  const { id: loanTypeId } = await lender.h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan' });
  const loan = idOf(await ask('POST', `/people/${ann}/loans`, loanBody(loanTypeId, { externalId: 'kitchen' })));
  for (let count = 0; count < 5; count++) await ask('POST', '/people', { name: NAME });
  await ask('PUT', `/people/${ann}`, { metaData: { code: 'x' } });
  const log = listOf(await ask('GET', `/events?order=asc&limit=100&startingAfter=${after}`));
  const filters: Readonly<Record<string, (event: EventJson) => boolean>> = {
    'eventType=person.created': ({ eventType }) => eventType === 'person.created',
    [`loanId=${loan}`]: ({ loanId }) => loanId === loan,
    'personId=ext-ann': ({ personId }) => personId === ann,
    'objectId=ext-kitchen': ({ objectId }) => objectId === loan,
    [`personId=${ann}&eventType=loan.created,loan.statuschanged`]: ({ personId, eventType }) =>
      personId === ann && /^loan\.(created|statuschanged)$/.test(String(eventType)),
  };
  for (const [filter, wants] of Object.entries(filters)) {
    const wanted = idsOf(log.filter(wants));
    t.ok(wanted.length > 0 && wanted.length < log.length, `${filter}: ${wanted.length} of ${log.length}`);
    for (const gatewayPort of [port, other]) {
      t.strictSame(idsOf(await streamed(gatewayPort, keys.test, after, wanted.length, `?${filter}`)), wanted);
      t.strictSame(idsOf(await overSockets(gatewayPort, keys.test, after, filter, wanted.length)), wanted);
    }
  }
  t.strictSame(listOf(await ask('GET', `/events?caseId=CA-AAAA-AAAA&order=asc&startingAfter=${after}`)), [], 'no event is of a case');
  const quiet = overSockets(other, keys.test, after, 'caseId=CA-AAAA-AAAA', 1);
  t.equal(await Promise.race([quiet.then(() => 'received'), new Promise((resolve) => setTimeout(resolve, 500, 'nothing'))]), 'nothing');
});

test('operations of all units are one list, the newest first', async (t) => {
  const { ask } = await openHttpLender(t, 'cluster');
  const made: string[] = [];
  for (let count = 0; count < 12; count++) made.unshift(idOf(await ask('POST', '/people', { name: NAME })));
  const seen: EventJson[] = [];
  for (let cursor = ''; ; cursor = `&startingAfter=${String(seen.at(-1)?.['operationId'])}`) {
    const page = await ask('GET', `/operations?limit=5${cursor}`);
    seen.push(...listOf(page));
    if (page.json['nextUrl'] === null) break;
  }
  t.strictSame(new Set(seen.map(({ resultObjectId }) => resultObjectId)).size, seen.length, 'none twice');
  t.ok(
    made.every((id) => seen.some(({ resultObjectId }) => resultObjectId === id)),
    'none missing',
  );
  const back = await ask('GET', `/operations?limit=5&endingBefore=${String(seen[7]?.['operationId'])}`);
  t.strictSame(
    listOf(back).map(({ operationId }) => operationId),
    seen.slice(2, 7).map(({ operationId }) => operationId),
  );
  t.match(await ask('GET', `/operations/${String(seen[3]?.['operationId'])}`), { status: 200, json: { data: { status: 'succeeded' } } });
  t.match(await ask('GET', '/operations/00000000000000000000000000000000'), { status: 404 });
  t.match(await ask('GET', '/operations?startingAfter=00000000000000000000000000000000'), { status: 400 });
});
