import { test } from 'tap';
import { madeOf, shownOf } from './lives.js';
import { openAutopay } from './setting.js';

test('a plan is canceled, and another one can follow', async (t) => {
  const s = await openAutopay();
  const { id } = await s.create();
  await s.autopayEvents();
  t.match(await s.cancel({ cancelReason: 'canceledByBorrower' }), {
    id,
    status: 'canceled',
    cancelReason: 'canceledByBorrower',
    deltaTerms: null,
  });
  t.match(await s.autopayEvents(), [{ eventType: 'autopay.schedule.cancel', data: { autopayId: id, cancelReason: 'canceledByBorrower' } }]);
  t.match(await s.h.refusal('autopay.cancel', s.loanId, {}, { permissions: ['*'] }), { statusCode: 404 });
  t.match(await s.loan(), { current: { autopayEnabled: false } });
  await s.create();
  t.match(await s.history(), [{ id, status: 'canceled' }]);
  await s.pass('2024-02-15');
  t.equal((await s.made()).length, 1);
});

test('a payment that waits for a business day ends with its plan', async (t) => {
  const s = await openAutopay();
  await s.create();
  await s.pass('2024-06-15');
  await s.cancel();
  t.match((await s.made())[4], { status: 'canceled', cancelReason: 'autopayCanceled' });
});

test('another instrument is charged from the next payment on', async (t) => {
  const s = await openAutopay();
  await s.create();
  await s.autopayEvents();
  t.match(await s.update({ paymentInstrumentId: 'PT-LATE-BACK' }), {
    paymentInstrumentId: 'PT-LATE-BACK',
    agreementDocumentId: 'DD-SIGN-EDXX',
  });
  t.match(await s.autopayEvents(), [
    {
      eventType: 'autopay.schedule.changed',
      data: { changes: [{ field: 'paymentInstrumentId', oldValue: 'PT-CHEC-KING', newValue: 'PT-LATE-BACK' }] },
    },
  ]);
  await s.pass('2024-02-15');
  t.match(await s.made(), [{ paymentDetails: { fromInstrumentId: 'PT-LATE-BACK' } }]);
});

test('one payment is moved within its period, later only with a case, and one is skipped', async (t) => {
  const s = await openAutopay();
  await s.create();
  const [first, second, third] = await s.payments('booked');
  await s.autopayEvents();
  const ask = { permissions: ['*'], params: { personId: s.personId, autopayPaymentId: String(first?.id) } };
  t.match(await s.h.refusal('autopay.reschedulePayment', s.loanId, { date: '2024-02-16' }, ask), {
    statusCode: 422,
    errors: [{ path: 'date' }],
  });
  t.match(await s.h.refusal('autopay.reschedulePayment', s.loanId, { date: '2024-01-15' }, ask), { statusCode: 400 });
  await s.onPayment('reschedulePayment', String(first?.id), { date: '2024-02-07' });
  t.match(await s.autopayEvents(), [
    { eventType: 'autopay.payment.rescheduled', data: { expectedPaymentId: first?.id, oldDate: '2024-02-15', newDate: '2024-02-07' } },
  ]);
  await s.onPayment('cancelPayment', String(second?.id));
  t.match(await s.autopayEvents(), [
    { eventType: 'autopay.payment.canceled', data: { expectedPaymentId: second?.id, date: '2024-03-15' } },
  ]);
  const { id: caseId } = await s.h.data('case.create', s.personId, {});
  await s.onPayment('reschedulePayment', String(third?.id), { date: '2024-04-17', caseId });
  await s.pass('2024-02-07');
  t.match(await s.made(), [{ actualAmount: 299.72, timestamps: { effectiveDate: '2024-02-07' } }]);
  t.match(await s.h.refusal('autopay.cancelPayment', s.loanId, {}, ask), { statusCode: 409 });
  await s.pass('2024-02-16');
  t.match(await s.loan(), { current: { isOverdue: false } });
  t.equal((await s.made()).length, 1, 'the day itself brings nothing more');
  await s.pass('2024-03-18');
  t.match(await s.loan(), { current: { isOverdue: true, overdueAmount: 299.72 } });
  t.equal((await s.made()).length, 1);
  await s.pass('2024-04-17');
  t.match((await s.made())[1], { actualAmount: 599.44 });
  t.match(await s.loan(), { current: { isOverdue: false } });
  t.match(await s.payments('canceled'), [{ id: second?.id, date: '2024-03-15' }]);
});

test('a frozen loan’s plan waits and is resumed', async (t) => {
  const s = await openAutopay();
  const { id } = await s.create();
  await s.pass('2024-02-20');
  await s.autopayEvents();
  await s.h.command('loan.freeze', s.loanId, {});
  t.match(await s.plan(), { id, status: 'suspended', schedule: [{ status: 'processing' }] });
  await s.pass('2024-04-20');
  t.equal((await s.made()).length, 1);
  await s.h.command('loan.unfreeze', s.loanId, { shiftDueDates: true });
  t.match(await s.plan(), { id, status: 'active' });
  t.match(await s.payments('booked'), [{ date: '2024-05-15', amount: 299.72 }]);
  t.match(
    (await s.autopayEvents()).map(({ eventType, data }) => [
      eventType,
      (data['changes'] as readonly { readonly field: string }[])[0]?.field,
    ]),
    [
      ['autopay.schedule.changed', 'status'],
      ['autopay.schedule.changed', 'status'],
      ['autopay.schedule.changed', 'endDate'],
    ],
  );
  await s.pass('2024-05-15');
  t.equal((await s.made()).length, 2);
});

