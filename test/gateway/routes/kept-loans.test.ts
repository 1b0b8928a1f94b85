import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { dataOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** 1,200.00 at 18 % over twelve months, due on the 2nd from 2026-04-02 on. */
const TERMS = {
  amountFinanced: 1200,
  duration: 12,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
};

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (answer: HttpAnswer): readonly Row[] => dataOf(answer)['schedule'] as readonly Row[];

const BY_MONTH = { byInstalment: { interestMethod: 'periodic', recalculation: 'progressive', amountsIn: 'cents' } };

test('a loan type says how its loans have scheduled interest, and keeps what a body leaves out', async (t) => {
  const { ask, company } = await openLoanOverHttp(t);
  const path = `/companies/${company}/loan-types`;
  const created = await ask('POST', path, { type: 'installment', name: 'Monthly', ...BY_MONTH });
  t.match(created, {
    status: 201,
    json: { data: { byInstalment: { ...BY_MONTH.byInstalment, excess: 'next', payoffInterest: 'toDate' } } },
  });
  const own = `${path}/${String(dataOf(created)['id'])}`;
  t.match(await ask('PUT', own, { byInstalment: { payoffInterest: 'toPeriodEnd' } }), {
    json: { data: { byInstalment: { interestMethod: 'periodic', payoffInterest: 'toPeriodEnd' } } },
  });
  t.match(await ask('PUT', own, { byInstalment: null }), { json: { data: { byInstalment: null } } });
  for (const wrong of [
    { interestMethod: 'flat', recalculation: 'progressive' },
    { excess: 'last', recalculation: 'cumulative' },
    { dueOrder: ['interest'] },
    { excess: 'first' },
  ]) {
    t.match(await ask('POST', path, { type: 'installment', name: 'Wrong', byInstalment: wrong }), { status: 400 }, JSON.stringify(wrong));
  }
  t.match(await ask('POST', path, { type: 'installment', name: 'Compound', accrualMethod: 'compound', byInstalment: {} }), { status: 400 });
  t.match(await ask('POST', path, { type: 'installment', name: 'All down', byInstalment: { downPaymentShare: 1 } }), {
    status: 400,
    json: { errors: [{ path: 'byInstalment.downPaymentShare' }] },
  });
});

test('a balance method that would have no effect is refused; precomputed interest is that of the schedule', async (t) => {
  const { ask, company } = await openLoanOverHttp(t);
  const path = `/companies/${company}/loan-types`;
  const made = (type: string, balanceMethod: string, more: object = {}): Promise<HttpAnswer> =>
    ask('POST', path, { type, name: balanceMethod, interest: { balanceMethod }, ...more });
  t.match(await made('installment', 'precomputed'), {
    status: 201,
    json: { data: { interest: { balanceMethod: 'precomputed' }, byInstalment: { recalculation: 'none' } } },
  });
  t.match(await made('lineOfCredit', 'averageDailyBalance'), { status: 201 });
  const refused = { status: 422, json: { errorType: 'ruleViolation', errors: [{ path: 'interest.balanceMethod' }] } };
  t.match(await made('installment', 'averageDailyBalance'), refused);
  t.match(await made('lineOfCredit', 'averageDailyBalance', { accrualMethod: 'compound' }), refused);
  t.match(await made('lineOfCredit', 'precomputed'), refused);
  t.match(await made('installment', 'precomputed', { byInstalment: null }), refused);
  t.match(await made('installment', 'precomputed', BY_MONTH), refused, 'what is recalculated is not precomputed');
  const own = `${path}/${String(dataOf(await made('installment', 'dailyBalance'))['id'])}`;
  t.match(await ask('PUT', own, { interest: { balanceMethod: 'averageDailyBalance' } }), refused);
  t.match(await ask('PUT', own, { interest: { balanceMethod: 'precomputed' } }), {
    status: 200,
    json: { data: { byInstalment: { interestMethod: 'daily' } } },
  });
  t.match(await ask('PUT', own, { byInstalment: null }), refused);
});

test('a month bears a twelfth of the rate, and a payoff ahead bears interest to the day', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t, BY_MONTH, TERMS);
  const [first, second] = rowsOf(await ask('GET', `${loan}/expected-payments`)).map((row) => [
    row['date'],
    row['amount'],
    row['principalAmount'],
    row['interestAmount'],
  ]);
  t.same(first, ['2026-04-02', 110.02, 92.02, 18]);
  t.same(second, ['2026-05-02', 110.02, 93.4, 16.62]);
  await goTo('2026-04-02');
  t.match(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 110.02, isExternal: true, status: 'succeeded' }), {
    status: 201,
  });
  t.match(await ask('GET', `${loan}/balances`), { json: { data: { outstandingBalances: { outstandingPrincipalAmount: 1107.98 } } } });
  await goTo('2026-04-17');
  const payoff = dataOf(await ask('GET', `${loan}/payoff`));
  t.match(payoff, { payoffAmount: 1116.29 }, 'half of the 16.62 of April');
  t.match(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 1116.29, isExternal: true, status: 'succeeded' }), {
    status: 201,
  });
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
});

