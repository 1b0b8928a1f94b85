import { createHash, randomUUID } from 'node:crypto';
import { test } from 'tap';
import { type CommandRequest, type Engine, Refusal, RUNTIME_LIMITS, SHARED_SHARD, type Tenant } from '../../../../actors/index.js';
import { openStreamJournal } from '../../../../persistence/index.js';
import { type NatsServer, natsServer } from '../../../nats.js';
import { type OperationShare, type OperationView, sumOf } from '../../../../actors/kernel/jobs/share-views.js';
import { followers, leaders } from './followers.js';
import { type Opened, openTestEngine, ManualClock } from './open-engine.js';
import { type Holder, holders, type Rate, rates } from './rates-and-holders.js';
import { command, COMPANY, query, type Tally, tallyModule } from './tally.js';

type Test = Parameters<typeof natsServer>[0];

const DAY_MS = 86_400_000;
const LIVE: Tenant = { company: COMPANY, mode: 'live' };
const LOWER = shardsFrom(0, 32);
const UPPER = shardsFrom(32, RUNTIME_LIMITS.shards);

function shardsFrom(first: number, end: number): readonly number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}

/** Workers that share nothing but the server. The first owns the shared shard. */
class Cluster {
  readonly clock = new ManualClock(Date.parse('2026-03-02T15:00:00Z'));
  home: Engine | null = null;

  constructor(
    private readonly t: Test,
    private readonly server: NatsServer,
  ) {}

  async worker(owner: string, shards: readonly number[]): Promise<Opened> {
    const connection = await this.server.connect();
    const opened = await openTestEngine({
      clock: this.clock,
      modules: [rates, holders, tallyModule, leaders, followers],
      part: {
        shards: new Set(shards),
        recordShared: async (tenant, type, body) => {
          this.home?.recordShared(tenant, type, body);
          await this.home?.settled();
        },
        actorOf: async () => undefined,
        actorsBelow: async () => [],
        holderOf: async () => undefined,
        claim: async () => undefined,
        countOf: async () => 0,
        operation: async () => Promise.reject(new Refusal('notFound', 'Nobody is asked.')),
        publishedStamp: async () => this.home?.world.lastStamp ?? 0,
        mayPublish: async () => undefined,
        endPublishing: async () => undefined,
      },
      openJournal: () =>
        openStreamJournal({
          connection,
          stream: { name: 'JOURNAL', subjects: 'journal' },
          shards,
          owner,
          first: SHARED_SHARD,
          followed: shards.includes(SHARED_SHARD) ? [] : [SHARED_SHARD],
        }),
    });
    if (shards.includes(SHARED_SHARD)) this.home = opened.engine;
    this.t.teardown(() => opened.engine.close().catch(() => undefined)); // an engine that has lost its shards cannot store a last snapshot
    return opened;
  }
}

/** A command whose new actor is created on one of the shards. */
function rooted(shards: readonly number[], type: string, body: unknown, mode: 'test' | 'live' = 'live'): CommandRequest {
  for (;;) {
    const key = randomUUID();
    const shard = createHash('sha256').update(key).digest().readUInt32LE(0) % RUNTIME_LIMITS.shards;
    if (shards.includes(shard)) return command(type, null, body, key, mode);
  }
}

const refusal = (errorType: string): Error => ({ errorType }) as unknown as Error;

/** Longest wait for changes of other workers, in milliseconds: they come late on a busy machine. */
const COMES_MS = 60_000;

async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + COMES_MS; performance.now() < end; ) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

const at = (target: string, mode: 'live' | 'test' = 'live') => query('tally.get', target, {}, mode);

test('each worker serves its own shards and no others', async (t) => {
  const cluster = new Cluster(t, await natsServer(t));
  const [{ engine: low }, { engine: high }] = [await cluster.worker('w1', [...LOWER, SHARED_SHARD]), await cluster.worker('w2', UPPER)];
  const { id: one } = (await low.execute(rooted(LOWER, 'tally.create', {}))).data as Tally;
  const { id: other } = (await high.execute(rooted(UPPER, 'tally.create', {}))).data as Tally;
  await high.execute(command('tally.count', other, { amount: 3 }, undefined, 'live'));
  t.match(await low.query(at(one)), { count: 0 });
  t.match(await high.query(at(other)), { count: 3 });
  await t.rejects(low.query(at(other)), refusal('notFound'));
  await t.rejects(low.execute(rooted(UPPER, 'tally.create', {})), refusal('unavailable'));
  await t.rejects(
    high.execute(command('rate.create', null, { percent: 1 }, undefined, 'live')),
    refusal('unavailable'),
    'the shared shard has one owner',
  );
  t.same(await high.query(query('tally.list', null, {}, 'live')), [other]);
});

test('shared facts reach every worker, and a worker that starts later', async (t) => {
  const cluster = new Cluster(t, await natsServer(t));
  const [{ engine: low }, { engine: high }] = [await cluster.worker('w1', [...LOWER, SHARED_SHARD]), await cluster.worker('w2', UPPER)];
  const { id: rate } = (await low.execute(command('rate.create', null, { percent: 5 }, undefined, 'live'))).data as Rate;
  t.ok(await until(async () => high.stateOf<Rate>(LIVE, 'rate', rate)?.percent === 5));
  const { id: holder } = (await high.execute(rooted(UPPER, 'holder.create', { rate }))).data as Holder;
  await low.execute(command('rate.change', rate, { percent: 7 }, undefined, 'live'));
  t.ok(await until(async () => high.stateOf<Rate>(LIVE, 'rate', rate)?.percent === 7));
  await high.execute(command('holder.take', holder, { rate }, undefined, 'live'));
  t.same(await high.query(query('holder.get', holder, {}, 'live')), [5, 7]);
  const { engine: heir } = await cluster.worker('w3', UPPER);
  t.equal(((await heir.query(query('holder.get', holder, {}, 'live'))) as readonly number[]).at(-1), 7);
});

