import { test } from 'tap';
import { external } from '../transactions/setting.js';
import { type AutopaySetting, openAutopay, openLineAutopay } from './setting.js';

const RETRIES = { autopay: { retry: { maxAttempts: 2, daysBetween: 3 } } };

const amountsOf = async (s: AutopaySetting): Promise<readonly unknown[]> => (await s.made()).map(({ scheduledAmount }) => scheduledAmount);

test('a payment that is presented again on a closed weekend takes nothing that another one waits to pay', async (t) => {
  const s = await openAutopay(RETRIES);
  t.teardown(() => s.h.engine.close());
  await s.create();
  const [, second] = await s.payments('booked');
  await s.onPayment('reschedulePayment', String(second?.id), { date: '2024-02-24' });
  await s.pass('2024-02-22');
  const [failed] = await s.made();
  await s.act('update', String(failed?.id), { status: 'failed', failureReason: 'insufficientFunds' });
  await s.pass('2024-02-24');
  t.same(await amountsOf(s), [299.72, 599.44], 'the row to come, and what is overdue');
  await s.pass('2024-02-25');
  t.same(await amountsOf(s), [299.72, 599.44], 'nothing is due any more on the day of the retry');
  await s.pass('2024-03-20');
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('a one-time payment that waits for the same business day is not asked for again', async (t) => {
  const s = await openAutopay();
  t.teardown(() => s.h.engine.close());
  await s.create();
  await s.pass('2024-06-10');
  const before = await amountsOf(s);
  const { id } = await s.pay({ scheduledDate: '2024-06-15' });
  await s.pass('2024-06-15');
  t.match(await s.get(id), { status: 'scheduled' });
  t.same(await amountsOf(s), before, 'the borrower has planned the money for that Saturday');
  await s.pass('2024-06-18');
  t.match(await s.get(id), { status: 'pending' });
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('a payment of two dates that waits is canceled with its plan, once', async (t) => {
  const s = await openAutopay();
  t.teardown(() => s.h.engine.close());
  await s.create();
  const [first, second] = await s.payments('booked');
  const { id: caseId } = await s.h.data('case.create', s.personId, {});
  await s.onPayment('reschedulePayment', String(first?.id), { date: '2024-03-09', caseId });
  await s.onPayment('reschedulePayment', String(second?.id), { date: '2024-03-09' });
  await s.pass('2024-03-09');
  t.same(await amountsOf(s), [599.44]);
  t.match((await s.payments('booked'))[0], { date: '2024-04-15', amount: 299.72 }, 'the money that waits counts once');
  await s.autopayEvents();
  await s.cancel();
  t.match(await s.made(), [{ status: 'canceled', cancelReason: 'autopayCanceled' }]);
  t.equal((await s.autopayEvents()).filter(({ eventType }) => eventType === 'autopay.payment.canceled').length, 1);
});

test('own dates that are moved to one day pay in time all the same', async (t) => {
  const s = await openAutopay();
  t.teardown(() => s.h.engine.close());
  await s.create({ paymentFrequency: 'weekly', specificDays: [1] });
  const [, , third] = await s.payments('booked');
  t.match(third, { date: '2024-02-05' });
  await s.onPayment('reschedulePayment', String(third?.id), { date: '2024-02-12' });
  await s.pass('2024-02-16');
  t.same(await amountsOf(s), [99.91, 99.91, 99.9]);
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('own dates of a line that are moved to one day pay what the statement asks for', async (t) => {
  const s = await openLineAutopay();
  t.teardown(() => s.h.engine.close());
  await s.buy(1_000);
  await s.create({ paymentFrequency: 'weekly', specificDays: [1], amountType: 'minimumDueAmount' });
  await s.pass('2024-01-28');
  const moved = (await s.payments('booked')).find(({ date }) => date === '2024-02-05');
  await s.onPayment('reschedulePayment', String(moved?.id), { date: '2024-02-12' });
  await s.pass('2024-02-16');
  t.match(await s.loan(), { current: { isOverdue: false } });
});

test('money that arrives while a payment waits lowers it to what is still owed', async (t) => {
  for (const [amount, status] of [
    [10, 'succeeded'],
    [20.27, 'pending'],
  ] as const) {
    const s = await openAutopay({}, { atOrigination: { amountFinanced: 100, duration: 5 } });
    await s.create();
    await s.pass('2024-06-15');
    const waiting = (await s.made()).at(-1);
    t.match(waiting, { status: 'scheduled' });
    const owed = Number(waiting?.['scheduledAmount']);
    await s.pass('2024-06-16');
    await s.post(external({ amount: status === 'pending' ? owed : amount, status }));
    await s.pass('2024-06-17');
    const begun = (await s.made()).at(-1);
    if (status === 'pending') t.match(begun, { status: 'canceled', cancelReason: 'loanPaidOff' }, 'nothing is owed any more');
    else t.match(begun, { status: 'initiated', scheduledAmount: owed, actualAmount: Math.round((owed - amount) * 100) / 100 });
    await s.pass('2024-06-25');
    t.match(await s.h.query('loan.balances', s.loanId), { reimbursementAmount: 0, outstandingBalances: { outstandingTotalAmount: 0 } });
    await s.h.engine.close();
  }
});

test('an account that a plan has left does not end it', async (t) => {
  const s = await openAutopay();
  t.teardown(() => s.h.engine.close());
  await s.create();
  await s.pass('2024-02-20');
  const [made] = await s.made();
  await s.update({ paymentInstrumentId: 'PT-LATE-BACK' });
  await s.act('update', String(made?.id), { status: 'failed', failureReason: 'accountClosed' });
  t.match(await s.plan(), { status: 'active', paymentInstrumentId: 'PT-LATE-BACK' });
  await s.pass('2024-03-15');
  t.match((await s.made()).at(-1), { scheduledAmount: 599.44, paymentDetails: { fromInstrumentId: 'PT-LATE-BACK' } });
});

test('a loan that a collection agency has taken over is charged no more', async (t) => {
  const s = await openAutopay();
  t.teardown(() => s.h.engine.close());
  await s.create();
  const { id } = await s.pay({ scheduledDate: '2024-02-20' });
  await s.h.command('loan.update', s.loanId, { servicedBy: 'debtCollectionAgency' }, { permissions: ['*'] });
  t.match(await s.history(), [{ status: 'canceled', cancelReason: 'canceledByAgent' }]);
  await s.pass('2024-02-21');
  t.same(await s.made(), []);
  t.match(await s.get(id), { status: 'canceled', cancelReason: 'loanStatusChange' });
});

test('a line is not asked again for a statement that was paid by hand meanwhile', async (t) => {
  const s = await openLineAutopay(RETRIES);
  t.teardown(() => s.h.engine.close());
  await s.buy(1_000);
  await s.create({ amountType: 'statementBalance' });
  await s.pass('2024-02-15');
  const [made] = await s.made();
  t.match(made, { scheduledAmount: 1_004.93 });
  await s.act('update', String(made?.id), { status: 'failed', failureReason: 'insufficientFunds' });
  await s.pass('2024-02-16');
  await s.post(external({ amount: 1_004.93, status: 'succeeded' }));
  await s.buy(300);
  await s.pass('2024-02-20');
  t.equal((await s.made()).length, 1);
  t.same(s.h.reports, []);
});

test('a payment brings one fee for its return, however often it is presented', async (t) => {
  const s = await openAutopay(RETRIES);
  t.teardown(() => s.h.engine.close());
  const nsf = {
    name: { displayName: 'Returned', apiName: 'nsf' },
    feeType: 'nsfFee',
    amountLogic: 'fixed',
    amount: 15,
    trigger: 'paymentFailed',
    chargeLogic: 'immediate',
  };
  await s.h.data('feeType.create', s.h.company, nsf, { params: { loanTypeId: s.loanTypeId } });
  await s.pass('2024-01-16');
  await s.create({ paymentInstrumentId: 'PT-BOUN-CESS' });
  await s.pass('2024-03-14');
  t.match(await s.made(), [{ status: 'failed' }, { status: 'failed', retryAttempt: 1 }, { status: 'failed', retryAttempt: 2 }]);
  t.match(await s.h.query('loan.balances', s.loanId, { isRounded: true }), { outstandingBalances: { outstandingFeesAmount: 15 } });
});

test('a plan shows what it will pay beside the money that is planned for days to come', async (t) => {
  const s = await openAutopay();
  t.teardown(() => s.h.engine.close());
  await s.create();
  await s.pay({ amount: 100, scheduledDate: '2024-02-15', enablePrepayments: true });
  await s.post({
    type: 'serviceCredit',
    amount: 20,
    serviceCreditDetails: { type: 'courtesy' },
    scheduledDate: '2024-03-15',
    enablePrepayments: true,
  });
  const shown = (await s.payments('booked')).slice(0, 3).map(({ date, amount }) => [date, amount]);
  t.same(shown, [
    ['2024-02-15', 199.72],
    ['2024-03-15', 279.72],
    ['2024-04-15', 299.72],
  ]);
  await s.pass('2024-04-16');
  t.same(
    await amountsOf(s),
    shown.map(([, amount]) => amount),
  );
});
