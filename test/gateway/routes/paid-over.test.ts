import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { dataOf, listOf } from './http-lender.js';
import { openLoanOverHttp, SMALL } from './loan-over-http.js';

const INTEREST_FREE = { ...SMALL, interestRates: [{ interestType: 'absolute', days: null, rate: 0 }] };

const PAYMENT = { type: 'oneTime', isExternal: true, status: 'succeeded' };

for (const [name, product] of [
  ['by the day', {}],
  ['by installment', { byInstalment: { interestMethod: 'periodic' } }],
] as const) {
  test(`what a loan ${name} was paid over with meets a later fee, and the loan stays paid off`, async (t) => {
    const { ask, goTo, loan, loanTypeId, emitted } = await openLoanOverHttp(t, product, INTEREST_FREE);
    const feeType = {
      name: { displayName: 'Copy', apiName: 'copy' },
      feeType: 'adHoc',
      trigger: 'manual',
      amountLogic: 'fixed',
      amount: 20,
    };
    t.match(await ask('POST', `/loan-types/${loanTypeId}/fee-types`, feeType), { status: 201 });
    const paid = dataOf(await ask('POST', `${loan}/transactions`, { ...PAYMENT, amount: 1250 }));
    t.match(paid, { paidPrincipalAmount: 1200, paidOverAmount: 50 });
    await goTo('2026-03-10');
    const charge = (more: object = {}): Promise<HttpAnswer> => ask('POST', `${loan}/fees`, { apiName: 'copy', ...more });
    t.match(await charge(), { status: 200 });
    t.match(await ask('GET', loan), { json: { data: { status: 'paidOff', current: { isOverdue: false } } } });
    const balances = async (): Promise<unknown> => dataOf(await ask('GET', `${loan}/balances`));
    t.match(await balances(), { reimbursementAmount: 30, outstandingBalances: { outstandingTotalAmount: 0 } });
    t.match(await ask('GET', `${loan}/transactions/${String(paid['id'])}`), {
      json: { data: { paidPrincipalAmount: 1200, paidFeesAmount: 20, paidOverAmount: 30, actualAmount: 1250 } },
    });
    const { rows } = dataOf(await ask('GET', `${loan}/transactions/${String(paid['id'])}/allocation`)) as {
      readonly rows: readonly { readonly amount: number }[];
    };
    t.equal(
      rows.reduce((sum, { amount }) => sum + amount, 0),
      1250,
    );
    t.match(listOf(await ask('GET', `${loan}/fees`)), [{ status: 'paid', amount: 20 }]);
    t.equal((await emitted('loan.statuschanged')).filter(({ newStatus }) => newStatus === 'active').length, 1, 'at its activation alone');
    const back = { reimbursementAmount: 30, isExternal: true, transactionStatus: 'pending' };
    t.match(await ask('POST', `${loan}/reimburse`, back), { status: 200 });
    t.match(await charge(), { status: 200 });
    t.match(await ask('GET', loan), { json: { data: { status: 'active' } } }, 'money on its way back is out of reach');
    t.match(await balances(), { reimbursementAmount: 0, outstandingBalances: { outstandingTotalAmount: 20 } });
  });
}
