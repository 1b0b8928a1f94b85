import { test, type Test } from 'tap';
import { dataOf, listOf } from '../http-lender.js';
import { type Data, type LedgerLender, openGeneralLedger, rowsOf } from './lender.js';

async function noDifference(t: Test, { ask, root }: LedgerLender, dates: readonly string[]): Promise<void> {
  for (const basis of ['accrual', 'cash'])
    for (const date of dates) {
      const rows = rowsOf(dataOf(await ask('GET', `${root}/reports/subledger?basis=${basis}&date=${date}`)));
      for (const row of rows) t.match(row, { difference: '0.00', loansWithDifference: 0 }, `${date} ${basis} ${String(row['component'])}`);
    }
}

test('the interest of a late loan is a memorandum from the day that the settings say, and is held back when it is paid', async (t) => {
  const lender = await openGeneralLedger(t);
  const { ask, root, loan, sealTo, batches, failures } = lender;
  for (const nonaccrualAfterDays of [0, 1.5, 4000])
    t.match(await ask('PUT', `${root}/settings`, { nonaccrualAfterDays }), {
      status: 400,
      json: { errors: [{ path: 'nonaccrualAfterDays' }] },
    });
  // The first installment is due on 15 March. On 1 April the loan is 17 days late.
  await sealTo('2026-04-01');
  const before = await batches();
  t.equal((await ask('PUT', `${root}/settings`, { nonaccrualAfterDays: 10 })).status, 200);
  await sealTo('2026-04-03');
  const onThe = (date: string, more: string): Promise<readonly Data[]> =>
    ask('GET', `${root}/entries?basis=accrual&fromDate=${date}&toDate=${date}${more}`).then(listOf);
  const [reversed] = await onThe('2026-04-01', '&role=interestIncomeReversal');
  t.match(reversed, {
    rule: 'nonaccrual',
    factType: 'dayClosed',
    lines: [{ role: 'interestReceivable' }, { role: 'interestIncomeReversal' }],
  });
  const reversedAmount = (reversed?.['lines'] as readonly Data[])[0]?.['credit'];
  t.match(await onThe('2026-04-01', '&role=memoNonaccrualInterest'), [
    { rule: 'nonaccrualClaim', lines: [{ debit: reversedAmount }, { role: 'memoContra' }] },
    { rule: 'accrual', lines: [{ role: 'memoNonaccrualInterest' }, { role: 'memoContra' }] },
  ]);
  t.strictSame(await onThe('2026-04-02', '&role=interestIncome'), [], 'no income any more');

  const pay = { type: 'oneTime', amount: 110.01, isExternal: true, status: 'succeeded' };
  t.equal((await ask('POST', `${loan}/transactions`, pay)).status, 201);
  await sealTo('2026-04-05');
  t.match(await onThe('2026-04-03', '&role=costRecoveryContra'), [{ rule: 'payment' }]);
  t.strictSame((await onThe('2026-04-04', '&role=interestIncome')).length, 1, 'nothing is overdue: income again');
  t.equal((await ask('POST', `${loan}/transactions?force=true`, { ...pay, amount: 1300 })).status, 201);
  await sealTo('2026-04-07');
  const [released] = await onThe('2026-04-05', '&role=costRecoveryContra');
  t.match(released, { rule: 'payment' });
  t.match(
    (await onThe('2026-04-05', '')).filter(({ rule }) => rule === 'costRecoveryEnded'),
    [{ lines: [{ role: 'interestIncome' }, { role: 'costRecoveryContra' }] }],
  );
  await noDifference(t, lender, ['2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03', '2026-04-05', '2026-04-06']);
  t.strictSame((await batches()).slice(0, before.length), before, 'sealed days stay');
  const rows = rowsOf(dataOf(await ask('GET', `${root}/reports/trialBalance`)));
  for (const account of ['1280', '9020'])
    t.match(
      rows.find((row) => row['account'] === account),
      { closing: '0.00' },
      account,
    );
  t.strictSame(failures, []);
});

test('on cash basis of payments, interest of a late loan is income when it is paid', async (t) => {
  const lender = await openGeneralLedger(t);
  const { ask, root, loan, sealTo, failures } = lender;
  t.equal((await ask('PUT', `${root}/settings`, { nonaccrualAfterDays: 5, nonaccrualPayments: 'cashBasis' })).status, 200);
  await sealTo('2026-03-25');
  const pay = { type: 'oneTime', amount: 50, isExternal: true, status: 'succeeded' };
  t.equal((await ask('POST', `${loan}/transactions`, pay)).status, 201);
  await sealTo('2026-03-26');
  t.match(listOf(await ask('GET', `${root}/entries?basis=accrual&fromDate=2026-03-25&role=interestIncome`)), [{ rule: 'payment' }]);
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  await sealTo('2026-03-28');
  await noDifference(t, lender, ['2026-03-19', '2026-03-20', '2026-03-25', '2026-03-26', '2026-03-27']);
  t.strictSame(failures, []);
});
