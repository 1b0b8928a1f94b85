import { test } from 'tap';
import { cutPage, type PageAsked } from '../../../../actors/list-order.js';
import type { CatalogRow, ListPage } from '../../../../actors/kernel/actor.js';
import type { Arrival, ArrivalMark } from '../../../../actors/kernel/lists/arrivals.js';
import { Catalog } from '../../../../actors/kernel/lists/catalog.js';
import type { Tenant } from '../../../../actors/kernel/ids.js';
import { Random } from '../../../gateway/fuzz/random.js';
import { SEED } from '../../../seed.js';

const TENANT: Tenant = { company: 'CP-AAAA-AAAA', mode: 'test' };

test('pages of all rows, and of those that match, are what cutting the sorted rows gives', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const catalog = new Catalog();
  const rows = new Map<string, CatalogRow>();
  let stamp = 0;
  for (let round = 0; round < 600; round++) {
    const known = [...rows.keys()];
    const id = random.chance(0.4) ? known[random.below(Math.max(1, known.length))] : undefined;
    if (id !== undefined && random.chance(0.3)) {
      catalog.remove(TENANT, 'case', id);
      rows.delete(id);
    } else {
      stamp += random.below(3);
      const row: CatalogRow = rowOf(id ?? `CS-${round}`, rows.get(id ?? '')?.createdStamp ?? stamp, random.below(3));
      catalog.put(TENANT, 'case', row);
      rows.set(row.id, row);
    }
    const rank = random.chance(0.5) ? random.below(3) : null;
    const matches = rank === null ? undefined : ({ fields }: CatalogRow): boolean => fields['rank'] === rank;
    const asked = pageAsked(random, known);
    const found = shown(() => catalog.list(TENANT, 'case', { ...asked, ...(matches ? { matches } : {}) }));
    t.strictSame(
      found,
      shown(() => expected([...rows.values()].filter(matches ?? (() => true)), placed(asked, [...rows.values()], matches))),
      JSON.stringify({ round, asked, rank }),
    );
  }
});

test('all rows are gone through in the order in which they came, each once, behind any of their marks', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  const catalog = new Catalog();
  let came: string[] = [];
  const gone: string[] = [];
  const read = (after: ArrivalMark | null): readonly Arrival[] => [...catalog.arrivals(TENANT, 'case', after)];
  for (let round = 0; round < 400; round++) {
    const known = random.chance(0.5) ? came[random.below(Math.max(1, came.length))] : undefined;
    if (known !== undefined && random.chance(0.4)) {
      catalog.remove(TENANT, 'case', known);
      came = came.filter((id) => id !== known);
      gone.push(known);
    } else {
      // A higher number was made earlier: they come in another order than they were made.
      catalog.put(TENANT, 'case', rowOf(known ?? `CS-${round}`, 1000 - round, random.below(3)));
      if (known === undefined) came.push(`CS-${round}`);
    }
    const all = read(null);
    t.strictSame(
      all.map(({ id }) => id),
      came,
    );
    const from = random.below(Math.max(1, all.length));
    t.strictSame(
      read(all[from]?.mark ?? null).map(({ id }) => id),
      came.slice(all.length === 0 ? 0 : from + 1),
    );
  }
  const back = gone[0] ?? '';
  catalog.put(TENANT, 'case', rowOf(back, 1, 1));
  t.equal(read(null).filter(({ id }) => id === back).length, 1, 'a row that comes back is there once');
  t.throws(() => [...new Catalog().arrivals(TENANT, 'case', read(null)[0]?.mark ?? null)], 'a mark of another start is refused');
});

function rowOf(id: string, createdStamp: number, rank: number): CatalogRow {
  return { id, externalId: `x${id}`, createdStamp, updatedStamp: createdStamp, parentId: null, fields: { rank } };
}

function pageAsked(random: Random, known: readonly string[]): PageAsked {
  const limit = 1 + random.below(6);
  const cursor = random.chance(0.9) ? (known[random.below(Math.max(1, known.length))] ?? 'CS-nobody') : 'CS-nobody';
  const named = random.chance(0.5) ? cursor : `ext-x${cursor}`;
  return random.pick<PageAsked>([
    { limit },
    { limit, offset: random.below(20) },
    { limit, startingAfter: named },
    { limit, endingBefore: named },
  ]);
}

/** A cursor that names a row which does not match stands for the position of that row. */
function placed(asked: PageAsked, rows: readonly CatalogRow[], matches: (row: CatalogRow) => boolean = () => true): PageAsked {
  const { startingAfter, endingBefore } = asked;
  const row = rows.find(({ id, externalId }) => [id, `ext-${externalId}`].includes(String(startingAfter ?? endingBefore)));
  if (row === undefined || matches(row)) return asked;
  const position = [row.createdStamp, row.id];
  return { ...asked, ...(startingAfter === undefined ? { endingBefore: position } : { startingAfter: position }) };
}

/** Rows of one stamp stay in the order of making, as the map has them. */
function expected(rows: readonly CatalogRow[], asked: PageAsked): ListPage {
  const { items, ...page } = cutPage(
    {
      items: [...rows].reverse(),
      isNamed: ({ id, externalId }, cursor) => id === cursor || `ext-${externalId}` === cursor,
      descending: [true, false],
      positionOf: ({ createdStamp, id }) => [createdStamp, id],
    },
    asked,
  );
  return { ...page, rows: items };
}

function shown(page: () => ListPage): unknown {
  try {
    const { rows, order, ...rest } = page();
    return { ...rest, rows: rows.map(({ id }) => id), order: order() };
  } catch (cause) {
    return String(cause);
  }
}
