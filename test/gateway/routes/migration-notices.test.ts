import { test } from 'tap';
import { ANN, EMAIL, HOME } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { idOf, listOf, openHttpLender } from './http-lender.js';

const BORROWER = '/people/ext-ann-1';

const PAST: readonly (readonly [what: string, path: string, body: object])[] = [
  ['a payment of the last days', '/transactions', { type: 'oneTime', amount: 299.72, isExternal: true, status: 'succeeded' }],
  ['a charge-off of the last days', '/charge-off', { chargedOffReason: 'term' }],
  [
    'a change of terms',
    '/change-loan-terms',
    { selectedDueDate: '2026-01-15', numberOfPeriods: 20, isExtendLoanDuration: true, migration: { effectiveDate: '2026-01-10' } },
  ],
];

for (const [what, path, body] of PAST) {
  test(`${what} in the past of a loan in preparation brings no message, though the company sends notices`, async (t) => {
    const { ask, h, company } = await openHttpLender(t, undefined, { company: { withTemplates: true } });
    const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
    await ask('POST', '/people', ANN);
    for (const contact of [EMAIL, HOME]) await ask('POST', `${BORROWER}/contacts`, contact);
    const made = await ask('POST', `${BORROWER}/loans`, loanBody(loanTypeId, { migration: { activatedDate: '2025-11-15' } } as object));
    const loan = `${BORROWER}/loans/${idOf(made)}`;
    const before = listOf(await ask('GET', `${BORROWER}/interactions`)).length;

    const recent = 'migration' in body ? {} : { effectiveDate: '2026-03-01' };
    const recorded = await ask('POST', loan + path, { ...body, ...recent });
    t.ok(recorded.status < 300, recorded.text);
    t.equal((await ask('GET', `${loan}/transactions`)).status, 200, 'the loan is read with its past');
    t.equal(listOf(await ask('GET', `${BORROWER}/interactions`)).length, before);
    t.equal((await ask('POST', '/people', { name: { firstName: 'Zed', lastName: 'Zimmer' } })).status, 200, 'others are written');
  });
}
