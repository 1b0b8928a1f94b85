import { type Test, test } from 'tap';
import { ANN, EMAIL } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import type { HttpAnswer } from '../harness.js';
import { dataOf, idOf } from './http-lender.js';
import { openWithAda } from './signed-in.js';

const NEEDED = { status: 422, json: { errorType: 'caseRequired', errors: [{ path: 'caseId' }] } };
const PERMISSIONS = [
  'person:read',
  'person:update',
  'contact:create',
  'case:list',
  'case:update',
  'transaction:create',
  'transaction:create.onetimepayment',
  'payment.instrument:external',
  'loan:read',
  'loan:freeze',
  'note:create',
  'interaction:create',
  'communicator:send',
  'communicator:receive',
  'consent:update',
  'verification:create',
];

/** Ann with an active loan, in a company whose employees need an open case, and Ada, one of them. */
async function open(t: Test) {
  const lender = await openWithAda(t, PERMISSIONS);
  const { ask, h, company, token } = lender;
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  await ask('POST', '/people', ANN);
  const { id: loanId } = await h.data('loan.create', 'ext-ann-1', loanBody(loanTypeId), { params: { personId: 'ext-ann-1' } });
  await h.command('loan.activate', loanId, {}, { params: { personId: 'ext-ann-1' } });
  const key = await token();
  const asAda = (method: string, path: string, body?: object): Promise<HttpAnswer> => ask(method, path, body, { key });
  t.match(await ask('PUT', `/companies/${company}`, { config: { cases: { requireOpenCaseForActions: true } } }), { status: 200 });
  return { ...lender, asAda, loan: `/people/ext-ann-1/loans/${loanId}` };
}

test('if the company requires it, an employee acts on a borrower only with an open case', async (t) => {
  const { ask, asAda, loan, failures } = await open(t);
  const payment = { type: 'oneTime', amount: 10, isExternal: true, status: 'succeeded' };
  const actions = [
    ['PUT', '/people/ext-ann-1', { collectionsIntensity: 'light' }],
    ['POST', '/people/ext-ann-1/contacts', EMAIL],
    ['POST', `${loan}/transactions`, payment],
    ['POST', `${loan}/freeze`, { previewMode: true }],
    ['POST', '/people/ext-ann-1/interactions', { channel: 'voice', theme: 'opsServicing' }],
  ] as const;
  for (const [method, path, body] of actions) t.match(await asAda(method, path, body), NEEDED, `${method} ${path}`);
  t.match(await ask('GET', `${loan}/transactions`), { json: { total: 0 } }, 'nothing was recorded');
  t.match(await ask('POST', `${loan}/transactions`, payment), { status: 201 }, 'a key is asked for none');
  t.match(await asAda('GET', '/people/ext-ann-1'), { status: 200 }, 'reading is no action');
  t.match(
    await asAda('POST', '/people/ext-ann-1/interactions', { channel: 'voice', direction: 'inbound' }),
    { status: 200 },
    'nor is writing down who has called',
  );
  t.match(await asAda('POST', '/people/ext-ann-1/notes', { content: 'called' }), { status: 200 });
  const path = `/people/ext-ann-1/cases/${idOf(await asAda('POST', '/people/ext-ann-1/cases', { caseType: 'generic' }))}`;
  for (const [method, asked, body] of actions) t.ok((await asAda(method, asked, body)).status < 300, `${method} ${asked}`);
  t.match(await asAda('PUT', path, { status: 'canceled' }), { status: 200 });
  t.match(await asAda('POST', `${loan}/transactions`, payment), NEEDED, 'a closed case is none');
  t.match(await asAda('PUT', '/people/ext-nobody', {}), { status: 404 }, 'faults of the request are reported first');
  t.same(failures, []);
});

test('the case of another person on a loan will do for the loan, where it is named', async (t) => {
  const { ask, asAda, loan } = await open(t);
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } }));
  t.match(await ask('POST', `${loan}/people`, { personId: bob, loanRelationType: 'coBorrower' }), { status: 201 });
  const caseId = idOf(await ask('POST', `/people/${bob}/cases`, { caseType: 'generic' }));
  const paid = await asAda('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, isExternal: true, status: 'succeeded', caseId });
  t.match(dataOf(paid), { status: 'succeeded', caseId });
  t.match(await asAda('PUT', '/people/ext-ann-1', { collectionsIntensity: 'light' }), NEEDED);
});
