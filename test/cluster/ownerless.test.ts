import { test } from 'tap';
import { BORROWER_UNITS, unitOf } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { idOf, openHttpLender } from '../gateway/routes/http-lender.js';
import { NAME } from '../people.js';

/** Longest wait of a request for an owner, in milliseconds, and a margin for a busy machine. */
const REFUSED_MS = 8_000 + 20_000;
const PEOPLE = 24;

test('what lies in a unit without an owner is refused in time, all else is served, and it comes back by itself', {
  timeout: 300_000,
}, async (t) => {
  const { h, ask } = await openHttpLender(t, 'cluster');
  const { cluster } = must(h.cluster, 'a cluster');
  const people = await Promise.all(Array.from({ length: PEOPLE }, async () => idOf(await ask('POST', '/people', { name: NAME }))));
  const unitOfPerson = (person: string): string => must(unitOf(must(h.engine.world.shardOf(person), person)), person).name;
  const unit = must(
    BORROWER_UNITS.find(({ name }) => name === unitOfPerson(people[0] ?? '')),
    'the unit of the first',
  );
  const within = people.filter((person) => unitOfPerson(person) === unit.name);
  const worker = must(
    cluster.workers.find(({ units }) => units.includes(unit.name)),
    'its owner',
  );
  await worker.giveUp([unit.name]);

  const begunMs = performance.now();
  let isAnyRefused = false;
  const refused = Promise.all(
    [
      ...within.map((person) => ask('GET', `/people/${person}`)),
      ask('PUT', `/people/${within[0] ?? ''}`, {}),
      ask('GET', '/people?limit=1'),
    ].map((asked) => asked.finally(() => (isAnyRefused = true))),
  );
  const others = await Promise.all(people.filter((person) => !within.includes(person)).map((person) => ask('GET', `/people/${person}`)));
  t.ok(others.every(({ status }) => status === 200));
  t.notOk(isAnyRefused, 'the others wait for nobody');
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

test('what is asked while a lease has lapsed for a moment is answered once it is back, and not before', { timeout: 300_000 }, async (t) => {
  const { h, ask } = await openHttpLender(t, 'cluster');
  const { cluster } = must(h.cluster, 'a cluster');
  const person = idOf(await ask('POST', '/people', { name: NAME }));
  const unit = must(unitOf(must(h.engine.world.shardOf(person), person)), person);
  let isAnswered = false;
  cluster.lapsed.add(unit.name);
  const asked = [ask('GET', `/people/${person}`), ask('PUT', `/people/${person}`, { metaData: { code: 'x' } })].map((one) =>
    one.finally(() => (isAnswered = true)),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  t.notOk(isAnswered);
  cluster.lapsed.delete(unit.name);
  for (const { status } of await Promise.all(asked)) t.equal(status, 200);
  t.match((await ask('GET', `/people/${person}`)).json, { data: { metaData: { code: 'x' } } });
});
