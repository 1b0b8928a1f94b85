import { test } from 'tap';
import { ACCOUNT, ANN, EMAIL, HOME } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, openHttpLender } from './http-lender.js';
import { NAME } from '../../people.js';

test('a borrower lives over HTTP: create, read, update, delete', async (t) => {
  const { ask, failures } = await openHttpLender(t);
  const created = await ask('POST', '/people', ANN);
  t.match(created, { status: 200, json: { status: 200, message: String, data: { object: 'person', name: { lastName: 'Quimby' } } } });
  t.match(await ask('GET', '/people/ext-ann-1?includeIdentity=true'), {
    json: { data: { id: idOf(created), identity: { value: '900-11-2233' } } },
  });
  t.match(await ask('PUT', '/people/ext-ann-1', { externalId: null, metaData: { tier: 'gold' } }), {
    json: { data: { externalId: null, metaData: { tier: 'gold' } } },
  });
  t.match(await ask('DELETE', `/people/${idOf(created)}`), { status: 200 });
  t.match(await ask('GET', `/people/${idOf(created)}`), { status: 404 });
  t.same(failures, []);
});

test('a url-encoded body creates a borrower', async (t) => {
  const { ask } = await openHttpLender(t);
  const body = [
    'borrowerType=person',
    'name.firstName=Ida',
    'name.lastName=Fern',
    'commPreferences.statementDeliveryChannels[]=email',
    'commPreferences.sendRemindersWhenCurrent=false',
  ].join('&');
  const created = await ask('POST', '/people', undefined, { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  t.match(created, {
    status: 200,
    json: {
      data: { name: { firstName: 'Ida' }, commPreferences: { statementDeliveryChannels: ['email'], sendRemindersWhenCurrent: false } },
    },
  });
});

test('all faults of a body come at once', async (t) => {
  const { ask } = await openHttpLender(t);
  const answer = await ask('POST', '/people', {
    borrowerType: 'robot',
    name: { firstName: '' },
    monitorStartDate: '2026-02-30',
    identity: { identityType: 'SSN' },
  });
  t.equal(answer.status, 400);
  const paths = (answer.json['errors'] as { path: string }[]).map(({ path }) => path).sort();
  t.same(paths, ['borrowerType', 'identity.value', 'monitorStartDate', 'name.firstName', 'name.lastName']);
});

test('two racing creates with one external id give one borrower', async (t) => {
  const { ask } = await openHttpLender(t);
  const answers = await Promise.all([1, 2, 3].map(() => ask('POST', '/people', { externalId: 'same', name: NAME })));
  t.same(answers.map(({ status }) => status).sort(), [200, 409, 409]);
});

test('a retried create is answered the same and applied once', async (t) => {
  const { ask } = await openHttpLender(t);
  const once = { headers: { 'Idempotency-Key': 'create-ann' } };
  const first = await ask('POST', '/people', ANN, once);
  const again = await ask('POST', '/people', ANN, once);
  t.equal(again.text, first.text);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.match(await ask('POST', '/people', { name: NAME }, once), { status: 409, json: { errorType: 'idempotencyConflict' } });
  t.match(await ask('GET', '/people'), { json: { total: 1 } });
});

test('people are listed, filtered and searched', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const bob = idOf(await ask('POST', '/people', { externalId: 'bob', status: 'inactive', name: NAME }));
  t.same(
    listOf(await ask('GET', '/people')).map((person) => person['id']),
    [bob, ann],
  );
  t.same(
    listOf(await ask('GET', '/people?sortBy=[status,-createdAt]')).map((person) => person['id']),
    [ann, bob],
  );
  t.same(
    listOf(await ask('GET', `/people?ids=${ann},ext-bob&status=inactive`)).map((person) => person['id']),
    [bob],
  );
  const found = await ask('GET', '/people/search?fullName=anabel%20quimby');
  t.match(found.json, {
    count: 1,
    search: { total: { value: 1, relation: 'eq' }, hits: [{ id: ann }], inputErrors: [] },
    data: [{ id: ann }],
  });
  t.match(await ask('GET', '/people/search'), { status: 200, json: { data: [] } });
  t.match(await ask('GET', '/people?limit=101'), { status: 400, json: { errors: [{ path: 'limit' }] } });
});

test('names are added and corrected', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const added = await ask('POST', `/people/${ann}/names`, { firstName: 'Annabel', lastName: 'Vane', source: 'borrower' });
  t.match(dataOf(added), { current: true, source: 'borrower' });
  await ask('PUT', `/people/${ann}/names/${idOf(added)}`, { lastName: 'Vance' });
  t.match(listOf(await ask('GET', `/people/${ann}/names`)), [
    { lastName: 'Vance', originalValue: { lastName: 'Vane' } },
    { lastName: 'Quimby', current: false },
  ]);
});

