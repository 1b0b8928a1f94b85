import { test } from 'tap';
import type { Data } from '../../harness.js';
import { external, openPaySetting, type PaySetting } from './setting.js';

interface Overpaid extends PaySetting {
  reimburse(body?: object): Promise<Data>;
  owed(): Promise<unknown>;
}

/** A loan of 10,000.00 that was paid off with 10,100.00. */
async function openOverpaid(body: object = {}): Promise<Overpaid> {
  const setting = await openPaySetting();
  const { h, loanId, personId } = setting;
  await setting.post(external({ amount: 10_100, status: 'succeeded', ...body }));
  await setting.events();
  return {
    ...setting,
    reimburse: (asked = {}) =>
      h.data(
        'loan.reimburse',
        loanId,
        { reimbursementAmount: 100, paymentInstrumentId: 'PT-CHEC-KING', ...asked },
        { params: { personId } },
      ),
    owed: async () => (await h.query('reimbursement.list', loanId))['owedAmount'],
  };
}

test('an overpayment is reimbursed to a bank account and arrives', async (t) => {
  const { h, loanId, reimburse, owed, pass, get, events } = await openOverpaid();
  t.equal(await owed(), 100);
  t.match(await h.query('loan.balances', loanId), { reimbursementAmount: 100, paidBalances: { paidReimbursementsAmount: 0 } });
  const made = await reimburse();
  t.match(made, {
    transactionType: 'reimbursement',
    status: 'initiated',
    actualAmount: 100,
    paidOverAmount: 0,
    paymentDetails: { type: 'ach', reason: 'reimbursement', fromInstrumentId: null, toInstrumentId: 'PT-CHEC-KING' },
  });
  t.equal(await owed(), 0);
  t.match(await h.query('loan.balances', loanId), {
    reimbursementAmount: 0,
    paidBalances: { paidReimbursementsAmount: 100, paidOverAmount: 100 },
  });
  const [begun] = await events();
  t.match(begun, { eventType: 'loan.reimbursement.initiated', data: { refundId: made.id, amount: 100, instrumentId: 'PT-CHEC-KING' } });
  await pass('2024-01-19');
  t.match(await get(made.id), { status: 'succeeded' });
  t.match((await events()).at(-1), { eventType: 'loan.reimbursement.processed', data: { refundId: made.id } });
});

test('a reimbursement that fails restores what is owed', async (t) => {
  const { reimburse, owed, pass, get } = await openOverpaid();
  const { id } = await reimburse({ paymentInstrumentId: 'PT-BOUN-CESS' });
  await pass('2024-01-19');
  t.match(await get(id), { status: 'failed', achReturnCode: 'R01' });
  t.equal(await owed(), 100);
  t.match(await reimburse(), { status: 'initiated' });
});

test('the lender pays back by any way and says what became of it', async (t) => {
  const { reimburse, act, owed, events } = await openOverpaid();
  const body = {
    isExternal: true,
    paymentInstrumentId: undefined,
    paymentInstrumentType: 'check',
    reimbursementAmount: 40,
    externalTransactionId: 'check-12',
  };
  const made = await reimburse(body);
  t.match(made, { status: 'pending', isExternal: true, externalId: 'check-12', paymentDetails: { type: 'check' } });
  t.match(await act('update', made.id, { status: 'succeeded' }), { status: 'succeeded' });
  t.ok((await events()).some((event) => event.eventType === 'loan.reimbursement.processed'));
  t.equal(await owed(), 60);
  t.match(await reimburse({ ...body, externalTransactionId: null, transactionStatus: 'succeeded', reimbursementAmount: 60 }), {
    status: 'succeeded',
  });
  t.equal(await owed(), 0);
});

test('reimbursements are refused as the contract says', async (t) => {
  const { h, loanId, reimburse, active } = await openOverpaid();
  const ask = (body: object, target = loanId): Promise<unknown> => h.refusal('loan.reimburse', target, body);
  const account = { paymentInstrumentId: 'PT-CHEC-KING' };
  t.match(await ask({ ...account, reimbursementAmount: 100.01 }), { statusCode: 422, errorType: 'amountExceedsEligible' });
  t.match(await ask({ reimbursementAmount: 1 }), { statusCode: 400 });
  t.match(await ask({ ...account, reimbursementAmount: 1, transactionStatus: 'succeeded' }), { statusCode: 400 });
  t.match(await ask({ paymentInstrumentId: 'PT-CHEK-CHEK', reimbursementAmount: 1 }), { statusCode: 422 });
  t.match(await ask({ paymentInstrumentId: 'PT-GONE-GONE', reimbursementAmount: 1 }), { statusCode: 409 });
  const { id } = await reimburse();
  t.match(await ask({ ...account, reimbursementAmount: 1 }), { statusCode: 409, errorType: 'invalidState' }, 'nothing is owed any more');
  t.match(await h.refusal('transaction.reverse', loanId, {}, { params: { transactionId: id } }), { statusCode: 409 });
  const running = await active();
  t.match(await ask({ ...account, reimbursementAmount: 1 }, running.id), { statusCode: 409 });
});

test('money on hold is not reimbursed before its day', async (t) => {
  const { h, loanId, reimburse, pass, owed } = await openOverpaid({ holdDaysEndDate: '2024-01-17' });
  const ask = { reimbursementAmount: 100, paymentInstrumentId: 'PT-CHEC-KING' };
  t.equal(await owed(), 100);
  t.match(await h.refusal('loan.reimburse', loanId, ask), { statusCode: 422 });
  await pass('2024-01-18');
  t.match(await reimburse(), { status: 'initiated' });
});
