import { type Test, test } from 'tap';
import { dataOf } from '../http-lender.js';
import { type Data, openGeneralLedger, rowsOf } from './lender.js';

const PAID = { type: 'oneTime', amount: 100, isExternal: true, status: 'succeeded', effectiveDate: '2026-03-15' };

async function openCanceled(t: Test) {
  const l = await openGeneralLedger(t);
  await l.sealTo('2026-03-20');
  const paid = await l.ask('POST', `${l.loan}/transactions`, PAID);
  await l.sealTo('2026-04-02');
  t.equal((await l.ask('POST', `${l.loan}/cancel?force=true`, {})).status, 200);
  const owedBack = async (): Promise<unknown> => dataOf(await l.ask('GET', `${l.loan}/balances`))['reimbursementAmount'];
  const differences = async (date: string): Promise<readonly Data[]> => {
    const found: Data[] = [];
    for (const basis of ['accrual', 'cash']) {
      const report = await l.ask('GET', `${l.root}/reports/subledger?basis=${basis}&date=${date}`);
      found.push(...rowsOf(dataOf(report)).filter(({ difference, loansWithDifference: loans }) => difference !== '0.00' || loans !== 0));
    }
    return found;
  };
  return { ...l, transactionId: String(dataOf(paid)['id']), owedBack, differences };
}

test('the money of a canceled loan is owed to the borrower and is reimbursed, and the books agree with the loan each day', async (t) => {
  const l = await openCanceled(t);
  t.equal(await l.owedBack(), 100);
  const above = await l.ask('POST', `${l.loan}/reimburse`, { reimbursementAmount: 100.01, isExternal: true });
  t.equal(above.status, 422);
  const body = { reimbursementAmount: 60, isExternal: true };
  const back = await l.ask('POST', `${l.loan}/reimburse`, body);
  t.match(back, { status: 200 });
  t.equal(await l.owedBack(), 40);
  const succeeded = await l.ask('PUT', `${l.loan}/transactions/${String(dataOf(back)['id'])}`, { status: 'succeeded' });
  t.match(succeeded, { status: 200 });
  t.match(await l.ask('POST', `${l.loan}/transactions`, PAID), { status: 409 }, 'it takes no other payment');
  await l.sealTo('2026-04-04');
  t.equal((await l.ask('POST', `${l.loan}/reimburse`, { ...body, reimbursementAmount: 40, transactionStatus: 'succeeded' })).status, 200);
  await l.sealTo('2026-04-06');
  t.equal(await l.owedBack(), 0);
  for (const date of ['2026-04-01', '2026-04-02', '2026-04-03', '2026-04-04', '2026-04-05']) t.same(await l.differences(date), [], date);
});

test('a payment that fails after the cancellation of its loan is no longer owed to the borrower', async (t) => {
  const l = await openCanceled(t);
  await l.sealTo('2026-04-04');
  const failed = await l.ask('PUT', `${l.loan}/transactions/${l.transactionId}`, { status: 'failed', failureReason: 'insufficientFunds' });
  t.match(failed, { status: 200 });
  t.equal(await l.owedBack(), 0);
  await l.sealTo('2026-04-06');
  for (const date of ['2026-04-02', '2026-04-03', '2026-04-04', '2026-04-05']) t.same(await l.differences(date), [], date);
});
