import { test } from 'tap';
import { dataOf } from './http-lender.js';
import { openLoanOverHttp, SMALL } from './loan-over-http.js';

interface Row {
  readonly date: string;
  readonly amount: number;
  readonly originalAmount: number;
}

test('the original amount of a row is what it asked for when it came into the schedule', async (t) => {
  const { ask, loan, active } = await openLoanOverHttp(t);
  const rowsOf = async (path: string): Promise<readonly Row[]> =>
    (dataOf(await ask('GET', `${path}/expected-payments`)) as { schedule: readonly Row[] }).schedule;
  const withFee = await active({ atOrigination: { ...SMALL, fees: { originationFeeAmount: 25 } } });
  for (const { amount, originalAmount } of await rowsOf(withFee)) t.equal(originalAmount, amount, 'nothing has changed since');

  const [, second] = await rowsOf(loan);
  await ask('PUT', `${loan}/expected-payments/defer-due-date`, { existingDueDate: second?.date, newDueDate: null });
  const deferred = await rowsOf(loan);
  t.match(deferred[1], { amount: 0, originalAmount: second?.amount });
  t.equal(deferred.at(-1)?.originalAmount, second?.originalAmount, 'the added row was made for the deferred amount');

  await ask('PUT', `${withFee}/expected-payments`, { dueDatesFrequency: 'weekly', specificDays: [5] });
  const weekly = await rowsOf(withFee);
  const monthly = weekly[0]?.originalAmount ?? 0;
  t.ok(weekly.length > 40);
  for (const { originalAmount } of weekly.slice(1)) t.ok(originalAmount > 0 && originalAmount < monthly / 3);
});
