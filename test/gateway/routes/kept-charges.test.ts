import { type Test, test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

const ORDER = ['fees', 'penalties', 'interest', 'principal'];

/** 750.00 over three months, due on the 2nd from 2026-04-02 to 2026-06-02. */
const terms = (rate: number) => ({
  amountFinanced: 750,
  duration: 3,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate }],
});

const product = (more: object = {}) => ({ byInstalment: { interestMethod: 'periodic', chargebackOrder: ORDER, ...more } });

const cents = (amount: unknown): number => Math.round(Number(amount) * 100);

/** Days at the edges of the loan's life: its first, around each due date, the last due date, and after it. */
const DAYS = ['2026-03-02', '2026-03-20', '2026-04-01', '2026-04-02', '2026-04-03', '2026-05-02', '2026-06-02', '2026-06-03', '2026-06-20'];

/** The amount owed by the balances and by the rows, and the status. */
async function owedOf({ ask }: LoanOverHttp, loan: string) {
  const balances = dataOf(await ask('GET', `${loan}/balances`))['outstandingBalances'] as Row;
  const obligations = dataOf(await ask('GET', `${loan}/obligations`))['obligations'] as readonly Row[];
  return {
    owedCents: cents(balances['outstandingTotalAmount']),
    remainingCents: obligations.reduce((sum, { remainingAmount }) => sum + cents(remainingAmount), 0),
    dueDate: obligations.at(-1)?.['dueDate'],
    status: dataOf(await ask('GET', loan))['status'],
  };
}

async function pay({ ask }: LoanOverHttp, loan: string, amount: number): Promise<string> {
  return idOf(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, isExternal: true, status: 'succeeded' }));
}

const lose = ({ ask }: LoanOverHttp, loan: string, payment: string, amount: number) =>
  ask('POST', `${loan}/transactions/${payment}/chargebacks`, { amount, status: 'lost' });

/** A loan for each day, paid off on the first one. */
async function paidOffLoans(t: Test, more: object, rate: number) {
  const opened = await openLoanOverHttp(t, product(more), terms(rate));
  const { ask, active } = opened;
  const loans: { readonly day: string; readonly loan: string; readonly payment: string; readonly amount: number }[] = [];
  for (const day of DAYS) {
    const loan = await active();
    const amount = Number(dataOf(await ask('GET', `${loan}/payoff`))['payoffAmount']);
    loans.push({ day, loan, amount, payment: await pay(opened, loan, amount) });
  }
  return { opened, loans };
}

for (const [name, more, rate, isByNight] of [
  ['without interest', {}, 0, false],
  ['with interest of the schedule', {}, 0.18, false],
  ['with interest by the night', { interestMethod: 'daily', recalculation: 'progressive' }, 0.18, true],
] as const) {
  test(`a chargeback raises what is owed by its amount on each day of the life of a loan ${name}`, async (t) => {
    const { opened, loans } = await paidOffLoans(t, more, rate);
    for (const { day, loan, payment, amount } of loans) {
      await opened.goTo(day);
      t.match(await owedOf(opened, loan), { owedCents: 0, status: 'paidOff' }, `paid off before ${day}`);
      t.match(await lose(opened, loan, payment, amount), { status: 201 });
      const { owedCents, remainingCents, status, dueDate } = await owedOf(opened, loan);
      t.same([owedCents, status], [cents(amount), 'active'], day);
      const nights = (Date.parse(String(dueDate)) - Date.parse(day)) / 86_400_000;
      t.equal(
        remainingCents,
        cents(amount) + (isByNight ? Math.round((75_000 * rate * nights) / 365) : 0),
        `the row of ${String(dueDate)}`,
      );
    }
  });
}

