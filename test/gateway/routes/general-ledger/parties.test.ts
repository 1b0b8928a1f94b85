import { test } from 'tap';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { SMALL } from '../loan-over-http.js';
import { type Data, openGeneralLedger } from './lender.js';

test('a merchant discount lowers the payout and is earned in equal parts', async (t) => {
  const mdr = { mdrRate: 0.0301, isAmortized: true, amortizationPeriod: 3 };
  const { ask, root, loan, sealTo, failures } = await openGeneralLedger(t, {}, { ...SMALL, mdr });
  await sealTo('2026-07-01');
  const discounts = async (basis: string): Promise<readonly (readonly unknown[])[]> => {
    const role = basis === 'cash' ? 'merchantDiscountIncome' : 'merchantDiscountDeferred';
    const entries = listOf(await ask('GET', `${root}/entries?basis=${basis}&role=${role}&limit=100`));
    return entries.map(({ accountingDate, rule, lines }) => [
      accountingDate,
      rule,
      ...(lines as readonly Data[]).map(({ role: of, debit, credit }) => `${String(of)} ${String(debit)} ${String(credit)}`),
    ]);
  };
  // 3.01 % of 1,200.00 is 36.12: a third of it is 12.04.
  t.strictSame(await discounts('accrual'), [
    ['2026-03-02', 'merchantDiscount', 'merchantDiscountDeferred 0.00 36.12', 'clearingOutgoing 36.12 0.00'],
    ['2026-04-02', 'amortization', 'merchantDiscountDeferred 12.04 0.00', 'merchantDiscountIncome 0.00 12.04'],
    ['2026-05-02', 'amortization', 'merchantDiscountDeferred 12.04 0.00', 'merchantDiscountIncome 0.00 12.04'],
    ['2026-06-02', 'amortization', 'merchantDiscountDeferred 12.04 0.00', 'merchantDiscountIncome 0.00 12.04'],
  ]);
  t.strictSame(await discounts('cash'), [
    ['2026-03-02', 'merchantDiscount', 'merchantDiscountIncome 0.00 36.12', 'clearingOutgoing 36.12 0.00'],
  ]);
  t.match(listOf(await ask('GET', `${loan}/payouts`)), [{ status: 'inProcessing', amount: 1163.88 }]);
  t.match(dataOf(await ask('GET', `${root}/reports/deferredFees?date=2026-05-15`)), {
    rows: [{ role: 'merchantDiscountDeferred', original: '36.12', recognized: '24.08', rest: '12.04' }],
  });
  t.match(dataOf(await ask('GET', `${root}/reports/clearing`)), { rows: [{ role: 'clearingOutgoing', amount: '1163.88' }] });
  t.strictSame(failures, []);
});

test('what is left of a merchant discount is earned at the payoff, and lowers the loss of a charge-off', async (t) => {
  const mdr = { mdrAmount: 30, isAmortized: true };
  const lender = await openGeneralLedger(t, {}, { ...SMALL, mdr });
  const { ask, root, loan, active, sealTo, failures } = lender;
  const lost = await active();
  const plain = await active({ atOrigination: { ...SMALL, mdr: { mdrAmount: 7, isAmortized: false } } });
  await sealTo('2026-03-10');
  const over = { type: 'oneTime', amount: 1210, isExternal: true, status: 'succeeded' };
  t.equal((await ask('POST', `${loan}/transactions?force=true`, over)).status, 201);
  t.equal((await ask('POST', `${lost}/charge-off`, { chargedOffReason: 'term' })).status, 200);
  await sealTo('2026-03-12');
  const of = async (path: string): Promise<readonly Data[]> =>
    listOf(await ask('GET', `${root}/entries?basis=accrual&loanId=${path.split('/').at(-1) ?? ''}&role=merchantDiscountDeferred`));
  t.match(await of(loan), [
    { rule: 'merchantDiscount' },
    {
      accountingDate: '2026-03-10',
      rule: 'amortization',
      lines: [{ debit: '30.00' }, { role: 'merchantDiscountIncome', credit: '30.00' }],
    },
  ]);
  t.match(await of(lost), [
    { rule: 'merchantDiscount' },
    {
      rule: 'merchantDiscountLost',
      lines: [
        { role: 'chargeOffLoss', credit: '30.00' },
        { role: 'merchantDiscountDeferred', debit: '30.00' },
      ],
    },
  ]);
  t.strictSame(await of(plain), [], 'it is income at once');
  t.equal((await ask('PUT', `${root}/settings`, { merchantDiscount: 'atOnce' })).status, 200);
  const later = await active();
  await sealTo('2026-03-13');
  t.strictSame(await of(later), [], 'as the settings of its activation say');
  t.match(listOf(await ask('GET', `${root}/entries?basis=accrual&fromDate=2026-03-12&role=merchantDiscountIncome`)), [
    {
      rule: 'merchantDiscount',
      lines: [
        { role: 'merchantDiscountIncome', credit: '30.00' },
        { role: 'clearingOutgoing', debit: '30.00' },
      ],
    },
  ]);
  t.strictSame(failures, []);
});

test('an agency keeps its commission, and gives it back when a payment fails', async (t) => {
  const { ask, company, root, loan, sealTo, batches, failures } = await openGeneralLedger(t);
  const agency = { legalName: 'Hounds', contactPhone: '+12125550100', externalId: 'hounds', commissionRate: 0.3333 };
  t.equal((await ask('POST', `/companies/${company}/collection-agencies`, agency)).status, 200);
  await sealTo('2026-03-10');
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  t.equal((await ask('POST', `${loan}/collection-agency`, { agencyId: 'ext-hounds', status: 'assigned' })).status, 200);
  await sealTo('2026-03-11');
  const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 100, isExternal: true, status: 'succeeded' });
  t.equal(paid.status, 201, paid.text);
  await sealTo('2026-03-12');
  await sealTo('2026-03-13');
  const before = await batches();
  const commissions = async (): Promise<readonly Data[]> =>
    listOf(await ask('GET', `${root}/entries?basis=accrual&role=agencyCommissionExpense`));
  t.match(await commissions(), [
    {
      accountingDate: '2026-03-12',
      rule: 'agencyCommission',
      factType: 'commissionChanged',
      lines: [
        { role: 'bank', credit: '33.33' },
        { role: 'agencyCommissionExpense', debit: '33.33' },
      ],
    },
  ]);
  const failed = await ask('PUT', `${loan}/transactions/${idOf(paid)}`, { status: 'failed', failureReason: 'insufficientFunds' });
  t.equal(failed.status, 200, failed.text);
  await sealTo('2026-03-14');
  await sealTo('2026-03-15');
  t.match((await commissions()).slice(1), [
    {
      accountingDate: '2026-03-14',
      lines: [
        { role: 'bank', debit: '33.33' },
        { role: 'agencyCommissionExpense', credit: '33.33' },
      ],
    },
  ]);
  t.strictSame((await batches()).slice(0, before.length), before);
  t.strictSame(failures, []);
});
