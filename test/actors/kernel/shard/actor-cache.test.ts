import { setImmediate as eventLoopRound } from 'node:timers/promises';
import { test } from 'tap';
import { ActorCache } from '../../../../actors/kernel/shard/actor-cache.js';
import { actorKey } from '../../../../actors/kernel/snapshots/stored-keys.js';
import { keyBelow, tenantKey, tenantOf } from '../../../../actors/kernel/ids.js';
import type { CachedActor } from '../../../../actors/kernel/shard/world.js';

const BOUND = 100;
const TENANT = tenantOf('CO-AAAA-AAAA', 'test');
const named = (key: string): CachedActor => ({ key, id: key, kind: 'loan', tenant: TENANT }) as CachedActor;

async function eventLoopRounds(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await eventLoopRound();
}

test('above the bound those that nobody has asked for lie down, and what is touched or unstored stays', async (t) => {
  const unstored = new Set(['u-1', 'u-2']);
  const actorCache = new ActorCache(
    ({ key }) => !unstored.has(key),
    () => BOUND,
  );
  for (const key of ['u-1', 'u-2', 'wanted']) actorCache.set(named(key));
  for (let n = 0; n < 20 * BOUND; n++) {
    actorCache.set(named(`n-${n}`));
    actorCache.get('wanted');
    if (n % 10 === 0) await eventLoopRound();
  }
  await eventLoopRounds(20);
  t.equal(actorCache.size, BOUND);
  t.ok(['u-1', 'u-2', 'wanted'].every((key) => actorCache.has(key)));
});

test('no actor is evicted before the event loop round of a command has ended', async (t) => {
  const actorCache = new ActorCache(
    () => true,
    () => BOUND,
  );
  for (let n = 0; n < 10 * BOUND; n++) actorCache.set(named(`n-${n}`));
  t.equal(actorCache.size, 10 * BOUND);
  await eventLoopRounds(20);
  t.equal(actorCache.size, BOUND);
});

test('where nobody may rest the search ends', async (t) => {
  let looks = 0;
  const actorCache = new ActorCache(
    () => (looks++, false),
    () => BOUND,
  );
  for (let n = 0; n < 2 * BOUND; n++) actorCache.set(named(`n-${n}`));
  await eventLoopRounds(20);
  const before = looks;
  await eventLoopRounds(20);
  t.equal(looks, before);
});

test('an actor is found by its id in its own mode, though another has the same id in the other', (t) => {
  const actorCache = new ActorCache(
    () => true,
    () => BOUND,
  );
  const company = (mode: 'test' | 'live'): CachedActor => {
    const tenant = tenantOf('CO-AAAA-AAAA', mode);
    return { key: actorKey(tenant, 'company', tenant.company), id: tenant.company, kind: 'company', tenant } as CachedActor;
  };
  const [inTest, inLive] = [company('test'), company('live')];
  actorCache.set(inTest);
  actorCache.set(inLive);
  const find = (mode: 'test' | 'live'): CachedActor | undefined =>
    actorCache.find({ company: 'CO-AAAA-AAAA', mode }, 'company', 'CO-AAAA-AAAA');
  t.equal(find('test'), inTest);
  t.equal(find('live'), inLive);
  t.equal(actorCache.find(TENANT, 'loan', 'CO-AAAA-AAAA'), undefined);
  actorCache.delete(inLive.key);
  t.equal(find('live'), undefined);
  t.equal(find('test'), inTest);
  t.end();
});

test('one object stands for a tenant, and its keys are those of a plain one', (t) => {
  const tenant = tenantOf('CO-AAAA-AAAA', 'live');
  t.equal(tenantOf('CO-AAAA-AAAA', 'live'), tenant);
  t.not(tenantOf('CO-AAAA-AAAA', 'test'), tenant);
  t.strictSame(tenant, { company: 'CO-AAAA-AAAA', mode: 'live' });
  for (const one of [tenant, { ...tenant }]) {
    t.equal(tenantKey(one), 'CO-AAAA-AAAA/live');
    t.equal(keyBelow(one, 'loan'), 'CO-AAAA-AAAA/live/loan');
  }
  t.end();
});
