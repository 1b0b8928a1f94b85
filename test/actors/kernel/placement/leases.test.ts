import { test } from 'tap';
import type { SharedKeyValue } from '../../../../actors/index.js';
import { KeyValueConflict, KeyValueUnavailable, openStreamKeyValue } from '../../../../persistence/index.js';
import { lossyWire, natsServer } from '../../../nats.js';
import { until } from '../../../persistence/key-values/conformance.js';
import { AskedHeartbeat } from '../../../../actors/kernel/placement/heartbeat.js';
import { HandClock, Member, settle, UNITS, TIMES } from './members.js';

type Test = Parameters<typeof natsServer>[0];

/** Opens the records of a new cluster, with a connection for each worker. */
async function cluster(t: Test): Promise<() => Promise<SharedKeyValue>> {
  const server = await natsServer(t);
  return () => server.records();
}

/** Time limit of a store that does not answer, in milliseconds; a store that answers has as long. */
const DEAF_MS = 5_000;

const sorted = (...parts: readonly (readonly string[])[]): readonly string[] => parts.flat().sort();
const passes = (ms: number, ...members: readonly Member[]): void => members.forEach(({ clock }) => (clock.at += ms));

test('workers share the units, and one that joins later takes its part of them', async (t) => {
  const open = await cluster(t);
  const [one, two] = [await Member.join(await open(), 'w1', { clock: new HandClock(5_000_000) }), await Member.join(await open(), 'w2')];
  await settle(one, two);
  t.same(sorted(one.units, two.units), UNITS);
  t.same([one.units.length, two.units.length], [33, 32]);
  t.ok(one.taken.every(({ epoch, address }) => epoch === 1 && address === 'tenor.w1'));

  const three = await Member.join(await open(), 'w3');
  await settle(one, two, three);
  t.same(sorted(one.units, two.units, three.units), UNITS);
  t.same([one.units.length, two.units.length, three.units.length], [22, 22, 21]);
  t.same(sorted(one.givenUp, two.givenUp), sorted(three.taken.map(({ unit }) => unit)), 'only what had to move has moved');
  t.ok(three.taken.every(({ epoch }) => epoch === 2));
});

test('a dead worker loses its units after its time, and not before', async (t) => {
  const open = await cluster(t);
  const [one, two, three] = [
    await Member.join(await open(), 'w1'),
    await Member.join(await open(), 'w2'),
    await Member.join(await open(), 'w3'),
  ];
  await settle(one, two, three);
  const dead = three.units;
  passes(TIMES.ttlMs - 600, one, two, three);
  await settle(one, two);
  t.same(sorted(one.units, two.units).length, UNITS.length - dead.length);
  t.same(three.units, dead);
  passes(599, one, two, three);
  t.same(three.units, [], 'it owns nothing any more, and nobody has taken it yet');
  await settle(one, two);
  t.same(sorted(one.units, two.units).length, UNITS.length - dead.length);
  passes(1, one, two, three);
  await settle(one, two);
  t.same(sorted(one.units, two.units), UNITS);
  t.ok([...one.taken, ...two.taken].filter(({ unit }) => dead.includes(unit)).every(({ epoch }) => epoch === 2));
});

test('a worker that was paused knows that it owns nothing before it answers, and loses its units when it reads the records', async (t) => {
  const open = await cluster(t);
  const [one, two] = [await Member.join(await open(), 'w1'), await Member.join(await open(), 'w2')];
  await settle(one, two);
  const owned = two.units;
  passes(1_900, one);
  await settle(one);
  passes(600, one);
  await settle(one);
  t.same(one.units, UNITS);
  two.clock.at += 60_000; // it goes on
  t.notOk(owned.some((unit) => two.holder.isHeld(unit)));
  t.same(two.lost, [], 'it has not read the records yet');
  await two.step();
  t.same(sorted(two.lost), owned);
  t.ok(two.holder.isOver);
  await two.step();
  t.same([two.units, one.units], [[], UNITS], 'it never comes back under this name');
});

test('a worker whose joining took longer than a lease owns nothing by it, and never comes back if it was removed', async (t) => {
  const open = await cluster(t);
  const [one, records, clock] = [await Member.join(await open(), 'w1'), await open(), new HandClock(0)];
  await settle(one);
  records.create = ((create) => async (key, value) => {
    const revision = await create(key, value);
    await one.step();
    for (const ms of [TIMES.holdMs - 100, TIMES.ttlMs - TIMES.holdMs + 100]) {
      passes(ms, one);
      clock.at += ms; // its record is written, and it has no acknowledgement
      await one.holder.beat();
    }
    return revision;
  })(records.create.bind(records));
  const two = await Member.join(records, 'w2', { clock });
  t.equal(two.holder.beatAgeMs, TIMES.ttlMs, 'counted from the sending');
  t.notOk(two.holder.isAwake);
  await two.holder.place();
  t.same(two.taken, []);
  await settle(one);
  t.equal(await (await open()).get('workers.w2'), undefined, 'the others have removed it');
  await two.step();
  t.same([two.holder.isOver, two.taken, one.units], [true, [], UNITS]);
});

