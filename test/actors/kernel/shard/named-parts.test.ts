import { test } from 'tap';
import type { CatalogRow, NamedPart } from '../../../../actors/kernel/actor.js';
import { Catalog } from '../../../../actors/kernel/lists/catalog.js';
import { RowFormat } from '../../../../actors/kernel/lists/row-format.js';

const TENANT = { company: 'CP-0000-0001', mode: 'test' } as const;

const rowWith = (...parts: readonly (readonly NamedPart[])[]): CatalogRow => ({
  id: 'LN-0000-0001',
  externalId: null,
  createdStamp: 1,
  updatedStamp: 1,
  parentId: null,
  parts,
  fields: {},
});

const named = (externalId: string): NamedPart => ['transaction', externalId, `TX-${externalId}`];

const found = (catalog: Catalog, externalId: string): string | undefined => catalog.findExternal(TENANT, 'transaction', externalId);

test('names that are added to the end of a list are found with the next row', (t) => {
  const catalog = new Catalog();
  const names = [named('a')];
  catalog.put(TENANT, 'loan', rowWith(names));
  t.equal(found(catalog, 'a'), 'TX-a');
  names.push(named('b'));
  t.equal(found(catalog, 'b'), undefined);
  catalog.put(TENANT, 'loan', rowWith(names));
  t.equal(found(catalog, 'a'), 'TX-a');
  t.equal(found(catalog, 'b'), 'TX-b');
  t.end();
});

test('names of a replaced list are free, except those that are also in another list', (t) => {
  const catalog = new Catalog();
  const kept = [named('a'), named('b')];
  catalog.put(TENANT, 'loan', rowWith([named('b'), named('c')], kept));
  catalog.put(TENANT, 'loan', rowWith(kept));
  t.equal(found(catalog, 'c'), undefined);
  t.equal(found(catalog, 'b'), 'TX-b', 'it stands in the list that stays, too');
  catalog.put(TENANT, 'loan', rowWith([named('b')]));
  t.equal(found(catalog, 'a'), undefined);
  t.equal(found(catalog, 'b'), 'TX-b');
  catalog.remove(TENANT, 'loan', 'LN-0000-0001');
  t.equal(found(catalog, 'b'), undefined);
  t.end();
});

test('a row is stored with the names of all its lists', (t) => {
  const format = new RowFormat();
  const { row } = format.unpack('LN-0000-0001', format.pack(rowWith([named('a')], [named('b')]), null));
  t.same(row.parts?.flat(), [named('a'), named('b')]);
  t.same(format.unpack('LN-0000-0001', format.pack(rowWith(), null)).row.parts, []);
  t.end();
});
