import { test } from 'tap';
import { isOneEditAway } from '../../../actors/borrower/search/query.js';
import { type Data, type Harness, itemsOf } from '../harness.js';
import { EMAIL, HOME, makeAnn, openTestLender, PHONE } from './lender.js';

async function openCrowd(): Promise<{ h: Harness; ann: Data; bob: Data; bakery: Data; find: (query: object) => Promise<unknown> }> {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  for (const contact of [EMAIL, PHONE, HOME]) await h.data('contact.create', ann.id, contact);
  const bob = await h.data('person.create', null, {
    externalId: 'bob',
    name: { firstName: 'Bob', lastName: 'Quimper', maidenLastName: 'Öst' },
  });
  const businessDetails = { businessName: 'Larkspur Bakery', incorporatedState: 'NY' };
  const bakery = await h.data('person.create', null, { borrowerType: 'business', businessDetails });
  const find = async (query: object): Promise<unknown> => itemsOf(await h.query('person.search', null, query)).map((item) => item.id);
  return { h, ann, bob, bakery, find };
}

test('names match without case and accents, by a prefix and with one wrong letter', async (t) => {
  const { ann, bob, bakery, find } = await openCrowd();
  t.same(await find({ lastName: 'QUIMBY' }), [ann.id]);
  t.same(await find({ lastName: 'quim' }), [ann.id, bob.id].sort());
  t.same(await find({ lastName: 'Qiumby' }), [ann.id]);
  t.same(await find({ maidenName: 'ost' }), [bob.id]);
  t.same(await find({ fullName: 'annabel quimby' }), [ann.id]);
  t.same(await find({ businessName: 'bakery' }), [bakery.id]);
  t.same(await find({ firstName: 'Bib' }), [], 'short names must match exactly');
});

test('numbers match by their digits and by their last digits', async (t) => {
  const { ann, find } = await openCrowd();
  t.same(await find({ phone: '555-0143' }), [ann.id]);
  t.same(await find({ phone: '143' }), []);
  t.same(await find({ taxId: '2233' }), [ann.id]);
  t.same(await find({ taxId: '900-11-2233' }), [ann.id]);
});

test('exact parameters match whole values, and several parameters narrow the result', async (t) => {
  const { ann, bob, bakery, find } = await openCrowd();
  t.same(await find({ emailExact: 'Annabel.Quimby@example.com' }), [ann.id]);
  t.same(await find({ emailExact: 'annabel.quimby' }), []);
  t.same(await find({ email: 'annabel' }), [ann.id]);
  t.same(await find({ dateOfBirth: '1984-05-17', city: 'albany' }), [ann.id]);
  t.same(await find({ dateOfBirth: '1984-05-17', city: 'boston' }), []);
  t.same(await find({ borrowerType: 'business' }), [bakery.id]);
  t.same(await find({ externalId: 'ext-bob' }), [bob.id]);
  t.same(await find({ _hasTheWords: 'larkspur', _notTheWords: 'bakery' }), [ann.id]);
  t.same(await find({ bankruptcyCourtCase: 'x' }), []);
  t.same(await find({ firstName: 'annabel', lastName: '!?' }), []);
});

test('a search without parameters finds nothing', async (t) => {
  const { h } = await openCrowd();
  t.match(await h.query('person.search', null, {}), {
    items: [],
    total: 0,
    search: { total: { value: 0, relation: 'eq' }, maxScore: null, hits: [] },
  });
});

test('the better match comes first, with its score and the matched words', async (t) => {
  const { h, ann } = await openCrowd();
  const other = await h.data('person.create', null, { name: { firstName: 'Quincy', lastName: 'Quimbys' } });
  const result = await h.query('person.search', null, { lastName: 'quimby' });
  t.same(
    itemsOf(result).map((item) => item.id),
    [ann.id, other.id],
  );
  t.match(result['search'], {
    maxScore: 1,
    hits: [
      { id: ann.id, score: 1, highlight: { lastName: ['quimby'] } },
      { id: other.id, score: 0.8 },
    ],
  });
});

test('the index follows changes and deletions', async (t) => {
  const { h, ann, find } = await openCrowd();
  t.same(await find({ lastName: 'Quimby' }), [ann.id]);
  const { id } = await h.data('identity.create', ann.id, { identityType: 'ITIN', value: '911223344' });
  t.same(await find({ taxId: '911223344' }), [ann.id]);
  await h.data('identity.delete', ann.id, {}, { params: { identityId: id } });
  t.same(await find({ taxId: '911223344' }), []);
  await h.data('person.delete', ann.id);
  t.same(await find({ lastName: 'Quimby' }), []);
});

test('modes do not find each other', async (t) => {
  const { h } = await openCrowd();
  t.match(await h.query('person.search', null, { lastName: 'Quimby' }, { mode: 'live' }), { items: [] });
});

test('one edit is one insertion, deletion, substitution or exchange', (t) => {
  for (const [a, b] of [
    ['smith', 'smyth'],
    ['smith', 'smit'],
    ['smith', 'smithe'],
    ['smith', 'msith'],
    ['smith', 'smith'],
  ] as const)
    t.ok(isOneEditAway(a, b), `${a} ${b}`);
  for (const [a, b] of [
    ['smith', 'smi'],
    ['smith', 'smoth1'],
    ['smith', 'htims'],
    ['smith', 'jones'],
  ] as const)
    t.notOk(isOneEditAway(a, b), `${a} ${b}`);
  t.end();
});