test('a chargeback on a due date joins the row of the period that begins then, as a fee of that day does', async (t) => {
  const opened = await openLoanOverHttp(t, product(), terms(0));
  const { ask, company, goTo, h, loanTypeId } = opened;
  const feeType = { name: { displayName: 'Service', apiName: 'service' }, feeType: 'adHoc', amount: 15, chargeLogic: 'nextDueDate' };
  await h.data('feeType.create', company, feeType, { params: { loanTypeId } });
  const loan = await opened.active();
  await goTo('2026-04-02');
  const payment = await pay(opened, loan, 250);
  const [, open] = listOf(await ask('GET', `${loan}/periods`));
  t.match(open, { status: 'open', startDate: '2026-04-02', dueDate: '2026-05-02' });
  t.match(await lose(opened, loan, payment, 15), { status: 201 });
  t.match(await ask('POST', `${loan}/fees`, { apiName: 'service' }), { status: 200 });
  const obligations = async (): Promise<readonly Row[]> => dataOf(await ask('GET', `${loan}/obligations`))['obligations'] as readonly Row[];
  const asked = [
    { dueDate: '2026-04-02', obligationAmount: 250, remainingAmount: 0, isFulfilled: true },
    { dueDate: '2026-05-02', obligationAmount: 280, remainingAmount: 280 },
  ];
  t.match(await obligations(), asked);
  await goTo('2026-04-03');
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: false } } } });
});

test('what is charged and charged back from the last due date on is due on its own day and overdue on the next', async (t) => {
  const opened = await openLoanOverHttp(t, product(), terms(0));
  const { ask, company, goTo, h, loanTypeId } = opened;
  const feeType = { name: { displayName: 'Service', apiName: 'service' }, feeType: 'adHoc', amount: 15, chargeLogic: 'nextDueDate' };
  await h.data('feeType.create', company, feeType, { params: { loanTypeId } });
  const [late, early] = [await opened.active(), await opened.active()];
  await pay(opened, early, 750);
  await goTo('2026-06-02');
  const payment = await pay(opened, late, 750);
  for (const [date, next] of [
    ['2026-06-02', '2026-06-03'],
    ['2026-06-10', '2026-06-11'],
  ] as const) {
    await goTo(date);
    for (const loan of [late, early]) {
      t.match(await ask('POST', `${loan}/fees`, { apiName: 'service' }), { status: 200 });
      const obligations = dataOf(await ask('GET', `${loan}/obligations`))['obligations'] as readonly Row[];
      t.match(obligations.at(-1), { dueDate: date, obligationAmount: 15, remainingAmount: 15, isOverdue: false }, `a fee of ${date}`);
    }
    t.match(await lose(opened, late, payment, 20), { status: 201 });
    await goTo(next);
    t.match(await ask('GET', late), { json: { data: { status: 'active', current: { isOverdue: true } } } }, `overdue on ${next}`);
    const { owedCents, remainingCents } = await owedOf(opened, late);
    t.equal(owedCents, remainingCents);
    await pay(opened, late, owedCents / 100);
    t.match(await owedOf(opened, late), { owedCents: 0, remainingCents: 0, status: 'paidOff' });
    await pay(opened, early, 15);
    t.match(await owedOf(opened, early), { owedCents: 0, remainingCents: 0, status: 'paidOff' });
  }
});

test('rows of a loan with a down payment show the amounts that they were booked with', async (t) => {
  const opened = await openLoanOverHttp(t, product({ downPaymentShare: 0.2 }), terms(0.18));
  const rows = dataOf(await opened.ask('GET', `${opened.loan}/expected-payments`))['schedule'] as readonly Row[];
  t.equal(rows.length, 4);
  t.match(rows[0], { date: '2026-03-02', amount: 150, originalAmount: 150 });
  for (const { amount, originalAmount, date } of rows) t.equal(originalAmount, amount, String(date));
});

test('the transaction of a chargeback of a part shows what of the payment is owed again', async (t) => {
  const opened = await openLoanOverHttp(t, product({ chargebackOrder: ['interest', 'principal', 'fees', 'penalties'] }), terms(0.18));
  const { ask, goTo, loan } = opened;
  await goTo('2026-04-02');
  const payment = await pay(opened, loan, 257.54);
  await goTo('2026-04-10');
  const partOf = async (amount: number): Promise<Row> => {
    const { chargebackTransactionId } = dataOf(await lose(opened, loan, payment, amount));
    return dataOf(await ask('GET', `${loan}/transactions/${String(chargebackTransactionId)}`));
  };
  t.match(await partOf(20), { transactionType: 'chargeback', paidInterestAmount: 11.25, paidPrincipalAmount: 8.75, paidFeesAmount: 0 });
  t.match(await partOf(5), { paidInterestAmount: 0, paidPrincipalAmount: 5 });
  t.match(
    await ask('GET', `${loan}/transactions/${payment}`),
    { json: { data: { paidInterestAmount: 11.25 } } },
    'its payment stays as it was',
  );
});
