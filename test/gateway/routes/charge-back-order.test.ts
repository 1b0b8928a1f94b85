import { type Test, test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { dataOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** 1,200.00 at 18 % over twelve months of 110.02, due on the 2nd from 2026-04-02 on: 92.02 and 18.00 of interest first. */
const TERMS = {
  amountFinanced: 1200,
  duration: 12,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
};

const ORDER = ['interest', 'principal', 'fees', 'penalties'];

const product = (chargebackOrder: readonly string[] | null) => ({ byInstalment: { interestMethod: 'periodic', chargebackOrder } });

type Row = Readonly<Record<string, unknown>>;

/** The first installment is paid on its day; what is charged back of it later. */
async function paidLoan(t: Test, chargebackOrder: readonly string[] | null) {
  const opened = await openLoanOverHttp(t, product(chargebackOrder), TERMS);
  const { ask, loan, goTo } = opened;
  await goTo('2026-04-02');
  const paid = dataOf(
    await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 110.02, isExternal: true, status: 'succeeded' }),
  );
  await goTo('2026-04-10');
  const payment = `${loan}/transactions/${String(paid['id'])}`;
  const rows = async (): Promise<readonly unknown[]> =>
    (dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[])
      .slice(0, 2)
      .map(({ amount, principalAmount, interestAmount }) => [amount, principalAmount, interestAmount]);
  return { ...opened, payment, rows, chargebacks: `${payment}/chargebacks` };
}

const lose = (amount: number, more: object = {}) => ({ amount, status: 'lost', ...more });

const outstanding = (answer: HttpAnswer): unknown => dataOf(answer)['outstandingBalances'];

test('the amounts of a charged-back payment are due again with the current installment, in the order of the loan type', async (t) => {
  const { ask, loan, payment, chargebacks, rows } = await paidLoan(t, ORDER);
  t.same(await rows(), [
    [110.02, 92.02, 18],
    [110.02, 93.4, 16.62],
  ]);
  const before = await ask('GET', `${loan}/balances`);
  t.match(await ask('POST', chargebacks, lose(50, { previewMode: true })), { status: 201, json: { data: { status: 'lost' } } });
  t.same((await ask('GET', `${loan}/balances`)).json, before.json, 'a preview leaves the loan as it is');
  const lost = await ask('POST', chargebacks, lose(50));
  t.match(lost, { status: 201, json: { data: { status: 'lost', amount: 50 } } });
  t.same(
    await rows(),
    [
      [110.02, 92.02, 18],
      [160.02, 125.4, 34.62],
    ],
    '18.00 of interest first, then 32.00 of principal',
  );
  t.match(outstanding(await ask('GET', `${loan}/balances`)), { outstandingPrincipalAmount: 1139.98 });
  t.match(
    await ask('GET', loan),
    { json: { data: { current: { isOverdue: false } } } },
    'the first installment was paid in time, and stays so',
  );
  t.match(await ask('GET', payment), {
    json: { data: { status: 'succeeded', paidPrincipalAmount: 92.02, paidInterestAmount: 18, chargebackDetails: { amount: 50 } } },
  });
  const activity = dataOf(await ask('GET', `${loan}/activity?types=payment`)) as unknown as readonly Row[];
  t.match(activity[0], { action: 'paymentChargedBack', amount: 50, entries: [{ entryType: 'chargeback' }] });
  const reversed = await ask('PUT', `${chargebacks}/${String(dataOf(lost)['id'])}`, { status: 'reversed' });
  t.match(reversed, { status: 200, json: { data: { status: 'reversed' } } });
  t.same(await rows(), [
    [110.02, 92.02, 18],
    [110.02, 93.4, 16.62],
  ]);
  t.same(outstanding(await ask('GET', `${loan}/balances`)), outstanding(before));
});

test('a payment that is charged back whole is owed again, and the statement of the period counts it as reversed', async (t) => {
  const { ask, loan, payment, chargebacks, goTo, emitted } = await paidLoan(t, ORDER);
  await ask('POST', chargebacks, lose(110.02));
  t.match(await ask('GET', payment), { json: { data: { status: 'chargeback', chargebackDetails: { amount: 110.02 } } } });
  t.match(outstanding(await ask('GET', `${loan}/balances`)), { outstandingPrincipalAmount: 1200 });
  await goTo('2026-05-03');
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: true, daysOverdue: 1, overdueAmount: 220.04 } } } });
  t.equal((await emitted('payment.chargeback')).length, 1);
  const [statement] = dataOf(await ask('GET', `${loan}/statements`)) as unknown as readonly Row[];
  const details = `${loan}/statements/${String(statement?.['id'])}/details`;
  t.match(await ask('GET', details), { json: { data: { totalPaymentReversalsForThisPeriod: 110.02, totalAdjustmentsForThisPeriod: 0 } } });
});

test('without an order the loan is as if the payment had not been made', async (t) => {
  const { ask, loan, chargebacks } = await paidLoan(t, null);
  await ask('POST', chargebacks, lose(50));
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: true, daysOverdue: 8, overdueAmount: 50 } } } });
});

test('an incomplete order, or one for cumulative recalculation of interest, is refused', async (t) => {
  const { ask, company } = await openLoanOverHttp(t);
  const made = (byInstalment: object): Promise<HttpAnswer> =>
    ask('POST', `/companies/${company}/loan-types`, { type: 'installment', name: 'Order', byInstalment });
  t.match(await made({ chargebackOrder: ORDER }), { status: 201, json: { data: { byInstalment: { chargebackOrder: ORDER } } } });
  t.match(await made({}), { status: 201, json: { data: { byInstalment: { chargebackOrder: null } } } });
  t.match(await made({ chargebackOrder: ['interest', 'principal'] }), { status: 400, json: { errors: [{ path: 'byInstalment' }] } });
  t.match(await made({ chargebackOrder: ORDER, recalculation: 'cumulative' }), {
    status: 400,
    json: { errors: [{ path: 'byInstalment' }] },
  });
});
