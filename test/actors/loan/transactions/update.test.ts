import { test } from 'tap';
import { external, openPaySetting } from './setting.js';

test('the caller reports the result of an external payment', async (t) => {
  const { post, act, eventTypes, loan } = await openPaySetting();
  const { id } = await post(external({ amount: 10_000 }));
  t.match(await loan(), { status: 'active' }, 'money in processing pays nothing off');
  await eventTypes();
  t.match(await act('update', id, { status: 'succeeded', timestamps: { succeededAt: '2024-01-15T10:00:00Z' } }), {
    status: 'succeeded',
    timestamps: { succeededAt: '2024-01-15T10:00:00.000Z' },
  });
  t.match(await loan(), { status: 'paidOff' });
  t.same(await eventTypes(), ['payment.succeeded', 'loan.statuschanged']);
  t.match(await act('update', id, { status: 'failed', failureReason: 'paymentStopped' }), { status: 'failed', paidPrincipalAmount: 0 });
  t.match(await loan(), { status: 'active' });
});

test('a status that does not follow is refused', async (t) => {
  const { post, h, loanId } = await openPaySetting();
  const { id } = await post(external({ status: 'failed', failureReason: 'cardDeclined' }));
  const ask = { params: { transactionId: id } };
  t.match(await h.refusal('transaction.update', loanId, { status: 'succeeded' }, ask), { statusCode: 409 });
  t.match(await h.data('transaction.update', loanId, { processorFailureReason: 'do not honor' }, ask), {
    processorFailureReason: 'do not honor',
  });
});

test('the caller reports that a scheduled external payment has arrived, with its amount and day', async (t) => {
  const { post, pass, act, h, loanId } = await openPaySetting();
  const { id } = await post(external({ scheduledDate: '2024-03-01' }));
  await pass('2024-02-20');
  const ask = { params: { transactionId: id } };
  t.match(await h.refusal('transaction.update', loanId, { status: 'succeeded', timestamps: { effectiveDate: '2024-02-21' } }, ask), {
    statusCode: 422,
  });
  const made = await act('update', id, { status: 'succeeded', actualAmount: 300, timestamps: { effectiveDate: '2024-02-15' } });
  t.match(made, {
    status: 'succeeded',
    scheduledAmount: 299.72,
    actualAmount: 300,
    paidInterestAmount: 42.47,
    paidPrincipalAmount: 257.53,
    timestamps: { effectiveDate: '2024-02-15', originalEffectiveDate: '2024-03-01' },
  });
});

test('a changed amount of a counted payment is allocated again', async (t) => {
  const { post, pass, act, h, loanId } = await openPaySetting();
  await pass('2024-02-15');
  const { id } = await post(external());
  t.match(await act('update', id, { actualAmount: 200 }), {
    status: 'pending',
    actualAmount: 200,
    paidInterestAmount: 42.47,
    paidPrincipalAmount: 157.53,
  });
  t.match(await act('update', id, { status: 'succeeded', actualAmount: 250 }), { status: 'succeeded', paidPrincipalAmount: 207.53 });
  t.match(await h.query('loan.balances', loanId, { isRounded: true }), { outstandingBalances: { outstandingPrincipalAmount: 9792.47 } });
});

test('the split of money that does not count is the caller’s, and must make up the amount', async (t) => {
  const { post, act, h, loanId } = await openPaySetting();
  const { id } = await post(external({ status: 'failed', failureReason: 'cardDeclined' }));
  const ask = { params: { transactionId: id } };
  t.match(await h.refusal('transaction.update', loanId, { paidPrincipalAmount: 1 }, ask), {
    statusCode: 400,
    errors: [{ path: 'paidPrincipalAmount' }],
  });
  t.match(await act('update', id, { paidPrincipalAmount: 257.25, paidInterestAmount: 42.47 }), { paidPrincipalAmount: 257.25 });
  const counted = await post(external());
  const refusal = await h.refusal('transaction.update', loanId, { paidPrincipalAmount: 299 }, { params: { transactionId: counted.id } });
  t.equal(refusal.statusCode, 409);
  const sentBack = { paidPrincipalAmount: counted.paidPrincipalAmount, paidInterestAmount: 0 };
  t.match(await act('update', counted.id, sentBack), { paidPrincipalAmount: 299.72 }, 'as it is');
});

test('records of an internal payment are kept up by its caller', async (t) => {
  const { pay, act, h, loanId } = await openPaySetting();
  const { id } = await pay();
  await pay({ externalId: 'taken' });
  t.match(await act('update', id, { externalId: 'mine', metaData: { source: 'branch' }, evidenceDocumentId: 'DD-AAAA-AAAA' }), {
    externalId: 'mine',
    metaData: { source: 'branch' },
    evidenceDocumentId: 'DD-AAAA-AAAA',
  });
  t.match(await h.refusal('transaction.update', loanId, { externalId: 'taken' }, { params: { transactionId: id } }), {
    statusCode: 409,
    errorType: 'duplicate',
  });
  t.match(await act('update', id, { externalId: null }), { externalId: null });
  t.match(await pay({ externalId: 'mine' }), { externalId: 'mine' }, 'a freed id can be used again');
});

test('a chargeback takes the money out, and its reversal counts it again', async (t) => {
  const { post, pass, act, eventTypes, loan } = await openPaySetting();
  await pass('2024-02-15');
  const { id } = await post(external({ status: 'succeeded' }));
  t.match(await act('update', id, { status: 'inDispute' }), { status: 'inDispute', paidPrincipalAmount: 257.25 });
  await eventTypes();
  t.match(await act('update', id, { status: 'chargeback' }), {
    status: 'chargeback',
    paidPrincipalAmount: 0,
    chargebackDetails: { amount: 299.72 },
  });
  t.equal((await eventTypes())[0], 'payment.chargeback');
  t.match(await loan(), { current: { nextDueAmount: 299.72 } });
  t.match(await act('update', id, { status: 'succeeded' }), {
    status: 'succeeded',
    paidPrincipalAmount: 257.25,
    chargebackDetails: { amount: 0 },
  });
  t.equal((await eventTypes())[0], 'payment.chargeback.reversed');
});

test('an amount that changes with a dispute is allocated again, too', async (t) => {
  const { post, act } = await openPaySetting();
  const { id } = await post(external({ status: 'succeeded' }));
  t.match(await act('update', id, { status: 'inDispute', actualAmount: 50 }), {
    status: 'inDispute',
    actualAmount: 50,
    paidPrincipalAmount: 50,
  });
  t.match(await act('update', id, { status: 'succeeded', actualAmount: 60 }), {
    status: 'succeeded',
    actualAmount: 60,
    paidPrincipalAmount: 60,
  });
});
