import { test } from 'tap';
import type { CatalogRow } from '../../../../actors/kernel/actor.js';
import { RowFormat } from '../../../../actors/kernel/lists/row-format.js';

const rowOf = (id: string, fields: CatalogRow['fields']): CatalogRow => ({
  id,
  externalId: null,
  createdStamp: 1,
  updatedStamp: 2,
  parentId: null,
  fields,
});

test('rows with equal lists share them, and nothing with the state of their actor', (t) => {
  const format = new RowFormat();
  const [statuses, counts] = [
    ['pending', 'settled'],
    [3, 1],
  ];
  const first = format.lean(rowOf('LN-0000-0001', { statuses, counts }));
  const second = format.lean(rowOf('LN-0000-0002', { statuses: [...statuses], counts: [...counts] }));
  t.same(first.fields, { statuses: ['pending', 'settled'], counts: [3, 1] });
  t.equal(second.fields['statuses'], first.fields['statuses']);
  t.equal(second.fields['counts'], first.fields['counts']);
  statuses.push('failed');
  counts.push(9);
  t.same(first.fields, { statuses: ['pending', 'settled'], counts: [3, 1] });
  t.end();
});

test('a list of numbers is another one than a list of texts that look alike', (t) => {
  const format = new RowFormat();
  const { fields } = format.lean(rowOf('LN-0000-0001', { numbers: [1, 2], texts: ['1', '2'], text: ['1,2'] }));
  t.same(fields, { numbers: [1, 2], texts: ['1', '2'], text: ['1,2'] });
  t.end();
});

test('rows of the same fields that were read have values of their own', (t) => {
  const format = new RowFormat();
  const read = (id: string, fields: CatalogRow['fields']): CatalogRow => format.unpack(id, format.pack(rowOf(id, fields), null)).row;
  const first = read('LN-0000-0001', { status: 'active', cents: 1 });
  const second = read('LN-0000-0002', { status: 'closed', cents: 2 });
  t.same(first.fields, { status: 'active', cents: 1 });
  t.same(second.fields, { status: 'closed', cents: 2 });
  t.end();
});
