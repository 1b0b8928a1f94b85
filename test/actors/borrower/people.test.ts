import { test } from 'tap';
import { personOf } from '../../../actors/borrower/index.js';
import { itemsOf, refusalOf } from '../harness.js';
import { ACCOUNT, ANN, EMAIL, eventTypes, HOME, makeAnn, openTestLender, PHONE } from './lender.js';
import { NAME } from '../../people.js';

test('a borrower is created with defaults, name and primary identity', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  t.match(ann, {
    object: 'person',
    companyId: h.company,
    borrowerType: 'person',
    externalId: 'ann-1',
    displayId: 'ann-1',
    status: 'active',
    statusUpdatedAt: null,
    collectionsIntensity: 'normal',
    commPreferences: { statementDeliveryChannels: [], sendRemindersWhenCurrent: true },
    monitorStartDate: '2026-03-02',
    metaData: null,
    user: null,
    dateOfBirth: '1984-05-17',
    businessDetails: null,
    updatedAt: null,
    deletedAt: null,
    name: { object: 'name', firstName: 'Annabel', lastName: 'Quimby', current: true, source: 'lender', prefix: null },
    identities: [{ object: 'identity', identityType: 'SSN', isPrimary: true, value: /^[a-z0-9]{20}$/ }],
  });
  t.match(ann.id, /^BO-[A-Z1-9]{4}-[A-Z1-9]{4}$/);
  t.same(await h.query('person.get', 'ext-ann-1'), ann);
  t.same(eventTypes(h), ['person.created']);
});

test('a person needs a name', async (t) => {
  const h = await openTestLender();
  for (const body of [{}, { name: null }, { externalId: 'x' }])
    t.match(await h.refusal('person.create', null, body), { errorType: 'validationError', errors: [{ path: 'name' }] });
});

test('a business needs its details and has no date of birth', async (t) => {
  const h = await openTestLender();
  t.match(await h.refusal('person.create', null, { borrowerType: 'business' }), {
    errorType: 'validationError',
    errors: [{ path: 'businessDetails' }],
  });
  const businessDetails = { businessName: 'Larkspur Bakery', incorporatedState: 'NY', businessType: 'LLC' };
  t.match(await h.refusal('person.create', null, { borrowerType: 'business', businessDetails, dateOfBirth: '1984-05-17' }), {
    errors: [{ path: 'dateOfBirth' }],
  });
  t.match(await h.refusal('person.create', null, { businessDetails }), { errors: [{ path: 'businessDetails' }] });
  const bakery = await h.data('person.create', null, { borrowerType: 'business', businessDetails });
  t.match(bakery, {
    borrowerType: 'business',
    name: null,
    businessDetails: { businessName: 'Larkspur Bakery', businessType: 'LLC', businessLegalName: null },
  });
});

test('an external id is unique in each mode, and null frees it', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  t.match(await h.refusal('person.create', null, { externalId: 'ann-1', name: NAME }), {
    errorType: 'duplicate',
    errors: [{ path: 'externalId' }],
  });
  await h.data('person.create', null, { externalId: 'ann-1', name: NAME }, { mode: 'live' });
  await h.data('person.update', ann.id, { externalId: null });
  t.equal((await refusalOf(h.query('person.get', 'ext-ann-1'))).errorType, 'notFound');
  await h.data('person.create', null, { externalId: 'ann-1', name: NAME });
});

test('an update does not change absent fields', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  h.nowMs += 1000;
  const updated = await h.data('person.update', ann.id, {
    collectionsIntensity: 'light',
    status: 'inactive',
    commPreferences: { statementDeliveryChannels: ['email'] },
  });
  t.match(updated, {
    collectionsIntensity: 'light',
    status: 'inactive',
    statusUpdatedAt: '2026-03-02T15:00:01.000Z',
    updatedAt: '2026-03-02T15:00:01.000Z',
    commPreferences: { statementDeliveryChannels: ['email'], sendRemindersWhenCurrent: true },
    dateOfBirth: '1984-05-17',
    externalId: 'ann-1',
  });
  t.match(await h.refusal('person.update', ann.id, { dateOfBirth: '2031-01-01' }), { errors: [{ path: 'dateOfBirth' }] });
});