test('identities and contacts show tokens to writes and values to reads', async (t) => {
  const { ask } = await openHttpLender(t);
  await ask('POST', '/people', ANN);
  const passport = await ask('POST', '/people/ext-ann-1/identities', { identityType: 'passport', value: 'X1234567' });
  t.match(dataOf(passport), { value: /^[a-z0-9]{20}$/ });
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/identities/${idOf(passport)}`)), { value: 'X1234567' });
  t.match(dataOf(await ask('GET', '/people/ext-ann-1/identity')), { value: '900-11-2233' });
  await ask('DELETE', `/people/ext-ann-1/identities/${idOf(passport)}`);
  t.match(await ask('GET', '/people/ext-ann-1/identities'), { json: { count: 1 } });
  t.match(await ask('GET', '/people/ext-ann-1/identities?includeArchived=true'), { json: { count: 2 } });

  const email = await ask('POST', '/people/ext-ann-1/contacts', EMAIL);
  t.match(dataOf(email), { value: /^[a-z0-9]{20}$/ });
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/contacts/${idOf(email)}`)), { value: 'annabel.quimby@example.com' });
  t.match(await ask('POST', '/people/ext-ann-1/contacts', { ...HOME, address: { city: 'Albany' } }), {
    status: 400,
    json: { errorType: 'addressInvalid' },
  });
  t.match(await ask('POST', '/people/ext-ann-1/contacts?validate=false', { ...HOME, address: { city: 'Albany' } }), { status: 200 });
  t.match(await ask('POST', `/people/ext-ann-1/contacts/${idOf(email)}/clone`, { label: 'work' }), {
    status: 200,
    json: { data: { label: 'work' } },
  });
  t.match(await ask('GET', '/people/ext-ann-1/contacts?contactType=email&includeArchived=true&offset=0'), { json: { count: 2 } });
  t.match(await ask('GET', `/people/ext-ann-1/contacts?offset=1&startingAfter=${idOf(email)}`), { status: 400 });
  t.match(await ask('DELETE', `/people/ext-ann-1/contacts/${idOf(email)}`), { status: 200 });
});

test('a bank account is added, verified and removed', async (t) => {
  const { ask } = await openHttpLender(t);
  await ask('POST', '/people', ANN);
  const path = '/people/ext-ann-1/payment-instruments';
  const created = await ask('POST', path, ACCOUNT);
  t.match(created, { status: 201, json: { data: [{ object: 'bankAccount', status: 'pending', accountNumberLastFour: '2233' }] } });
  const id = String(listOf(created)[0]?.['id']);
  t.match(await ask('POST', path, ACCOUNT), { status: 409, json: { errorType: 'duplicate', duplicateOfId: id } });
  t.match(await ask('POST', `${path}/${id}/verify`, { deposit1: 32, deposit2: 45 }), {
    status: 200,
    json: { data: { status: 'active', verified: true } },
  });
  t.match(await ask('POST', `${path}?force=true`, { ...ACCOUNT, accountNumber: '1234567', verified: true }), {
    status: 201,
    json: { data: [{ status: 'active' }] },
  });
  t.match(await ask('POST', path, { ...ACCOUNT, accountHolderName: 'A & B' }), {
    status: 400,
    json: { errors: [{ path: 'accountHolderName' }] },
  });
  t.match(await ask('PUT', `${path}/${id}`, { nickname: 'Main' }), { json: { data: { nickname: 'Main' } } });
  t.match(await ask('GET', '/payment-instruments?isExternal=false'), { json: { count: 2 } });
  t.match(await ask('DELETE', `${path}/${id}`), { status: 200 });
  t.match(await ask('GET', `${path}/${id}`), { status: 404 });
});

test('live mode sees nothing of test mode', async (t) => {
  const { ask, keys } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const live = { key: keys.live };
  t.match(await ask('GET', `/people/${ann}`, undefined, live), { status: 404 });
  t.match(await ask('GET', '/people/ext-ann-1', undefined, live), { status: 404 });
  t.match(await ask('GET', '/people', undefined, live), { json: { total: 0 } });
});

test('a business takes no personal name', async (t) => {
  const { ask } = await openHttpLender(t);
  const bakery = { borrowerType: 'business', businessDetails: { businessName: 'Green LLC' } };
  const name = { firstName: 'Bea', lastName: 'Lopez' };
  const path = `/people/${idOf(await ask('POST', '/people', bakery))}`;
  const refused = { status: 400, json: { errors: [{ path: 'name' }] } };
  t.match(await ask('PUT', path, { name }), refused);
  t.match(await ask('POST', '/people', { ...bakery, name }), refused);
  t.match(await ask('PUT', path, { borrowerType: 'person', name, businessDetails: null }), { status: 200 }, 'it becomes a person with one');
});