for (const [order, body, cancelReason] of [
  ['accelerate', {}, 'loanAccelerated'],
  ['chargeOff', { chargedOffReason: 'term' }, 'loanChargedOff'],
  ['cancel', { cancellationReason: 'mistake' }, 'loanCanceled'],
] as const) {
  test(`${order} ends the plan`, async (t) => {
    const s = await openAutopay();
    await s.create();
    await s.h.command(`loan.${order}`, s.loanId, body, { permissions: ['*'] });
    t.match(await s.history(), [{ status: 'canceled', cancelReason }]);
    await s.pass('2024-03-20');
    t.same(await s.made(), []);
  });
}

test('a loan that is paid off by other money cancels the plan', async (t) => {
  const s = await openAutopay();
  await s.create();
  await s.post({ type: 'oneTime', amount: 10_000, isExternal: true, status: 'succeeded' });
  t.match(await s.loan(), { status: 'paidOff', current: { autopayEnabled: false } });
  t.match(await s.history(), [{ status: 'canceled', cancelReason: 'loanPaidOff' }]);
});

test('a new schedule of the loan is taken over in the same request', async (t) => {
  const s = await openAutopay();
  const { id } = await s.create();
  await s.autopayEvents();
  await s.h.command('loan.reamortize', s.loanId, { effectiveDate: '2024-02-15', duration: 24 }, { permissions: ['*'] });
  t.equal((await s.payments('booked')).length, 24);
  t.match(await s.autopayEvents(), [
    {
      eventType: 'autopay.schedule.changed',
      data: { autopayId: id, changes: [{ field: 'duration', oldValue: 36, newValue: 24 }, { field: 'endDate' }, { field: 'nextAmount' }] },
    },
  ]);
});

test('a payment that is returned is presented again as often as the product says, then counts as failed', async (t) => {
  const s = await openAutopay({ autopay: { retry: { maxAttempts: 1, daysBetween: 2 }, maxConsecutiveFailures: 2 } });
  await s.create({ paymentInstrumentId: 'PT-BOUN-CESS' });
  await s.pass('2024-02-22'); // returned on the 21st
  const [first] = await s.made();
  t.match(first, { status: 'failed', failureReason: 'insufficientFunds' });
  await s.pass('2024-02-23');
  const [, again] = await s.made();
  t.match(again, {
    status: 'initiated',
    actualAmount: 299.72,
    retryAttempt: 1,
    retryOriginalTransactionId: first?.id,
    autopayPaymentIds: first?.['autopayPaymentIds'],
    paymentDetails: { reason: 'retry' },
  });
  await s.pass('2024-03-14');
  t.match(await s.payments('failed'), [{ date: '2024-02-15', transactionId: again?.id }]);
  t.match(await s.plan(), { status: 'active' });
  await s.pass('2024-04-01');
  t.match(await s.history(), [{ status: 'canceled', cancelReason: 'consecutiveFailures' }]);
  t.equal((await s.made()).length, 4);
});

test('an account that is closed ends the plan at once', async (t) => {
  const s = await openAutopay();
  await s.create();
  await s.pass('2024-02-15');
  const [made] = await s.made();
  await s.autopayEvents();
  await s.act('update', String(made?.id), { status: 'failed', failureReason: 'accountClosed' });
  t.match(await s.history(), [{ status: 'canceled', cancelReason: 'invalidPaymentMethod' }]);
  t.match(await s.autopayEvents(), [{ eventType: 'autopay.schedule.cancel', data: { cancelReason: 'invalidPaymentMethod' } }]);
});

test('two payments of a closed weekend take what is owed and no more, with what is paid on top', async (t) => {
  const s = await openAutopay({}, { atOrigination: { amountFinanced: 100, duration: 8 } });
  t.teardown(() => s.h.engine.close());
  await s.create();
  await s.pass('2024-08-20');
  await s.cancel();
  const plan = await s.create({ paymentFrequency: 'twiceMonthly', specificDays: [1, 31], extraAmount: 5 });
  const shown = shownOf(plan['schedule']);
  t.match(shown, [{ date: '2024-08-31' }, { date: '2024-09-01' }]);
  for (const day of ['2024-08-31', '2024-09-01', '2024-09-04', '2024-09-20']) await s.pass(day);
  t.same(madeOf((await s.made()).slice(-2)), shown);
  t.match(await s.loan(), { status: 'paidOff' });
  t.match(await s.h.query('loan.balances', s.loanId), { reimbursementAmount: 0 });
  t.same(s.h.reports, []);
});
