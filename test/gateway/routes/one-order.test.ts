import { type Test, test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from './loan-over-http.js';

type Balances = Readonly<Record<'balances' | 'previousBalances', { readonly total: number }>>;

interface Emitting {
  emitted(eventType: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** The events about the balance that one order emits. */
async function balancesEmitted({ emitted }: Emitting, order: () => Promise<unknown>): Promise<readonly Balances[]> {
  const before = await emitted('loan.balance.changed');
  await order();
  return (await emitted('loan.balance.changed')).slice(before.length) as unknown as readonly Balances[];
}

const EXTERNAL = { type: 'oneTime', isExternal: true, status: 'succeeded' };

const STATUS_EVENTS = ['loan.obligation.statuschanged', 'loan.overdue', 'loan.current', 'loan.statuschanged'];

async function paid({ ask, loan }: LoanOverHttp, amount: number): Promise<string> {
  return `${loan}/transactions/${idOf(await ask('POST', `${loan}/transactions`, { ...EXTERNAL, amount }))}`;
}

function checkOneEvent(t: Test, events: readonly Balances[], difference: number): void {
  t.equal(events.length, 1);
  const [{ balances, previousBalances }] = events as [Balances];
  t.equal(Math.round((balances.total - previousBalances.total) * 100) / 100, difference);
}

test('another amount of an external payment emits the difference once, and no event about unchanged statuses', async (t) => {
  const lender = await openLoanOverHttp(t, {}, SMALL);
  const { ask, loan, goTo, emitted } = lender;
  await goTo('2026-04-15');
  const payment = await paid(lender, 150);
  const statusEvents = async (): Promise<readonly number[]> => Promise.all(STATUS_EVENTS.map(async (type) => (await emitted(type)).length));
  const before = await statusEvents();
  checkOneEvent(t, await balancesEmitted(lender, () => ask('PUT', payment, { actualAmount: 140 })), 10);
  t.same(await statusEvents(), before, 'the oldest obligation is fulfilled as before, the next one overdue');
  const all = Number((dataOf(await ask('GET', `${loan}/payoff`)) as Readonly<Record<string, unknown>>)['payoffAmount']);
  const last = await paid(lender, all);
  const history = listOf(await ask('GET', `${loan}/status-history`)).length;
  t.equal(
    (await balancesEmitted(lender, () => ask('PUT', last, { actualAmount: all + 5 }))).length,
    0,
    'more of what pays the loan off changes no balance',
  );
  t.equal((await emitted('loan.statuschanged')).length, history - 1);
  t.equal(listOf(await ask('GET', `${loan}/status-history`)).length, history, 'it was paid off all the time');
});

test('a chargeback of a part emits the difference once', async (t) => {
  const lender = await openLoanOverHttp(t, {}, SMALL);
  await lender.goTo('2026-04-15');
  const payment = await paid(lender, 150);
  checkOneEvent(t, await balancesEmitted(lender, () => lender.ask('POST', `${payment}/chargebacks`, { amount: 40, status: 'lost' })), 40);
});

test('another amount of a refund emits the difference once', async (t) => {
  const lender = await openLoanOverHttp(t, {}, SMALL);
  const { ask, loan, goTo } = lender;
  await goTo('2026-03-12');
  const refund = `${loan}/refunds/${idOf(await ask('POST', `${loan}/refunds`, { refundAmount: 300, atFaultParty: 'merchant' }))}`;
  checkOneEvent(t, await balancesEmitted(lender, () => ask('PUT', refund, { refundAmount: 200 })), 100);
});

test('rates of a line and of all its draws, and its SCRA terms, emit the difference once', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, line, draw, goTo } = lender;
  const own = { atOrigination: { interestRates: [{ interestType: 'absolute', days: null, rate: 0.24 }] } };
  for (const path of [await draw(), await draw(own), await draw(own)])
    await ask('POST', `${path}/purchases`, { amount: 1000, status: 'settled' });
  await goTo('2026-06-20');
  const interestRate = { annualRate: 0.1, startDate: '2026-04-01' };
  const rates = await balancesEmitted(lender, async () =>
    t.match(await ask('POST', `${line}/rates`, { interestRate, applyTo: 'lineAndDraws' }), { status: 201 }),
  );
  t.equal(rates.length, 1);
  const scra = { startDate: '2026-05-01', endDate: null, isCancelFees: true };
  const terms = await balancesEmitted(lender, async () =>
    t.match(await ask('POST', `${line}/loc-payment-plan-scra`, scra), { status: 200 }),
  );
  t.equal(terms.length, 1);
  t.ok((terms[0]?.balances.total ?? 0) < (terms[0]?.previousBalances.total ?? 0));
});