test('late payments raise later installments, and the loan is overdue like any other', async (t) => {
  const { ask, loan, goTo, emitted } = await openLoanOverHttp(t, BY_MONTH, TERMS);
  await goTo('2026-05-02');
  t.equal((await emitted('loan.overdue')).length, 1);
  const rows = rowsOf(await ask('GET', `${loan}/expected-payments`));
  t.equal(rows[1]?.['interestAmount'], 18, 'all of the principal has borne the rate of April');
});

/** The paths that read a loan. */
const READS = [
  '',
  '/expected-payments',
  '/balances',
  '/obligations',
  '/fees',
  '/activity',
  '/payoff',
  '/periods',
  '/rates',
  '/transactions',
  '/statements',
  '/interest',
];

const DOWN = { byInstalment: { ...BY_MONTH.byInstalment, downPaymentShare: 0.25 } };

test('a down payment is the first row of the schedule, due on the day of activation', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t, DOWN, TERMS);
  const rows = rowsOf(await ask('GET', `${loan}/expected-payments`));
  t.match(
    rows.slice(0, 2).map(({ date, amount, principalAmount, interestAmount }) => [date, amount, principalAmount, interestAmount]),
    [
      ['2026-03-02', 300, 300, 0],
      ['2026-04-02', 82.51, 69.01, 13.5],
    ],
  );
  t.equal(rows.length, 13);
  t.match(await ask('GET', loan), { json: { data: { atActivation: { periodicPaymentAmount: 82.51, duration: 12 } } } });
  t.match(await ask('GET', `${loan}/balances`), {
    json: { data: { dueBalances: { duePrincipalAmount: 300 }, nonDueBalances: { nonDuePrincipalAmount: 900 } } },
  });
  const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 300, isExternal: true, status: 'succeeded' });
  t.match(paid, { status: 201, json: { data: { paidPrincipalAmount: 300, paidInterestAmount: 0 } } });
  await goTo('2026-03-20');
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: false } } } });
  for (const path of READS) t.match((await ask('GET', `${loan}${path}`)).status, 200, path);
});

test('a down payment that the lender keeps back is paid with the loan', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t, { byInstalment: { ...DOWN.byInstalment, downPaymentFrom: 'advance' } }, TERMS);
  t.match(await ask('GET', `${loan}/balances`), {
    json: {
      data: {
        outstandingBalances: { outstandingPrincipalAmount: 900 },
        dueBalances: { duePrincipalAmount: 0 },
        paidBalances: { paidPrincipalAmount: 300 },
      },
    },
  });
  await goTo('2026-03-20');
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: false } } } });
  for (const path of READS) t.match((await ask('GET', `${loan}${path}`)).status, 200, path);
});

test('a down payment that is not made is overdue like any installment', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t, DOWN, TERMS);
  await goTo('2026-03-12');
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: true, daysOverdue: 10, overdueAmount: 300 } } } });
});

