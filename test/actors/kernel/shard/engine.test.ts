import { test } from 'tap';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { command, query, type Tally } from './tally.js';
import { openTestEngine } from './open-engine.js';

/** A refusal that a promise must reject with. */
const refusal = (errorType: string): Error => ({ errorType }) as unknown as Error;

test('a command is answered, and what it did is read by its id, its external id and its list', async (t) => {
  const { engine } = await openTestEngine();
  const made = await engine.execute(command('tally.create', null, { externalId: 'first' }));
  const { id } = made.data as Tally;
  await engine.execute(command('tally.count', id, { amount: 3 }));
  t.equal(((await engine.query(query('tally.get', 'ext-first'))) as Tally).count, 3);
  t.strictSame(await engine.query(query('tally.list', null)), [id]);
  await t.rejects(engine.query(query('tally.get', id, {}, 'live')), refusal('notFound'), 'the other mode does not see it');
  await engine.close();
});

test('after a restart everything is there, from the journal alone and from snapshots with its tail', async (t) => {
  const first = await openTestEngine();
  const { id } = (await first.engine.execute(command('tally.create', null, {}))).data as Tally;
  await first.engine.execute(command('tally.count', id, { amount: 5 }));
  const crashed = await openTestEngine({ folder: first.folder, clock: first.clock });
  t.equal(((await crashed.engine.query(query('tally.get', id))) as Tally).count, 5, 'from the journal');
  await crashed.engine.snapshot();
  await crashed.engine.execute(command('tally.count', id, { amount: 2 }));
  const again = await openTestEngine({ folder: first.folder, clock: first.clock });
  t.ok(again.engine.recovery.records < 10, 'the snapshot stands for most of the journal');
  t.equal(((await again.engine.query(query('tally.get', id))) as Tally).count, 7, 'from the snapshot and the tail');
  const events = (await again.engine.query(query('event.list', null, { order: 'asc' }))) as { items: { sequence: number }[] };
  t.strictSame(
    events.items.map((event) => event.sequence),
    [1, 2],
    'events keep their numbers',
  );
  await again.engine.close();
});

test('a retry under the same key is answered the same and applied once, also after a restart', async (t) => {
  const first = await openTestEngine();
  const { id } = (await first.engine.execute(command('tally.create', null, {}, 'create-1'))).data as Tally;
  const once = await first.engine.execute(command('tally.count', id, { amount: 4 }, 'count-1'));
  const twice = await first.engine.execute(command('tally.count', id, { amount: 4 }, 'count-1'));
  t.equal(once.replayed, false);
  t.equal(twice.replayed, true);
  await t.rejects(first.engine.execute(command('tally.count', id, { amount: 5 }, 'count-1')), refusal('idempotencyConflict'));
  const again = await openTestEngine({ folder: first.folder, clock: first.clock });
  const later = await again.engine.execute(command('tally.count', id, { amount: 4 }, 'count-1'));
  t.equal(later.replayed, true);
  t.equal((later.data as { text: string }).text, JSON.stringify(once.data));
  t.equal(((await again.engine.query(query('tally.get', id))) as Tally).count, 4);
  const made = await again.engine.execute(command('tally.create', null, {}, 'create-1'));
  t.equal(made.replayed, true, 'a new root is made once');
  await again.engine.close();
});

test('while more than the bound waits to be stored, commands are refused, reads go on, and a snapshot makes room', async (t) => {
  const { engine } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  for (let actor = 0; actor < LIMITS.dirty; actor++) engine.world.dirty.add(`gone-${actor}`);
  await t.rejects(engine.execute(command('tally.count', id, { amount: 1 })), {
    errorType: 'unavailable',
    retryAfterSeconds: 1,
  } as unknown as Error);
  t.equal(((await engine.query(query('tally.get', id))) as Tally).count, 0);
  await engine.snapshot();
  await engine.execute(command('tally.count', id, { amount: 1 }));
  t.equal(((await engine.query(query('tally.get', id))) as Tally).count, 1);
  await engine.close();
});

test('a refusal changes nothing and is not stored', async (t) => {
  const { engine } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  await t.rejects(engine.execute(command('tally.count', id, { amount: -1 }, 'key')), refusal('validationError'));
  const outcome = await engine.execute(command('tally.count', id, { amount: 1 }, 'key'));
  t.equal(outcome.replayed, false);
  await engine.close();
});

test('a preview answers what booking would answer and changes nothing', async (t) => {
  const { engine } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  const preview = await engine.execute(command('tally.count', id, { amount: 9, previewMode: true }));
  t.equal(((await engine.query(query('tally.get', id))) as Tally).count, 0);
  const booked = await engine.execute(command('tally.count', id, { amount: 9 }));
  t.strictSame(preview.data, booked.data);
  const events = (await engine.query(query('event.list', null))) as { items: unknown[] };
  t.equal(events.items.length, 1, 'a preview emits nothing');
  await engine.close();
});

test('a refusal behind the first fact is a bug: memory is as the journal has it, and the shard takes more', async (t) => {
  const { engine, reports } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  await t.rejects(engine.execute(command('tally.refuseLate', id, { amount: 2 })), { name: 'Bug' });
  t.match(reports.join('\n'), /Too late for a refusal/);
  while (!engine.isWritable) await new Promise((resolve) => setImmediate(resolve));
  t.same((await engine.execute(command('tally.count', id, { amount: 1 }))).data, { id, count: 1 });
  await engine.close();
});

