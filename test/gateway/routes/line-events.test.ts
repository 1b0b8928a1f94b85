import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

test('a period of a line begins and ends as its list of periods says', async (t) => {
  const { ask, line, goTo, emitted } = await openLineOverHttp(t);
  await goTo('2026-04-20');
  const known = new Map(listOf(await ask('GET', `${line}/periods`)).map((period) => [period['id'], period]));
  const started = await emitted('loan.period.started');
  t.ok(started.length >= 2);
  for (const { periodId, startDate, endDate, dueDate } of started) t.match(known.get(periodId), { startDate, endDate, dueDate });
});

test('deferred balances emit the interest and the fees that became principal', async (t) => {
  const { ask, line, draw, goTo, emitted } = await openLineOverHttp(t);
  const feeTypes = `/loan-types/${String(dataOf(await ask('GET', line))['loanTypeId'])}/fee-types`;
  await ask('POST', feeTypes, {
    name: { apiName: 'visit', displayName: 'Visit' },
    feeType: 'adHoc',
    amountLogic: 'fixed',
    amount: 12,
    chargeLogic: 'immediate',
    trigger: 'manual',
  });
  const path = await draw();
  await ask('POST', `${path}/purchases`, { amount: 1000, status: 'settled' });
  const [fee] = listOf(await ask('POST', `${line}/fees`, { apiName: 'visit' }));
  await goTo('2026-05-01');
  const balances = dataOf(await ask('GET', `${line}/balances?isRounded=true`)) as Record<string, Record<string, number>>;
  const interest = (balances['dueBalances']?.['dueInterestAmount'] ?? 0) + (balances['overdueBalances']?.['overdueInterestAmount'] ?? 0);
  t.ok(interest > 0);
  t.match(await ask('POST', `${line}/defer-remaining-balances`, {}), { status: 200 });
  t.match(await emitted('loan.interest.capitalized'), [{ amount: interest, principalAfter: Math.round((1012 + interest) * 100) / 100 }]);
  t.equal((await emitted('loan.interest.capitalized')).length, 1);
  t.match((await emitted('loan.balance.changed')).at(-1), {
    cause: 'balancesDeferred',
    balances: { fees: 0, overdue: 0 },
    previousBalances: { principal: 1000, fees: 12 },
  });
  t.match(await emitted('loan.fee.capitalized'), [{ feeId: fee?.['id'], feeTypeId: fee?.['feeTypeId'], amount: 12 }]);
});

test('events about a draw are about a draw', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t, { interest: { minimumInterestCharge: 2 } });
  const path = await draw({ atOrigination: { fees: { drawFeeAmount: 10 } } });
  await ask('POST', `${path}/purchases`, { amount: 50, status: 'settled' });
  await ask('POST', `${path}/credit-limit`, { creditLimitAmount: 500 });
  await goTo('2026-04-01');
  const drawId = path.split('/').at(-1) ?? '';
  const events = listOf(await ask('GET', `/events?objectType=draw&objectId=${drawId}&order=asc`));
  const [fee] = listOf(await ask('GET', `${path}/fees`));
  const [period] = listOf(await ask('GET', `${line}/periods`));
  t.match(
    events.filter(({ eventType }) => eventType !== 'draw.credit.limit.changed'),
    [
      { eventType: 'loan.statuschanged', objectId: drawId, drawId, data: { drawId, oldStatus: null, newStatus: 'originated' } },
      { eventType: 'loan.statuschanged', objectId: drawId, drawId, data: { drawId, oldStatus: 'originated', newStatus: 'active' } },
      { eventType: 'draw.fee.booked', objectId: drawId, drawId, data: { drawId, feeId: fee?.['id'], feeTypeId: null, amount: 10 } },
      { eventType: 'loan.interestaccrued.min', objectId: drawId, drawId, data: { drawId, periodId: period?.['id'], amount: 2 } },
    ],
  );
  t.match(
    events.find(({ eventType }) => eventType === 'draw.credit.limit.changed'),
    { objectId: drawId, data: { newLimit: 500 } },
  );
});

