import { test } from 'tap';
import { BORROWER_UNITS, unitOf } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { idOf, openBookOverHttp } from '../gateway/routes/book-over-http.js';

/** Longest wait of a request for an owner, in milliseconds, and what a busy machine adds. */
const REFUSED_MS = 8_000 + 4_000;
const PEOPLE = 24;

test('what lies in a unit without an owner is refused in time, all else is served, and it comes back by itself', { timeout: 60_000 }, async (t) => {
  const { h, ask } = await openBookOverHttp(t, 'cluster');
  const { cluster } = must(h.cluster, 'a cluster');
  const people = await Promise.all(Array.from({ length: PEOPLE }, async () => idOf(await ask('POST', '/people', {}))));
  const unitOfPerson = (person: string): string => must(unitOf(must(h.engine.world.shardOf(person), person)), person).name;
  const unit = must(BORROWER_UNITS.find(({ name }) => name === unitOfPerson(people[0] ?? '')), 'the unit of the first');
  const within = people.filter((person) => unitOfPerson(person) === unit.name);
  const worker = must(cluster.workers.find(({ units }) => units.includes(unit.name)), 'its owner');
  await worker.giveUp([unit.name]);

  const begunMs = performance.now();
  const refused = Promise.all([...within.map((person) => ask('GET', `/people/${person}`)), ask('PUT', `/people/${within[0] ?? ''}`, {}), ask('GET', '/people?limit=1')]);
  for (const person of people) if (!within.includes(person)) t.equal((await ask('GET', `/people/${person}`)).status, 200);
  t.ok(performance.now() - begunMs < REFUSED_MS / 2, 'the others wait for nobody');
  for (const { status, headers } of await refused) {
    t.equal(status, 503);
    t.ok(Number(headers['retry-after']) > 0);
  }
  t.ok(performance.now() - begunMs < REFUSED_MS);

  const waiting = ask('GET', `/people/${within[0] ?? ''}`);
  worker.taken([{ unit: unit.name }]);
  t.equal((await waiting).status, 200, 'who waits is answered by the next owner');
  t.equal((await ask('GET', '/people?limit=1')).json['total'], PEOPLE);
});
