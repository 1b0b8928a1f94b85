import { type Test, test } from 'tap';
import { ACCOUNT } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

/** A line on which 1,000.00 were bought on 2026-03-02, and a payment of 300.00 from an account on 03-12. */
async function openPaidLine(t: Test) {
  const lender = await openLineOverHttp(t, { holdDays: { ach: 8 } });
  const { ask, line, draw, goTo } = lender;
  const instrument = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const first = await draw();
  await ask('POST', `${first}/purchases`, { amount: 1_000 });
  await goTo('2026-03-12');
  const paid = await ask('POST', `${line}/transactions`, {
    type: 'oneTime',
    amount: 300,
    paymentInstrumentId: String(listOf(instrument)[0]?.['id']),
  });
  return {
    ...lender,
    first,
    payment: `${line}/transactions/${idOf(paid)}`,
    owed: async () => (dataOf(await ask('GET', first))['current'] as { readonly balanceAmount: number }).balanceAmount,
    credit: async () =>
      (dataOf(await ask('GET', `${line}/balances`))['creditBalances'] as { readonly availableCreditAmount: number }).availableCreditAmount,
  };
}

test('a chargeback of a payment raises what is owed on a line, with its interest, and its reversal lowers it again', async (t) => {
  const { ask, line, payment, goTo, owed, emitted, failures } = await openPaidLine(t);
  t.equal(await owed(), 704.93, 'ten days of interest are paid first');
  await goTo('2026-03-31');
  const before = await owed();
  const chargeback = await ask('POST', `${payment}/chargebacks`, { amount: 300, status: 'open', reasonCode: 'R10' });
  t.match(chargeback, { status: 201, json: { data: { id: /^TC-/, status: 'open' } } });
  t.match(dataOf(await ask('GET', payment)), { status: 'inDispute' });
  t.match(await ask('PUT', `${payment}/chargebacks/${idOf(chargeback)}`, { status: 'lost' }), {
    status: 200,
    json: { data: { status: 'lost' } },
  });
  t.match(dataOf(await ask('GET', payment)), { status: 'chargeback', drawSplitDetails: [] });
  t.equal(await owed(), 1_014.29, 'as if it had not been paid');
  t.match((await emitted('payment.chargeback')).at(-1), { amount: 300, reasonCode: 'R10' });
  t.match(await ask('PUT', `${payment}/chargebacks/${idOf(chargeback)}`, { status: 'reversed' }), { status: 200 });
  t.equal(await owed(), before);
  t.match(await ask('GET', `${line}/obligations`), { status: 200 });
  t.same(failures, []);
});

test('a payment holds credit until its hold days are over, which emits an event', async (t) => {
  const { credit, goTo, emitted, payment, ask, failures } = await openPaidLine(t);
  t.match(dataOf(await ask('GET', payment)), { holdDaysEndDate: '2026-03-24' });
  t.equal(await credit(), 3_995.07, 'what was paid is not free yet');
  await goTo('2026-03-23');
  t.strictSame(await emitted('payment.hold.days.expired'), []);
  await goTo('2026-03-25');
  t.match(await emitted('payment.hold.days.expired'), [{ amount: 300 }]);
  t.ok((await credit()) > 4_280);
  t.same(failures, []);
});

test('reversed and failed payments of a line are owed again', async (t) => {
  const { ask, payment, goTo, owed, emitted, line, failures } = await openPaidLine(t);
  await goTo('2026-03-20');
  const reversal = await ask('POST', `${payment}/reverse`, {});
  t.match(reversal, { status: 200 });
  t.equal(await owed(), 1_008.87, 'eighteen days on all of it');
  t.match(dataOf(await ask('GET', payment)), { reversedByTransactionId: /^TX-/ });
  const credit = await ask('POST', `${line}/transactions`, {
    type: 'serviceCredit',
    amount: 8.87,
    serviceCreditDetails: { type: 'courtesy' },
  });
  t.equal(await owed(), 1_000);
  t.match(await ask('POST', `${line}/transactions/${idOf(credit)}/reverse`), { status: 200 });
  t.equal(await owed(), 1_008.87);
  const external = await ask('POST', `${line}/transactions`, {
    type: 'oneTime',
    amount: 100,
    isExternal: true,
    status: 'succeeded',
    effectiveDate: '2026-03-10',
  });
  t.equal(await owed(), 908.4);
  t.match(await ask('PUT', `${line}/transactions/${idOf(external)}`, { status: 'failed', failureReason: 'paymentStopped' }), {
    status: 200,
  });
  t.equal(await owed(), 1_008.87);
  t.equal((await emitted('payment.reversed')).length, 2);
  t.same(failures, []);
});

test('an index rate of the past is replayed on the lines that follow it', async (t) => {
  const { ask, h, loanTypeId, active, draw, goTo, emitted, failures } = await openLineOverHttp(t);
  const indexes = `/loan-types/${loanTypeId}/index-rates`;
  await ask('POST', indexes, { annualRate: 0.08, startDate: '2026-01-01', country: 'US' });
  const line = await active({ atOrigination: { interestRates: [{ interestType: 'spread', days: null, rate: 0.1 }] } });
  const [plain, own] = [
    await draw({}, line),
    await draw({ atOrigination: { interestRates: [{ interestType: 'absolute', days: null, rate: 0.12 }] } }, line),
  ];
  await ask('POST', `${plain}/purchases`, { amount: 1_000 });
  await ask('POST', `${own}/purchases`, { amount: 1_000 });
  await goTo('2026-03-22');
  const interest = async (of: string): Promise<unknown> =>
    dataOf(await ask('GET', `${line}/interest?drawId=${of.split('/').at(-1)}`))['totalInterestAmount'];
  t.same([await interest(plain), await interest(own)], [10.36, 6.9], 'twenty-one days at 18 % and at 12 %');
  const value = await ask('POST', indexes, { annualRate: 0.044, startDate: '2026-03-12', country: 'US' });
  t.match(value, { status: 202 });
  await h.engine.settled();
  t.same([await interest(plain), await interest(own)], [9.27, 6.9], 'eleven days at 14.4 %');
  t.match(await ask('GET', plain), { json: { data: { current: { interestRate: 0.144 } } } });
  t.ok((await emitted('loan.balance.changed', line)).some(({ isReplay }) => isReplay === true));
  t.match(await ask('DELETE', `${indexes}/${idOf(value)}`), { status: 202 });
  await h.engine.settled();
  t.equal(await interest(plain), 10.36);
  t.same(failures, []);
});

test('rounded balances of a line are the sums of its draws, part by part', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t);
  for (const path of [await draw(), await draw()]) await ask('POST', `${path}/purchases`, { amount: 100, status: 'settled' });
  for (const day of ['2026-03-03', '2026-03-05', '2026-03-10', '2026-03-20', '2026-04-20']) {
    await goTo(day);
    const { outstandingBalances, drawBalances } = dataOf(await ask('GET', `${line}/balances?isRounded=true`)) as unknown as {
      outstandingBalances: Readonly<Record<string, number>>;
      drawBalances: readonly { readonly outstandingBalances: Readonly<Record<string, number>> }[];
    };
    const cents = (amount: number | undefined): number => Math.round(Number(amount) * 100);
    const part = (name: string): number => cents(outstandingBalances[`outstanding${name}Amount`]);
    t.equal(part('Total'), part('Principal') + part('Interest') + part('Fees'), day);
    const interest = drawBalances.reduce((sum, each) => sum + cents(each.outstandingBalances['outstandingInterestAmount']), 0);
    t.equal(part('Interest'), interest, `interest of the draws on ${day}`);
  }
});