test('events of payments and fees of a draw name the draw, also by the id of the caller', async (t) => {
  const { ask, line, loanTypeId, draw } = await openLineOverHttp(t);
  await ask('POST', `/loan-types/${loanTypeId}/fee-types`, {
    name: { apiName: 'copy', displayName: 'Copy' },
    feeType: 'adHoc',
    amountLogic: 'fixed',
    amount: 20,
    trigger: 'manual',
  });
  const path = await draw({ externalId: 'draw-1' });
  const drawId = path.split('/').at(-1) ?? '';
  await ask('POST', `${path}/purchases`, { amount: 100, status: 'settled' });
  const paid = { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 7 };
  const ofDraw = idOf(await ask('POST', `${line}/transactions`, { ...paid, externalId: 'paid-1', drawId: 'ext-draw-1' }));
  const ofLine = idOf(await ask('POST', `${line}/transactions`, paid));
  const newest = async (eventType: string): Promise<Record<string, unknown>> =>
    listOf(await ask('GET', `/events?eventType=${eventType}`))[0] ?? {};
  t.match(await newest('payment.succeeded'), { transactionId: ofLine, drawId: null });
  const [, directed] = listOf(await ask('GET', '/events?eventType=payment.succeeded'));
  t.match(directed, { transactionId: ofDraw, drawId, externalIds: { transactionId: 'paid-1', drawId: 'draw-1' } });
  t.match(await ask('POST', `${line}/transactions/${ofDraw}/chargebacks`, { amount: 3, status: 'lost' }), { status: 201 });
  t.match(await newest('payment.chargeback'), { transactionId: ofDraw, drawId, externalIds: { drawId: 'draw-1' } });
  const [fee] = listOf(await ask('POST', `${path}/fees`, { apiName: 'copy' }));
  const named = { drawId, externalIds: { drawId: 'draw-1' }, data: { feeId: fee?.['id'], drawId } };
  t.match(await newest('loan.fee.booked'), named);
  t.match(await ask('PUT', `${line}/fees/${String(fee?.['id'])}`, { feeAmount: 15 }), { status: 200 });
  t.match(await newest('loan.fee.changed'), named);
  t.match(await ask('PUT', `${line}/fees/${String(fee?.['id'])}/cancel`, {}), { status: 200 });
  t.match(await newest('loan.fee.canceled'), named);
});

test('a day on which two draws bear interest is one day of a statement', async (t) => {
  const { ask, line, draw, goTo } = await openLineOverHttp(t);
  for (const path of [await draw(), await draw()]) await ask('POST', `${path}/purchases`, { amount: 1000, status: 'settled' });
  await goTo('2026-05-01');
  for (const statement of listOf(await ask('GET', `${line}/statements`))) {
    const details = dataOf(await ask('GET', `${line}/statements/${String(statement['id'])}/details`));
    const days = details['daysInBillingCycle'];
    t.match(details, { aprDetails: [{ rate: 0.18, days }], interestBreakdown: [{ rate: 0.18, days }] });
  }
});

test('the rates in force on a draw are listed by ranges of days, from the first day of its line on', async (t) => {
  const { ask, line, draw } = await openLineOverHttp(t);
  const path = await draw();
  const cap = await ask('POST', `${path}/rate-caps`, { maxRate: 0.1, startDate: '2026-03-05', rateCapReason: 'state' });
  const details = await ask('GET', `${path}/rates/details?fromDate=2026-02-01&toDate=2026-03-10`);
  t.match(details, {
    status: 200,
    json: {
      data: {
        rates: [
          { startDate: '2026-03-02', endDate: '2026-03-04', interestRate: 0.18, effectiveRate: 0.18, rateCap: null },
          { startDate: '2026-03-05', endDate: '2026-03-10', interestRate: 0.18, effectiveRate: 0.1, rateCap: 0.1 },
        ],
      },
    },
  });
  t.match(JSON.stringify(dataOf(details)), idOf(cap));
  t.match(await ask('GET', `${line}/rates/details?fromDate=2026-01-01&toDate=2026-02-01`), { json: { data: { rates: [] } } });
});
