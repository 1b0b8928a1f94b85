import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { dataOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** 1,200.00 at 18 % over two months, due on the 2nd from 2026-04-02 on. */
const TERMS = {
  amountFinanced: 1200,
  duration: 2,
  specificDays: [2],
  interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
};

type Row = Readonly<Record<string, unknown>>;

test('the last installment asks late payers for its scheduled amount, and the rest falls due on the next due date', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t, { schedule: { lastInstalment: 'asScheduled' } }, TERMS);
  const rows = async (): Promise<readonly Row[]> => dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[];
  const [first, last] = await rows();
  await goTo('2026-05-02');
  t.match((await rows())[1], { date: '2026-05-02', amount: last?.['amount'] }, 'the interest of the missed month is not in it');
  const amount = Number(first?.['amount']) + Number(last?.['amount']);
  t.match(await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, isExternal: true, status: 'succeeded' }), { status: 201 });
  const closing = (await rows())[2];
  t.match(closing, { date: '2026-06-02' });
  await goTo('2026-06-02');
  t.match(await ask('GET', loan), { json: { data: { status: 'active', current: { isOverdue: false } } } });
  t.match(
    await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: closing?.['amount'], isExternal: true, status: 'succeeded' }),
    { status: 201 },
  );
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
});

test('lines and loans with scheduled interest refuse the setting of the last installment', async (t) => {
  const { ask, company } = await openLoanOverHttp(t);
  const made = (type: string, more: object = {}): Promise<HttpAnswer> =>
    ask('POST', `/companies/${company}/loan-types`, { type, name: 'Last', schedule: { lastInstalment: 'asScheduled' }, ...more });
  t.match(await made('installment'), { status: 201, json: { data: { schedule: { lastInstalment: 'asScheduled' } } } });
  const refused = { status: 422, json: { errorType: 'ruleViolation', errors: [{ path: 'schedule.lastInstalment' }] } };
  t.match(await made('lineOfCredit'), refused);
  t.match(await made('installment', { byInstalment: {} }), refused);
});
