import { isDeepStrictEqual } from 'node:util';
import { test } from 'tap';
import { type LoggedEvent, loggedEvent } from '../../../../actors/kernel/events/event-chunk.js';
import { type EventFilter, matches } from '../../../../actors/kernel/events/event-index.js';
import { EventLog } from '../../../../actors/kernel/events/event-log.js';
import type { StoredEvent, Tenant } from '../../../../actors/kernel/fact.js';
import { Ids } from '../../../../actors/kernel/ids.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import type { KeyValue } from '../../../../actors/kernel/ports.js';
import { packEvent } from '../../../../actors/kernel/journal/records.js';
import { TimeBudget } from '../../../../actors/kernel/shard/scheduler.js';
import { must } from '../../../../engine/index.js';
import { openSnapshots } from '../../../../persistence/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { tempFolder } from '../../../temp-folder.js';

const ids = new Ids(new Uint8Array(32).fill(3));
const TENANTS: readonly Tenant[] = [
  { company: 'CP-TEST-TEST', mode: 'test' },
  { company: 'CP-TEST-TEST', mode: 'live' },
  { company: 'CP-MORE-TEST', mode: 'live' },
];
const LOANS = ['LN-AAAA-AAAA', 'LN-BBBB-BBBB', 'LN-CCCC-CCCC'];
const PERSONS = ['BO-AAAA-AAAA', 'BO-BBBB-BBBB'];
const TYPES = ['loan.current', 'loan.balance.changed', 'payment.succeeded'];

/** The events that were packed: what is read must be equal to them. */
const ORIGINALS = new WeakMap<LoggedEvent, StoredEvent>();
const originalOf = (logged: LoggedEvent): StoredEvent => must(ORIGINALS.get(logged), 'a maker made it');

/** Events as a process makes them: stamps rise over all, numbers rise on each shard. */
class Maker {
  #stamp = 1_795_287_849_591_000;
  readonly #counters = new Map<number, number>();

  constructor(
    private readonly random: Random,
    private readonly tenants: readonly Tenant[] = TENANTS,
  ) {}

