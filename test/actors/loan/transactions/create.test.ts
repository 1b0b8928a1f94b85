import { test } from 'tap';
import { external, openPaySetting } from './setting.js';

test('an internal payment of today is initiated and counts at once', async (t) => {
  const { pay, pass, eventTypes, get } = await openPaySetting();
  await pass('2024-02-15');
  await eventTypes();
  const made = await pay();
  t.match(made, {
    object: 'transaction',
    transactionType: 'payment',
    status: 'initiated',
    isExternal: false,
    scheduledAmount: 299.72,
    actualAmount: 299.72,
    paidPrincipalAmount: 257.25,
    paidInterestAmount: 42.47,
    paidFeesAmount: 0,
    paidOverAmount: 0,
    currency: 'USD',
    paymentDetails: {
      type: 'ach',
      reason: 'oneTimePayment',
      fromInstrumentId: 'PT-CHEC-KING',
      fromInstrument: { instrumentType: 'bankAccount', accountNumberLastFour: '1234' },
      toInstrument: null,
    },
    timestamps: { effectiveDate: '2024-02-15', scheduledDate: '2024-02-15', displayDate: '2024-02-15' },
    holdDaysEndDate: '2024-02-23',
  });
  t.match(made['timestamps'], { initiatedAt: '2024-02-15T17:00:00.000Z', appliedAt: '2024-02-15T17:00:00.000Z', pendingAt: null });
  t.same(await eventTypes(), ['payment.initiated', 'loan.obligation.statuschanged', 'loan.balance.changed']);
  t.match(await get(made.id), { id: made.id, status: 'initiated', paidPrincipalAmount: 257.25 });
});

test('a payment of a later day is scheduled and changes nothing', async (t) => {
  const { pay, eventTypes, loan } = await openPaySetting();
  const made = await pay({ scheduledDate: '2024-02-15' });
  t.match(made, {
    status: 'scheduled',
    actualAmount: 0,
    paidPrincipalAmount: 0,
    timestamps: { appliedAt: null, displayDate: '2024-02-15' },
  });
  t.same(await eventTypes(), ['payment.scheduled']);
  t.match(await loan(), { status: 'active' });
});

test('external payments begin in the status that their caller names', async (t) => {
  const { post, events } = await openPaySetting();
  const cases = [
    [{}, 'pending', 'payment.pending', 299.72],
    [{ status: 'pending' }, 'pending', 'payment.pending', 299.72],
    [{ status: 'succeeded' }, 'succeeded', 'payment.succeeded', 299.72],
    [{ status: 'failed', failureReason: 'insufficientFunds' }, 'failed', 'payment.failed', 0],
    [{ status: 'scheduled' }, 'scheduled', 'payment.scheduled', 0],
    [{ scheduledDate: '2024-03-01' }, 'scheduled', 'payment.scheduled', 0],
  ] as const;
  for (const [body, status, eventType, actualAmount] of cases) {
    const made = await post(external(body));
    t.match(made, { status, actualAmount, isExternal: true }, JSON.stringify(body));
    const first = (await events()).find((event) => event.data['transactionId'] === made.id);
    t.match(first, { eventType, data: { transactionId: made.id, type: 'payment', amount: 299.72, status, isExternal: true } });
    t.same(Object.keys(first?.data ?? {}), [
      'transactionId',
      'type',
      'amount',
      'status',
      'scheduledDate',
      'effectiveDate',
      'isExternal',
      'paymentInstrumentId',
      'failureReason',
      'failureCode',
    ]);
  }
});

test('an external payment of the past counts from its day', async (t) => {
  const { post, pass, loan } = await openPaySetting();
  await pass('2024-02-20');
  t.match(await loan(), { current: { isOverdue: true, daysOverdue: 5 } });
  const made = await post(external({ status: 'succeeded', effectiveDate: '2024-02-15' }));
  t.match(made, {
    paidPrincipalAmount: 257.25,
    paidInterestAmount: 42.47,
    timestamps: { effectiveDate: '2024-02-15', scheduledDate: '2024-02-20' },
  });
  t.match(await loan(), { current: { isOverdue: false, daysOverdue: 0 } });
});

