import { test } from 'tap';
import { type Engine, Scheduler, type StoredBlock } from '../../../../actors/index.js';
import { type Opened, openTestEngine } from './open-engine.js';
import { command, COMPANY, query, type Tally } from './tally.js';

const DAY_MS = 86_400_000;
const TALLIES = 300;
const TENANT = { company: COMPANY, mode: 'test' } as const;
const LIVE = { company: COMPANY, mode: 'live' } as const;

const refusal = (errorType: string): Error => ({ errorType }) as unknown as Error;

/** Tallies under external ids `t-0`, `t-1` …, all of them in the snapshots. */
async function filled(mode: 'test' | 'live' = 'test'): Promise<Opened & { readonly ids: readonly string[] }> {
  const opened = await openTestEngine();
  const ids: string[] = [];
  for (let n = 0; n < TALLIES; n++) {
    ids.push(((await opened.engine.execute(command('tally.create', null, { externalId: `t-${n}` }, undefined, mode))).data as Tally).id);
  }
  await opened.engine.snapshot();
  return { ...opened, ids };
}

/** Whether a list would have to wait: before the first round of the event loop no row is read. */
function isReading(engine: Engine): boolean {
  try {
    engine.world.catalog.count(TENANT, 'tally');
    return false;
  } catch {
    return true;
  }
}

test('while the list index is being read an object is found by its id and its external id', async (t) => {
  const { ids, folder, clock, engine: before } = await filled();
  await before.close();
  const { engine } = await openTestEngine({ folder, clock });
  t.ok(isReading(engine));
  const answers = ['ext-t-7', ids[8] ?? '', 'ext-t-299'].map((target) => engine.query(query('tally.get', target)));
  const unknown = engine.query(query('tally.get', 'ext-t-300'));
  const otherMode = engine.query(query('tally.get', 'ext-t-7', {}, 'live'));
  t.ok(isReading(engine), 'nobody has waited');
  t.same(
    ((await Promise.all(answers)) as Tally[]).map(({ id }) => id),
    [ids[7], ids[8], ids[299]],
  );
  await t.rejects(unknown, refusal('notFound'));
  await t.rejects(otherMode, refusal('notFound'));
  await engine.close();
});

test('the engines of one process read their list indexes one after the other, a time slice in a round of the event loop', async (t) => {
  const stored = await Promise.all([1, 2, 3].map(() => filled()));
  for (const { engine } of stored) await engine.close();
  let round = 0;
  let isCounting = true;
  const count = (): void => {
    round += 1;
    if (isCounting) setImmediate(count);
  };
  count();
  const readers = new Map<number, Set<number>>();
  const scheduler = new Scheduler();
  const opened = await Promise.all(
    stored.map(({ folder, clock }, number) =>
      openTestEngine({
        folder,
        clock,
        scheduler,
        wrapStores: (stores) => {
          const { actors } = stores;
          const range = actors.range.bind(actors);
          actors.range = function* (options) {
            for (const entry of range(options)) {
              // Companies are found at once, by reading single rows.
              if (entry[0].startsWith('r/') && options.limit === undefined)
                readers.set(round, (readers.get(round) ?? new Set()).add(number));
              yield entry;
            }
          };
          return stores;
        },
      }),
    ),
  );
  for (const { engine } of opened) await engine.listed();
  isCounting = false;
  t.equal(new Set([...readers.values()].flatMap((each) => [...each])).size, 3, 'all were read');
  t.ok(
    [...readers.values()].every((each) => each.size === 1),
    'never two of them in a round',
  );
  for (const { engine } of opened) await engine.close();
});

test('while the list index is being read an external id is given once', async (t) => {
  const { folder, clock, engine: before } = await filled();
  await before.execute(command('tally.create', null, { externalId: 'in the tail' }));
  const { engine } = await openTestEngine({ folder, clock }); // the first was never closed: it crashed
  t.ok(isReading(engine));
  const tries = ['t-0', 'in the tail', 'new', 'new'].map((externalId) => engine.execute(command('tally.create', null, { externalId })));
  t.ok(isReading(engine));
  const outcomes = await Promise.allSettled(tries);
  t.same(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled', 'rejected'],
  );
  await engine.listed();
  await t.rejects(engine.execute(command('tally.create', null, { externalId: 't-0' })), refusal('duplicate'), 'nor afterwards');
  await engine.close();
});

test('a list that is asked for while the index is being read waits and is complete, in the order of creation', async (t) => {
  const { ids, folder, clock, engine: before } = await filled();
  const tailed = ((await before.execute(command('tally.create', null, { externalId: 'tail' }))).data as Tally).id;
  const { engine } = await openTestEngine({ folder, clock });
  const counted = engine.execute(command('tally.count', ids[5] ?? '', { amount: 3 }));
  const created = engine.execute(command('tally.create', null, { externalId: 'meanwhile' }));
  t.ok(isReading(engine));
  const list = engine.query(query('tally.list', null, { limit: 1_000 }));
  await counted;
  const { id } = (await created).data as Tally;
  t.same(await list, [id, tailed, ...[...ids].reverse()]);
  t.equal(
    engine.world.catalog.get(TENANT, 'tally', ids[5] ?? '')?.fields['count'],
    3,
    'what happened meanwhile counts, not the stored row',
  );
  t.equal(engine.world.catalog.count(TENANT, 'tally'), TALLIES + 2);
  await engine.close();
});

