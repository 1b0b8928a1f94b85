import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { withoutNames } from './loan-over-http.js';

const PURCHASE = { amount: 1000, status: 'settled' };
const rowsOf = (answer: { readonly json: Record<string, unknown> }): readonly Record<string, unknown>[] =>
  (answer.json['data'] as { schedule: readonly Record<string, unknown>[] }).schedule;

test('rates of a line reach its draws, and those of a draw with its own only when they are meant', async (t) => {
  const { ask, line, draw, goTo, emitted, failures } = await openLineOverHttp(t);
  const [plain, own] = [
    await draw(),
    await draw({ atOrigination: { interestRates: [{ rate: 0.12, days: null }], promoRates: [{ rate: 0.02, days: 30 }] } }),
  ];
  await ask('POST', `${plain}/purchases`, PURCHASE);
  await ask('POST', `${own}/purchases`, PURCHASE);
  t.match(await ask('GET', `${line}/rates`), {
    json: { data: { interestRates: [{ annualRate: 0.18, setAtActivation: true, startDate: '2026-03-02' }] } },
  });
  t.match(await ask('GET', `${plain}/rates`), { json: { data: { interestRates: [{ annualRate: 0.18 }] } } });
  t.match(await ask('GET', `${own}/rates`), {
    json: { data: { interestRates: [{ annualRate: 0.12, id: /^RA-/ }], promoRates: [{ annualRate: 0.02, endDate: '2026-03-31' }] } },
  });
  await goTo('2026-03-12');
  const interest = async (of: string): Promise<unknown> =>
    (dataOf(await ask('GET', `${line}/interest?drawId=${of.split('/').at(-1)}`)) as { totalInterestAmount: number }).totalInterestAmount;
  t.same([await interest(plain), await interest(own)], [5.42, 3.01], 'eleven days at 18 % and at 10 %');
  const rate = { interestRate: { annualRate: 0.09, startDate: '2026-03-07' } };
  const preview = await ask('POST', `${line}/rates`, { ...rate, previewMode: true });
  const added = await ask('POST', `${line}/rates`, rate);
  t.match(added, { status: 201, json: { data: { interestRateId: /^RA-/ } } });
  t.equal(preview.status, 201);
  t.same([await interest(plain), await interest(own)], [3.95, 3.01], 'six days at half the rate; the other draw has its own');
  const both = await ask('POST', `${line}/rates`, { interestRate: { annualRate: 0.05, startDate: '2026-03-12' }, applyTo: 'lineAndDraws' });
  t.match(await ask('GET', `${own}/rates`), {
    json: { data: { interestRates: [{ annualRate: 0.12 }, { annualRate: 0.05, id: dataOf(both)['interestRateId'] }] } },
  });
  t.match(await ask('GET', own), { json: { data: { current: { interestRate: 0.03 } } } });
  t.match(await ask('DELETE', `${line}/rates/${String(dataOf(both)['interestRateId'])}`), { status: 200 });
  t.match(
    await ask('GET', own),
    { json: { data: { current: { interestRate: 0.1 } } } },
    'what is removed from the line is removed from the draws that have it',
  );
  const drawn = await ask('POST', `${plain}/rates`, { interestRate: { annualRate: 0.01 } });
  t.match(await ask('PUT', `${plain}/rates/${String(dataOf(drawn)['interestRateId'])}`, { annualRate: 0.02 }), { status: 200 });
  t.match(await ask('GET', plain), { json: { data: { current: { interestRate: 0.02 } } } });
  t.match(await ask('GET', `${plain}/rates/${String(dataOf(drawn)['interestRateId'])}`), {
    json: { data: { annualRate: 0.02, type: 'interestRate', status: 'active' } },
  });
  t.match(await ask('GET', `${line}/rates/${String(dataOf(added)['interestRateId'])}`), { json: { data: { annualRate: 0.09 } } });
  t.match(await ask('GET', `${plain}/rates/RA-ZZZZ-9999`), { status: 404 });
  const cap = await ask('POST', `${own}/rate-caps`, { maxRate: 0.08, startDate: '2026-03-12', rateCapReason: 'MLA' });
  t.match(await ask('GET', own), { json: { data: { current: { interestRate: 0.06 } } } });
  t.match(await ask('GET', `${own}/rate-caps`), { json: { data: [{ id: idOf(cap), rateCapReason: 'MLA' }] } });
  t.match(await ask('PUT', `${own}/rate-caps/${idOf(cap)}`, { maxRate: 0.09 }), { json: { data: { maxRate: 0.09 } } });
  t.match(await ask('DELETE', `${own}/rate-caps/${idOf(cap)}`), { status: 200 });
  t.match(await ask('GET', `${own}/rate-caps/${idOf(cap)}`), { status: 404 });
  t.match((await emitted('loan.rate.created')).at(-1), { drawId: own.split('/').at(-1), rate: 0.08, rateType: 'rateCap' });
  t.match(await ask('POST', `${line}/loc-payment-plan-scra`, { startDate: '2026-03-05', endDate: null, annualRate: 0 }), { status: 200 });
  t.match(await ask('GET', line), { json: { data: { current: { isScraActive: true, interestRate: 0 } } } });
  t.same([await interest(plain), await interest(own)], [1.48, 0.82], 'three days before the service began');
  t.match(await ask('DELETE', `${line}/loc-payment-plan-scra`), { status: 200 });
  t.same(failures, []);
});