test('an instrument of an external kind makes the payment external', async (t) => {
  const { pay } = await openPaySetting();
  const made = await pay({ paymentInstrumentId: 'ext-check-7', status: 'pending' });
  t.match(made, { isExternal: true, status: 'pending', paymentDetails: { type: 'check' }, holdDaysEndDate: null });
});

test('a service credit of today succeeds; one of a later day waits for it', async (t) => {
  const { post, pass, get, eventTypes } = await openPaySetting();
  const credit = { type: 'serviceCredit', amount: 25, serviceCreditDetails: { type: 'courtesy', sponsor: 'lender', reason: 'goodwill' } };
  t.match(await post(credit), {
    status: 'succeeded',
    transactionType: 'serviceCredit',
    actualAmount: 25,
    serviceCreditDetails: { type: 'courtesy' },
  });
  t.equal((await eventTypes())[0], 'payment.succeeded');
  const later = await post({ ...credit, effectiveDate: '2024-01-20' });
  t.match(later, { status: 'scheduled', actualAmount: 0 });
  await pass('2024-01-19');
  t.match(await get(later.id), { status: 'scheduled' });
  await pass('2024-01-20');
  t.match(await get(later.id), { status: 'succeeded', actualAmount: 25, timestamps: { effectiveDate: '2024-01-20' } });
});

test('a down payment is a payment of its own kind', async (t) => {
  const { pay } = await openPaySetting();
  t.match(await pay({ type: 'downPayment' }), { transactionType: 'downPayment', paymentDetails: { reason: 'downPayment' } });
});

test('money above the balance is paid over', async (t) => {
  const { post, loan } = await openPaySetting();
  const made = await post(external({ amount: 10_100, status: 'succeeded' }));
  t.match(made, { paidPrincipalAmount: 10_000, paidOverAmount: 100 });
  t.match(await loan(), { status: 'paidOff' });
});

test('bodies that contradict themselves are refused with every fault', async (t) => {
  const { h, loanId } = await openPaySetting();
  const ask = { permissions: ['*'] };
  const cases: readonly (readonly [object, string])[] = [
    [{ type: 'oneTime', amount: 1 }, 'paymentInstrumentId'],
    [{ type: 'oneTime', amount: 1, paymentInstrumentId: 'PT-CHEC-KING', status: 'succeeded' }, 'status'],
    [external({ status: 'failed' }), 'failureReason'],
    [external({ scheduledDate: '2024-01-14' }), 'scheduledDate'],
    [external({ status: 'succeeded', scheduledDate: '2024-01-16' }), 'status'],
    [{ type: 'oneTime', amount: 1, paymentInstrumentId: 'PT-CHEC-KING', effectiveDate: '2024-01-14' }, 'effectiveDate'],
    [{ type: 'serviceCredit', amount: 1 }, 'serviceCreditDetails'],
    [{ type: 'serviceCredit', amount: 1, serviceCreditDetails: { type: 'other' }, effectiveDate: '2024-01-14' }, 'effectiveDate'],
    [external({ effectiveTimeOfDay: { hour: 1, minute: 59, second: 59 } }), 'effectiveTimeOfDay'],
    [external({ drawId: 'DR-AAAA-AAAA' }), 'drawId'],
  ];
  for (const [body, path] of cases) {
    const refusal = await h.refusal('transaction.create', loanId, body, ask);
    t.equal(refusal.statusCode, 400, JSON.stringify(body));
    t.ok(
      refusal.errors.some((error) => error.path === path),
      path,
    );
  }
});

test('the status of a service credit cannot be set', async (t) => {
  const { h, loanId } = await openPaySetting();
  const body = { type: 'serviceCredit', amount: 1, serviceCreditDetails: { type: 'other' }, status: 'succeeded' };
  const { statusCode, errors } = await h.refusal('transaction.create', loanId, body, { permissions: ['*'] });
  t.equal(statusCode, 400);
  t.same(errors, [{ path: 'status', expected: 'nothing', message: 'cannot be set on a service credit' }]);
});

