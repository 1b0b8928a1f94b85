import { test } from 'tap';
import { cutPage, type PageAsked } from '../../../../actors/list-order.js';
import { sortedPage, type UnsortedList } from '../../../../actors/kernel/lists/sorted-page.js';
import { Random } from '../../../gateway/fuzz/random.js';
import { SEED } from '../../../seed.js';

interface Item {
  readonly id: string;
  readonly rank: number;
  readonly stamp: number;
}

test('a page of a list that is not sorted is the page of the sorted list', async (t) => {
  t.comment(`seed ${SEED}`);
  const random = new Random(SEED);
  for (let round = 0; round < 400; round++) {
    const items: Item[] = Array.from({ length: random.below(60) }, (_, stamp) => ({ id: `I${stamp}`, rank: random.below(5), stamp }));
    const list: UnsortedList<Item> = {
      items,
      isNamed: ({ id }, cursor) => id === cursor,
      descending: [false, true],
      positionOf: ({ rank, stamp }) => [rank, stamp],
      compare: (a, b) => a.rank - b.rank || b.stamp - a.stamp,
    };
    const sorted = { ...list, items: [...items].sort(list.compare) };
    const some = (): PageAsked['startingAfter'] => {
      const item = random.chance(0.9) ? items[random.below(Math.max(1, items.length))] : undefined;
      return item && random.chance(0.3) ? [item.rank, item.stamp + 0.5] : (item?.id ?? 'nobody');
    };
    const limit = 1 + random.below(12);
    const asked: PageAsked = random.pick([
      { limit },
      { limit, offset: random.below(20) },
      { limit, startingAfter: some() ?? '' },
      { limit, endingBefore: some() ?? '' },
    ]);
    t.strictSame(
      shown(() => sortedPage(list, asked)),
      shown(() => cutPage(sorted, asked)),
      JSON.stringify(asked),
    );
  }
});

function shown(page: () => ReturnType<typeof cutPage<Item>>): unknown {
  try {
    const { order, ...rest } = page();
    return { ...rest, order: order() };
  } catch (cause) {
    return String(cause);
  }
}