test('a day that is closed while the index is being read misses nobody', async (t) => {
  const { ids, folder, clock, engine: before } = await filled('live');
  await before.execute(command('tally.count', 'ext-t-1', { amount: 1 }, undefined, 'live'));
  await before.close();
  clock.at += DAY_MS;
  const { engine } = await openTestEngine({ folder, clock });
  t.ok(isReading(engine), 'the day has ended while nobody was there: it is closed at once');
  const throughDays = (): readonly (number | undefined)[] => ids.map((id) => engine.stateOf<Tally>(LIVE, 'tally', id)?.doubledDays);
  for (const deadline = Date.now() + 60_000; throughDays().some((days) => days !== 1) && Date.now() < deadline; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  t.ok(throughDays().every((days) => days === 1));
  await engine.close();
});

test('a test mode that is emptied right after a start is empty, now and after the next one', async (t) => {
  const { ids, folder, clock, engine: before } = await filled();
  await before.execute(command('testClock.create', null, {}));
  await before.close();
  const { engine } = await openTestEngine({ folder, clock });
  t.ok(isReading(engine));
  const { items } = (await engine.query(query('testClock.list', null))) as { items: { id: string }[] };
  await engine.execute(command('testClock.delete', items[0]?.id ?? '', {}));
  const kept = engine.execute(command('tally.create', null, { externalId: 't-0' }));
  const { id } = (await kept).data as Tally;
  const assertEmpty = async (served: Engine): Promise<void> => {
    t.same(await served.query(query('tally.list', null)), [id]);
    await t.rejects(served.query(query('tally.get', ids[3] ?? '')), refusal('notFound'));
    await t.rejects(served.query(query('tally.get', 'ext-t-1')), refusal('notFound'));
    t.equal(((await served.query(query('tally.get', 'ext-t-0'))) as Tally).id, id);
  };
  await assertEmpty(engine);
  await engine.close();
  const { engine: again } = await openTestEngine({ folder, clock });
  await assertEmpty(again);
  await again.close();
});

test('a command whose answer contains a list is carried out once while the index is being read', async (t) => {
  const { ids, folder, clock, engine: before } = await filled();
  await before.close();
  const { engine, reports } = await openTestEngine({ folder, clock });
  const target = ids[5] ?? '';
  const counted = engine.execute(command('tally.countAmong', target, { amount: 3 }, 'a key'));
  t.ok(isReading(engine));
  t.same((await counted).data, { id: target, count: 3, among: TALLIES });
  t.same((await engine.execute(command('tally.count', target, { amount: 1 }))).data, { id: target, count: 4 }, 'and its shard takes more');
  t.notOk(reports.some((line) => line.startsWith('error')));
  await engine.close();
});

test('a start yields to other work while it reads a journal: a worker that is silent for long counts as dead', async (t) => {
  const { folder, clock, engine: before } = await openTestEngine();
  for (let n = 0; n < 60; n++) await before.execute(command('tally.create', null, {}));
  let rounds = 0;
  let isReading = true;
  const countRound = (): void => {
    rounds += 1;
    if (isReading) setImmediate(countRound);
  };
  const slow = function* (blocks: Iterable<StoredBlock>): Iterable<StoredBlock> {
    for (const block of blocks) {
      for (const until = performance.now() + 5; performance.now() < until; );
      yield block;
    }
  };
  const { engine } = await openTestEngine({
    // the first was never closed: it crashed
    folder,
    clock,
    wrap: (journal) =>
      new Proxy(journal, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (name === 'read')
            return (after: ReadonlyMap<number, number>) => (setImmediate(countRound), slow(target.read(after) as Iterable<StoredBlock>));
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
  });
  isReading = false;
  // 300 ms, and a time slice lasts 25 at most however long the others' rounds are
  t.ok(rounds >= 6, `${rounds} rounds between sixty blocks that took long`);
  await engine.close();
});

test('a restart while the index is being read keeps every row', async (t) => {
  const { ids, folder, clock, engine: before } = await filled();
  await before.close();
  const { engine: hurried, reports } = await openTestEngine({ folder, clock });
  const counted = hurried.execute(command('tally.count', 'ext-t-9', { amount: 2 }));
  t.ok(isReading(hurried));
  await counted;
  await hurried.close();
  t.notOk(
    reports.some((line) => line.startsWith('error')),
    'an end of the reading is no trouble',
  );
  const { engine } = await openTestEngine({ folder, clock });
  t.same(await engine.query(query('tally.list', null, { limit: 1_000 })), [...ids].reverse());
  t.equal(((await engine.query(query('tally.get', 'ext-t-9'))) as Tally).count, 2);
  await engine.close();
});
