import { test } from 'tap';
import { dataOf } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

/** `current` and `timestamps` describe the loan as it is now, not as it was contracted. */

interface Loan {
  readonly status: string;
  readonly current: { readonly periodicPayment: number | null; readonly isScraActive: boolean };
  readonly timestamps: { readonly lastAmortizedAt: string };
}

const readLoan = async ({ ask }: LoanOverHttp, loan: string): Promise<Loan> => dataOf(await ask('GET', loan)) as unknown as Loan;

/** The amount of the next row of the schedule. */
async function nextRow({ ask }: LoanOverHttp, loan: string, date: string): Promise<number | undefined> {
  const { schedule } = dataOf(await ask('GET', `${loan}/expected-payments`)) as {
    readonly schedule: readonly { readonly date: string; readonly amount: number }[];
  };
  return schedule.find((row) => row.date === date)?.amount;
}

test('the periodic payment follows each change of the schedule', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, active, goTo } = lender;
  const [planned, changed, spread, frozen] = [await active(), await active(), await active(), await active()];
  const contracted = (await readLoan(lender, planned)).current.periodicPayment;
  await goTo('2026-03-05');
  await ask('POST', `${planned}/custom-payment-plans`, {
    paymentPlanType: 'fixedAmountAndFees',
    numberOfPeriods: 2,
    amount: 50,
    isExtendLoanDuration: true,
    selectedDueDate: '2026-03-15',
  });
  await ask('POST', `${changed}/change-loan-terms`, { selectedDueDate: '2026-03-15', numberOfPeriods: 20, isExtendLoanDuration: true });
  await ask('POST', `${spread}/reamortize`, { effectiveDate: '2026-03-15', duration: 6 });
  await ask('POST', `${frozen}/freeze`, {});
  t.equal((await readLoan(lender, planned)).current.periodicPayment, 50);
  for (const loan of [changed, spread]) {
    const { periodicPayment } = (await readLoan(lender, loan)).current;
    t.equal(periodicPayment, await nextRow(lender, loan, '2026-03-15'));
    t.not(periodicPayment, contracted);
  }
  await goTo('2026-05-05');
  await ask('POST', `${frozen}/unfreeze`, {});
  const after = await readLoan(lender, frozen);
  t.equal(after.current.periodicPayment, await nextRow(lender, frozen, '2026-05-15'));
  t.match(after.timestamps.lastAmortizedAt, /^2026-05-05/, 'the missed amounts were spread');
  t.same(lender.failures, []);
});

test('a loan whose whole balance is due has no periodic payment', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan } = lender;
  await ask('POST', `${loan}/accelerate`, {});
  t.match(await readLoan(lender, loan), { status: 'accelerated', current: { periodicPayment: null } });
});

test('an installment loan says when SCRA terms hold', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo } = lender;
  await ask('POST', `${loan}/payment-plan-scra`, { startDate: '2026-03-10', endDate: '2026-04-20' });
  t.equal((await readLoan(lender, loan)).current.isScraActive, false);
  await goTo('2026-03-10');
  t.equal((await readLoan(lender, loan)).current.isScraActive, true);
  await goTo('2026-04-21');
  t.equal((await readLoan(lender, loan)).current.isScraActive, false);
});

test('a settled advance reamortizes the loan', async (t) => {
  const advances = { advanceSchedule: [{ amount: 400, advanceDate: '2026-06-01' }] };
  const lender = await openLoanOverHttp(t, { structure: { allowMultipleAdvances: true } });
  const { ask, active, goTo } = lender;
  const loan = await active({ atOrigination: { amountFinanced: 1200, duration: 12, ...advances } });
  await goTo('2026-06-01');
  const {
    data: [planned],
  } = (await ask('GET', `${loan}/advances?statuses=scheduled`)).json as { readonly data: readonly { readonly id: string }[] };
  await ask('PUT', `${loan}/advances/${planned?.id ?? ''}`, { status: 'settled' });
  const { current, timestamps } = await readLoan(lender, loan);
  t.match(timestamps.lastAmortizedAt, /^2026-06-01/);
  t.equal(current.periodicPayment, await nextRow(lender, loan, '2026-06-15'));
});