test('who was away for a moment goes on, since nobody can have taken anything meanwhile', async (t) => {
  const open = await cluster(t);
  const [one, two] = [await Member.join(await open(), 'w1'), await Member.join(await open(), 'w2')];
  await settle(one, two);
  const owned = two.units;
  passes(2_100, one, two);
  t.same(two.units, []);
  await two.holder.beat();
  t.same(two.units, owned);
  await settle(one, two);
  t.same([two.units, two.taken.length, two.lost], [owned, owned.length, []]);
});

test('while the store is away nobody owns anything, and afterwards everybody owns what it did', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const open = async (): Promise<SharedKeyValue> =>
    openStreamKeyValue({
      connection: await server.connect({ servers: wire.url, maxReconnectAttempts: -1 }),
      bucket: 'tenor',
      timeoutMs: DEAF_MS,
    });
  const [one, two] = [await Member.join(await open(), 'w1'), await Member.join(await open(), 'w2')];
  await settle(one, two);
  const owned = [one.units, two.units];
  wire.isDeaf = true;
  passes(1_900, one, two);
  await Promise.all([one.holder.beat(), two.holder.beat()]);
  t.same([one.units, two.units], owned);
  passes(100, one, two);
  t.same([one.units, two.units], [[], []]);
  passes(60_000, one, two);
  wire.isDeaf = false;
  await until(async () => {
    await one.holder.beat();
    return one.holder.isAwake;
  });
  await one.holder.look();
  await one.holder.place();
  t.same(one.units, owned[0], 'it does not count the other one as dead, as it could not receive its beats');
  await until(async () => {
    await two.holder.beat();
    return two.holder.isAwake;
  });
  await settle(one, two);
  t.same([one.units, two.units, one.lost, two.lost], [...owned, [], []]);
});

test('a worker that leaves gives its units away first, and serves them until it has ended its work', async (t) => {
  const open = await cluster(t);
  const [one, two] = [await Member.join(await open(), 'w1'), await Member.join(await open(), 'w2')];
  await settle(one, two);
  const owned = two.units;
  let endWork: () => void = () => undefined;
  two.serving = new Promise((resolve) => (endWork = resolve));
  const left = two.holder.leave();
  for (let look = 0; look < 3; look += 1) await one.step();
  t.same([one.units.length, two.units], [33, owned]);
  endWork();
  await left;
  t.same([two.units, sorted(two.givenUp), two.lost], [[], owned, []]);
  await settle(one);
  t.same(one.units, UNITS, 'at once, without waiting for its time');
  t.equal(await (await open()).get('workers.w2'), undefined);
});

test('what a worker could not give up before it leaves is its own until its time has passed', async (t) => {
  const open = await cluster(t);
  const [one, records] = [await Member.join(await open(), 'w1'), await open()];
  let [isAway, pauses, wasAnswered] = [false, 0, (): void => undefined];
  const removed = new Promise<void>((isRemoved) => {
    records.delete = ((remove) => async (key, revision) => {
      await remove(key, revision);
      isRemoved();
      await new Promise<void>((resolve) => (wasAnswered = resolve));
    })(records.delete.bind(records));
  });
  records.update = ((update) => async (key, value, revision) => {
    if (isAway) throw new KeyValueUnavailable('no answer');
    return update(key, value, revision);
  })(records.update.bind(records));
  const two = await Member.join(records, 'w2', {
    pause: async () => {
      pauses += 1;
      isAway = pauses < 10; // the store is back when the worker has stopped trying, and a beat arrives
      if (!isAway) void two.holder.beat();
    },
  });
  await settle(one, two);
  const owned = two.units;
  two.clock.at += TIMES.holdMs;
  isAway = true;
  const left = two.holder.leave();
  await Promise.race([left, removed]); // its record may be gone before it knows
  await settle(one);
  t.same(
    two.units.filter((unit) => one.holder.isHeld(unit)),
    [],
    'nothing is owned by two',
  );
  wasAnswered();
  await left;
  t.same([pauses, two.units, two.givenUp], [10, [], []]);
  t.same(sorted(one.units, owned), UNITS, 'which nobody has taken yet');
  passes(TIMES.holdMs - 100, one);
  await settle(one);
  passes(TIMES.ttlMs - TIMES.holdMs + 100, one);
  await settle(one);
  t.same(one.units, UNITS);
});

