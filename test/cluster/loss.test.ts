import { join } from 'node:path';
import { test } from 'tap';
import { must } from '../../engine/index.js';
import { EMAIL } from '../actors/borrower/lender.js';
import { StoredStream } from '../nats-store.js';
import type { Answer } from '../service/service.js';
import { idOf, serves, until } from './load.js';
import { testCluster } from './test-cluster.js';
import { NAME } from '../people.js';

const JOURNAL = 'tenor-journal';
/** So many that it is nearly impossible for half of them to share the unit of one. */
const PEOPLE = 16;
/** Longest wait for a unit without an owner. */
const REFUSED_MS = 45_000;

test('a shard with records that the server has lost stops and is refused in time by every owner; all others are served', {
  timeout: 580_000,
}, async (t) => {
  const cluster = await testCluster(t, { workers: 2, gateways: 1 });
  t.ok(await until(serves(cluster)));
  const people: string[] = [];
  for (let made = 0; made < PEOPLE; made += 1) people.push(idOf(await cluster.insist('POST', '/people', { name: NAME })));
  const hurt = must(people.at(-1), 'somebody');
  const contact = (person: string): Promise<Answer> =>
    cluster.ask('POST', `/people/${person}/contacts`, { ...EMAIL, value: `${people.indexOf(person)}@example.com` });

  await cluster.server.stop('SIGKILL');
  const stored = new StoredStream(join(cluster.data, 'nats'), JOURNAL);
  const last = must(stored.messages.at(-1), 'the last message');
  stored.loseFrom(last.sequence);
  await cluster.server.start();
  t.ok(await until(serves(cluster)), 'all is served: nobody has missed anything yet');

  t.match(await contact(hurt), { status: 503 }, 'the next append misses it');
  await isRefused('while its worker lives');
  const owner = must(cluster.workers[0], 'a worker');
  await owner.end('SIGKILL');
  await isRefused('by the next owner');

  async function isRefused(when: string): Promise<void> {
    const begun = performance.now();
    const answer = await contact(hurt);
    t.match(answer, { status: 503 }, when);
    t.ok(Number(answer.retryAfterSeconds) > 0 && performance.now() - begun < REFUSED_MS, 'in time, with a time after which to try again');
    t.ok(await until(async () => (await areServed()) > PEOPLE / 2), 'the others are served');
  }

  /** How many of the others are answered: some may share the unit. */
  async function areServed(): Promise<number> {
    return (await Promise.all(people.slice(0, -1).map(contact))).filter(({ status }) => status < 300).length;
  }
});