test('a draw is amortized as its preview has shown, and balances are deferred', async (t) => {
  const { ask, line, draw, goTo, emitted, failures } = await openLineOverHttp(t);
  const first = await draw();
  const shown = await ask('POST', `${line}/amortize-preview`, { purchaseAmount: 600, duration: 6 });
  t.match(shown, { status: 200 });
  t.ok(rowsOf(shown).length >= 6, 'interest between the last statement and its due date may ask for one row more');
  t.match(await ask('POST', `${line}/amortize-preview`, { purchaseAmount: 600 }), {
    status: 400,
    json: { errors: [{ path: 'duration' }] },
  });
  await ask('POST', `${first}/purchases`, { ...PURCHASE, amount: 600 });
  const preview = await ask('POST', `${first}/amortize`, { duration: 6, previewMode: true });
  const amortized = await ask('POST', `${first}/amortize`, { duration: 6 });
  t.strictSame(withoutNames(rowsOf(amortized)), withoutNames(rowsOf(preview)));
  t.match(await ask('GET', first), { json: { data: { current: { isAmortized: true }, endDate: rowsOf(amortized)[5]?.['date'] } } });
  await goTo('2026-04-20');
  t.match(await ask('GET', line), { json: { data: { current: { isOverdue: true, daysOverdue: 5 } } } });
  const deferred = await ask('POST', `${line}/defer-remaining-balances`, {});
  t.match(deferred, { status: 200, json: { data: { feeAmount: 0 } } });
  t.match(await ask('GET', line), { json: { data: { current: { isOverdue: false, overdueAmount: 0 } } } });
  t.ok((await emitted('loan.current')).length > 0);
  const moved = await ask('PUT', `${line}/expected-payments`, { dueDatesFrequency: 'monthly', specificDays: [28] });
  t.match(moved, { status: 200 });
  await goTo('2026-06-10');
  t.ok(
    listOf(await ask('GET', `${line}/periods`)).some(({ dueDate }) => dueDate === '2026-06-28'),
    'the next period falls due on the 28th',
  );
  t.match(await ask('PUT', `${line}/expected-payments`, { dueDatesFrequency: 'monthly', specificDays: [5, 28] }), { status: 422 });
  t.same(failures, []);
});

