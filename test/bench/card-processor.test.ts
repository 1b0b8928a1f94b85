import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type Test } from 'tap';
import { CardProcessor, type CardProcessorOptions } from '../../bench/bank/card-processor.js';
import { must, parseDay } from '../../engine/index.js';
import { tenor } from './tenor.js';

const day = (text: string) => must(parseDay(text), text);

const OPTIONS: Omit<CardProcessorOptions, 'folder'> = {
  seed: 3,
  declines: new Map(),
  disputes: new Map(),
  winning: 0,
  feeCents: 25,
  apiKey: 'a key',
  webhookSecret: 'a secret',
  callbackUrl: null,
  losing: 0,
  repeating: 0,
};

const CARD = { number: '4111111111111111', token: null };

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const askingOf =
  (url: string) =>
  async (path: string, key: string | null, body?: object, apiKey = 'a key'): Promise<Answer> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(key === null ? {} : { 'idempotency-key': key }) };
    const answer = await fetch(`${url}${path}`, { headers, ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }) });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  };

async function serving(t: Test, processor: CardProcessor): Promise<ReturnType<typeof askingOf>> {
  const server = await processor.serve(0);
  t.teardown(() => server.close());
  return askingOf(server.url);
}

test('the simulated processor does once what it is asked under a key, also after a restart, and keeps no card number', async (t) => {
  const folder = t.testdir({});
  const first = new CardProcessor({ ...OPTIONS, folder });
  const ask = await serving(t, first);
  const asked = { reference: 'LN-1/TX-1', date: '2026-03-02', amount: 500, card: CARD };
  const authorized = await ask('/authorizations', 'k1', asked);
  t.match(authorized, { status: 200, body: { status: 'authorized', id: 'au_1' } });
  t.same(await ask('/authorizations', 'k1', asked), authorized);
  t.equal((await ask('/authorizations', 'k1', { ...asked, amount: 600 })).status, 409);
  t.equal((await ask('/authorizations', null, asked)).status, 400);
  t.equal((await ask('/authorizations', 'k2', asked, 'another key')).status, 401);
  const second = new CardProcessor({ ...OPTIONS, folder });
  const again = await serving(t, second);
  t.same(await again('/authorizations', 'k1', asked), authorized);
  const captured = { reference: 'LN-1/TX-1', date: '2026-03-02', authorizationId: 'au_1', amount: 500 };
  t.match(await again('/captures', 'k3', captured), { body: { status: 'captured', resultDate: '2026-03-02' } });
  t.match(await again('/captures', 'k4', captured), { body: { status: 'declined' } }, 'another key is another capture');
  t.equal((await again('/results/2026-03-02', null)).status, 404);
  t.same((await second.run(day('2026-03-03'))).fundings, [{ cents: 475, reference: 'CARDS20260302' }]);
  t.same((await second.run(day('2026-03-03'))).fundings, [], 'a day is paid once');
  t.match(await again('/results/2026-03-02', null), { status: 200, body: { items: [{ type: 'capture', amount: 500, feeAmount: 25 }] } });
  t.notOk(JSON.stringify(second.ledger).includes(CARD.number));
});

test('it declines and disputes its shares, releases for good, and loses and repeats answers and callbacks', async (t) => {
  const taken: Record<string, unknown>[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>);
      response.writeHead(taken.length === 1 ? 503 : 202).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  t.teardown(() => receiver.close());
  const processor = new CardProcessor({
    ...OPTIONS,
    folder: t.testdir({}),
    declines: new Map([['51', 0.3]]),
    disputes: new Map([['10.4', 1]]),
    repeating: 1,
    callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
  });
  const ask = await serving(t, processor);
  let declined = 0;
  for (let at = 0; at < 40; at += 1) {
    const { body } = await ask('/authorizations', `a${at}`, { reference: `LN-1/TX-${at}`, date: '2026-03-02', amount: 100, card: CARD });
    if (body['code'] === '51') declined += 1;
  }
  t.ok(declined > 4 && declined < 24, `${declined} of 40 are declined`);
  await ask('/releases', 'r', { reference: 'LN-1/TX-99', date: '2026-03-02' });
  const late = await ask('/authorizations', 'late', { reference: 'LN-1/TX-99', date: '2026-03-02', amount: 100, card: CARD });
  t.match(late.body, { status: 'declined', code: 'released' });
  const paid = must(
    processor.ledger.payments.find(({ code }) => code === null),
    'a payment',
  );
  await ask('/captures', 'c', { reference: paid.reference, date: '2026-03-02', authorizationId: paid.id, amount: 100 });
  t.match(await processor.run(day('2026-03-12')), { refused: 1 });
  t.match(await processor.run(day('2026-03-13')), { posted: 2 });
  t.match(taken, [{ status: 'opened' }, { status: 'opened', reasonCode: '10.4', amount: 100 }, { status: 'opened' }]);
  const losing = new CardProcessor({ ...OPTIONS, folder: t.testdir({}), losing: 1 });
  const lost = await serving(t, losing);
  await t.rejects(lost('/authorizations', 'k', { reference: 'LN-1/TX-1', date: '2026-03-02', amount: 100, card: CARD }));
  t.equal(losing.ledger.payments.length, 1, 'it was done, and its answer was lost');
});

test('tenor bank --cards serves a processor', async (t) => {
  const folder = t.testdir({});
  t.match(await tenor({}, 'bank', '--folder', folder, '--cards', '0'), { code: 2, error: /CARDS_API_KEY/ });
  t.match(await tenor({ CARDS_API_KEY: 'k' }, 'bank', '--folder', folder, '--cards', '0', '--decline', 'x'), {
    code: 2,
    error: /--decline/,
  });
  const entryPoint = resolve(import.meta.dirname, '../../tenor.js');
  const parameters = ['bank', '--folder', folder, '--cards', '0', '--every', '1', '--day', '2026-03-02'];
  const child = spawn(process.execPath, [entryPoint, ...parameters], { env: { PATH: process.env['PATH'], CARDS_API_KEY: 'a key' } });
  t.teardown(() => child.kill());
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = /http:\/\/[\d.:]+$/.exec(line)?.[0];
  const answer = await askingOf(must(url, line))('/verifications', 'v', { reference: 'PT-1', date: '2026-03-02', card: CARD, cvv: '123' });
  t.match(answer, { status: 200, body: { status: 'verified', lastFour: '1111' } });
});
