import { test } from 'tap';
import { dataOf, listOf } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

/** Over three months, due on the 2nd from 2026-04-02 on. */
const terms = (amountFinanced: number, rate: number) => ({
  amountFinanced,
  duration: 3,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate }],
});

const reamortize = ({ ask, loan }: LoanOverHttp, body: object) => ask('POST', `${loan}/reamortize`, body);

const pay = ({ ask, loan }: LoanOverHttp, amount: number) =>
  ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, isExternal: true, status: 'succeeded' });

const partsOf = async ({ ask, loan }: LoanOverHttp): Promise<readonly unknown[]> =>
  (dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[]).map(
    ({ amount, principalAmount, interestAmount }) => [amount, principalAmount, interestAmount],
  );

/** The published re-amortization with a partially paid installment (fin-e2e-l31), over months. */
const WHOLE = { byInstalment: { amountsIn: 'wholeUnits', downPaymentShare: 0.25, downPaymentFrom: 'advance' } };

test('what is overdue joins the rows to come in equal parts, and the loan is current', async (t) => {
  const opened = await openLoanOverHttp(t, WHOLE, terms(500, 0));
  const { ask, goTo, loan } = opened;
  await goTo('2026-04-03');
  await pay(opened, 50);
  await goTo('2026-04-20');
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: true, overdueAmount: 75 } } } });
  const before = await ask('GET', `${loan}/balances`);
  const preview = await reamortize(opened, { effectiveDate: '2026-05-02', previewMode: true });
  t.match(preview, { status: 200, json: { data: { schedule: [{ amount: 125 }, { amount: 50 }, { amount: 163 }, { amount: 162 }] } } });
  t.same((await ask('GET', `${loan}/balances`)).json, before.json, 'a preview changes nothing');
  t.match(await reamortize(opened, { effectiveDate: '2026-05-02' }), { status: 200 });
  t.same(await partsOf(opened), [
    [125, 125, 0],
    [50, 50, 0],
    [163, 163, 0],
    [162, 162, 0],
  ]);
  t.match(await ask('GET', loan), { json: { data: { current: { isOverdue: false, overdueAmount: 0 } } } });
  t.match(await ask('GET', `${loan}/balances`), { json: { data: { outstandingBalances: { outstandingTotalAmount: 325 } } } });
  const [line] = listOf(await ask('GET', `${loan}/activity?types=terms`));
  t.match(line, { action: 'reamortized', entries: [{ entryType: 'reamortization' }] });
  await goTo('2026-05-02');
  await pay(opened, 163);
  await goTo('2026-06-02');
  await pay(opened, 162);
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
});

test('interest that is overdue joins the rows to come like principal, and rows keep their own amounts', async (t) => {
  const opened = await openLoanOverHttp(t, { byInstalment: { interestMethod: 'flat' } }, terms(900, 0.12));
  await opened.goTo('2026-04-10');
  t.match(await reamortize(opened, { effectiveDate: '2026-05-02' }), { status: 200 });
  t.same(await partsOf(opened), [
    [0, 0, 0],
    [463.5, 450, 13.5],
    [463.5, 450, 13.5],
  ]);
});

test('only rows from the effective date on take their part', async (t) => {
  const opened = await openLoanOverHttp(t, { byInstalment: {} }, terms(900, 0));
  await opened.goTo('2026-04-10');
  t.match(await reamortize(opened, { effectiveDate: '2026-06-02' }), { status: 200 });
  t.same(await partsOf(opened), [
    [0, 0, 0],
    [300, 300, 0],
    [600, 600, 0],
  ]);
});

test('a reamortization without effect is refused', async (t) => {
  const opened = await openLoanOverHttp(t, { byInstalment: {} }, terms(900, 0));
  const refused = { status: 422, json: { errorType: 'ruleViolation' } };
  t.match(await reamortize(opened, { effectiveDate: '2026-05-02' }), refused, 'nothing is overdue');
  await opened.goTo('2026-04-10');
  t.match(await reamortize(opened, { effectiveDate: '2026-05-03' }), refused, 'no due date');
  t.match(await reamortize(opened, { effectiveDate: '2026-05-02', duration: 6 }), {
    ...refused,
    json: { errors: [{ path: 'duration' }] },
  });
  t.match(await reamortize(opened, { effectiveDate: '2026-05-02', amount: 10, keepAmount: true }), {
    ...refused,
    json: { errors: [{ path: 'amount' }, { path: 'keepAmount' }] },
  });
  const by = { interestMethod: 'daily', recalculation: 'cumulative' };
  const cumulative = await openLoanOverHttp(t, { byInstalment: by }, terms(900, 0.12));
  await cumulative.goTo('2026-04-10');
  t.match(await reamortize(cumulative, { effectiveDate: '2026-05-02' }), refused);
});
