import { type Test, test } from 'tap';
import { ACCOUNT, ANN, EMAIL } from '../../actors/borrower/lender.js';
import { type HttpLender, idOf, listOf } from './http-lender.js';
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
  for (const [list, change] of lists) await follows(t, ask, list, change);
});

test('so does that of a list inside a loan or a borrower, and of types', async (t) => {
  const { ask, loan, loanTypeId, company } = await openLoanOverHttp(t);
  const feeType = { name: { displayName: 'Copies', apiName: 'copies' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 3 };
  await ask('POST', `/loan-types/${loanTypeId}/fee-types`, feeType);
  const payment = { type: 'oneTime', amount: 5, isExternal: true, status: 'succeeded' };
  for (const count of [1, 2, 3]) {
    for (let each = 0; each < 3; each += 1) await ask('POST', `${loan}/transactions`, payment);
    await ask('POST', `${loan}/fees`, { apiName: 'copies', chargeDate: '2026-03-02' });
    for (const type of ['a', 'b']) await ask('POST', `${PERSON}/contacts`, { ...EMAIL, value: `ann${type}${count}@example.com` });
    await ask('POST', `${PERSON}/payment-instruments`, { ...ACCOUNT, accountNumber: `12345678${count}` });
    await ask('POST', '/do-not-interact-types', { name: `Quiet ${count}`, channel: 'text', theme: 'all', onStatus: 'initiated' });
    await ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: `Loans ${count}` });
  }
  const failure = { status: 'failed', failureReason: 'insufficientFunds' };
  const failed = (id: string): Changed => ['PUT', `${loan}/transactions/${id}`, failure];
  const archived = (id: string): Changed => ['PUT', `${PERSON}/contacts/${id}`, { status: 'archived' }];
  for (const [list, change] of [
    [`${loan}/transactions?status=succeeded`, failed],
    [`${loan}/transactions?status=succeeded&sortBy=-actualAmount`, failed],
    [`${PERSON}/transactions?status=succeeded`, failed],
    [`${loan}/fees?statuses=booked`, (id) => ['PUT', `${loan}/fees/${id}/cancel`, { reason: 'courtesy' }]],
    [`${PERSON}/contacts?sortBy=createdAt`, archived],
    [`${PERSON}/contacts?contactType=email`, archived],
    [`${PERSON}/payment-instruments?isExternal=false`, (id) => ['DELETE', `${PERSON}/payment-instruments/${id}`, undefined]],
    ['/do-not-interact-types?status=draft', (id) => ['PUT', `/do-not-interact-types/${id}`, { status: 'active' }]],
    [`/companies/${company}/loan-types?status=active`, (id) => ['PUT', `/companies/${company}/loan-types/${id}`, { status: 'inactive' }]],
  ] as readonly (readonly [string, (id: string) => Changed])[])
    await follows(t, ask, list, change);
});

type Changed = readonly [method: string, path: string, body: object | undefined];

/** Reads the second page after the only object of the first one has left the list. */
async function follows(t: Test, ask: HttpLender['ask'], list: string, change: (id: string) => Changed): Promise<void> {
  const [, second] = listOf(await ask('GET', list));
  const page = await ask('GET', `${list}&limit=1`);
  t.type(page.json['nextUrl'], 'string', `${list} has a next page`);
  const { pathname, search } = new URL(String(page.json['nextUrl']));
  const [method, path, body] = change(String(listOf(page)[0]?.['id']));
  t.match(await ask(method, path, body), { status: /^20[04]$/ }, `${method} ${path}`);
  const next = await ask('GET', pathname.replace(/^\/api/, '') + search);
  t.match(next, { status: 200, json: { data: [{ id: second?.['id'] }] } }, list);
  const last = String(listOf(next)[0]?.['id']);
  t.match(await ask('GET', `${list}&endingBefore=${last}`), { status: 200, json: { data: [] } }, `${list}, back`);
}

test('a cursor that names nothing, or an object of another list, is refused', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } }));
  const id = loan.split('/').at(-1) ?? '';
  t.match(await ask('GET', `/people/${bob}/loans?status=active&startingAfter=${id}`), { status: 400 });
  t.match(await ask('GET', `/loans?statuses=active&startingAfter=LN-AAAA-AAAA`), { status: 400 });
  t.match(await ask('GET', `/loans?statuses=active&startingAfter=${bob}`), { status: 400 });
  const transactions = `${loan}/transactions?status=pending`;
  for (const cursor of ['TX-AAAA-AAAA', 'ext-none', id])
    t.match(await ask('GET', `${transactions}&startingAfter=${cursor}`), { status: 400 });
  const email = idOf(await ask('POST', `${PERSON}/contacts`, EMAIL));
  await ask('DELETE', `${PERSON}/contacts/${email}`);
  t.match(await ask('GET', `${PERSON}/contacts?startingAfter=${email}`), { status: 400 }, 'an object that was deleted for good');
});
