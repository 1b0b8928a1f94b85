import { test } from 'tap';
import { type BankReturn, loanModule, type SettlementPort, reportReturns } from '../../../../actors/loan/index.js';
import { type Data, refusalOf } from '../../harness.js';
import { external, openPaySetting, type PaySetting } from './setting.js';

const settlement: SettlementPort = { verdict: () => ({ type: 'settled', lateReturnCode: null }) };

interface ReturnSetting extends PaySetting {
  reportReturn(transactionId: string, returnCode: string): Promise<void>;
  chargeBack(transactionId: string, body: object): Promise<Data>;
  reimburse(body?: object): Promise<Data>;
  owed(): Promise<unknown>;
}

/** A loan whose money is moved by a settlement part of the test. */
async function open(loans = loanModule({ settlement })): Promise<ReturnSetting> {
  const s = await openPaySetting({}, {}, loans);
  const { h, loanId } = s;
  const ask = { permissions: ['*'] };
  return {
    ...s,
    reportReturn: (transactionId, returnCode) =>
      reportReturns(h.engine)({ company: h.company, mode: 'test', loanId, transactionId, returnCode } satisfies BankReturn),
    chargeBack: (transactionId, body) => h.data('chargeback.create', loanId, body, { ...ask, params: { transactionId } }),
    reimburse: (body = {}) =>
      h.data('loan.reimburse', loanId, { reimbursementAmount: 100, isExternal: true, transactionStatus: 'succeeded', ...body }, ask),
    owed: async () => (await h.query('reimbursement.list', loanId))['owedAmount'],
  };
}

test('a payment of which a part was charged back is not returned as a whole', async (t) => {
  const s = await open(loanModule());
  t.teardown(() => s.h.engine.close());
  await s.pass('2024-02-15');
  const { id } = await s.pay({ paymentInstrumentId: 'PT-LATE-BACK' });
  await s.pass('2024-02-21');
  t.match(await s.get(id), { status: 'succeeded' });
  const { id: chargebackId } = await s.chargeBack(id, { amount: 99.72, status: 'lost' });
  t.match(await refusalOf(s.reportReturn(id, 'R10')), { errorType: 'invalidState' }, 'the chargebacks are to be changed instead');
  await s.pass('2024-03-05');
  t.match(await s.get(id), { status: 'succeeded', chargebackDetails: { amount: 99.72 } }, 'the late return that was to come, too');
  t.match(await s.loan(), { current: { overdueAmount: 99.72 } });
  await s.h.command(
    'chargeback.update',
    s.loanId,
    { status: 'reversed' },
    { permissions: ['*'], params: { transactionId: id, chargebackId } },
  );
  t.match(await s.get(id), { status: 'succeeded', chargebackDetails: { amount: 0 } });
  t.match(await s.loan(), { current: { isOverdue: false } });
  t.same(s.h.reports, []);
});

test('a bank’s return counts also while the loan is frozen', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.pay();
  await s.pass('2024-02-01');
  await s.h.command('loan.freeze', s.loanId);
  await s.reportReturn(id, 'R10');
  t.match(await s.get(id), { status: 'failed', achReturnCode: 'R10', paidPrincipalAmount: 0 });
  t.match(await s.h.query('loan.balances', s.loanId), { outstandingBalances: { outstandingPrincipalAmount: 10_000 } });
});

test('a reimbursement that a bank returns is owed again', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  await s.post(external({ amount: 10_100, status: 'succeeded' }));
  const { id } = await s.reimburse({ isExternal: false, transactionStatus: undefined, paymentInstrumentId: 'PT-CHEC-KING' });
  await s.pass('2024-01-22');
  t.match(await s.get(id), { status: 'succeeded' });
  t.equal(await s.owed(), 0);
  await s.reportReturn(id, 'R02');
  t.match(await s.get(id), { status: 'failed', achReturnCode: 'R02' });
  t.equal(await s.owed(), 100);
});

test('money on its way back and credits are never in dispute', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  const credit = await s.post({ type: 'serviceCredit', amount: 10, isExternal: true, serviceCreditDetails: { type: 'courtesy' } });
  await s.post(external({ amount: 10_100, status: 'succeeded' }));
  const { id } = await s.reimburse({ reimbursementAmount: 10 });
  for (const transactionId of [id, credit.id]) {
    for (const status of ['inDispute', 'chargeback']) {
      t.match(
        await s.h.refusal('transaction.update', s.loanId, { status }, { permissions: ['*'], params: { transactionId } }),
        { statusCode: 409 },
        status,
      );
    }
  }
});