test('a day is closed once, and every worker does its work', async (t) => {
  const cluster = new Cluster(t, await natsServer(t));
  const [{ engine: low }, { engine: high }] = [await cluster.worker('w1', [...LOWER, SHARED_SHARD]), await cluster.worker('w2', UPPER)];
  const { id: other } = (await high.execute(rooted(UPPER, 'tally.create', {}))).data as Tally; // opens the calendar
  const { id: one } = (await low.execute(rooted(LOWER, 'tally.create', {}))).data as Tally;
  await low.execute(command('tally.count', one, { amount: 2 }, undefined, 'live'));
  await high.execute(command('tally.count', other, { amount: 5 }, undefined, 'live'));
  cluster.clock.at += DAY_MS;
  low.sweeper.tick();
  t.ok(
    await until(
      async () => ((await low.query(at(one))) as Tally).doubledDays === 1 && ((await high.query(at(other))) as Tally).doubledDays === 1,
    ),
  );
  t.match([await low.query(at(one)), await high.query(at(other))], [{ count: 4 }, { count: 10 }]);
  high.sweeper.tick();
  t.equal(high.world.position(SHARED_SHARD).sequence, low.world.position(SHARED_SHARD).sequence);
});

test('each worker does the mass work of its own shards; the operation is the sum of their shares, and goes on with an heir', async (t) => {
  const cluster = new Cluster(t, await natsServer(t));
  const [{ engine: low }, { engine: high }] = [await cluster.worker('w1', [...LOWER, SHARED_SHARD]), await cluster.worker('w2', UPPER)];
  const { id: leader } = (await low.execute(command('leader.create', null, { percent: 1 }, undefined, 'live'))).data as {
    readonly id: string;
  };
  for (const [engine, shards] of [
    [low, LOWER],
    [high, UPPER],
  ] as const) {
    for (let made = 0; made < 6; made++) await engine.execute(rooted(shards, 'follower.create', { leader, percent: 1, changes: 1 }));
  }
  const sharesOf = async (operationId: string, engines: readonly Engine[]): Promise<readonly OperationShare[]> => {
    const asked = await Promise.allSettled(
      engines.map((engine) => engine.query({ ...query('operation.share', null, {}, 'live'), params: { operationId } })),
    );
    return asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value as OperationShare] : []));
  };
  /** Null while one of them does not know of it. */
  const wholeOf = async (operationId: string, engines: readonly Engine[]): Promise<OperationView | null> => {
    const shares = await sharesOf(operationId, engines);
    return shares.length < engines.length ? null : sumOf(shares);
  };
  const ordered = async (isHeld: boolean): Promise<string> =>
    ((await low.execute(command('leader.turnAll', leader, { isHeld }, undefined, 'live'))).data as { readonly operationId: string })
      .operationId;

  const both = await ordered(false);
  t.ok(await until(async () => (await wholeOf(both, [low, high]))?.status === 'succeeded'));
  t.match(await wholeOf(both, [low, high]), { status: 'succeeded', percent: 100, counts: { changed: 12, unchanged: 0, failed: 0 } });

  const held = await ordered(true);
  t.ok(await until(async () => (await sharesOf(held, [low, high])).length === 2), 'all know of it');
  const { engine: heir } = await cluster.worker('w3', UPPER);
  await low.execute({ ...command('operation.resume', leader, {}, undefined, 'live'), params: { operationId: held } });
  t.ok(await until(async () => (await wholeOf(held, [low, heir]))?.status === 'succeeded'));
  t.match(await wholeOf(held, [low, heir]), { status: 'succeeded', counts: { changed: 12 } });
  t.match(await wholeOf(both, [low, heir]), { counts: { changed: 12 } }, 'and what the first has done is not done again');
});

test('a worker that has lost its shards can acknowledge nothing, and its heir answers every retry', async (t) => {
  const cluster = new Cluster(t, await natsServer(t));
  await cluster.worker('w1', [...LOWER, SHARED_SHARD]);
  const { engine: zombie } = await cluster.worker('w2', UPPER);
  const create = rooted(UPPER, 'tally.create', {});
  const { id } = (await zombie.execute(create)).data as Tally;
  const counts = Array.from({ length: 20 }, (_, n) => command('tally.count', id, { amount: n }, randomUUID(), 'live'));
  const answers = await Promise.all(counts.map((request) => zombie.execute(request)));
  const { engine: heir } = await cluster.worker('w3', UPPER);
  await t.rejects(zombie.execute(command('tally.count', id, { amount: 1_000 }, undefined, 'live')), refusal('unavailable'));
  await t.rejects(zombie.query(at(id)), refusal('unavailable'), 'what it holds may be old');
  t.match(await heir.query(at(id)), { count: 190 });
  const again = await Promise.all(counts.map((request) => heir.execute(request)));
  t.ok(again.every(({ replayed }) => replayed));
  t.same(
    again.map(({ data }) => JSON.parse(JSON.stringify(data))),
    answers.map(({ data }) => JSON.parse(JSON.stringify(data))),
  );
  await heir.execute(command('tally.count', id, { amount: 10 }, undefined, 'live'));
  t.match(await heir.query(at(id)), { count: 200 }, 'nothing is counted twice, and the heir goes on');
});