  next(): LoggedEvent {
    const { random } = this;
    this.#stamp += 1 + random.below(3) * random.below(50);
    const shard = random.below(6);
    const counter = (this.#counters.get(shard) ?? 0) + 1 + random.below(40);
    this.#counters.set(shard, counter);
    const refs = {
      ...(random.below(4) > 0 ? { loanId: pick(random, LOANS) } : {}),
      ...(random.below(4) > 0 ? { personId: pick(random, PERSONS) } : {}),
    };
    const event: StoredEvent = {
      id: ids.encode('EV', shard, counter),
      tenant: pick(random, this.tenants),
      eventType: pick(random, TYPES),
      objectType: 'loan',
      objectId: pick(random, LOANS),
      refs,
      data: { amount: counter },
      stamp: this.#stamp,
      occurredAt: 1,
      sequence: counter,
      orderKey: refs.loanId ?? 'CP-TEST-TEST',
      by: { type: 'system', id: 'system' },
      isReplay: false,
      externalIds: {},
    };
    const logged = loggedEvent(event, packEvent(event));
    ORIGINALS.set(logged, event);
    return logged;
  }
}

void test('what is read of the log is what was published, wherever memory ends and the disk begins', async (t) => {
  t.comment(`seed ${SEED}`);
  for (let history = 0; history < 12; history++) {
    const random = new Random(SEED + history);
    const stores = openSnapshots({ folder: tempFolder(t) });
    const fault = await runHistory(new Maker(random), random, stores.events, (log, published) => compare(log, published, random));
    await stores.close();
    if (fault !== null) return t.fail(`seed ${SEED + history}: ${fault}`);
  }
  t.pass('all readings agree');
  return undefined;
});

void test('a process that ends between two slices leaves each event once', async (t) => {
  const stores = openSnapshots({ folder: tempFolder(t) });
  const maker = new Maker(new Random(7));
  const published = Array.from({ length: 600 }, () => maker.next());
  const first = new EventLog(stores.events, ids);
  first.publish(published);
  await stores.events.write(first.entries(LIMITS.eventSlice));
  const again = new EventLog(stores.events, ids);
  // A batch lies in the journal shard by shard.
  const byShard = [...published].sort((one, other) => (ids.shardOf(one.id) ?? 0) - (ids.shardOf(other.id) ?? 0));
  for (const logged of byShard) again.recover(ids.shardOf(logged.id) ?? 0, originalOf(logged), logged.packed);
  await again.recovered(new TimeBudget());
  t.equal(again.unwritten, 600 - LIMITS.eventSlice);
  for (const tenant of TENANTS) {
    const expected = published.filter((logged) => logged.tenant === tenant).map(originalOf);
    t.strictSame(
      again.after(tenant, {}, 1000).map(({ id }) => id),
      expected.map(({ id }) => id),
    );
  }
  await stores.close();
});

void test('of a long journal the newest events stay in memory, and all that is older is stored in its order', async (t) => {
  const stores = openSnapshots({ folder: tempFolder(t) });
  const maker = new Maker(new Random(8));
  const published = Array.from({ length: LIMITS.recentEvents + LIMITS.longStoreSlice + 700 }, () => maker.next());
  const log = new EventLog(stores.events, ids);
  const shardOf = ({ id }: LoggedEvent): number => ids.shardOf(id) ?? 0;
  for (const logged of [...published].sort((one, other) => shardOf(one) - shardOf(other)))
    log.recover(shardOf(logged), originalOf(logged), logged.packed);
  await log.recovered(new TimeBudget());
  t.equal(log.unwritten, LIMITS.recentEvents);
  t.equal(log.storedThrough, published[LIMITS.longStoreSlice + 699]?.stamp);
  for (const tenant of TENANTS) {
    const expected = published.filter((logged) => logged.tenant === tenant).map(({ id }) => id);
    t.strictSame(
      log.after(tenant, {}, published.length).map(({ id }) => id),
      expected,
    );
  }
  await stores.close();
});

void test('the events of many tenants together keep within a limit in memory, and all are read', async (t) => {
  const stores = openSnapshots({ folder: tempFolder(t) });
  const tenants = Array.from({ length: 100 }, (_, at): Tenant => ({ company: `CP-TEST-${String(1000 + at)}`, mode: 'live' }));
  const maker = new Maker(new Random(10), tenants);
  const published = Array.from({ length: LIMITS.recentEventsOfAll + 2 * LIMITS.longStoreSlice }, () => maker.next());
  const log = new EventLog(stores.events, ids);
  log.publish(published);
  t.equal(log.kept, published.length, 'what is not stored stays');
  while (log.unwritten > 0) {
    const count = Math.min(log.unwritten, LIMITS.longStoreSlice);
    await stores.events.write(log.entries(count));
    log.stored(count);
  }
  t.ok(log.kept <= LIMITS.recentEventsOfAll, `${log.kept} events`);
  for (const tenant of tenants.slice(0, 5)) {
    const expected = published.filter((logged) => logged.tenant === tenant).map(({ id }) => id);
    t.strictSame(
      log.after(tenant, {}, published.length).map(({ id }) => id),
      expected,
    );
  }
  await stores.close();
});

void test('listeners are called once of all that came together, and no longer when they have left', async (t) => {
  const stores = openSnapshots({ folder: tempFolder(t) });
  const log = new EventLog(stores.events, ids);
  const maker = new Maker(new Random(9));
  let calls = 0;
  const leave = log.onAdvance(() => (calls += 1));
  for (let count = 0; count < 10; count++) log.publish([maker.next()]);
  await Promise.resolve();
  t.equal(calls, 1);
  leave();
  log.publish([maker.next()]);
  await Promise.resolve();
  t.equal(calls, 1);
  await stores.close();
});

/** Publishes, stores batches and reopens at random. Returns the first difference, if any. */
async function runHistory(
  maker: Maker,
  random: Random,
  store: KeyValue,
  look: (log: EventLog, published: readonly LoggedEvent[]) => string | null,
): Promise<string | null> {
  const published: LoggedEvent[] = [];
  let log = new EventLog(store, ids);
  for (let step = 0; step < 60; step++) {
    const some = Array.from({ length: random.below(60) }, () => maker.next());
    published.push(...some);
    log.publish(some);
    if (random.below(3) === 0) {
      const count = Math.min(log.unwritten, random.below(LIMITS.eventSlice + 1));
      const entries = log.entries(count);
      const duringWrite = look(log, published);
      if (duringWrite !== null) return duringWrite;
      await store.write(entries);
      log.stored(count);
    }
    if (random.below(15) === 0) {
      log = new EventLog(store, ids);
      for (const logged of published) log.recover(ids.shardOf(logged.id) ?? 0, originalOf(logged), logged.packed);
      await log.recovered(new TimeBudget());
    }
    const fault = look(log, published);
    if (fault !== null) return fault;
  }
  return null;
}

function compare(log: EventLog, published: readonly LoggedEvent[], random: Random): string | null {
  const tenant = pick(random, TENANTS);
  const own = published.filter((logged) => logged.tenant === tenant).map(originalOf);
  const stamps = own.map(({ stamp }) => stamp + random.below(3) - 1);
  const filter: EventFilter = {
    ...(random.below(3) === 0 ? { loanId: pick(random, LOANS) } : {}),
    ...(random.below(3) === 0 ? { personId: pick(random, PERSONS) } : {}),
    ...(random.below(3) === 0 ? { eventTypes: new Set([pick(random, TYPES)]) } : {}),
    ...(own.length > 0 && random.below(2) === 0 ? { afterStamp: pick(random, stamps) } : {}),
    ...(own.length > 0 && random.below(2) === 0 ? { beforeStamp: pick(random, stamps) } : {}),
  };
  const limit = 1 + random.below(50);
  const order = random.below(2) === 0 ? 'asc' : 'desc';
  const wanted = own.filter((event) => matches(event, filter));
  if (order === 'desc') wanted.reverse();
  const expected = wanted.slice(0, limit);
  const found = log.page(tenant, filter, order, limit);
  if (textOf(found) !== textOf(expected)) return `${order} ${JSON.stringify(filter)}: ${textOf(found)} instead of ${textOf(expected)}`;
  if (log.newestStamp(tenant) !== (own.at(-1)?.stamp ?? 0)) return 'the newest stamp is another';
  if (own.length === 0) return null;
  const one = pick(random, own);
  if (!isDeepStrictEqual(log.get(tenant, one.id), one)) return `${one.id} is not found`;
  const stranger = TENANTS.find((each) => each !== tenant) ?? tenant;
  return log.get(stranger, one.id) === undefined ? null : 'an event is found under another tenant';
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return must(items[random.below(items.length)], 'there is one to pick');
}

function textOf(events: readonly StoredEvent[]): string {
  return events.map(({ id }) => id).join();
}