test('what a reimbursement has moved is what counts, and not more than was owed', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  await s.post(external({ amount: 10_100, status: 'succeeded' }));
  const { id } = await s.reimburse({ transactionStatus: 'pending' });
  const ask = { permissions: ['*'], params: { transactionId: id } };
  t.match(await s.h.refusal('transaction.update', s.loanId, { actualAmount: 100.01 }, ask), {
    statusCode: 422,
    errors: [{ path: 'actualAmount', expected: '100.00 or less' }],
  });
  t.match(await s.act('update', id, { actualAmount: 60 }), { actualAmount: 60 });
  t.equal(await s.owed(), 40);
  t.match(await s.h.query('loan.balances', s.loanId), { reimbursementAmount: 40, paidBalances: { paidReimbursementsAmount: 60 } });
});

test('a payment is not reversed after its overpayment was reimbursed', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.pay({ amount: 10_100 });
  await s.pass('2024-02-01');
  t.match(await s.loan(), { status: 'paidOff' });
  const back = await s.reimburse({ transactionStatus: 'pending' });
  const ask = { permissions: ['*'], params: { transactionId: id } };
  t.match(await s.h.refusal('transaction.reverse', s.loanId, {}, ask), { statusCode: 409 });
  await s.act('update', back.id, { status: 'failed', failureReason: 'invalidAccount' });
  t.match(await s.act('reverse', id), { reversedByTransactionId: /^TX-/ });
  t.equal(await s.owed(), 0);
});

test('a payment that was reimbursed and is then charged back is owed again', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.pay({ amount: 10_100 });
  await s.pass('2024-02-01');
  const back = await s.reimburse({ transactionStatus: 'pending' });
  await s.pass('2024-02-10');
  const principal = async (query = {}): Promise<unknown> => (await s.h.query('loan.balances', s.loanId, query))['outstandingBalances'];
  const { id: chargebackId } = await s.chargeBack(id, { amount: 10_100, status: 'lost' });
  t.match(await s.loan(), { status: 'active' });
  t.match(await principal(), { outstandingPrincipalAmount: 10_100 });
  t.match(await principal({ toEffectiveDate: '2024-01-31' }), { outstandingPrincipalAmount: 10_000 }, 'from the day on which it went');
  t.equal(await s.owed(), 0);
  await s.h.command(
    'chargeback.update',
    s.loanId,
    { status: 'reversed' },
    { permissions: ['*'], params: { transactionId: id, chargebackId } },
  );
  t.match(await s.loan(), { status: 'paidOff' }, 'the money is there again');
  await s.reportReturn(id, 'R10');
  t.match(await principal(), { outstandingPrincipalAmount: 10_100 });
  await s.act('update', back.id, { status: 'failed', failureReason: 'invalidAccount' });
  t.match(await principal(), { outstandingPrincipalAmount: 10_000 }, 'what did not arrive is no debt');
  await s.h.restart();
  t.match(await principal(), { outstandingPrincipalAmount: 10_000 });
  t.same(s.h.reports, []);
});

test('a refund is not canceled after its overpayment was reimbursed', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  await s.pass('2024-02-15');
  await s.post(external({ amount: 5_000, status: 'succeeded' }));
  const refund = await s.h.data('refund.create', s.loanId, { refundAmount: 10_000, atFaultParty: 'merchant' });
  const owed = Number(await s.owed());
  t.equal(owed, 5_000);
  await s.reimburse({ reimbursementAmount: owed });
  t.equal((await s.h.refusal('refund.cancel', s.loanId, {}, { params: { refundId: refund.id } })).statusCode, 409);
});

test('an external payment counts with the amount that it is said to have as it arrives', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  const { id } = await s.post(external({ amount: 100, scheduledDate: '2024-02-10' }));
  t.match(await s.act('update', id, { status: 'succeeded', scheduledAmount: 50 }), { scheduledAmount: 50, actualAmount: 50 });
});

test('a refund of money on hold is not reimbursed before the hold ends', async (t) => {
  const s = await open();
  t.teardown(() => s.h.engine.close());
  await s.pass('2024-02-15');
  await s.post(external({ amount: 2_000, status: 'succeeded' }));
  await s.post(external({ amount: 3_000, status: 'succeeded', holdDaysEndDate: '2024-02-20' }));
  await s.h.data('refund.create', s.loanId, { refundAmount: 10_000, atFaultParty: 'merchant' });
  t.equal(await s.owed(), 5_000);
  t.match(await s.h.refusal('loan.reimburse', s.loanId, { reimbursementAmount: 5_000, isExternal: true }, { permissions: ['*'] }), {
    statusCode: 422,
    errors: [{ expected: '2000.00 or less' }],
  });
  await s.pass('2024-02-21');
  await s.reimburse({ reimbursementAmount: 5_000 });
  t.equal(await s.owed(), 0);
});
