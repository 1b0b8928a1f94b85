import { test } from 'tap';
import { refusalOf } from '../../harness.js';
import { openPromoLine } from './line-setting.js';

/** A running program over a draw on which 1,000.00 were bought at its start. */
async function openRunning(type: object = {}) {
  const s = await openPromoLine();
  const { id: promoTypeId } = await s.promoType(type);
  await s.buy(1_000);
  const { id } = await s.ask('create', { promoTypeId, status: 'pending' });
  await s.ask('activate', {}, 0, id);
  await s.emitted();
  return { ...s, id };
}

test('a promotion that is kept gives back the interest of a draw, from its start until it was paid', async (t) => {
  const s = await openRunning();
  t.teardown(() => s.h.engine.close());
  await s.buy(500, 1);
  await s.pass('2024-02-14');
  t.match(await s.program(s.id), {
    status: 'active',
    promoEndDate: '2024-03-15',
    remainingAmountToExercise: 1_000,
    totalDeferredInterestAmount: 14.79,
    drawId: /^LN-/,
  });
  t.equal(await s.owed(0), 1_014.79);
  await s.payTo(0, 1_000);
  t.strictSame(await s.emitted(), ['updated exercised']);
  t.equal(await s.owed(0), 0, 'no interest is left');
  t.equal(await s.owed(1), 507.39, 'the other draw has its interest');
  const { promoRates } = await s.rates(0);
  t.match(promoRates, [
    { id: (await s.program(s.id))['sacExcercisedRateId'], annualRate: 0.18, startDate: '2024-01-15', endDate: '2024-02-13' },
  ]);
  await s.buy(100);
  await s.pass('2024-02-24');
  t.equal(await s.owed(0), 100.48, 'what is bought later bears interest again');
  s.h.forgetSnapshots();
  const before = await s.program(s.id);
  await s.h.restart();
  t.match(await s.program(s.id), before, 'a restart knows it all');
  t.same(s.h.reports, []);
});

test('interest that was paid while the promotion ran lowers the principal, and what is over is owed back', async (t) => {
  const s = await openRunning();
  t.teardown(() => s.h.engine.close());
  await s.pass('2024-02-15');
  await s.payTo(0, 54.93);
  await s.pass('2024-03-01');
  const { remainingAmountToExercise } = await s.program(s.id);
  t.equal(remainingAmountToExercise, 945.07, 'all that was paid counts');
  await s.payTo(0, 950);
  t.match(await s.program(s.id), { status: 'exercised' });
  t.equal((await s.h.query('reimbursement.list', s.loanId))['owedAmount'], 4.93);
});

test('a promotion that is lost leaves its deferred interest charged', async (t) => {
  const s = await openRunning();
  const plain = await openPromoLine();
  t.teardown(() => s.h.engine.close());
  t.teardown(() => plain.h.engine.close());
  await plain.buy(1_000);
  for (const line of [s, plain]) {
    await line.pass('2024-02-15');
    await line.payTo(0, 900);
    await line.pass('2024-03-17');
  }
  t.match(await s.program(s.id), { status: 'expired' });
  t.strictSame(await s.emitted(), ['updated expired']);
  t.equal(await s.owed(0), await plain.owed(0), 'as if there had been no promotion');
});

test('money that comes back takes the promotion back, and its interest is charged by a replay', async (t) => {
  const s = await openRunning();
  t.teardown(() => s.h.engine.close());
  await s.pass('2024-02-14');
  const { id: payment } = await s.payTo(0, 1_000);
  t.equal(await s.owed(0), 0);
  await s.pass('2024-02-20');
  await s.act('update', payment, { status: 'failed', failureReason: 'insufficientFunds' });
  t.match(await s.program(s.id), { status: 'active', sacExcercisedRateId: null, remainingAmountToExercise: 1_000 });
  t.equal(await s.owed(0), 1_017.75, '36 days at 18 %');
  await s.pass('2024-03-20');
  t.match(await s.program(s.id), { status: 'expired' });
  await s.payTo(0, 1_000, { effectiveDate: '2024-03-10' });
  t.match(await s.program(s.id), { status: 'exercised' }, 'money that was there in time, and recorded late');
  t.equal(await s.owed(0), 0);
  t.strictSame(await s.emitted(), ['updated exercised', 'updated active', 'updated expired', 'updated exercised']);
  t.same(s.h.reports, []);
});