test('a new name becomes current and the former one stays in the history', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  h.nowMs += 1000;
  t.match(await h.data('person.update', ann.id, { name: { firstName: 'Annabel', lastName: 'Vane' } }), {
    name: { lastName: 'Vane', current: true },
  });
  const names = itemsOf(await h.query('name.list', ann.id));
  t.same(
    names.map((name) => [name['lastName'], name['current']]),
    [
      ['Vane', true],
      ['Quimby', false],
    ],
  );
});

test('a name with a future date becomes current on that date', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const later = await h.data('name.create', ann.id, { firstName: 'Annabel', lastName: 'Later', effectiveAt: '2026-04-01T00:00:00Z' });
  t.match(later, { current: false, effectiveAt: '2026-04-01T00:00:00.000Z' });
  t.match(await h.query('person.get', ann.id), { name: { lastName: 'Quimby' } });
  h.nowMs = Date.parse('2026-04-01T00:00:00Z');
  t.match(await h.query('person.get', ann.id), { name: { lastName: 'Later', current: true } });
});

test('a corrected name keeps its original value', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const nameId = (ann['name'] as { id: string }).id;
  const corrected = await h.data('name.update', ann.id, { lastName: 'Quimbey' }, { params: { nameId } });
  t.match(corrected, {
    lastName: 'Quimbey',
    firstName: 'Annabel',
    originalValue: { lastName: 'Quimby', middleName: 'Rose' },
    current: true,
  });
  t.match(await h.refusal('name.update', ann.id, { status: 'archived' }, { params: { nameId } }), { errors: [{ path: 'status' }] });
});

test('a person always has a current name', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const params = { nameId: (ann['name'] as { id: string }).id };
  const later = '2031-01-01T00:00:00Z';
  t.match(await h.refusal('name.update', ann.id, { effectiveAt: later }, { params }), {
    errorType: 'validationError',
    errors: [{ path: 'effectiveAt' }],
  });
  const name = { firstName: 'Fay', lastName: 'Green', effectiveAt: later };
  t.match(await h.refusal('person.create', null, { name }), { errors: [{ path: 'name.effectiveAt' }] });
  const business = await h.data('person.create', null, { borrowerType: 'business', businessDetails: { businessName: 'Green LLC' } });
  t.match(await h.refusal('person.update', business.id, { borrowerType: 'person' }), { errors: [{ path: 'name' }] });
  t.match(await h.refusal('person.update', business.id, { borrowerType: 'person', name }), { errors: [{ path: 'name.effectiveAt' }] });
  await h.data('name.create', ann.id, { firstName: 'Ann', lastName: 'Vane' });
  t.match(await h.data('name.update', ann.id, { effectiveAt: later }, { params }), { current: false }, 'where another one is current');
});

test('a deleted borrower is not found, and its external id can be used again', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  await h.data('person.delete', ann.id);
  t.equal((await refusalOf(h.query('person.get', ann.id))).errorType, 'notFound');
  t.equal((await h.refusal('person.update', ann.id, {})).errorType, 'notFound');
  await makeAnn(h);
  t.throws(() => personOf({ read: () => undefined } as never, ann.id));
});

