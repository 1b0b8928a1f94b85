import { test } from 'tap';
import type { Bus, Unanswered } from '../../../actors/index.js';
import { Random } from '../../random.js';
import { SEED } from '../../seed.js';

type Test = { teardown(run: () => void | Promise<void>): void };

const WAIT_MS = 60_000;
const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const echo = async (request: Uint8Array): Promise<Uint8Array> => Uint8Array.from(request);
const unanswered = (why: Unanswered['why']): Error => ({ name: 'Unanswered', why }) as unknown as Error;

/** Requirements of every bus, over any transport. `join` opens the bus of one more process. */
export function conforms(name: string, setUp: (t: Test) => Promise<{ join(): Promise<Bus> }>): void {
  test(`${name}: an answer comes back to its request, many at once`, async (t) => {
    const { join } = await setUp(t);
    const [near, far] = [await join(), await join()];
    await far.serve('unit.1', async (request) => bytesOf(`1:${Buffer.from(request)}`));
    await far.serve('unit.2', async (request) => bytesOf(`2:${Buffer.from(request)}`));
    const asked = Array.from({ length: 2_000 }, (_, at) => [`unit.${1 + (at % 2)}`, `r${at}`] as const);
    const answers = await Promise.all(asked.map(([address, text]) => near.ask(address, bytesOf(text), WAIT_MS)));
    t.same(
      answers.map((answer) => Buffer.from(answer).toString()),
      asked.map(([address, text]) => `${address.slice(5)}:${text}`),
    );
  });

  test(`${name}: requests and answers of any size arrive whole (seed ${SEED})`, async (t) => {
    const { join } = await setUp(t);
    const [near, far] = [await join(), await join()];
    await far.serve('unit.1', echo);
    const random = new Random(SEED);
    const sizes = [0, 1, 65_000, 65_536, 200_000, 3_000_000, ...Array.from({ length: 20 }, () => random.below(150_000))];
    await Promise.all(
      sizes.map(async (size) => {
        const request = Buffer.alloc(size, `${size}.`);
        t.ok(request.equals(await near.ask('unit.1', request, WAIT_MS)), `${size} bytes`);
      }),
    );
  });

  test(`${name}: requests of one asker reach an address in the order of asking`, async (t) => {
    const { join } = await setUp(t);
    const [near, far] = [await join(), await join()];
    const seen: string[] = [];
    await far.serve('unit.1', async (request) => {
      seen.push(Buffer.from(request).toString());
      return request;
    });
    const texts = Array.from({ length: 300 }, (_, at) => `${at}`);
    await Promise.all(texts.map((text) => near.ask('unit.1', bytesOf(text), WAIT_MS)));
    t.same(seen, texts);
  });

  test(`${name}: a request to an address that nobody serves is refused at once`, async (t) => {
    const { join } = await setUp(t);
    const [near, far] = [await join(), await join()];
    await t.rejects(near.ask('unit.9', bytesOf('x'), WAIT_MS), unanswered('nobody'));
    const stop = await far.serve('unit.9', echo);
    t.same(Buffer.from(await near.ask('unit.9', bytesOf('x'), WAIT_MS)), Buffer.from('x'));
    await stop();
    await t.rejects(near.ask('unit.9', bytesOf('x'), WAIT_MS), unanswered('nobody'));
  });

  test(`${name}: a request times out, and its late answer is dropped`, async (t) => {
    const { join } = await setUp(t);
    const [near, far] = [await join(), await join()];
    let answer = (_bytes: Uint8Array): void => undefined;
    await far.serve('unit.1', (request) =>
      request[0] === 0
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : echo(request),
    );
    await t.rejects(near.ask('unit.1', Uint8Array.of(0), 100), unanswered('late'));
    answer(bytesOf('too late'));
    t.same(Buffer.from(await near.ask('unit.1', Uint8Array.of(7), WAIT_MS)), Buffer.from([7]));
  });

  test(`${name}: where several serve an address the first answer counts, and null is no answer`, async (t) => {
    const { join } = await setUp(t);
    const [near, one, other] = [await join(), await join(), await join()];
    await one.serve('unit.1', async () => null);
    await other.serve('unit.1', async () => bytesOf('here'));
    t.equal(Buffer.from(await near.ask('unit.1', bytesOf('x'), WAIT_MS)).toString(), 'here');
  });

  test(`${name}: requests that wait when a bus is closed are refused`, async (t) => {
    const { join } = await setUp(t);
    const [near, far] = [await join(), await join()];
    await far.serve('unit.1', () => new Promise(() => undefined));
    const asked = t.rejects(near.ask('unit.1', bytesOf('x'), WAIT_MS), unanswered('away'));
    await new Promise((resolve) => setImmediate(resolve));
    await near.close();
    await asked;
  });
}
