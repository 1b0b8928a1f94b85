import { type Test, test } from 'tap';
import { ACCOUNT, ANN, EMAIL } from '../../actors/borrower/lender.js';
import { followsAfter } from './following-page.js';
import { type HttpLender, idOf, listOf, signedDocument } from './http-lender.js';
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

/** The page after one whose only object has left the list by a request. */
const follows = (t: Test, ask: HttpLender['ask'], list: string, change: (id: string) => Changed): Promise<void> =>
  followsAfter(t, ask, list, async (id) => {
    const [method, path, body] = change(id);
    t.match(await ask(method, path, body), { status: /^20[04]$/ }, `${method} ${path}`);
  });

test('so does that of a list over all loans, borrowers and tasks, and of operations', async (t) => {
  const { ask, active, company } = await openLoanOverHttp(t);
  const loanOf = new Map<string, string>();
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } }));
  for (const count of [1, 2, 3]) {
    const loan = await active();
    for (const amount of [4, 5]) {
      const payment = {
        type: 'oneTime',
        amount: amount * count,
        isExternal: true,
        status: 'succeeded',
        externalId: `p-${count}-${amount}`,
      };
      loanOf.set(idOf(await ask('POST', `${loan}/transactions`, payment)), loan);
    }
    const promise = { schedule: [{ dueDate: '2026-03-20', amount: 25 }] };
    loanOf.set(idOf(await ask('POST', `${loan}/promise-to-pay-plans`, promise)), loan);
    const owner = count === 2 ? `/people/${bob}` : PERSON;
    const account = { ...ACCOUNT, accountNumber: `12345678${count}` };
    loanOf.set(String(listOf(await ask('POST', `${owner}/payment-instruments`, account))[0]?.['id']), owner);
    await ask('POST', `/companies/${company}/tasks`, { taskType: 'reviewCaseInstructions', personId: bob });
    await ask('POST', '/operations/replays', { all: true, hold: true });
  }
  const failure = { status: 'failed', failureReason: 'insufficientFunds' };
  const failed = (id: string): Changed => ['PUT', `${loanOf.get(id)}/transactions/${id}`, failure];
  for (const [list, change] of [
    ['/transactions?status=succeeded', failed],
    ['/transactions?status=succeeded&sortBy=-actualAmount', failed],
    ['/promise-to-pay-plans?status=scheduled,active', (id) => ['POST', `${loanOf.get(id)}/promise-to-pay-plans/${id}/cancel`, {}]],
    ['/payment-instruments?isExternal=false', (id) => ['DELETE', `${loanOf.get(id)}/payment-instruments/${id}`, undefined]],
    [`/companies/${company}/tasks?status=pending`, (id) => ['POST', `/companies/${company}/tasks/${id}/cancel`, {}]],
    ['/operations?status=running', (id) => ['POST', `/operations/${id}/cancel`, {}]],
  ] as readonly (readonly [string, (id: string) => Changed])[])
    await follows(t, ask, list, change);
  const [id = ''] = loanOf.keys();
  for (const list of ['/transactions?status=failed', '/transactions?status=failed&sortBy=-actualAmount', `/transactions?personId=${bob}`]) {
    const mayName = !list.includes(bob);
    t.equal((await ask('GET', `${list}&startingAfter=${id}`)).status, mayName ? 200 : 400, list);
    t.equal((await ask('GET', `${list}&startingAfter=ext-p-1-4`)).status, mayName ? 200 : 400, list);
    t.equal((await ask('GET', `${list}&startingAfter=ext-nobody`)).status, 400, list);
  }
});

test('so does that of cases by their owner, of what autopay will take, and of the types of a case type', async (t) => {
  const { ask, loan, h, company } = await openLoanOverHttp(t);
  const { id: userId } = await h.data('user.create', company, { type: 'agent', userName: 'mia' }, { permissions: ['*'] });
  const owner = idOf(await ask('POST', '/employees', { userId, firstName: 'Ann', lastName: 'Adams' }));
  const caseTypeId = idOf(await ask('POST', '/case-types', { caseType: 'generic', name: 'Other' }));
  for (const name of ['a', 'b', 'c']) {
    await ask('POST', `${PERSON}/cases`, { caseType: 'generic', name, owningEmployeeId: owner });
    const type = { name, channel: 'text', theme: 'all', onStatus: 'initiated', caseTypeIds: [caseTypeId] };
    await ask('POST', '/do-not-interact-types', type);
  }
  const [account] = listOf(await ask('POST', `${PERSON}/payment-instruments?force=true`, { ...ACCOUNT, verified: true }));
  const plan = { paymentInstrumentId: account?.['id'], agreementDocumentId: await signedDocument(ask) };
  t.match(await ask('POST', `${loan}/autopay`, plan), { status: 200 });
  await follows(t, ask, `/cases?owningEmployeeId=${owner}`, (id) => ['PUT', `${PERSON}/cases/${id}`, { owningEmployeeId: null }]);
  const payments = `${loan}/autopay/expected-payments`;
  await follows(t, ask, `${payments}?status=booked`, (id) => ['POST', `${payments}/${id}/cancel`, {}]);
  const linked = `/case-types/${caseTypeId}/do-not-interact-types`;
  await follows(t, ask, linked, (id) => ['DELETE', `${linked}/${id}`, undefined]);
});

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