test('lists filter by status, kind, ids and external id, and sort', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  h.nowMs += 1000;
  const bob = await h.data('person.create', null, { externalId: 'bob', status: 'inactive', name: { firstName: 'Bob', lastName: 'Tarn' } });
  const ids = async (query: object): Promise<unknown> => itemsOf(await h.query('person.list', null, query)).map((item) => item.id);
  t.same(await ids({}), [bob.id, ann.id]);
  t.same(await ids({ sortBy: ['createdAt'] }), [ann.id, bob.id]);
  t.same(await ids({ sortBy: ['status', '-externalId'] }), [ann.id, bob.id]);
  t.same(await ids({ status: 'inactive' }), [bob.id]);
  t.same(await ids({ ids: ['ext-bob', ann.id] }), [bob.id, ann.id]);
  t.same(await ids({ externalId: 'ext-ann-1' }), [ann.id]);
  t.same(await ids({ borrowerType: 'business' }), []);
  t.same(await ids({ limit: 1, startingAfter: bob.id }), [ann.id]);
  t.equal((await refusalOf(h.query('person.list', null, { sortBy: ['name'] }))).errorType, 'badRequest');
});

test('the primary identity is shown in clear to callers who may read identities', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const query = { includeIdentity: true };
  t.match(await h.query('person.get', ann.id, query, { permissions: ['identity:read'] }), { identity: { value: '900-11-2233' } });
  t.match(await h.query('person.get', ann.id, query), { identity: { value: /^[a-z0-9]{20}$/ } });
});

test('no personal data is on disk in clear, not even in replies for retries', async (t) => {
  const h = await openTestLender();
  const first = await h.command('person.create', null, ANN, { key: 'once' });
  const again = await h.command('person.create', null, ANN, { key: 'once' });
  t.equal(again.replayed, true);
  await h.restart();
  const later = await h.command('person.create', null, ANN, { key: 'once' });
  t.equal(JSON.stringify(later.data), JSON.stringify(first.data));
  t.equal(JSON.stringify(again.data), JSON.stringify(first.data));
  const written = h.written();
  for (const secret of ['Annabel', 'Quimby', '900112233', '900-11-2233', '1984-05-17', 'ann-1']) t.notOk(written.includes(secret), secret);
  t.ok(written.includes('PersonCreated'), 'the text that is searched contains facts');
});

test('erasing a borrower destroys its key, so that none of its data can be read', async (t) => {
  const h = await openTestLender();
  const ann = await h.command('person.create', null, ANN, { key: 'once' });
  const { id } = ann.data as { id: string };
  await h.query('person.search', null, { lastName: 'Quimby' });
  t.ok(h.keys.has(id));
  await h.command('person.erase', id, {}, { system: true });
  t.notOk(h.keys.has(id));
  t.match(await h.query('person.search', null, { lastName: 'Quimby' }), { items: [] });
  t.equal((await refusalOf(h.query('person.get', id))).errorType, 'notFound');
  t.equal((await h.refusal('person.create', null, ANN, { key: 'once' })).errorType, 'notFound');
  h.keys.create(id); // as a restored backup of the keys would
  h.forgetSnapshots();
  await h.restart();
  t.notOk(h.keys.has(id), 'the recovery destroys the key again');
  t.same(h.reports, []);
});

test('a borrower that is rebuilt from the whole journal is the same', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  for (const contact of [EMAIL, PHONE, HOME, { ...EMAIL, label: 'work', externalId: 'mail' }])
    await h.data('contact.create', ann.id, contact);
  await h.data('contact.clone', ann.id, { value: 'new@example.com' }, { params: { contactId: 'ext-mail' } });
  await h.data('paymentInstrument.create', ann.id, ACCOUNT);
  await h.data('person.update', ann.id, { status: 'inactive', name: { firstName: 'Annabel', lastName: 'Vane' } });
  const look = async (): Promise<unknown> => {
    const all = { includeArchived: true };
    return [
      await h.query('person.get', 'ext-ann-1', { includeIdentity: true }),
      await h.query('name.list', ann.id, all),
      await h.query('contact.list', ann.id, all),
      await h.query('paymentInstrument.list', ann.id, {}),
    ];
  };
  const before = await look();
  h.forgetSnapshots();
  await h.restart();
  t.same(await look(), before);
  t.same(h.reports, []);
});
