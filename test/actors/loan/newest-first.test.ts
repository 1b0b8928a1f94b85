import { test } from 'tap';
import type { CatalogRow } from '../../../actors/kernel/actor.js';
import { ByNewest } from '../../../actors/kernel/lists/by-newest.js';
import { newestFirst } from '../../../actors/loan/newest-first.js';
import { Random } from '../../gateway/fuzz/random.js';
import { SEED } from '../../seed.js';

interface Part {
  readonly id: string;
  readonly createdStamp: number;
}

const view =
  ({ id }: Part): (() => unknown) =>
  () =>
    id;

/** Loans with some parts each, and the parts of all, the newest first. */
function someLoans(random: Random, count: number): { readonly parts: Map<string, Part[]>; readonly all: readonly Part[] } {
  const parts = new Map<string, Part[]>();
  let stamp = 0;
  for (let at = 0; at < count; at += 1) parts.set(`LN-${at}`, []);
  for (let each = 0; each < 3 * count; each += 1)
    parts.get(`LN-${random.below(count)}`)?.push({ id: `TX-${each}`, createdStamp: (stamp += 1 + random.below(3)) });
  for (const [id, own] of parts) if (own.length === 0) parts.delete(id);
  return { parts, all: [...parts.values()].flat().sort((a, b) => b.createdStamp - a.createdStamp) };
}

const rowsOf = (parts: ReadonlyMap<string, readonly Part[]>): readonly CatalogRow[] =>
  [...parts].map(([id, own]) => ({
    id,
    externalId: null,
    createdStamp: 0,
    updatedStamp: 0,
    parentId: null,
    fields: { newest: own.at(-1)?.createdStamp ?? 0 },
  }));

const stampOf = ({ fields }: CatalogRow): number => Number(fields['newest']);

test('items are taken by their stamps, the newest first', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  for (const count of [0, 1, 2, 50, 999]) {
    const items = Array.from({ length: count }, () => random.below(300));
    const heap = await ByNewest.of(items, (item) => item);
    const taken: number[] = [];
    for (let item = heap.take(); item !== undefined; item = heap.take()) {
      taken.push(item);
      t.ok(heap.newest <= item);
    }
    t.same(
      taken,
      [...items].sort((a, b) => b - a),
    );
    t.equal(heap.newest, -Infinity);
  }
});

test('a page of the parts of loans opens only loans that may have one of them, each once', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  for (let round = 0; round < 80; round += 1) {
    const { parts, all } = someLoans(random, 1 + random.below(60));
    const isWanted = random.chance(0.5) ? (): boolean => true : ({ createdStamp }: Part): boolean => createdStamp % 3 === 0;
    const wanted = all.filter(isWanted);
    const cursor = random.pick(all);
    const limit = 1 + random.below(8);
    const asked = random.pick([{ limit }, { limit, startingAfter: cursor.id }, { limit, endingBefore: cursor.id }]);
    const opened: string[] = [];
    const page = await newestFirst(rowsOf(parts), asked, {
      stampOf,
      countOf: () => 0,
      named: (id) => all.find((part) => part.id === id),
      partsOf({ id }) {
        opened.push(id);
        return (parts.get(id) ?? []).filter(isWanted).map((part) => ({ ...part, view: view(part) }));
      },
    });
    const older = wanted.filter(({ createdStamp }) => !('startingAfter' in asked) || createdStamp < cursor.createdStamp);
    const newer = wanted.filter(({ createdStamp }) => createdStamp > cursor.createdStamp);
    const expected = 'endingBefore' in asked ? newer.slice(-limit) : older.slice(0, limit);
    t.strictSame(
      page.items,
      expected.map(({ id }) => id),
      JSON.stringify(asked),
    );
    t.equal('endingBefore' in asked ? page.hasPrevious : page.hasMore, ('endingBefore' in asked ? newer : older).length > limit);
    t.equal(new Set(opened).size, opened.length);
  }
});

test('other work runs while many loans are opened, and parts that are made meanwhile are on no page', async (t) => {
  const { parts, all } = someLoans(new Random(SEED), 400);
  let made = 0;
  let rounds = 0;
  let isRead = false;
  const other = (): void => {
    rounds += 1;
    for (const own of parts.values()) own.push({ id: `NEW-${(made += 1)}`, createdStamp: 1_000_000 + made });
    if (!isRead) setImmediate(other);
  };
  setImmediate(other);
  const page = await newestFirst(
    rowsOf(parts),
    { limit: 100 },
    {
      stampOf,
      countOf: () => 0,
      named: () => undefined,
      partsOf({ id }) {
        const until = performance.now() + 0.1;
        while (performance.now() < until);
        return (parts.get(id) ?? []).map((part) => ({ ...part, view: view(part) }));
      },
    },
  ).finally(() => (isRead = true));
  t.ok(rounds > 1, `${rounds} rounds of other work`);
  t.strictSame(
    page.items,
    all.slice(0, 100).map(({ id }) => id),
  );
});