test('the last worker that leaves gives everything back to the next one that joins', async (t) => {
  const open = await cluster(t);
  const one = await Member.join(await open(), 'w1');
  await settle(one);
  t.same(one.units, UNITS);
  await one.holder.leave();
  const two = await Member.join(await open(), 'w2');
  await settle(two);
  t.same(two.units, UNITS);
  t.ok(two.taken.every(({ epoch }) => epoch === 2));
});

test('a worker that has just come waits for those that come with it', async (t) => {
  const open = await cluster(t);
  const times = { ...TIMES, settleMs: 500 };
  const one = await Member.join(await open(), 'w1', { times });
  await settle(one);
  t.same(one.units, []);
  const two = await Member.join(await open(), 'w2', { times });
  await settle(one, two);
  passes(500, one, two);
  await settle(one, two);
  t.same([one.units.length, two.units.length, one.givenUp, two.givenUp], [33, 32, [], []]);
});

/** Beats by itself, as the thread of a worker does: between two looks of its worker, and not when the worker calls `beat`. */
class BeatsBeside extends AskedHeartbeat {
  #record: Uint8Array = new Uint8Array();
  #conflict: KeyValueConflict | null = null;

  override async beat(record: Uint8Array): Promise<void> {
    this.#record = record;
    if (this.#conflict !== null) throw this.#conflict;
  }

  override resume(revision: number, sentAt?: number): void {
    this.#conflict = null;
    super.resume(revision, sentAt);
  }

  /** Does not beat while the worker has to find its record: a beat may have arrived without its acknowledgement. */
  async beats(): Promise<void> {
    if (this.#conflict !== null) return;
    await super.beat(this.#record).catch((cause: unknown) => {
      if (!(cause instanceof KeyValueConflict)) throw cause;
      this.#conflict = cause;
    });
  }
}

test('who is back first after an outage of the store waits for the others, though its beats come from beside it', async (t) => {
  const server = await natsServer(t);
  const wire = await lossyWire(t, server.port);
  const records = async (): Promise<SharedKeyValue> =>
    openStreamKeyValue({
      connection: await server.connect({ servers: wire.url, maxReconnectAttempts: -1 }),
      bucket: 'tenor',
      timeoutMs: DEAF_MS,
    });
  const join = async (name: string): Promise<{ readonly member: Member; beats(): Promise<void> }> => {
    const [clock, own] = [new HandClock(0), await records()];
    const beating = new BeatsBeside({ records: own, key: `workers.${name}`, now: () => clock.now() });
    return { member: await Member.join(own, name, { clock, heartbeat: beating }), beats: () => beating.beats() };
  };
  const [first, second] = [await join('w1'), await join('w2')];
  const members = [first.member, second.member] as const;
  const beatAll = async (): Promise<void> => {
    for (const { member, beats } of [first, second]) {
      await member.holder.beat();
      await beats();
    }
  };
  await beatAll();
  await settle(...members);
  const owned = members.map(({ units }) => units);
  t.ok(owned.every((units) => units.length > 0));

  wire.isDeaf = true;
  passes(2_000, ...members);
  await beatAll();
  passes(10_000, ...members);
  wire.isDeaf = false;
  await until(async () => {
    await first.member.holder.beat();
    await first.beats(); // between two looks of its worker
    return first.member.holder.isAwake;
  });
  for (let waitedMs = 0; waitedMs < TIMES.graceMs + TIMES.ttlMs; waitedMs += TIMES.beatMs) {
    await first.beats();
    await first.member.step();
    t.same(first.member.units, owned[0], `the other is not taken for dead after ${waitedMs} ms`);
    passes(TIMES.beatMs, ...members);
  }
  await until(async () => {
    await second.member.holder.beat();
    await second.beats();
    return second.member.holder.isAwake;
  });
  await beatAll();
  await settle(...members);
  t.same([members.map(({ units }) => units), second.member.lost, second.member.holder.isOver], [owned, [], false]);

  // A worker that does not come back counts as dead all the same.
  wire.isDeaf = true;
  passes(2_000, first.member);
  await first.member.holder.beat();
  await first.beats();
  passes(10_000, first.member);
  wire.isDeaf = false;
  await until(async () => {
    await first.member.holder.beat();
    await first.beats();
    return first.member.holder.isAwake;
  });
  for (let waitedMs = 0; waitedMs <= TIMES.graceMs + TIMES.ttlMs + TIMES.beatMs; waitedMs += TIMES.beatMs) {
    await first.beats();
    await first.member.step();
    passes(TIMES.beatMs, first.member);
  }
  await first.beats();
  await settle(first.member);
  t.same(first.member.units, UNITS);
});
