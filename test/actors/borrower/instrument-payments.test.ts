import { test } from 'tap';
import { companyModule, loanModule, personModule, withRules } from '../../../actors/index.js';
import { type Data, Harness, itemsOf } from '../harness.js';
import { loanBody } from '../loan/setting.js';
import { ACCOUNT, ANN } from './lender.js';

const ALL = ['*'];

interface Paying {
  readonly h: Harness;
  readonly personId: string;
  readonly loanId: string;
  readonly instrumentId: string;
  pay(scheduledDate?: string): Promise<Data>;
  payment(id: string): Promise<Data>;
  instrument(): Promise<Data>;
  goTo(date: string): Promise<void>;
}

/** A borrower whose verified account pays a loan of 10,000.00. Test mode returns payments by the account's last digits. */
async function openPaying(lastFour: string): Promise<Paying> {
  const h = await Harness.open(() => withRules([companyModule, personModule(), loanModule()]));
  h.nowMs = Date.parse('2024-01-15T17:00:00Z');
  await h.makeCompany();
  const { id: personId } = await h.data('person.create', null, ANN);
  const { id: loanTypeId } = await h.data('loanType.create', h.company, { type: 'installment', name: 'Personal' });
  const loan = await h.data('loan.create', personId, loanBody(loanTypeId), { params: { personId } });
  await h.command('loan.activate', loan.id, {}, { params: { personId } });
  const account = { ...ACCOUNT, accountNumber: `7700${lastFour}`, verified: true };
  const made = await h.data('paymentInstrument.create', personId, account, { permissions: ALL, query: { force: true } });
  const instrumentId = (made as unknown as readonly Data[])[0]?.id ?? '';
  const params = { personId, paymentInstrumentId: instrumentId };
  return {
    h,
    personId,
    loanId: loan.id,
    instrumentId,
    pay: (scheduledDate) =>
      h.data(
        'transaction.create',
        loan.id,
        { type: 'oneTime', amount: 299.72, paymentInstrumentId: instrumentId, scheduledDate },
        { permissions: ALL, params: { personId } },
      ),
    payment: (transactionId) => h.query('transaction.get', loan.id, {}, { params: { personId, transactionId } }),
    instrument: () => h.query('paymentInstrument.get', personId, {}, { params }),
    async goTo(date) {
      h.nowMs = Date.parse(`${date}T17:00:00Z`);
      await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
      await h.engine.settled();
    },
  };
}

test('a return because of a closed account deactivates the account and cancels its scheduled payments', async (t) => {
  const { pay, payment, instrument, goTo, h } = await openPaying('9902');
  const first = await pay();
  const later = await pay('2024-02-15');
  await goTo('2024-01-26');
  t.match(await payment(first.id), { status: 'failed', failureReason: 'accountClosed' });
  t.match(await instrument(), {
    status: 'inactive',
    inactiveReason: 'accountClosed',
    failureReason: 'accountClosed',
    failureDescriptionShort: 'Account closed',
  });
  await goTo('2024-02-16');
  t.match(await payment(later.id), { status: 'canceled', cancelReason: 'instrumentInactive' });
  t.same(h.reports, []);
});

test('a return because of insufficient funds does not change the account', async (t) => {
  const { pay, payment, instrument, goTo } = await openPaying('9901');
  const first = await pay();
  await goTo('2024-01-26');
  t.match(await payment(first.id), { status: 'failed', failureReason: 'insufficientFunds' });
  t.match(await instrument(), { status: 'active', inactiveReason: null });
});

test('an instrument cannot be deleted while a payment on it is under way', async (t) => {
  const { h, pay, personId, instrumentId } = await openPaying('1234');
  await pay();
  const refusal = await h.refusal('paymentInstrument.delete', personId, {}, { params: { paymentInstrumentId: instrumentId } });
  t.equal(refusal.errorType, 'invalidState');
});

test('deleting an instrument cancels its scheduled payments in the same step', async (t) => {
  const { h, pay, payment, personId, instrumentId, loanId } = await openPaying('1234');
  const scheduled = await pay('2024-02-15');
  await h.command('paymentInstrument.delete', personId, {}, { params: { paymentInstrumentId: instrumentId } });
  t.match(await payment(scheduled.id), { status: 'canceled', cancelReason: 'instrumentInactive' });
  t.match(itemsOf(await h.query('transaction.list', loanId, {}, { params: { personId } })), [{ id: scheduled.id, status: 'canceled' }]);
  t.same(h.reports, []);
});

test('deactivating an instrument cancels its scheduled payments', async (t) => {
  const { h, pay, payment, personId, instrumentId } = await openPaying('1234');
  const scheduled = await pay('2024-02-15');
  await h.command(
    'paymentInstrument.update',
    personId,
    { status: 'inactive', inactiveReason: 'borrowerRequest' },
    { params: { paymentInstrumentId: instrumentId } },
  );
  t.match(await payment(scheduled.id), { status: 'canceled' });
});

test('a borrower with a serviced loan cannot be deleted or change its type', async (t) => {
  const { h, personId } = await openPaying('1234');
  t.equal((await h.refusal('person.delete', personId)).errorType, 'invalidState');
  const businessDetails = { businessName: 'Larkspur Bakery' };
  t.equal(
    (await h.refusal('person.update', personId, { borrowerType: 'business', businessDetails, dateOfBirth: null })).errorType,
    'invalidState',
  );
});
