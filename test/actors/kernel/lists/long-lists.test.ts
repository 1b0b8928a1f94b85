import { test } from 'tap';
import type { QueryEnv } from '../../../../actors/kernel/actor.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { longList } from '../../../../actors/kernel/lists/long-lists.js';
import type { ListResult } from '../../../../actors/wire.js';

const envOf = (company: string, total: number): QueryEnv => {
  const env: Pick<QueryEnv, 'tenant' | 'listAll'> = {
    tenant: { company, mode: 'test' },
    listAll: () => ({
      rows: [],
      total,
      hasMore: true,
      hasPrevious: false,
      order: () => ({ descending: [], places: [], cursor: null }),
    }),
  };
  return env as QueryEnv;
};

const NOTHING: ListResult = { items: [], total: 0, hasMore: false, hasPrevious: false };

test('of the long lists of a company few are read at a time, and those of others do not wait for them', async (t) => {
  const ends: (() => void)[] = [];
  let begun = 0;
  const read = (): Promise<ListResult> => {
    begun += 1;
    return new Promise((resolve) => ends.push(() => resolve(NOTHING)));
  };
  const long = envOf('CP-AAAA-AAAA', LIMITS.rowsAtOnce + 1);
  const lists = Array.from({ length: LIMITS.longLists + LIMITS.waitingLists }, () => longList(long, 'loan', read));
  t.equal(begun, LIMITS.longLists);
  await t.rejects(longList(long, 'loan', read), { message: 'Too many long lists are being read. Try again in a second.' });
  for (const env of [envOf('CP-AAAA-AAAA', 5), envOf('CP-BBBB-BBBB', LIMITS.rowsAtOnce + 1)])
    t.same(await longList(env, 'loan', () => Promise.resolve(NOTHING)), NOTHING);
  for (let ended = 0; ended < lists.length; ended += 1) {
    ends[ended]?.();
    await lists[ended];
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(begun, Math.min(lists.length, LIMITS.longLists + ended + 1));
  }
  await t.rejects(
    longList(long, 'loan', () => Promise.reject(new Error('a bug'))),
    { message: 'a bug' },
  );
  t.same(await longList(long, 'loan', () => Promise.resolve(NOTHING)), NOTHING, 'the next one is read');
});