test('a bug in one command is answered and leaves memory as the journal has it', async (t) => {
  const { engine, reports } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  await engine.execute(command('tally.count', id, { amount: 2 }));
  await t.rejects(engine.execute(command('tally.count', id, { amount: 666 })), /a bug of the test/);
  t.match(reports.join('\n'), /A bug in a command/);
  while (!engine.isWritable) await new Promise((resolve) => setImmediate(resolve));
  await engine.execute(command('tally.count', id, { amount: 1 }));
  t.equal(((await engine.query(query('tally.get', id))) as Tally).count, 3);
  await engine.close();
});

test('a query that fails, and a decision that fails, fail alone: memory stays, and all else goes on at once', async (t) => {
  const { engine, reports } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  const { world } = engine;
  await t.rejects(engine.query(query('tally.fail', id)), /a bug in a query/);
  t.equal(engine.isWritable, true);
  await t.rejects(engine.execute(command('tally.failEarly', id, {})), /a bug in a decision/);
  t.same((await engine.execute(command('tally.count', id, { amount: 1 }))).data, { id, count: 1 });
  t.equal(engine.world, world, 'memory is the same');
  t.notMatch(reports.join('\n'), /memory is computed again/);
  await engine.close();
});

test('a command that has failed after its facts were applied makes memory be computed again once, however often it comes', async (t) => {
  const { engine, reports } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  const { id: other } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  for (let tried = 0; tried < 5; tried++) {
    await t.rejects(engine.execute(command('tally.count', tried % 2 === 0 ? id : other, { amount: 666 })), /a bug of the test/);
    while (!engine.isWritable) await new Promise((resolve) => setImmediate(resolve));
  }
  await t.rejects(
    engine.execute(command('tally.refuseLate', id, { amount: 1 })),
    refusal('validationError'),
    'all on that actor are tried first',
  );
  t.same((await engine.execute(command('tally.count', id, { amount: 1 }))).data, { id, count: 1 });
  t.equal(reports.filter((report) => report.includes('memory is computed again')).length, 1);
  await engine.close();
});

test('a clock that is still moving when the service ends goes on with the next start, and misses no day', async (t) => {
  const first = await openTestEngine();
  const { id } = (await first.engine.execute(command('tally.create', null, {}))).data as Tally;
  await first.engine.execute(command('tally.count', id, { amount: 1 }));
  const { id: clock } = (await first.engine.execute(command('testClock.create', null, {}))).data as { id: string };
  await first.engine.execute(command('testClock.advance', clock, { to: '2027-03-02' }));
  await first.engine.close();
  const { engine } = await openTestEngine(first);
  const now = async (): Promise<{ readonly status: string; readonly today: string }> =>
    (await engine.query(query('testClock.get', clock))) as { status: string; today: string };
  while ((await now()).status !== 'ready') await new Promise((resolve) => setTimeout(resolve, 20));
  t.equal((await now()).today, '2027-03-02');
  t.equal(((await engine.query(query('tally.get', id))) as Tally).doubledDays, 365);
  await engine.close();
});

test('a test clock moves a test mode through its days; a read computes what is pending, the sweep records it', async (t) => {
  const { engine } = await openTestEngine();
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  await engine.execute(command('tally.count', id, { amount: 1 }));
  const clock = (await engine.execute(command('testClock.create', null, {}))).data as { id: string; today: string };
  t.equal(clock.today, '2026-03-02');
  const answer = await engine.execute({ ...command('testClock.advance', clock.id, { to: '2026-03-12' }), query: { sync: true } });
  t.match(answer.data, { status: 'succeeded', progress: { done: 10, total: 10 } });
  const tally = (await engine.query(query('tally.get', id))) as Tally;
  t.equal(tally.doubledDays, 10, 'over the change to daylight-saving time too');
  t.equal(tally.count, 1024);
  await t.rejects(engine.execute(command('testClock.advance', clock.id, { to: '2026-03-01' })), refusal('invalidState'));
  await t.rejects(engine.execute(command('testClock.create', null, {}, undefined, 'live')), refusal('modeMismatch'));
  await engine.close();
});

test('deleting a test clock empties the test mode, also after a restart', async (t) => {
  const first = await openTestEngine();
  const { id } = (await first.engine.execute(command('tally.create', null, { externalId: 'gone' }))).data as Tally;
  await first.engine.snapshot();
  const clock = (await first.engine.execute(command('testClock.create', null, {}))).data as { id: string };
  await first.engine.execute(command('testClock.delete', clock.id, {}));
  await t.rejects(first.engine.query(query('tally.get', id)), refusal('notFound'));
  const again = await openTestEngine({ folder: first.folder, clock: first.clock });
  await t.rejects(again.engine.query(query('tally.get', 'ext-gone')), refusal('notFound'));
  t.strictSame(await again.engine.query(query('tally.list', null)), []);
  await again.engine.execute(command('tally.create', null, { externalId: 'gone' }));
  await again.engine.close();
});
