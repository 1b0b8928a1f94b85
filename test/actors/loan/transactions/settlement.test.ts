import { test } from 'tap';
import { external, openPaySetting } from './setting.js';

const paymentsIn = (types: readonly string[]): readonly string[] => types.filter((type) => type.startsWith('payment.'));

test('an internal payment goes out with the evening file and settles after its business days', async (t) => {
  const { pay, pass, get, eventTypes } = await openPaySetting();
  await pass('2024-02-15'); // a Thursday
  const { id } = await pay();
  await eventTypes();
  await pass('2024-02-16');
  t.match(await get(id), { status: 'pending' });
  await pass('2024-02-20'); // Monday 02-19 is Washington's Birthday
  t.match(await get(id), { status: 'pending' });
  await pass('2024-02-21');
  t.match(await get(id), { status: 'succeeded', paidPrincipalAmount: 257.25 });
  t.same(paymentsIn(await eventTypes()), ['payment.pending', 'payment.succeeded']);
});

test('a payment of a Saturday goes out with the file of Monday', async (t) => {
  const { pay, pass, get } = await openPaySetting();
  await pass('2024-01-20');
  const { id } = await pay();
  await pass('2024-01-22');
  t.match(await get(id), { status: 'initiated', timestamps: { effectiveDate: '2024-01-20' } });
  await pass('2024-01-23');
  t.match(await get(id), { status: 'pending' });
  await pass('2024-01-25');
  t.match(await get(id), { status: 'succeeded' });
});

test('a payment scheduled for a Saturday is initiated on Monday and counts from Saturday', async (t) => {
  const { pay, pass, get, eventTypes } = await openPaySetting();
  const { id } = await pay({ scheduledDate: '2024-01-20' });
  await eventTypes();
  await pass('2024-01-21');
  t.match(await get(id), { status: 'scheduled' });
  await pass('2024-01-22');
  t.match(await get(id), {
    status: 'initiated',
    actualAmount: 299.72,
    timestamps: { effectiveDate: '2024-01-20', scheduledDate: '2024-01-20' },
  });
  t.same(paymentsIn(await eventTypes()), ['payment.initiated']);
});

test('in test mode an account ending in 9901 returns for insufficient funds, and the loan is as if never paid', async (t) => {
  const { pay, pass, get, loan, events } = await openPaySetting();
  await pass('2024-02-15');
  const { id } = await pay({ paymentInstrumentId: 'PT-BOUN-CESS' });
  await pass('2024-02-20');
  t.match(await loan(), { current: { isOverdue: false } });
  await events();
  await pass('2024-02-21');
  t.match(await get(id), {
    status: 'failed',
    failureReason: 'insufficientFunds',
    achReturnCode: 'R01',
    failureDescriptionShort: 'Insufficient funds',
    paidPrincipalAmount: 0,
    paidInterestAmount: 0,
  });
  t.match(await loan(), { current: { isOverdue: true, daysOverdue: 6, overdueAmount: 299.72 } });
  const seen = await events();
  const failed = seen.find((event) => event.eventType === 'payment.failed');
  t.match(failed?.data, { transactionId: id, status: 'failed', failureReason: 'insufficientFunds', failureCode: 'R01' });
  t.ok(seen.some((event) => event.eventType === 'loan.overdue' && event.data['isReplay'] === true));
});

test('in test mode an account ending in 9810 settles and is returned five business days later', async (t) => {
  const { pay, pass, get, loan } = await openPaySetting();
  await pass('2024-02-15');
  const { id } = await pay({ paymentInstrumentId: 'PT-LATE-BACK' });
  await pass('2024-02-21');
  t.match(await get(id), { status: 'succeeded' });
  await pass('2024-02-27');
  t.match(await get(id), { status: 'succeeded' });
  await pass('2024-02-28');
  t.match(await get(id), { status: 'failed', failureReason: 'unauthorizedDebit', achReturnCode: 'R10' });
  t.match(await loan(), { current: { isOverdue: true, daysOverdue: 13 } });
});

test('a test-mode caller returns an internal payment by an update; nobody else sets its status', async (t) => {
  const { pay, act, get, h, loanId } = await openPaySetting();
  const { id } = await pay();
  const ask = { permissions: ['*'], params: { transactionId: id } };
  t.match(await h.refusal('transaction.update', loanId, { status: 'succeeded' }, ask), { statusCode: 409 });
  t.match(await h.refusal('transaction.update', loanId, { actualAmount: 1 }, ask), { statusCode: 409, errors: [{ path: 'actualAmount' }] });
  t.match(await h.refusal('transaction.update', loanId, { status: 'failed' }, ask), {
    statusCode: 400,
    errors: [{ path: 'failureReason' }],
  });
  await act('update', id, { status: 'failed', failureReason: 'accountClosed', achReturnCode: 'R02' });
  t.match(await get(id), { status: 'failed', failureReason: 'accountClosed', actualAmount: 299.72, paidPrincipalAmount: 0 });
});

