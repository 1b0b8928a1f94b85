import { test } from 'tap';
import { type Data, itemsOf } from '../../harness.js';
import { external, openPaySetting, type PaySetting } from './setting.js';

/** A loan with a payment of 299.72 by bank account that has settled on 2024-02-21, and what is done to its chargebacks. */
async function openDisputes() {
  const s = await openPaySetting();
  await s.pass('2024-02-15');
  const { id: transactionId } = await s.pay();
  await s.pass('2024-02-21');
  await s.events();
  const ask = { permissions: ['*'], params: { personId: s.personId, transactionId } };
  const at = (chargebackId: string) => ({ ...ask, params: { ...ask.params, chargebackId } });
  return {
    ...s,
    transactionId,
    ask,
    record: (body: object): Promise<Data> => s.h.data('chargeback.create', s.loanId, { amount: 299.72, status: 'open', ...body }, ask),
    change: (id: string, body: object): Promise<Data> => s.h.data('chargeback.update', s.loanId, body, at(id)),
    refused: (body: object) => s.h.refusal('chargeback.create', s.loanId, { amount: 299.72, status: 'open', ...body }, ask),
    refusedChange: (id: string, body: object) => s.h.refusal('chargeback.update', s.loanId, body, at(id)),
    payment: (): Promise<Data> => s.get(transactionId),
  };
}

const moneyEvents = async (s: PaySetting) => (await s.events()).filter(({ eventType }) => eventType.startsWith('payment.'));

test('an open chargeback puts the payment into dispute; the money still counts', async (t) => {
  const s = await openDisputes();
  const { id, ...rest } = await s.record({ reasonCode: '10.4', category: 'fraud', externalCaseNumber: 'VISA-1' });
  t.match(id, /^TC-/);
  t.match(rest, {
    originalTransactionId: s.transactionId,
    amount: 299.72,
    status: 'open',
    reasonCode: '10.4',
    category: 'fraud',
    externalCaseNumber: 'VISA-1',
  });
  t.match(await s.payment(), { status: 'inDispute', paidPrincipalAmount: 257.25, chargebackDetails: { amount: 0, chargebacks: [{ id }] } });
  t.match(await s.loan(), { current: { isOverdue: false } });
  t.same(await moneyEvents(s), []);
});

test('a lost chargeback takes the money out by replay, and its reversal brings it back', async (t) => {
  const s = await openDisputes();
  const { id } = await s.record({ reasonCode: 'R10' });
  t.match(await s.change(id, { status: 'lost' }), { status: 'lost', chargebackTransactionId: null });
  t.match(await s.payment(), { status: 'chargeback', paidPrincipalAmount: 0, chargebackDetails: { amount: 299.72 } });
  t.match(await s.loan(), { current: { isOverdue: true, daysOverdue: 6, overdueAmount: 299.72 } });
  const lost = await moneyEvents(s);
  t.match(lost, [
    { eventType: 'payment.chargeback', data: { transactionId: s.transactionId, chargebackId: id, amount: 299.72, reasonCode: 'R10' } },
  ]);
  t.equal(lost.length, 1);
  t.match(await s.change(id, { status: 'reversed' }), { status: 'reversed' });
  t.match(await s.payment(), { status: 'succeeded', paidPrincipalAmount: 257.25, chargebackDetails: { amount: 0 } });
  t.match(await s.loan(), { current: { isOverdue: false } });
  t.match(await moneyEvents(s), [{ eventType: 'payment.chargeback.reversed', data: { chargebackId: id } }]);
});

test('a chargeback by a bank for lack of funds brings the fee of a returned payment, and its reversal takes it away', async (t) => {
  for (const [isCancelOnReversal, left] of [
    [true, 0],
    [false, 15],
  ] as const) {
    const s = await openDisputes();
    const nsf = {
      name: { displayName: 'Returned', apiName: 'nsf' },
      feeType: 'nsfFee',
      amountLogic: 'fixed',
      amount: 15,
      isCancelOnReversal,
    };
    await s.h.data('feeType.create', s.h.company, nsf, { params: { loanTypeId: s.loanTypeId } });
    const owed = async (): Promise<unknown> =>
      ((await s.h.query('loan.balances', s.loanId, { isRounded: true }))['outstandingBalances'] as Data)['outstandingFeesAmount'];
    const { id } = await s.record({ reasonCode: 'R01' });
    t.equal(await owed(), 0, 'while it is open nothing has come back');
    await s.change(id, { status: 'lost' });
    t.equal(await owed(), 15);
    await s.change(id, { status: 'reversed' });
    t.equal(await owed(), left);
    const again = await s.record({ reasonCode: 'R01', status: 'lost' });
    t.match(again, { status: 'lost' });
    t.equal(await owed(), left, 'a payment brings one such fee at most');
    await s.change(again.id, { status: 'reversed' });
    await s.h.command('transaction.reverse', s.loanId, {}, s.ask);
    t.equal(await owed(), left);
  }
});

