import { test } from 'tap';
import { Refusal } from '../../actors/index.js';
import { type OffsetQuery, pageOf } from '../../actors/list-order.js';

const ITEMS = Array.from({ length: 30 }, (_, at) => ({ id: `XX-AAAA-${at + 1000}`, externalId: at === 3 ? 'third' : null }));

const idsOf = (query: OffsetQuery): readonly unknown[] =>
  pageOf(
    ITEMS,
    query,
    (item) => item.id,
    (item) => item.externalId,
  ).items;

const ids = (from: number, to: number): readonly string[] => ITEMS.slice(from, to).map((item) => item.id);

test('a page has 25 items by default, and says whether there are pages before and after it', (t) => {
  t.strictSame(idsOf({}), ids(0, 25));
  const { total, hasMore, hasPrevious } = pageOf(ITEMS, { offset: 25 }, (item) => item.id);
  t.strictSame({ total, hasMore, hasPrevious }, { total: 30, hasMore: false, hasPrevious: true });
  t.end();
});

test('cursors name an item by its id or external id, and endingBefore takes precedence', (t) => {
  t.strictSame(idsOf({ limit: 2, startingAfter: 'ext-third' }), ids(4, 6));
  t.strictSame(idsOf({ limit: 2, startingAfter: 'XX-AAAA-1010', endingBefore: 'XX-AAAA-1005' }), ids(3, 5));
  t.strictSame(idsOf({ limit: 9, endingBefore: 'XX-AAAA-1002' }), ids(0, 2));
  t.end();
});

test('an unknown cursor, and a cursor together with an offset, are refused', (t) => {
  t.throws(() => idsOf({ startingAfter: 'XX-ZZZZ-9999' }), Refusal);
  t.throws(() => idsOf({ offset: 0, startingAfter: 'XX-AAAA-1000' }), Refusal);
  t.end();
});
