import { test } from 'tap';
import { itemsOf, refusalOf } from '../harness.js';
import { EMAIL, eventTypes, HOME, makeAnn, openTestLender, PHONE } from './lender.js';
import { NAME } from '../../people.js';

test('contacts get defaults and normalized values', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const email = await h.data('contact.create', ann.id, { contactType: 'email', label: 'work', value: ' Ann@Example.COM ' });
  t.match(email, {
    object: 'contact',
    personId: ann.id,
    companyId: h.company,
    affiliation: 'self',
    status: 'additional',
    valid: true,
    verified: false,
    receiveTextMessages: false,
    authorizedThirdParty: false,
    powerOfAttorney: false,
    address: null,
    externalId: null,
    value: /^[a-z0-9]{20}$/,
  });
  t.match(await h.query('contact.get', ann.id, {}, { params: { contactId: email.id } }), { value: 'ann@example.com' });
  const phone = await h.data('contact.create', ann.id, { ...PHONE, receiveTextMessages: true, externalId: 'cell' });
  t.match(phone, { receiveTextMessagesLastConsentAt: '2026-03-02T15:00:00.000Z' });
  t.match(await h.query('contact.get', ann.id, {}, { params: { contactId: 'ext-cell' } }), { value: '+12025550143' });
  const home = await h.data('contact.create', ann.id, HOME);
  t.match(home, {
    value: null,
    address: { object: 'address', addressLine1: '12 Larkspur Lane', country: 'US', POBox: null, fipsCode: null },
  });
  t.same(eventTypes(h), ['person.created', 'contact.created', 'contact.created', 'contact.created']);
});

test('a contact with an invalid value is refused', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const path = async (body: object): Promise<unknown> =>
    (await h.refusal('contact.create', ann.id, body)).errors.map((fault) => fault.path);
  t.same(await path({ ...EMAIL, value: 'nobody' }), ['value']);
  t.same(await path({ ...PHONE, value: '202-555-0143' }), ['value']);
  t.same(await path({ contactType: 'email', label: 'work' }), ['value']);
  t.same(await path({ contactType: 'address', label: 'home' }), ['address']);
  t.same(await path({ ...HOME, value: 'x' }), ['value']);
  t.same(await path({ ...EMAIL, address: HOME.address }), ['address']);
});

test('an address is checked unless the caller turns that off', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const odd = { ...HOME, address: { city: 'Albany', state: 'QQ', postalCode: '1' } };
  const refusal = await h.refusal('contact.create', ann.id, odd);
  t.equal(refusal.errorType, 'addressInvalid');
  t.same(
    refusal.errors.map((fault) => fault.path),
    ['address.addressLine1', 'address.state', 'address.postalCode'],
  );
  t.match(await h.data('contact.create', ann.id, odd, { query: { validate: false } }), { address: { state: 'QQ' } });
  const abroad = { ...HOME, address: { addressLine1: '1 Rue Basse', city: 'Lyon', country: 'FR' } };
  t.match(await h.data('contact.create', ann.id, abroad), { address: { country: 'FR' } });
});

test('a new primary contact makes the former one secondary in the same step', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const first = await h.data('contact.create', ann.id, EMAIL);
  const work = await h.data('contact.create', ann.id, { ...EMAIL, label: 'work' });
  const second = await h.data('contact.create', ann.id, { ...EMAIL, value: 'new@example.com' });
  const statuses = new Map(itemsOf(await h.query('contact.list', ann.id)).map((item) => [item.id, item['status']]));
  t.same(
    [first, work, second].map(({ id }) => statuses.get(id)),
    ['secondary', 'primary', 'primary'],
  );
  await h.data('contact.update', ann.id, { status: 'primary' }, { params: { contactId: first.id } });
  t.match(await h.query('contact.get', ann.id, {}, { params: { contactId: second.id } }), { status: 'secondary' });
});

test('the event of an update names the changed fields, never their values', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const { id } = await h.data('contact.create', ann.id, EMAIL);
  await h.data('contact.update', ann.id, { value: 'other@example.com', valid: false }, { params: { contactId: id } });
  const events = h.engine.events.after({ company: h.company, mode: 'test' }, { objectId: id }, 10);
  t.match(events.at(-1), {
    eventType: 'contact.updated',
    objectType: 'contact',
    refs: { personId: ann.id },
    data: {
      contactId: id,
      contactType: 'email',
      changes: [
        { field: 'valid', oldValue: true, newValue: false },
        { field: 'value', oldValue: null, newValue: null },
      ],
    },
  });
  t.notOk(JSON.stringify(events).includes('example.com'));
});

test('a clone replaces a contact and takes its external id', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const old = await h.data('contact.create', ann.id, { ...EMAIL, externalId: 'mail' });
  const clone = await h.data('contact.clone', ann.id, { value: 'new@example.com' }, { params: { contactId: 'ext-mail' } });
  t.not(clone.id, old.id);
  t.match(clone, { externalId: 'mail', status: 'primary', label: 'personal' });
  t.match(await h.query('contact.get', ann.id, {}, { params: { contactId: old.id } }), {
    status: 'archived',
    externalId: null,
    value: 'annabel.quimby@example.com',
  });
  t.match(await h.query('contact.get', ann.id, {}, { params: { contactId: 'ext-mail' } }), { id: clone.id, value: 'new@example.com' });
  t.same(
    itemsOf(await h.query('contact.list', ann.id)).map((item) => item.id),
    [clone.id],
  );
  t.equal(itemsOf(await h.query('contact.list', ann.id, { includeArchived: true })).length, 2);
  t.same(eventTypes(h).slice(1), ['contact.created', 'contact.updated', 'contact.created']);
});

test('a deleted contact is not found, and its external id can be used again', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const bob = await h.data('person.create', null, { name: NAME });
  await h.data('contact.create', ann.id, { ...EMAIL, externalId: 'mail' });
  t.equal((await h.refusal('contact.create', bob.id, { ...EMAIL, externalId: 'mail' })).errorType, 'duplicate');
  await h.data('contact.delete', ann.id, {}, { params: { contactId: 'ext-mail' } });
  t.equal((await refusalOf(h.query('contact.get', ann.id, {}, { params: { contactId: 'ext-mail' } }))).errorType, 'notFound');
  await h.data('contact.create', bob.id, { ...EMAIL, externalId: 'mail' });
});

test('lists filter and sort, also by values that collide', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  for (const contact of [EMAIL, PHONE, HOME]) await h.data('contact.create', ann.id, contact);
  const types = async (query: object): Promise<unknown> =>
    itemsOf(await h.query('contact.list', ann.id, query)).map((item) => item['contactType']);
  t.same(await types({}), ['address', 'phone', 'email']);
  t.same(await types({ sortBy: ['contactType'] }), ['address', 'email', 'phone']);
  t.same(await types({ label: 'home' }), ['address']);
  t.same(await types({ collidesWithEmail: 'ANNABEL.quimby@example.com' }), ['email']);
  t.same(await types({ collidesWithPhone: '1 202 555 0143' }), ['phone']);
  t.same(await types({ receiveTextMessages: true }), []);
  t.same(await types({ limit: 1, offset: 1 }), ['phone']);
});

test('a code that was never sent is refused', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  t.equal(
    (await h.refusal('contact.create', ann.id, EMAIL, { query: { confirmationCode: '123456' } })).errorType,
    'confirmationCodeInvalid',
  );
});