test('a line is frozen where its product allows it, accelerated, charged off and back, and its draws with it', async (t) => {
  const { ask, line, draw, goTo, emitted, created, failures, h } = await openLineOverHttp(t, { freezeAllowedForLineOfCredit: true });
  const first = await draw();
  await ask('POST', `${first}/purchases`, PURCHASE);
  await goTo('2026-03-12');
  const statusOf = async (path: string): Promise<unknown> => dataOf(await ask('GET', path))['status'];
  t.match(await ask('POST', `${line}/freeze`, {}), { status: 200 });
  t.same([await statusOf(line), await statusOf(first)], ['frozen', 'frozen']);
  t.match(await ask('POST', `${first}/purchases`, PURCHASE), { status: 409 });
  t.match(await ask('POST', `${line}/unfreeze`, {}), { status: 200, json: { data: { paymentFrequency: 'monthly' } } });
  t.match(await ask('POST', `${line}/accelerate`, {}), { json: { data: { acceleratedAmount: 1004.93 } } });
  t.same([await statusOf(line), await statusOf(first)], ['accelerated', 'accelerated']);
  t.match(await ask('POST', `${line}/reverse-accelerate`, {}), { json: { data: { reversedAcceleratedAmount: 1004.93 } } });
  t.match(await ask('POST', `${line}/charge-off`, { chargedOffReason: 'fraudulent' }), { json: { data: { chargeOffAmount: 1004.93 } } });
  t.match(await ask('GET', `${line}/balances`), { json: { data: { chargedOffBalances: { chargedOffPrincipalAmount: 1000 } } } });
  t.same([await statusOf(line), await statusOf(first)], ['chargedOff', 'chargedOff']);
  t.match(await ask('POST', `${line}/reverse-charge-off`, {}), { status: 200 });
  t.equal(await statusOf(first), 'active');
  const ofLine = (await emitted('loan.statuschanged')).filter(({ drawId }) => drawId === undefined);
  t.same(
    ofLine.map(({ newStatus }) => newStatus),
    ['active', 'frozen', 'active', 'accelerated', 'active', 'accelerated', 'chargedOff', 'active'],
  );
  t.match(await ask('GET', `${line}/status-history`), { json: { total: 9 } });
  t.match(await ask('POST', `${line}/cancel?force=true`, { cancellationReason: 'fraud' }), { status: 200 });
  t.same([await statusOf(line), await statusOf(first)], ['canceled', 'canceled']);
  const rigid = await h.data('loanType.create', h.company, { type: 'lineOfCredit', name: 'Rigid' });
  const other = `/people/ext-ann-1/loans/${idOf(await created({ loanTypeId: rigid.id }))}`;
  await ask('POST', `${other}/activate`, {});
  t.match(await ask('POST', `${other}/freeze`, {}), { status: 409 });
  t.same(failures, []);
});

test('a promise to pay on a line is kept by payments and broken without them', async (t) => {
  const { ask, line, draw, goTo, emitted } = await openLineOverHttp(t);
  await ask('POST', `${await draw()}/purchases`, PURCHASE);
  const plans = `${line}/promise-to-pay-plans`;
  const made = await ask('POST', plans, {
    schedule: [
      { dueDate: '2026-03-10', amount: 40 },
      { dueDate: '2026-03-24', amount: 40 },
    ],
  });
  t.match(made, {
    status: 200,
    json: { data: { id: /^PS-/, schedule: [{ periodId: /^PE-/, status: 'scheduled' }, { status: 'scheduled' }] } },
  });
  t.match(await ask('POST', plans, { schedule: [{ dueDate: '2026-03-11', amount: 40 }] }), { status: 409 }, 'one plan at a time');
  await goTo('2026-03-09');
  t.match(await ask('POST', `${line}/transactions`, { type: 'oneTime', amount: 40, isExternal: true, status: 'succeeded' }), {
    status: 201,
  });
  await goTo('2026-03-12');
  t.match(await ask('GET', `${plans}/${idOf(made)}`), {
    json: { data: { status: 'active', isOverdue: false, schedule: [{ status: 'kept', paidAmount: 40 }, { paidAmount: 0 }] } },
  });
  await goTo('2026-03-26');
  t.match(await ask('GET', `${plans}/${idOf(made)}`), {
    json: { data: { status: 'broken', schedule: [{ status: 'kept' }, { status: 'broken' }] } },
  });
  t.equal((await emitted('loan.promiseplan.statuschanged')).length, 2, 'it became active, then broken');
});