test('a loan is paid off when the last money has settled, and later scheduled payments are canceled', async (t) => {
  const { pay, post, pass, get, loan, eventTypes } = await openPaySetting();
  const later = await pay({ scheduledDate: '2024-03-15' });
  const reminded = await post(external({ scheduledDate: '2024-03-15' }));
  await pay({ amount: 10_000 });
  t.match(await loan(), { status: 'active', current: { nextDueAmount: null } });
  await eventTypes();
  await pass('2024-01-18');
  t.match(await loan(), { status: 'active' });
  await pass('2024-01-19'); // 2024-01-15 is a holiday: the file went out the day after
  t.match(await loan(), { status: 'paidOff' });
  t.match(await get(later.id), { status: 'canceled', cancelReason: 'loanPaidOff', cancelShortDescription: 'Loan paid off' });
  t.match(await get(reminded.id), { status: 'canceled', cancelReason: 'loanPaidOff' });
  const types = await eventTypes();
  t.ok(types.indexOf('payment.succeeded') < types.indexOf('loan.statuschanged'));
});

test('a payment that fails late reopens a loan that was paid off', async (t) => {
  const { pay, pass, act, loan } = await openPaySetting();
  const { id } = await pay({ amount: 10_000 });
  await pass('2024-01-19');
  t.match(await loan(), { status: 'paidOff' });
  await act('update', id, { status: 'failed', failureReason: 'unauthorizedDebit' });
  t.match(await loan(), { status: 'active', timestamps: { paidOffAt: null } });
});

test('an external payment that pays the loan off cancels the scheduled ones in the same request', async (t) => {
  const { pay, post, get, loan } = await openPaySetting();
  const later = await pay({ scheduledDate: '2024-03-15' });
  await post(external({ amount: 10_000, status: 'succeeded' }));
  t.match(await loan(), { status: 'paidOff' });
  t.match(await get(later.id), { status: 'canceled', cancelReason: 'loanPaidOff' });
});

test('hold days end on their day', async (t) => {
  const { pay, pass, events } = await openPaySetting();
  const { id } = await pay({ holdDaysEndDate: '2024-01-24' });
  await pass('2024-01-24');
  t.notOk((await events()).some((event) => event.eventType === 'payment.hold.days.expired'));
  await pass('2024-01-26');
  const ended = (await events()).filter((event) => event.eventType === 'payment.hold.days.expired');
  t.equal(ended.length, 1);
  t.match(ended[0]?.data, { transactionId: id, status: 'succeeded', amount: 299.72 });
});

test('an external payment is due every day until its caller says what became of it', async (t) => {
  const { post, pass, eventTypes, act, get } = await openPaySetting();
  const { id } = await post(external({ scheduledDate: '2024-01-17' }));
  await eventTypes();
  await pass('2024-01-16');
  t.same(paymentsIn(await eventTypes()), []);
  await pass('2024-01-19');
  t.same(paymentsIn(await eventTypes()), ['payment.due.today', 'payment.due.today', 'payment.due.today']);
  await act('update', id, { status: 'succeeded' });
  t.match(await get(id), { status: 'succeeded', timestamps: { effectiveDate: '2024-01-17' } });
  await eventTypes();
  await pass('2024-01-22');
  t.same(paymentsIn(await eventTypes()), []);
});

test('a frozen loan processes nothing; what waited is taken up when it is unfrozen', async (t) => {
  const { pay, post, pass, get, h, loanId, eventTypes } = await openPaySetting();
  const { id } = await pay({ scheduledDate: '2024-01-17' });
  await post(external({ scheduledDate: '2024-01-17' }));
  const ask = { permissions: ['*'] };
  await h.command('loan.freeze', loanId, {}, ask);
  await eventTypes();
  await pass('2024-01-20');
  t.match(await get(id), { status: 'scheduled' });
  t.same(paymentsIn(await eventTypes()), []);
  t.match(await h.refusal('transaction.create', loanId, external(), ask), { statusCode: 409 });
  await pass('2024-01-22');
  await h.command('loan.unfreeze', loanId, {}, ask);
  t.match(await get(id), { status: 'initiated', timestamps: { effectiveDate: '2024-01-22', scheduledDate: '2024-01-17' } });
  t.same(
    paymentsIn(await eventTypes())
      .slice()
      .sort(),
    ['payment.due.today', 'payment.initiated'],
  );
});

