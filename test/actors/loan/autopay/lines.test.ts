import { test } from 'tap';
import { type Data, itemsOf, refusalOf } from '../../harness.js';
import { lineBody } from '../setting.js';
import { external } from '../transactions/setting.js';
import { agreed, openLineAutopay } from './setting.js';

const paid = (made: readonly Data[]): readonly unknown[] =>
  made.map(({ timestamps, scheduledAmount }) => [(timestamps as Readonly<Record<string, unknown>>)['scheduledDate'], scheduledAmount]);

test('a line is paid its minimum on its due dates, and what the statement asks for is final', async (t) => {
  const s = await openLineAutopay();
  t.teardown(() => s.h.engine.close());
  await s.buy(1_000);
  const plan = await s.create();
  t.match(plan, {
    amountType: 'minimumDueAmount',
    isAlignedToDueDates: true,
    fixedAmount: null,
    paymentFrequency: 'monthly',
    specificDays: ['15'],
    deltaTerms: null,
  });
  const [first] = await s.payments('booked');
  t.match(first, { date: '2024-02-15', amount: 54.93, paymentType: 'periodicPayment', transactionId: null });
  await s.pass('2024-01-26');
  await s.buy(500);
  t.match((await s.payments('booked'))[0], { amount: 54.93 }, 'a later purchase does not change what was stated');
  await s.pass('2024-02-14');
  await s.post(external({ amount: 20, status: 'succeeded' }));
  t.match((await s.payments('booked'))[0], { amount: 34.93 }, 'what is paid by hand lowers it');
  await s.pass('2024-02-16');
  t.strictSame(paid(await s.made()), [['2024-02-15', 34.93]]);
  t.match(await s.payments('processing'), [{ id: first?.id, amount: 34.93, transactionId: /^TX-/ }]);
  t.match(await s.loan(), { current: { autopayEnabled: true, isOverdue: false } });
  t.same(s.h.reports, []);
});

test('a plan may pay the whole statement, a fixed amount, or all that is owed', async (t) => {
  const expected = {
    statementBalance: [1_004.93, 515.83],
    fixedAmount: [200, 200],
    outstandingBalance: [1_518.73, 0],
  };
  for (const [amountType, [first, second]] of Object.entries(expected)) {
    const s = await openLineAutopay();
    await s.buy(1_000);
    const fixed = amountType === 'fixedAmount' ? { fixedAmount: 200 } : {};
    t.match(await s.create({ amountType, ...fixed }), { amountType, fixedAmount: fixed.fixedAmount ?? null });
    await s.pass('2024-02-01');
    await s.buy(500);
    await s.pass('2024-03-16');
    const made = (await s.made()).map(({ scheduledAmount }) => scheduledAmount);
    t.strictSame(made, second === 0 ? [first] : [first, second], amountType);
    await s.h.engine.close();
  }
});

