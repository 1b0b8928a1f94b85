import { test } from 'tap';
import type { CatalogRow, ListPage, ListRequest } from '../../../../actors/kernel/actor.js';
import { Catalog } from '../../../../actors/kernel/lists/catalog.js';
import type { KeptOrder } from '../../../../actors/kernel/lists/kept-lists.js';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { must } from '../../../../engine/index.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';

const TENANT = { company: 'CP-0000-0001', mode: 'test' } as const;
const PARENTS = ['PR-0000-0001', 'PR-0000-0002'] as const;

const rankOf = ({ fields }: CatalogRow): number => Number(fields['rank']);
const isShown = ({ fields }: CatalogRow): boolean => fields['shown'] === true;
const BY_RANK: KeptOrder = { holds: isShown, of: rankOf };
const SORT = [{ field: 'rank', descending: true, of: rankOf }];

const shown = ({ order, ...page }: ListPage): unknown => ({ ...page, order: order() });

function pageOr(list: () => ListPage): unknown {
  try {
    return shown(list());
  } catch (cause) {
    return String(cause);
  }
}

test(`a page in a kept order is the page of the sorted list, whatever was put and removed meanwhile: seed ${SEED}`, (t) => {
  const random = new Random(SEED);
  const catalog = new Catalog();
  const made: string[] = [];
  const aParent = (): string => must(PARENTS[random.below(PARENTS.length)], 'a parent');
  for (let step = 0; step < 2_000; step += 1) {
    const isNew = made.length < 10 || random.below(4) > 0;
    const id = isNew ? `IN-${String(made.length).padStart(4, '0')}` : must(made[random.below(made.length)], 'one that was made');
    if (isNew) made.push(id);
    const before = catalog.get(TENANT, 'interaction', id);
    if (!isNew && random.below(3) === 0) catalog.remove(TENANT, 'interaction', id);
    else if (isNew || before !== undefined) {
      catalog.put(TENANT, 'interaction', {
        id,
        externalId: random.below(3) === 0 ? `e-${id}` : null,
        createdStamp: before?.createdStamp ?? Math.floor(step / 2),
        updatedStamp: step,
        parentId: aParent(),
        alsoUnder: random.below(2) === 0 ? [] : [aParent()],
        fields: { rank: random.below(20), shown: random.below(5) > 0 },
      });
    }
    if (step % 20 > 0) continue;
    const parentId = aParent();
    const cursor = must(made[random.below(made.length)], 'one that was made');
    const asked: Pick<ListRequest, 'limit' | 'offset' | 'startingAfter' | 'endingBefore'> = must(
      [
        { limit: 5 },
        { limit: 7, offset: random.below(50) },
        { limit: 3, startingAfter: cursor },
        { limit: 3, endingBefore: `ext-e-${cursor}` },
        { limit: 3, startingAfter: [random.below(20), step / 4, 'IN'] },
      ][random.below(5)],
      'a page',
    );
    const least = random.below(3) === 0 ? random.below(20) : -1;
    const matches = random.below(2) === 0 ? undefined : (row: CatalogRow): boolean => row.updatedStamp % 3 > 0;
    const kept = pageOr(() =>
      catalog.list(TENANT, 'interaction', {
        parentId,
        kept: { order: BY_RANK, ...(least < 0 ? {} : { from: least }) },
        ...(matches && { matches }),
        ...asked,
      }),
    );
    const sorted = pageOr(() =>
      catalog.list(TENANT, 'interaction', {
        parentId,
        sort: SORT,
        matches: (row) => isShown(row) && rankOf(row) >= least && (matches?.(row) ?? true),
        ...asked,
      }),
    );
    t.strictSame(kept, sorted, `step ${step}: ${JSON.stringify(asked)}`);
  }
  const { total } = catalog.list(TENANT, 'interaction', { parentId: PARENTS[0], limit: 1 });
  t.ok(total > LIMITS.keptFrom, `${total} rows, of which the index keeps an order`);
  t.end();
});

test('rows below nobody make an empty page in the same order', (t) => {
  const page = new Catalog().list(TENANT, 'interaction', { parentId: PARENTS[0], kept: { order: BY_RANK }, limit: 5 });
  t.strictSame(page.rows, []);
  t.strictSame(page.order().descending, [true, true, false]);
  t.end();
});