test('a request that a loan with scheduled interest does not support is refused', async (t) => {
  const { ask, loan, created, goTo } = await openLoanOverHttp(t, BY_MONTH, TERMS);
  await goTo('2026-03-10');
  for (const [method, path, body] of [
    ['POST', 'freeze', {}],
    ['PUT', 'expected-payments/defer-schedule', { days: 10 }],
    ['POST', 'refunds', { refundAmount: 10, atFaultParty: 'merchant', refundDate: '2026-03-10' }],
  ] as const) {
    t.match(await ask(method, `${loan}/${path}`, body), { status: 422 }, path);
  }
  t.equal(typeof (await created()), 'string');
});

test('every read of a loan answers for one with scheduled interest, through late fees, acceleration and charge-off', async (t) => {
  const { ask, active, company, goTo, h, loanTypeId } = await openLoanOverHttp(
    t,
    { ...BY_MONTH, accelerationDueWithin: 60, chargeOffDueWithin: 90 },
    TERMS,
  );
  const lateFee = { name: { displayName: 'Late fee', apiName: 'late' }, feeType: 'lateFee', amount: 15, triggerDays: 5 };
  await h.data('feeType.create', company, lateFee, { params: { loanTypeId } });
  const loan = await active();
  const reads = async (day: string): Promise<string> => {
    await goTo(day);
    for (const path of READS) t.ok((await ask('GET', `${loan}${path}`)).status < 500, `${path} on ${day}`);
    return String(dataOf(await ask('GET', loan))['status']);
  };
  t.equal(await reads('2026-03-20'), 'active');
  t.equal(await reads('2026-04-09'), 'active');
  const [fee] = dataOf(await ask('GET', `${loan}/fees`)) as unknown as readonly Row[];
  t.match(fee, { amount: 15 }, 'the late fee of the first installment');
  const late = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 15, isExternal: true, status: 'succeeded' });
  t.match(
    late,
    { status: 201, json: { data: { paidFeesAmount: 0 } } },
    'the first installment is older than the one that carries its late fee',
  );
  t.equal(await reads('2026-06-01'), 'accelerated');
  t.equal(await reads('2026-07-02'), 'chargedOff');
});

for (const byInstalment of [
  { interestMethod: 'daily' },
  { interestMethod: 'periodic' },
  { interestMethod: 'flat' },
  { interestMethod: 'daily', recalculation: 'progressive' },
  { interestMethod: 'daily', recalculation: 'cumulative' },
]) {
  test(`interest by day is all interest of the loan: ${JSON.stringify(byInstalment)}`, async (t) => {
    const { ask, active, goTo } = await openLoanOverHttp(t, { byInstalment }, TERMS);
    const loan = await active();
    const sums = async (): Promise<readonly unknown[]> => {
      const { interestAndFeesAmounts } = dataOf(await ask('GET', `${loan}/balances?isRounded=true`)) as { interestAndFeesAmounts: Row };
      // The interest of the 20th accrues in the night to the 21st.
      const { totalInterestAmount } = dataOf(await ask('GET', `${loan}/interest?toEffectiveDate=2026-04-19`));
      return [totalInterestAmount, interestAndFeesAmounts['interestAccruedTotalAmount']];
    };
    await goTo('2026-03-20');
    await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 300, isExternal: true, status: 'succeeded' });
    await goTo('2026-04-20');
    const [byDay, accrued] = await sums();
    t.ok(Number(accrued) > 15, String(accrued));
    t.equal(byDay, accrued);
  });
}

test('interest that payments do not change is interest of the day of the activation', async (t) => {
  const { ask, active } = await openLoanOverHttp(t, { byInstalment: { interestMethod: 'flat' } }, TERMS);
  const loan = await active();
  t.match(dataOf(await ask('GET', `${loan}/interest`)), {
    totalInterestAmount: 216,
    days: [{ date: '2026-03-02', principalAmount: 1200, rate: 0.18, interestAmount: 216 }],
  });
});