test('own dates share what a statement asks for, and a line that is behind is paid what is overdue', async (t) => {
  const s = await openLineAutopay();
  t.teardown(() => s.h.engine.close());
  await s.buy(1_000);
  await s.pass('2024-02-20');
  t.match(await s.loan(), { current: { isOverdue: true, overdueAmount: 54.93 } });
  await s.create({ paymentFrequency: 'weekly', specificDays: [1], amountType: 'minimumDueAmount' });
  const booked = await s.payments('booked');
  t.match(booked.slice(0, 4), [
    { date: '2024-02-26', amount: 76.37 },
    { date: '2024-03-04', amount: 21.43 },
    { date: '2024-03-11', amount: 21.43 },
    { date: '2024-03-25' },
  ]);
  await s.pass('2024-03-16');
  t.strictSame(
    paid(await s.made()),
    booked.slice(0, 3).map(({ date, amount }) => [date, amount]),
  );
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('amount types belong to products, and a fixed amount is at least the minimum', async (t) => {
  const s = await openLineAutopay();
  t.teardown(() => s.h.engine.close());
  await s.buy(4_000);
  t.match(await s.refused({ amountType: 'scheduledAmount' }), { statusCode: 422 });
  t.match(await s.refused({ amountType: 'fixedAmount' }), { statusCode: 400 });
  t.match(await s.refused({ amountType: 'statementBalance', fixedAmount: 5 }), { statusCode: 400 });
  await s.create({ amountType: 'fixedAmount', fixedAmount: 100, extraAmount: 10 });
  t.match((await s.payments('booked'))[0], { amount: 229.72 });
  t.match(await refusalOf(s.create()), { errorType: 'activePlanExists' });
});

test('freezing suspends the plan of a line, acceleration ends it, and changed due dates move it', async (t) => {
  const s = await openLineAutopay({ freezeAllowedForLineOfCredit: true });
  t.teardown(() => s.h.engine.close());
  const params = { personId: s.personId };
  await s.buy(1_000);
  await s.create();
  await s.h.data('loan.changeDueDates', s.loanId, { dueDatesFrequency: 'monthly', specificDays: [20] }, { permissions: ['*'], params });
  t.match(await s.payments('booked').then((booked) => booked.slice(0, 2)), [{ date: '2024-02-15' }, { date: '2024-03-20' }]);
  t.match((await s.autopayEvents()).at(-1), { eventType: 'autopay.schedule.created' }, 'the next payment is the same');
  await s.h.command('loan.freeze', s.loanId, {}, { permissions: ['*'], params });
  await s.pass('2024-02-16');
  t.match(await s.plan(), { status: 'suspended', schedule: [] });
  const asked = { params: { personId: s.personId } };
  t.match(itemsOf(await s.h.query('statement.list', s.loanId, {}, asked)), [
    { statementDate: '2024-01-25', minimumDueAmount: 0, newBalanceAmount: 1_000 },
  ]);
  t.strictSame(await s.made(), []);
  await s.h.command('loan.unfreeze', s.loanId, {}, { permissions: ['*'], params });
  t.match(await s.plan(), { status: 'active' });
  await s.h.command('loan.accelerate', s.loanId, {}, { permissions: ['*'], params });
  t.match(await s.history(), [{ status: 'canceled', cancelReason: 'loanAccelerated' }]);
  t.match(
    (await s.autopayEvents()).map(({ eventType }) => eventType),
    ['autopay.schedule.changed', 'autopay.schedule.changed', 'autopay.schedule.cancel'],
  );
});

test('a failed payment of a line is presented again, and two in a row end the plan', async (t) => {
  const s = await openLineAutopay({ autopay: { retry: { maxAttempts: 1, daysBetween: 2 }, maxConsecutiveFailures: 1 } });
  t.teardown(() => s.h.engine.close());
  await s.buy(1_000);
  await s.create({ paymentInstrumentId: 'PT-BOUN-CESS' });
  await s.pass('2024-02-15');
  const [payment] = await s.made();
  await s.act('update', payment?.id ?? '', { status: 'failed', failureReason: 'insufficientFunds' });
  await s.pass('2024-02-20');
  const [, again] = await s.made();
  t.match(again, { scheduledAmount: 54.93 });
  await s.act('update', again?.id ?? '', { status: 'failed', failureReason: 'insufficientFunds' });
  t.match(await s.history(), [{ status: 'canceled', cancelReason: 'consecutiveFailures' }]);
});

test('the plan of a line looks a year ahead, for as many years as it lives', async (t) => {
  const s = await openLineAutopay();
  t.teardown(() => s.h.engine.close());
  await s.buy(1_000);
  await s.create();
  for (let year = 2024; year < 2027; year += 1) for (const month of ['03', '06', '09', '12']) await s.pass(`${year}-${month}-20`);
  t.equal((await s.made()).length, 35);
  t.strictSame(
    (await s.autopayEvents()).map(({ eventType }) => eventType),
    ['autopay.schedule.created'],
  );
  const shown = await s.plan();
  s.h.forgetSnapshots();
  await s.h.restart();
  t.same(await s.plan(), shown, 'the same from the journal alone');
  t.same(s.h.reports, []);
});

test('an originated line takes its plan along', async (t) => {
  const s = await openLineAutopay();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.h.data('loan.create', s.personId, lineBody(s.loanTypeId), { params: { personId: s.personId } });
  await s.h.data('autopay.create', id, agreed({ amountType: 'statementBalance' }), { permissions: ['*'] });
  await s.h.command('loan.activate', id, {}, { params: { personId: s.personId } });
  const plan = await s.h.query('autopay.get', id);
  t.match(plan, { status: 'active', amountType: 'statementBalance', schedule: [] }, 'a line that owes nothing expects nothing');
});

test('what waits for a business day counts as it will, the extra too', async (t) => {
  const s = await openLineAutopay(
    { payments: { enablePrepayments: true } },
    { atOrigination: { paymentFrequency: 'twiceMonthly', specificDays: [5, 20] } },
  );
  t.teardown(() => s.h.engine.close());
  await s.buy(900);
  await s.pass('2024-08-05');
  const plan = await s.create({
    paymentFrequency: 'twiceMonthly',
    specificDays: [1, 31],
    amountType: 'fixedAmount',
    fixedAmount: 30,
    extraAmount: 6,
  });
  const shown = (plan['schedule'] as readonly Data[]).map(({ date, amount }) => [date, amount]).slice(0, 3);
  // Both are days without business: the bank opens on 3 September.
  t.match(shown, [['2024-08-31'], ['2024-09-01'], ['2024-09-30']]);
  for (const day of ['2024-08-31', '2024-09-01', '2024-09-02', '2024-09-04', '2024-10-01']) await s.pass(day);
  t.same(paid(await s.made()).slice(0, 3), shown);
  t.same(s.h.reports, []);
});