test('a payment whose instrument can no longer be charged is canceled on its day', async (t) => {
  const { pay, pass, get, h, personId } = await openPaySetting();
  const { id } = await pay({ scheduledDate: '2024-01-17' });
  const person = h.engine.world.find({ company: h.company, mode: 'test' }, 'person', personId);
  const state = person?.state as { instruments: readonly object[] };
  state.instruments = state.instruments.map((instrument) => ({ ...instrument, status: 'inactive' }));
  await pass('2024-01-17');
  t.match(await get(id), { status: 'canceled', cancelReason: 'instrumentInactive' });
});

test('a charge-off cancels what was scheduled before; what is scheduled after it stays', async (t) => {
  const { pay, pass, get, h, loanId } = await openPaySetting();
  const before = await pay({ scheduledDate: '2024-03-15' });
  await h.command('loan.chargeOff', loanId, { chargedOffReason: 'term' }, { permissions: ['*'] });
  t.match(await get(before.id), { status: 'canceled', cancelReason: 'loanStatusChange' });
  const after = await pay({ scheduledDate: '2024-01-17' });
  t.match(after, { status: 'scheduled' });
  await pass('2024-01-17');
  t.match(await get(after.id), { status: 'initiated', paidPrincipalAmount: 299.72 });
});

test('what has happened to payments survives a restart', async (t) => {
  const { pay, pass, get, h } = await openPaySetting();
  const { id } = await pay();
  const later = await pay({ scheduledDate: '2024-02-15' });
  await pass('2024-01-22');
  const shown = await get(id);
  await h.restart();
  t.same(await get(id), shown);
  await pass('2024-02-15');
  t.match(await get(later.id), { status: 'initiated' });
});

test('a payment that returns for insufficient funds brings the product’s fee for it', async (t) => {
  const { pay, post, pass, act, h, loanTypeId, eventTypes, loanId } = await openPaySetting();
  const nsf = {
    name: { displayName: 'Returned payment fee', apiName: 'nsf' },
    feeType: 'nsfFee',
    amountLogic: 'fixed',
    amount: 15,
    trigger: 'paymentFailed',
  };
  await h.data('feeType.create', h.company, { chargeLogic: 'immediate', ...nsf }, { params: { loanTypeId } });
  await pass('2024-01-17');
  await pay({ paymentInstrumentId: 'PT-BOUN-CESS' });
  await pass('2024-01-19');
  await eventTypes();
  t.match(await h.query('loan.balances', loanId, { isRounded: true }), { outstandingBalances: { outstandingFeesAmount: 0 } });
  await pass('2024-01-22');
  const types = await eventTypes();
  t.ok(types.indexOf('payment.failed') < types.indexOf('loan.nsffee.booked'));
  t.match(await h.query('loan.balances', loanId, { isRounded: true }), { outstandingBalances: { outstandingFeesAmount: 15 } });
  const check = await post(external());
  await act('update', check.id, { status: 'failed', failureReason: 'paymentStopped' });
  t.match(
    await h.query('loan.balances', loanId, { isRounded: true }),
    { outstandingBalances: { outstandingFeesAmount: 15 } },
    'no other failure brings it',
  );
});

test('a canceled loan ends what was scheduled', async (t) => {
  const { pay, get, h, loanId } = await openPaySetting();
  const { id } = await pay({ scheduledDate: '2024-03-15' });
  await h.command('loan.cancel', loanId, { cancellationReason: 'borrowerRequest' }, { permissions: ['*'] });
  t.match(await get(id), { status: 'canceled', cancelReason: 'loanStatusChange' });
});

test('an accelerated loan that is opened again is accelerated since the day it was', async (t) => {
  const { act, post, pass, loan, h, loanId } = await openPaySetting();
  await pass('2024-02-01');
  await h.command('loan.accelerate', loanId, {});
  const { timestamps: before } = await loan();
  await pass('2024-02-03');
  const { id } = await post(external({ amount: 10_023.29, status: 'succeeded' }));
  t.match(await loan(), { status: 'paidOff' });
  await pass('2024-02-05');
  await act('update', id, { status: 'failed', failureReason: 'accountClosed' });
  t.match(await loan(), { status: 'accelerated', timestamps: { ...(before as object), updatedAt: String } });
});
