import { test } from 'tap';
import { dataOf } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

/** At 7 % over six months, due on the 2nd from 2026-04-02 on. */
const terms = (amountFinanced: number) => ({
  amountFinanced,
  duration: 6,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate: 0.07 }],
});

const byNight = (more: object = {}) => ({
  byInstalment: { interestMethod: 'periodic', recalculation: 'progressive', ...more },
  interest: { rounding: 'halfEven' },
});

const rowsOf = async ({ ask, loan }: LoanOverHttp): Promise<readonly Row[]> =>
  dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[];

const amountsOf = (rows: readonly Row[]): readonly unknown[] => rows.map(({ amount }) => amount);

const rateFrom = ({ ask, loan }: LoanOverHttp, annualRate: number, startDate: string) =>
  ask('POST', `${loan}/rates`, { interestRate: { annualRate, startDate, isEndExistingRates: true } });

const pay = ({ ask, loan }: LoanOverHttp, amount: number) =>
  ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, isExternal: true, status: 'succeeded' });

for (const [newRateCountsFrom, interest] of [
  ['day', 0.29],
  ['nightBefore', 0.28],
] as const) {
  test(`a new rate counts from its ${newRateCountsFrom}`, async (t) => {
    const opened = await openLoanOverHttp(t, byNight({ newRateCountsFrom }), terms(100));
    await opened.goTo('2026-04-02');
    await pay(opened, 17.01);
    await opened.goTo('2026-04-03');
    t.match(await rateFrom(opened, 0.04, '2026-04-03'), { status: 201 });
    t.match((await rowsOf(opened))[1], { date: '2026-05-02', interestAmount: interest });
  });

  test(`a rate recorded ahead of its day gives the same rows as one of that day, counted from its ${newRateCountsFrom}`, async (t) => {
    const ahead = await openLoanOverHttp(t, byNight({ newRateCountsFrom }), terms(100));
    t.match(await rateFrom(ahead, 0.04, '2026-04-10'), { status: 201 });
    t.match((await rowsOf(ahead))[0], { amount: 17.01, interestAmount: 0.58 }, 'the row before that day stays as it was');
    const inTime = { ...ahead, loan: await ahead.active() };
    await ahead.goTo('2026-04-02');
    for (const opened of [ahead, inTime]) await pay(opened, 17.01);
    await ahead.goTo('2026-04-10');
    t.match(await rateFrom(inTime, 0.04, '2026-04-10'), { status: 201 });
    t.same(amountsOf(await rowsOf(inTime)), amountsOf(await rowsOf(ahead)));
    await ahead.goTo('2026-06-20');
    t.same(amountsOf(await rowsOf(inTime)), amountsOf(await rowsOf(ahead)));
  });
}

test('after an early payment a new rate is solved over what is left, recorded ahead of its day or on it', async (t) => {
  const ahead = await openLoanOverHttp(t, byNight(), terms(10_000));
  const inTime = { ...ahead, loan: await ahead.active() };
  await ahead.goTo('2026-03-03');
  for (const opened of [ahead, inTime]) await pay(opened, 1700.86);
  // 1,698.98 of it is principal. 46.86 of interest of the first month on 8,301.02 waits for the second row.
  const solved = [1700.86, 1686.28, 1686.28, 1686.28, 1686.28, 1686.27];
  t.match(await rateFrom(ahead, 0.04, '2026-04-02'), { status: 201 });
  t.same(amountsOf(await rowsOf(ahead)), solved);
  await ahead.goTo('2026-04-02');
  t.match(await rateFrom(inTime, 0.04, '2026-04-02'), { status: 201 });
  for (const opened of [ahead, inTime]) t.same(amountsOf(await rowsOf(opened)), solved);
});

for (const [name, by] of [
  ['level rows by the night', { recalculation: 'progressive' }],
  ['level rows of the schedule', {}],
  ['equal principal', { principalMethod: 'equal' }],
  ['flat interest', { interestMethod: 'flat' }],
  ['cumulative recalculation', { recalculation: 'cumulative' }],
] as const) {
  test(`a rate that is raised for the past asks no more of due dates that have passed: ${name}`, async (t) => {
    const opened = await openLoanOverHttp(t, { byInstalment: { interestMethod: 'periodic', ...by } }, terms(1200));
    await opened.goTo('2026-04-02');
    const [first] = amountsOf(await rowsOf(opened));
    await pay(opened, Number(first));
    await opened.goTo('2026-04-20');
    t.match(await rateFrom(opened, 0.3, '2026-03-10'), { status: 201 });
    t.match(await opened.ask('GET', opened.loan), { json: { data: { current: { isOverdue: false } } } });
    t.equal((await rowsOf(opened))[0]?.['amount'], first);
    t.same(await opened.emitted('loan.overdue'), []);
    for (let month = 5; month < 10; month += 1) {
      await opened.goTo(`2026-0${month}-02`);
      const obligations = dataOf(await opened.ask('GET', `${opened.loan}/obligations`))['obligations'] as readonly Row[];
      await pay(
        opened,
        obligations.filter(({ isOpen }) => isOpen !== true).reduce((sum, { remainingAmount }) => sum + Number(remainingAmount), 0),
      );
    }
    t.match(await opened.ask('GET', opened.loan), { json: { data: { status: 'paidOff' } } });
  });
}
