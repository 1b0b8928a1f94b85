import { test } from 'tap';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openPurchases } from '../purchases-over-http.js';
import { rowsOf, sealingOf } from './lender.js';

const BASES = ['accrual', 'cash'];

test('a dispute over a purchase that is won long after the line is paid off is posted on its own day', async (t) => {
  const lender = await openPurchases(t);
  const { ask, line, draw, company, failures } = lender;
  const root = `/companies/${company}/general-ledger`;
  const sealTo = sealingOf(lender);
  const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}`;
  const opening = { disputedAmount: 100, status: 'submitted' };
  const dispute = `${bought}/disputes/${idOf(await ask('POST', `${bought}/disputes`, opening))}`;
  t.match(await ask('POST', `${line}/close`, { closeReasonDescription: 'asked for' }), { status: 200 });
  t.match(await ask('GET', line), { json: { data: { status: 'paidOff' } } });
  await sealTo('2026-03-20');
  t.match(await ask('PUT', dispute, { status: 'won' }), { status: 200, json: { data: { status: 'won' } } });
  await sealTo('2026-03-23');
  for (const basis of BASES) {
    t.match(
      listOf(await ask('GET', `${root}/entries?basis=${basis}&fromDate=2026-03-10`)),
      [
        {
          accountingDate: '2026-03-20',
          effectiveDate: '2026-03-20',
          factType: 'purchaseDisputeWon',
          lines: [
            { role: 'disputedPurchases', credit: '100.00' },
            { role: 'networkReceivable', debit: '100.00' },
          ],
        },
      ],
      basis,
    );
    for (const [date, disputed, claim] of [
      ['2026-03-19', '100.00', '0.00'],
      ['2026-03-20', '0.00', '100.00'],
      ['2026-03-22', '0.00', '100.00'],
    ] as const) {
      const rows = rowsOf(dataOf(await ask('GET', `${root}/reports/trialBalance?basis=${basis}&date=${date}`)));
      const closing = (account: string): unknown => rows.find((row) => row['account'] === account)?.['closing'] ?? '0.00';
      t.equal(closing('1340'), disputed, `in dispute on ${date}, ${basis}`);
      t.equal(closing('1345'), claim, `due from the network on ${date}, ${basis}`);
    }
  }
  t.strictSame(failures, []);
});