test('a chargeback that is won returns the payment to succeeded, once no other is open', async (t) => {
  const s = await openDisputes();
  const { id: first } = await s.record({ amount: 100 });
  const { id: second } = await s.record({ amount: 50 });
  await s.change(first, { status: 'won' });
  t.match(await s.payment(), { status: 'inDispute' });
  await s.change(second, { status: 'won' });
  t.match(await s.payment(), { status: 'succeeded' });
  t.match(await s.refusedChange(first, { status: 'lost' }), { statusCode: 409, errors: [{ path: 'status' }] });
});

test('a part that is lost leaves the payment succeeded, counts the rest, and has a record of its own', async (t) => {
  const s = await openDisputes();
  const { id, chargebackTransactionId } = await s.record({ amount: 99.72, status: 'lost' });
  t.match(await s.payment(), { status: 'succeeded', actualAmount: 299.72, chargebackDetails: { amount: 99.72 } });
  t.match(await s.loan(), { current: { isOverdue: true, overdueAmount: 99.72 } });
  t.match(await s.get(String(chargebackTransactionId)), {
    transactionType: 'chargeback',
    status: 'succeeded',
    actualAmount: 99.72,
    parentTransactionId: s.transactionId,
    paymentDetails: { reason: 'chargeback' },
  });
  await s.change(id, { status: 'reversed' });
  t.match(await s.payment(), { status: 'succeeded', chargebackDetails: { amount: 0 } });
  t.match(await s.get(String(chargebackTransactionId)), { status: 'failed' });
  t.match(await s.loan(), { current: { isOverdue: false, overdueAmount: 0 } });
});

test('parts that make up the whole charge the payment back', async (t) => {
  const s = await openDisputes();
  await s.record({ amount: 200, status: 'lost' });
  const { id } = await s.record({ amount: 99.72 });
  t.match(await s.payment(), { status: 'inDispute' });
  await s.change(id, { status: 'lost' });
  t.match(await s.payment(), { status: 'chargeback', chargebackDetails: { amount: 299.72 } });
  await s.change(id, { status: 'reversed' });
  t.match(await s.payment(), { status: 'succeeded', chargebackDetails: { amount: 200 } });
  t.match(await s.loan(), { current: { overdueAmount: 200 } });
});

test('not more is charged back than was paid, nor what is no settled money of an account or card', async (t) => {
  const s = await openDisputes();
  t.match(await s.refused({ amount: 299.73 }), { statusCode: 422, errors: [{ path: 'amount', expected: '299.72 or less' }] });
  const { id } = await s.record({ amount: 200 });
  t.match(await s.refused({ amount: 99.73 }), { statusCode: 422, errors: [{ expected: '99.72 or less' }] });
  t.match(await s.refusedChange(id, { amount: 300 }), { statusCode: 422 });
  t.match(await s.change(id, { amount: 299.72, description: 'the whole' }), { amount: 299.72, description: 'the whole', status: 'open' });
  t.match(await s.h.refusal('transaction.reverse', s.loanId, {}, s.ask), { statusCode: 409 });
  const check = await s.post(external({ paymentInstrumentId: 'PT-CHEK-CHEK', status: 'succeeded' }));
  const pending = await s.pay();
  for (const transactionId of [check.id, pending.id]) {
    const ask = { ...s.ask, params: { transactionId } };
    t.match(await s.h.refusal('chargeback.create', s.loanId, { amount: 1, status: 'open' }, ask), { statusCode: 409 });
  }
  t.match(await s.h.refusal('chargeback.update', s.loanId, {}, { ...s.ask, params: { ...s.ask.params, chargebackId: 'TC-NONE-NONE' } }), {
    statusCode: 404,
  });
});

test('a preview shows what would be and leaves everything as it is; a restart keeps chargebacks', async (t) => {
  const s = await openDisputes();
  t.match(await s.record({ status: 'lost', previewMode: true }), { status: 'lost' });
  t.match(await s.payment(), { status: 'succeeded' });
  const first = await s.record({ amount: 1 });
  const second = await s.record({ amount: 2, status: 'lost' });
  for (const forget of [false, true]) {
    if (forget) s.h.forgetSnapshots();
    await s.h.restart();
    const page = await s.h.query('chargeback.list', s.loanId, {}, s.ask);
    t.same(
      itemsOf(page).map(({ id }) => id),
      [second.id, first.id],
    );
    t.match(await s.h.query('chargeback.get', s.loanId, {}, { ...s.ask, params: { ...s.ask.params, chargebackId: first.id } }), {
      amount: 1,
      status: 'open',
    });
  }
});
