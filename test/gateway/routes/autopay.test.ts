import { type Test, test } from 'tap';
import { ACCOUNT, ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { dataOf, idOf, listOf, openHttpLender, signedDocument } from './http-lender.js';

/** Ann's loan of 10,000.00, activated on Monday 2026-03-02, due on the 15th, and her checking account. */
async function openLoan(t: Test) {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const { id: loanTypeId } = await h.data('loanType.create', lender.company, {
    type: 'installment',
    name: 'Personal loan',
    autopay: { maxConsecutiveFailures: 1 },
  });
  await ask('POST', '/people', ANN);
  const instrument = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const { id: loanId } = await h.data('loan.create', 'ext-ann-1', loanBody(loanTypeId), { params: { personId: 'ext-ann-1' } });
  await h.command('loan.activate', loanId, {}, { params: { personId: 'ext-ann-1' } });
  const pass = async (date: string): Promise<void> => {
    h.nowMs = Date.parse(`${date}T17:00:00Z`);
    await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
    await h.engine.settled();
  };
  const path = `/people/ext-ann-1/loans/${loanId}`;
  const paymentInstrumentId = String(listOf(instrument)[0]?.['id']);
  return { ...lender, pass, path, plan: { paymentInstrumentId, agreementDocumentId: await signedDocument(ask) } };
}

test('autopay is set up, read, changed and canceled over HTTP', async (t) => {
  const { ask, path, plan, failures } = await openLoan(t);
  t.match(await ask('GET', `${path}/autopay`), { status: 404 });
  t.match(await ask('POST', `${path}/autopay`, { ...plan, isAlignedToDueDates: false, specificDays: ['x'] }), { status: 400 });
  t.match(await ask('POST', `${path}/autopay`, { ...plan, previewMode: true }), { status: 200 });
  const made = await ask('POST', `${path}/autopay`, plan);
  const [event] = listOf(await ask('GET', '/events?objectType=autopay'));
  const { hydrated } = dataOf(await ask('GET', `/events/${String(event?.['id'])}?hydrate=true`));
  t.same(hydrated, dataOf(await ask('GET', `${path}/autopay`)), 'its event carries it');
  t.match(made, { status: 200, json: { data: { object: 'autopay', status: 'active', operationId: /^[0-9a-f]{32}$/ } } });
  t.ok(made.text.includes('"deltaInterestAmount":0.00'), 'amounts carry two decimals');
  t.match(await ask('POST', `${path}/autopay`, plan), { status: 409, json: { errorType: 'activePlanExists' } });
  const payments = await ask('GET', `${path}/autopay/expected-payments?status=booked&limit=2`);
  t.match(payments, { json: { count: 2, total: 36 } });
  const [first, second] = listOf(payments);
  t.match(await ask('POST', `${path}/autopay/expected-payments/${String(first?.['id'])}/reschedule`, { date: '2026-03-12' }), {
    status: 200,
  });
  t.match(await ask('POST', `${path}/autopay/expected-payments/${String(second?.['id'])}/cancel`, {}), { status: 200 });
  t.match(await ask('GET', `${path}/autopay/expected-payments?status=canceled`), { json: { total: 1, data: [{ id: second?.['id'] }] } });
  t.match(await ask('DELETE', `${path}/autopay?cancelReason=canceledByBorrower`), {
    status: 200,
    json: { data: { cancelReason: 'canceledByBorrower' } },
  });
  t.match(await ask('GET', `${path}/autopay/history`), { json: { total: 1, data: [{ id: idOf(made), status: 'canceled' }] } });
  t.same(failures, []);
});

test('consecutive failed payments end autopay and disable the account; a chargeback is recorded', async (t) => {
  const { ask, path, plan, pass, failures } = await openLoan(t);
  await ask('POST', `${path}/autopay`, plan);
  await pass('2026-04-15');
  const [payment] = listOf(await ask('GET', `${path}/transactions`));
  t.match(payment, { paymentDetails: { reason: 'autopay' }, status: 'initiated' });
  await pass('2026-04-30');
  const chargebacks = `${path}/transactions/${String(payment?.['id'])}/chargebacks`;
  t.match(await ask('POST', chargebacks, { amount: 10, status: 'won' }), { status: 400 });
  const open = await ask('POST', chargebacks, { amount: 10, status: 'open' });
  t.match(open, { status: 201, json: { data: { object: 'chargeback', status: 'open' } } });
  t.match(await ask('PUT', `${chargebacks}/${idOf(open)}`, { status: 'won' }), { status: 200 });
  t.match(await ask('GET', chargebacks), { json: { total: 1, data: [{ status: 'won' }] } });
  t.match(await ask('GET', `${chargebacks}/TC-AAAA-AAAA`), { status: 404 });
  await pass('2026-05-15');
  const [next] = listOf(await ask('GET', `${path}/transactions`));
  t.match(await ask('PUT', `${path}/transactions/${String(next?.['id'])}`, { status: 'failed', failureReason: 'insufficientFunds' }), {
    status: 200,
  });
  t.match(await ask('GET', `${path}/autopay/history`), { json: { data: [{ status: 'canceled', cancelReason: 'consecutiveFailures' }] } });
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${plan.paymentInstrumentId}`)), { status: 'inactive' });
  t.same(failures, []);
});
