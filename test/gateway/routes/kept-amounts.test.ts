import { test } from 'tap';
import { dataOf } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

/** Over three months, due on the 2nd from 2026-04-02 on. */
const terms = (amountFinanced: number, rate: number) => ({
  amountFinanced,
  duration: 3,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate }],
});

const rowsOf = async ({ ask, loan }: LoanOverHttp): Promise<readonly Row[]> =>
  dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[];

const partsOf = (rows: readonly Row[]): readonly unknown[] =>
  rows.map(({ amount, principalAmount, interestAmount }) => [amount, principalAmount, interestAmount]);

// 1,000.00 for 9 nights of 31 at 7 %, 9 at 8 % and 13 at 9 %: 1.6935 + 1.9355 + 3.1452 = 6.7742, and 1.69 + 1.94 + 3.15 = 6.78.
for (const [interestRoundedPer, interestAmount] of [
  ['period', 6.77],
  ['stretch', 6.78],
] as const) {
  test(`interest of a period that rates divide is rounded per ${interestRoundedPer}`, async (t) => {
    const opened = await openLoanOverHttp(t, { byInstalment: { interestMethod: 'periodic', interestRoundedPer } }, terms(1000, 0.07));
    for (const [annualRate, startDate] of [
      [0.08, '2026-03-11'],
      [0.09, '2026-03-20'],
    ] as const) {
      const interestRate = { annualRate, startDate, isEndExistingRates: true };
      t.match(await opened.ask('POST', `${opened.loan}/rates`, { interestRate }), { status: 201 });
    }
    t.match((await rowsOf(opened))[0], { date: '2026-04-02', interestAmount });
  });
}

test('a period that payments divide is rounded once, unless the loan type says otherwise', async (t) => {
  const { ask, company } = await openLoanOverHttp(t);
  const path = `/companies/${company}/loan-types`;
  const created = await ask('POST', path, { type: 'installment', name: 'Once', byInstalment: {} });
  t.match(created, { status: 201, json: { data: { byInstalment: { interestRoundedPer: 'period' } } } });
  const own = `${path}/${String(dataOf(created)['id'])}`;
  t.match(await ask('PUT', own, { byInstalment: { interestRoundedPer: 'stretch' } }), {
    status: 200,
    json: { data: { byInstalment: { interestRoundedPer: 'stretch' } } },
  });
  t.match(await ask('PUT', own, { byInstalment: { interestRoundedPer: 'night' } }), { status: 400 });
});

test('whole units round the installment of equal principal, and the last one takes the rest', async (t) => {
  const by = { interestMethod: 'periodic', principalMethod: 'equal', amountsIn: 'wholeUnits' };
  const opened = await openLoanOverHttp(t, { byInstalment: by }, terms(1000, 0.12));
  t.same(partsOf(await rowsOf(opened)), [
    [343, 333, 10],
    [340, 333.33, 6.67],
    [337.01, 333.67, 3.34],
  ]);
});

test('whole units round the installment of flat interest', async (t) => {
  const by = { interestMethod: 'flat', amountsIn: 'wholeUnits' };
  const opened = await openLoanOverHttp(t, { byInstalment: by }, terms(1000, 0.07));
  t.same(partsOf(await rowsOf(opened)), [
    [339, 333.17, 5.83],
    [339, 333.17, 5.83],
    [339.49, 333.66, 5.83],
  ]);
});

test('whole units round the down payment', async (t) => {
  const opened = await openLoanOverHttp(t, { byInstalment: { amountsIn: 'wholeUnits', downPaymentShare: 0.25 } }, terms(750, 0));
  t.same(partsOf(await rowsOf(opened)), [
    [188, 188, 0],
    [187, 187, 0],
    [187, 187, 0],
    [188, 188, 0],
  ]);
});
