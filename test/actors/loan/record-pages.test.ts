import { test } from 'tap';
import { RecordPages } from '../../../actors/loan/packing.js';
import { must } from '../../../engine/index.js';

interface Item {
  readonly id: number;
  readonly status: string;
}

const PAGES = new RecordPages<Item>('items', 4);

const items = (count: number): Item[] => Array.from({ length: count }, (_, id) => ({ id, status: 'new' }));

/** As a start reads them from a snapshot. */
function stored(records: readonly Item[]): Item[] {
  const packed = structuredClone(PAGES.pack(records));
  const parts = new Map(PAGES.parts(records).map(({ name, value }) => [name, structuredClone(value)]));
  return PAGES.unpack(packed, (name) => parts.get(name));
}

void test('records come back in their order, from full pages and the rest', async (t) => {
  for (const count of [0, 1, 3, 4, 5, 8, 11]) t.strictSame(stored(items(count)), items(count), `${count} records`);
  t.strictSame(
    PAGES.parts(items(11)).map(({ name }) => name),
    ['items-0', 'items-1'],
  );
  t.equal(PAGES.pack(items(11)).rest.length, 3);
});

void test('a page is another one when one of its records is, and only then', async (t) => {
  const records = items(12);
  const before = PAGES.parts(records);
  const grown = [...records, { id: 12, status: 'new' }];
  t.ok(PAGES.parts(grown).every(({ value }, page) => value === before[page]?.value));
  const changed = grown.map((item) => (item.id === 6 ? { ...item, status: 'canceled' } : item));
  t.strictSame(
    PAGES.parts(changed).map(({ value }, page) => value === before[page]?.value),
    [true, false, true],
  );
  t.strictSame(stored(changed), changed);
});

void test('pages that were read are not stored again', async (t) => {
  const parts = new Map(PAGES.parts(items(8)).map(({ name, value }) => [name, value]));
  const read = PAGES.unpack(PAGES.pack(items(8)), (name) => must(parts.get(name), name));
  for (const { name, value } of PAGES.parts(read)) t.equal(value, parts.get(name));
});