test('what the stored state does not allow is refused', async (t) => {
  const { h, loanId, create, pay } = await openPaySetting();
  const ask = { permissions: ['*'] };
  const inactive = await h.refusal('transaction.create', loanId, { type: 'oneTime', amount: 1, paymentInstrumentId: 'PT-GONE-GONE' }, ask);
  t.equal(inactive.statusCode, 409);
  const unknown = await h.refusal('transaction.create', loanId, { type: 'oneTime', amount: 1, paymentInstrumentId: 'PT-NONE-NONE' }, ask);
  t.equal(unknown.statusCode, 422);
  const early = await h.refusal('transaction.create', loanId, external({ effectiveDate: '2024-01-14' }), ask);
  t.equal(early.statusCode, 422);
  const credit = { type: 'serviceCredit', amount: 10_000.01, serviceCreditDetails: { type: 'other' } };
  t.match(await h.refusal('transaction.create', loanId, credit, ask), { statusCode: 422, errorType: 'amountExceedsEligible' });
  const pending = await create();
  t.match(await h.refusal('transaction.create', pending.id, external(), ask), { statusCode: 409, errorType: 'invalidState' });
  await pay({ externalId: 'first' });
  t.match(await h.refusal('transaction.create', loanId, external({ externalId: 'first' }), ask), {
    statusCode: 409,
    errorType: 'duplicate',
  });
});

test('each kind of transaction has its permission', async (t) => {
  const { h, loanId } = await openPaySetting();
  const payment = { type: 'oneTime', amount: 1, paymentInstrumentId: 'PT-CHEC-KING' };
  const credit = { type: 'serviceCredit', amount: 1, serviceCreditDetails: { type: 'other' } };
  const cases = [
    [payment, ['transaction:create.onetimepayment']],
    [{ ...payment, type: 'downPayment' }, ['transaction:create.downpayment']],
    [credit, ['transaction:create.servicecredit']],
    [external({ amount: 1 }), ['transaction:create', 'payment.instrument:external']],
  ] as const;
  for (const [body, permissions] of cases) {
    for (const missing of permissions) {
      const refusal = await h.refusal('transaction.create', loanId, body, { permissions: permissions.filter((name) => name !== missing) });
      t.match(refusal, { statusCode: 403, extra: { permission: missing } });
    }
    const made = await h.data('transaction.create', loanId, body, { permissions });
    t.ok(made.id);
  }
});

test('a preview answers what booking would and keeps nothing', async (t) => {
  const { h, loanId, pay, eventTypes } = await openPaySetting();
  const shown = await pay({ previewMode: true });
  t.match(shown, { status: 'initiated', actualAmount: 299.72, paidPrincipalAmount: 299.72 });
  t.same(await eventTypes(), []);
  t.match(await h.query('transaction.list', loanId), { items: [], total: 0 });
});

test('a charged-off loan takes payments as its product says, and external ones always', async (t) => {
  const { h, loanId, post } = await openPaySetting({ paymentAllowedWhenChargedOff: false });
  await h.command('loan.chargeOff', loanId, { chargedOffReason: 'term' }, { permissions: ['*'] });
  const internal = { type: 'oneTime', amount: 10, paymentInstrumentId: 'PT-CHEC-KING' };
  t.match(await h.refusal('transaction.create', loanId, internal, { permissions: ['*'] }), { statusCode: 409, errorType: 'invalidState' });
  t.match(await post(external({ status: 'succeeded', amount: 10 })), { paidPrincipalAmount: 10 });
});

test('a loan with a collection agency takes external transactions alone', async (t) => {
  const { h, loanId, post } = await openPaySetting();
  await h.command('loan.update', loanId, { servicedBy: 'debtCollectionAgency' }, { permissions: ['*'] });
  const internal = { type: 'oneTime', amount: 10, paymentInstrumentId: 'PT-CHEC-KING' };
  t.match(await h.refusal('transaction.create', loanId, internal, { permissions: ['*'] }), {
    statusCode: 409,
    errors: [{ path: 'isExternal' }],
  });
  t.match(await post(external({ amount: 10 })), { status: 'pending' });
});