test('a reduced rate runs on a draw from its moment to its end', async (t) => {
  const s = await openPromoLine();
  t.teardown(() => s.h.engine.close());
  const { id: promoTypeId } = await s.promoType({ promoType: 'reducedRate', defaults: { promoDurationDays: 10, promoRate: 0.08 } });
  await s.buy(1_000);
  const made = await s.ask('create', { promoTypeId, status: 'pending', promoStartDatetime: '2024-01-18T12:00:00Z' });
  t.match(made, {
    promoStartDate: '2024-01-18',
    promoStartDatetime: '2024-01-18T12:00:00.000Z',
    promoRate: 0.08,
    promoEndDate: '2024-01-28',
  });
  await s.ask('activate', {}, 0, made.id);
  t.match(await s.rates(0), { promoRates: [{ annualRate: 0.08, startDate: '2024-01-18', endDate: '2024-01-28' }] });
  await s.pass('2024-01-22');
  await s.ask('cancel', { promoCancelReason: 'borrowerRequest' }, 0, made.id);
  t.match(await s.rates(0), { promoRates: [{ endDate: '2024-01-21' }] });
  t.match(await s.ask('reactivate', {}, 0, made.id), { status: 'active' });
  t.match(await s.rates(0), { promoRates: [{ endDate: '2024-01-28' }] });
});

test('a program of the whole line is earned by all draws that have its rates', async (t) => {
  const s = await openPromoLine();
  t.teardown(() => s.h.engine.close());
  const { id: promoTypeId } = await s.promoType();
  await s.buy(300);
  await s.buy(200, 1);
  const { id } = await s.ask('create', { promoTypeId, status: 'pending' }, null);
  await s.ask('activate', {}, null, id);
  t.match(await s.h.query('promoProgram.list', s.loanId), { promoPrograms: [{ id, drawId: null }] });
  await s.pass('2024-02-01');
  await s.payTo(0, 310);
  t.match(await s.program(id, null), { status: 'active', remainingAmountToExercise: 190 });
  await s.payTo(1, 190);
  t.match(await s.program(id, null), { status: 'exercised' });
  t.same([await s.owed(0), await s.owed(1)], [0, 0]);
});

test('programs of draws begin pending, one same-as-cash at a time for each draw', async (t) => {
  const s = await openPromoLine();
  t.teardown(() => s.h.engine.close());
  const { id: promoTypeId } = await s.promoType({ defaults: { promoDurationDays: 30, disqualifyOverdueDays: 2 } });
  t.match(await refusalOf(s.ask('create', { promoTypeId, status: 'active' })), { statusCode: 422 });
  t.match(await refusalOf(s.ask('create', { promoTypeId, status: 'pending', promoStartDate: '2024-01-20' })), { statusCode: 422 });
  const { id } = await s.ask('create', { promoTypeId, status: 'pending' });
  t.match(await refusalOf(s.ask('create', { promoTypeId, status: 'pending' })), { errorType: 'activePlanExists' });
  t.match(await s.ask('create', { promoTypeId, status: 'pending' }, 1), { status: 'pending' });
  t.match(await refusalOf(s.program(id, 1)), { errorType: 'notFound' });
  t.match(await s.ask('update', { promoDurationDays: 50 }, 0, id), { promoDurationDays: 50 });
  await s.ask('activate', {}, 0, id);
  await s.buy(1_000);
  await s.pass('2024-02-18');
  t.match(await s.program(id), { status: 'canceled', promoCancelReason: 'overdue' });
});

test('money on a draw that owes nothing earns no promotion: there must be something to pay', async (t) => {
  const s = await openPromoLine();
  t.teardown(() => s.h.engine.close());
  const { id: promoTypeId } = await s.promoType();
  const { id } = await s.ask('create', { promoTypeId, status: 'pending' });
  await s.ask('activate', {}, 0, id);
  await s.payTo(0, 0.01);
  t.match(await s.program(id), { status: 'active' });
  await s.buy(500);
  await s.pass('2024-01-25');
  await s.payTo(0, 500);
  t.match(await s.program(id), { status: 'exercised' });
  t.equal(await s.owed(0), 0, 'and costs no interest');
  t.same(s.h.reports, []);
});
