import { test } from 'tap';
import { itemsOf, refusalOf } from '../harness.js';
import { makeAnn, openTestLender } from './lender.js';
import { NAME } from '../../people.js';

test('values are returned as they were given, and only by reads', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  t.match(await h.query('identity.primary', ann.id), {
    identityType: 'SSN',
    value: '900-11-2233',
    isPrimary: true,
    valid: true,
    issuingCountry: '',
  });
  const passport = await h.data('identity.create', ann.id, {
    identityType: 'passport',
    value: ' X1234567 ',
    issuingCountry: 'US',
    issueDate: '2020-01-01',
    expirationDate: '2030-01-01',
  });
  t.match(passport, { object: 'identity', isPrimary: false, value: /^[a-z0-9]{20}$/ });
  t.match(await h.query('identity.get', ann.id, {}, { params: { identityId: passport.id } }), { value: 'X1234567', personId: ann.id });
});

test('wrong values, missing names and early expiries are refused', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  t.match(await h.refusal('identity.create', ann.id, { identityType: 'FEIN', value: '12-345' }), { errors: [{ path: 'value' }] });
  t.match(await h.refusal('identity.create', ann.id, { identityType: 'customID', value: 'A1' }), {
    errors: [{ path: 'customIdentityTypeName' }],
  });
  const expired = { identityType: 'passport', value: 'X1', issueDate: '2020-01-01', expirationDate: '2020-01-01' };
  t.match(await h.refusal('identity.create', ann.id, expired), { errors: [{ path: 'expirationDate' }] });
});

test('there is one primary identity and it stays primary', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const primary = await h.query('identity.primary', ann.id);
  const params = { identityId: primary.id };
  t.equal(
    (await h.refusal('identity.create', ann.id, { identityType: 'ITIN', value: '900223344', isPrimary: true })).errorType,
    'duplicate',
  );
  t.equal((await h.refusal('identity.delete', ann.id, {}, { params })).errorType, 'identityPrimaryImmutable');
  t.equal((await h.refusal('identity.update', ann.id, { isPrimary: false }, { params })).errorType, 'identityPrimaryImmutable');
  t.match(await h.data('identity.update', ann.id, { value: '900 11 2244', valid: false }, { params }), { valid: false });
  t.match(await h.query('identity.primary', ann.id), { value: '900 11 2244', updatedAt: /^2026/ });
});

test('without a primary identity at creation, the first one that is added as primary becomes it', async (t) => {
  const h = await openTestLender();
  const { id } = await h.data('person.create', null, { name: NAME });
  t.equal((await refusalOf(h.query('identity.primary', id))).errorType, 'notFound');
  t.match(await h.data('identity.create', id, { identityType: 'SSN', value: '900112233', isPrimary: true }), { isPrimary: true });
});

test('an archived identity cannot become primary, and no value can be emptied', async (t) => {
  const h = await openTestLender();
  const { id } = await h.data('person.create', null, { name: NAME });
  const passport = await h.data('identity.create', id, { identityType: 'passport', value: 'X1234567' });
  const params = { identityId: passport.id };
  t.match(await h.refusal('identity.update', id, { value: '  ' }, { params }), { errors: [{ path: 'value' }] });
  t.match(await h.refusal('identity.create', id, { identityType: 'passport', value: ' ' }), { errors: [{ path: 'value' }] });
  t.match(await h.refusal('identity.update', id, { isArchived: true, isPrimary: true }, { params }), { errorType: 'invalidState' });
  await h.data('identity.delete', id, {}, { params });
  t.match(await h.refusal('identity.update', id, { isPrimary: true }, { params }), { errorType: 'invalidState' });
  t.match(await h.data('identity.update', id, { isPrimary: true, isArchived: false }, { params }), { isPrimary: true });
});

test('lists leave out archived identities unless they are asked for', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const { id } = await h.data('identity.create', ann.id, {
    identityType: 'customID',
    customIdentityTypeName: 'Member card',
    value: 'M-77',
  });
  await h.data('identity.delete', ann.id, {}, { params: { identityId: id } });
  t.equal(itemsOf(await h.query('identity.list', ann.id)).length, 1);
  const all = itemsOf(await h.query('identity.list', ann.id, { includeArchived: true }));
  t.match(all[0], { id, isArchived: true, value: 'M-77', customIdentityTypeName: 'Member card' });
});

test('a change under an unknown case is refused', async (t) => {
  const h = await openTestLender();
  const ann = await makeAnn(h);
  const refusal = await h.refusal('identity.create', ann.id, { identityType: 'SSN', value: '900112233', caseId: 'CS-AAAA-AAAA' });
  t.match(refusal, { errorType: 'validationError', errors: [{ path: 'caseId' }] });
});
