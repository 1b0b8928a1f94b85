import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { idOf, listOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

const PERSON = '/people/ext-ann-1';

test('the next page of a filtered list follows also when the last row of the page no longer matches', async (t) => {
  const { ask, active } = await openLoanOverHttp(t);
  await active();
  await active();
  const contact = { channel: 'email', direction: 'outbound', subject: 'freeForm', theme: 'opsServicing', status: 'attempted' };
  for (let count = 0; count < 3; count += 1) {
    await ask('POST', `${PERSON}/cases`, { caseType: 'generic' });
    await ask('POST', `${PERSON}/interactions`, contact);
    await ask('POST', '/people', { name: { firstName: 'Bob', lastName: `Quimby ${'ABC'[count] ?? ''}` } });
  }
  const lists: readonly (readonly [list: string, change: (id: string) => readonly [method: string, path: string, body: object]])[] = [
    ['/loans?statuses=active', (id) => ['POST', `${PERSON}/loans/${id}/freeze`, {}]],
    [`${PERSON}/loans?status=active`, (id) => ['POST', `${PERSON}/loans/${id}/freeze`, {}]],
    ['/cases?status=initiated', (id) => ['PUT', `${PERSON}/cases/${id}`, { status: 'processing' }]],
    ['/cases?status=initiated&sortBy=-createdAt', (id) => ['PUT', `${PERSON}/cases/${id}`, { status: 'processing' }]],
    ['/interactions?status=attempted', (id) => ['PUT', `/interactions/${id}`, { status: 'failed', statusDetails: 'emailBounced' }]],
    ['/people?status=active', (id) => ['PUT', `/people/${id}`, { status: 'inactive' }]],
  ];
  for (const [list, change] of lists) {
    const [, second] = listOf(await ask('GET', list));
    const page = await ask('GET', `${list}&limit=1`);
    const { pathname, search } = new URL(String(page.json['nextUrl']));
    const [method, path, body] = change(String(listOf(page)[0]?.['id']));
    t.match(await ask(method, path, body), { status: 200 }, `${method} ${path}`);
    const next = await ask('GET', pathname.replace(/^\/api/, '') + search);
    t.match(next, { status: 200, json: { data: [{ id: second?.['id'] }] } }, list);
    const last = String(listOf(next)[0]?.['id']);
    t.match(await ask('GET', `${list}&endingBefore=${last}`), { status: 200, json: { data: [] } }, `${list}, back`);
  }
});

test('a cursor that names nothing, or an object of another list, is refused', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } }));
  const id = loan.split('/').at(-1) ?? '';
  t.match(await ask('GET', `/people/${bob}/loans?status=active&startingAfter=${id}`), { status: 400 });
  t.match(await ask('GET', `/loans?statuses=active&startingAfter=LN-AAAA-AAAA`), { status: 400 });
  t.match(await ask('GET', `/loans?statuses=active&startingAfter=${bob}`), { status: 400 });
});
