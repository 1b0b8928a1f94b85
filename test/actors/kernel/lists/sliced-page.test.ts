import { setImmediate as nextRound } from 'node:timers/promises';
import { test } from 'tap';
import type { CatalogRow, ListPage, ListRequest } from '../../../../actors/kernel/actor.js';
import { Catalog } from '../../../../actors/kernel/lists/catalog.js';
import type { Tenant } from '../../../../actors/kernel/ids.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { Random } from '../../../gateway/fuzz/random.js';
import { SEED } from '../../../seed.js';

const TENANT: Tenant = { company: 'CP-AAAA-AAAA', mode: 'test' };
const ROWS = LIMITS.rowsAtOnce + 5_000;

const rowOf = (at: number, rank: number): CatalogRow => ({
  id: `PR-${at}`,
  externalId: at % 5 === 0 ? `e-${at}` : null,
  createdStamp: at,
  updatedStamp: at,
  parentId: null,
  fields: { rank },
});

function filled(random: Random): Catalog {
  const catalog = new Catalog();
  for (let at = 0; at < ROWS; at++) catalog.put(TENANT, 'person', rowOf(at, random.below(4)));
  return catalog;
}

const isRank =
  (rank: number) =>
  ({ fields }: CatalogRow): boolean =>
    fields['rank'] === rank;

test('a list that is read in time slices is the list that is read at once', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const catalog = filled(random);
  for (let round = 0; round < 60; round++) {
    const cursor = random.pick([`PR-${random.below(ROWS)}`, `ext-e-${5 * random.below(ROWS / 5)}`, 'PR-none']);
    const limit = 1 + random.below(100);
    const sort = random.pick<NonNullable<ListRequest['sort']>>([[], [{ field: 'rank', descending: random.chance(0.5) }]]);
    const asked: ListRequest = {
      ...random.pick<ListRequest>([
        { limit },
        { limit, offset: random.below(9_000) },
        { limit, startingAfter: cursor },
        { limit, endingBefore: cursor },
      ]),
      sort,
      ...(random.chance(0.8) ? { matches: isRank(random.below(5)) } : {}),
    };
    t.strictSame(
      await shown(() => catalog.listInSlices(TENANT, 'person', asked)),
      await shown(() => catalog.list(TENANT, 'person', asked)),
      JSON.stringify(asked),
    );
  }
});

test('other work runs between two slices, and what changes meanwhile is neither lost nor doubled', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const catalog = filled(random);
  const before = catalog.list(TENANT, 'person', { limit: ROWS, matches: isRank(1) }).rows.map(({ id }) => id);
  const changed = new Set<string>();
  const slow = (row: CatalogRow): boolean => {
    for (let spent = 0; spent < 200; spent++) Math.hypot(spent, row.createdStamp);
    return isRank(1)(row);
  };
  let isRead = false;
  const reading = catalog.listInSlices(TENANT, 'person', { limit: ROWS, matches: slow }).finally(() => (isRead = true));
  let rounds = 0;
  for (; !isRead; rounds += 1) {
    const at = random.below(ROWS);
    changed.add(`PR-${at}`);
    if (random.chance(0.3)) catalog.remove(TENANT, 'person', `PR-${at}`);
    else catalog.put(TENANT, 'person', rowOf(at, random.below(4)));
    catalog.put(TENANT, 'person', rowOf(ROWS + rounds, 1));
    await nextRound();
  }
  t.ok(rounds > 2, `${rounds} rounds of other work`);
  const { rows } = await reading;
  const ids = rows.map(({ id }) => id);
  t.equal(new Set(ids).size, ids.length, 'none is there twice');
  t.same(
    ids.filter((id) => !changed.has(id)),
    before.filter((id) => !changed.has(id)),
    'all others are there, in their order',
  );
  for (const id of ids) t.match(catalog.get(TENANT, 'person', id), { fields: { rank: 1 } }, id);
});

test('named rows are found without a look at the others', async (t) => {
  const catalog = filled(new Random(SEED));
  let looked = 0;
  const matches = ({ externalId }: CatalogRow): boolean => {
    looked += 1;
    return externalId === 'e-50';
  };
  const names = ['ext-e-50', 'PR-50', 'PR-7', 'ext-none', 'PR-none'];
  const { rows, total } = await catalog.listInSlices(TENANT, 'person', { limit: 25, names, matches });
  t.match({ rows, total, looked }, { rows: [{ id: 'PR-50' }], total: 1, looked: 2 });
});

test('a test mode that is emptied while its list is read has no rows', async (t) => {
  const catalog = filled(new Random(SEED));
  let isWiped = false;
  const page = await catalog.listInSlices(TENANT, 'person', {
    limit: 25,
    matches: () => {
      if (!isWiped) setImmediate(() => catalog.dropTenant(TENANT));
      isWiped = true;
      for (let spent = 0; spent < 500; spent++) Math.hypot(spent, spent);
      return true;
    },
  });
  t.match(page, { rows: [], total: 0 });
});

async function shown(read: () => ListPage | Promise<ListPage>): Promise<unknown> {
  try {
    const { order, ...rest } = await read();
    return { ...rest, order: order() };
  } catch (cause) {
    return String(cause);
  }
}
