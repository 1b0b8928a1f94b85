import { test } from 'tap';
import { ANN, PHONE } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

const LAWYER = {
  name: { firstName: 'Ruth', lastName: 'Okafor' },
  firmName: 'Okafor & Daughters',
  phone: '+1 (312) 555-0188',
  email: 'Ruth@Okafor.example',
  address: { addressLine1: '5 Court Square', city: 'Chicago', state: 'IL', postalCode: '60601' },
};

test('a legal representative is added, changed, listed and archived', async (t) => {
  const { ask, failures } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const path = `/people/${ann}/legal-representatives`;
  const made = await ask('POST', path, { ...LAWYER, metaData: { bar: 'IL-7' } });
  t.match(made, {
    status: 200,
    json: {
      data: {
        id: /^LR-/,
        object: 'legalRepresentative',
        personId: ann,
        status: 'active',
        firmName: 'Okafor & Daughters',
        phone: '+13125550188',
        email: 'ruth@okafor.example',
        otherPhone: null,
        name: { lastName: 'Okafor' },
        address: { city: 'Chicago', country: 'US' },
        caseIds: [],
        metaData: { bar: 'IL-7' },
        updatedAt: null,
      },
    },
  });
  const changed = await ask('PUT', `${path}/${idOf(made)}`, { status: 'nonResponsive', email: null, address: { city: 'Evanston' } });
  t.match(dataOf(changed), {
    status: 'nonResponsive',
    email: null,
    phone: '+13125550188',
    address: { addressLine1: '5 Court Square', city: 'Evanston' },
    updatedAt: String,
  });
  t.same(dataOf(await ask('GET', `${path}/${idOf(made)}`)), dataOf(changed));
  const other = idOf(await ask('POST', path, {}));
  t.same(
    listOf(await ask('GET', path)).map(({ id }) => id),
    [other, idOf(made)],
  );
  t.match(await ask('DELETE', `${path}/${other}`), { status: 200 });
  t.match(await ask('DELETE', `${path}/${other}`), { status: 200 });
  t.match(await ask('GET', path), { json: { total: 1 } });
  t.match(await ask('GET', `${path}?includeArchived=true&limit=1`), {
    json: { total: 2, count: 1, data: [{ id: other, status: 'archived' }] },
  });
  t.same(failures, []);
});

test('contradictory data of a legal representative is refused', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  const post = (body: object, query = ''): ReturnType<typeof ask> => ask('POST', `/people/${ann}/legal-representatives${query}`, body);
  t.match(await post({ phone: '12' }), { status: 400, json: { errors: [{ path: 'phone' }] } });
  t.match(await post({ otherEmail: 'nobody' }), { status: 400, json: { errors: [{ path: 'otherEmail' }] } });
  t.match(await post({ status: 'asleep' }), { status: 400, json: { errors: [{ path: 'status' }] } });
  t.match(await post({ caseIds: ['CS-NONE-NONE'] }), { status: 400, json: { errors: [{ path: 'caseId' }] } });
  t.match(await post({ address: { city: 'Oz' } }), { status: 400, json: { errorType: 'addressInvalid' } });
  t.match(await post({ address: { city: 'Oz' } }, '?validate=false'), { status: 200 });
  t.match(await ask('GET', `/people/${ann}/legal-representatives/LR-NONE-NONE`), { status: 404 });
});

test('a legal representative is found by the search, and among the contacts that collide', async (t) => {
  const { ask } = await openHttpLender(t);
  const ann = idOf(await ask('POST', '/people', ANN));
  await ask('POST', `/people/${ann}/contacts`, PHONE);
  await ask('POST', `/people/${ann}/legal-representatives`, LAWYER);
  for (const query of ['legalRepLastName=okafr', 'legalRepFirstName=Ruth', 'legalRepEmail=okafor', 'legalRepPhone=5550188']) {
    t.match(await ask('GET', `/people/search?${query}`), { json: { count: 1, data: [{ id: ann }] } }, query);
  }
  t.match(await ask('GET', '/people/search?lastName=Okafor'), { json: { count: 0 } });
  t.match(await ask('GET', `/people/${ann}/contacts`), { json: { total: 1 } });
  const all = listOf(await ask('GET', `/people/${ann}/contacts?includeLegal=true&sortBy=contactType`));
  t.same(
    all.map(({ contactType, affiliation }) => [contactType, affiliation]),
    [
      ['address', 'legalRepresentative'],
      ['email', 'legalRepresentative'],
      ['phone', 'self'],
      ['phone', 'legalRepresentative'],
    ],
  );
  t.match(listOf(await ask('GET', `/people/${ann}/contacts?includeLegal=true&collidesWithPhone=%2B13125550188`)), [
    { name: 'Ruth Okafor' },
  ]);
});

test('a business is found by its contact persons', async (t) => {
  const { ask } = await openHttpLender(t);
  const mill = idOf(await ask('POST', '/people', { borrowerType: 'business', businessDetails: { businessName: 'Larkspur Mill' } }));
  await ask('POST', `/people/${mill}/contacts`, {
    contactType: 'email',
    label: 'work',
    affiliation: 'other',
    name: 'Otto Brandt',
    value: 'otto@mill.example',
  });
  await ask('POST', `/people/${mill}/contacts`, {
    contactType: 'phone',
    label: 'work',
    affiliation: 'other',
    name: 'Otto Brandt',
    value: '+12025550177',
  });
  for (const query of ['employeeName=otto', 'employeeEmail=mill', 'employeeEmailExact=otto@mill.example', 'employeePhone=0177']) {
    t.match(await ask('GET', `/people/search?${query}`), { json: { count: 1, data: [{ id: mill }] } }, query);
  }
});
