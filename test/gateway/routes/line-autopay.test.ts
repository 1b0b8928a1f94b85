import { type Test, test } from 'tap';
import { ACCOUNT } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, signedDocument } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

/** A line on which 1,000.00 were bought on 2026-03-02: 61.34 are due on 04-15, stated on 03-25. */
async function openPaidLine(t: Test, product: object = {}) {
  const lender = await openLineOverHttp(t, product);
  const { ask, draw } = lender;
  const instrument = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const first = await draw();
  await ask('POST', `${first}/purchases`, { amount: 1_000 });
  return {
    ...lender,
    first,
    plan: { paymentInstrumentId: String(listOf(instrument)[0]?.['id']), agreementDocumentId: await signedDocument(ask) },
  };
}

test('autopay of a line pays what its statement asks for, over HTTP', async (t) => {
  const { ask, line, plan, goTo, emitted, failures } = await openPaidLine(t);
  t.match(await ask('POST', `${line}/autopay`, { ...plan, amountType: 'scheduledAmount' }), {
    status: 422,
    json: { errors: [{ path: 'amountType' }] },
  });
  t.match(await ask('POST', `${line}/autopay`, { ...plan, amountType: 'fixedAmount' }), {
    status: 400,
    json: { errors: [{ path: 'fixedAmount' }] },
  });
  const preview = await ask('POST', `${line}/autopay`, { ...plan, amountType: 'statementBalance', previewMode: true });
  t.match(preview, { status: 200, json: { data: { amountType: 'statementBalance', status: 'active', deltaTerms: null } } });
  t.match(await ask('GET', `${line}/autopay`), { status: 404 });
  const made = await ask('POST', `${line}/autopay`, { ...plan, amountType: 'statementBalance' });
  t.match(made, {
    status: 200,
    json: { data: { object: 'autopay', operationId: /^[0-9a-f]{32}$/, schedule: [{ status: 'booked', periodId: /^PE-/ }] } },
  });
  t.same(
    (dataOf(made)['schedule'] as readonly { readonly amount: number }[])[0]?.amount,
    (dataOf(preview)['schedule'] as readonly { readonly amount: number }[])[0]?.amount,
  );
  t.match(await ask('GET', line), { json: { data: { current: { autopayEnabled: true } } } });
  const [first] = listOf(await ask('GET', `${line}/autopay/expected-payments?status=booked`));
  await goTo('2026-04-15');
  t.match(await ask('GET', `${line}/autopay/expected-payments?status=processing`), {
    json: { data: [{ id: first?.['id'], amount: first?.['amount'], transactionId: /^TX-/ }] },
  });
  t.match(await ask('GET', `${line}/transactions`), {
    json: { data: [{ scheduledAmount: first?.['amount'], paymentDetails: { reason: 'autopay' } }] },
  });
  t.match(await ask('DELETE', `${line}/autopay?cancelReason=canceledByBorrower`), { status: 200, json: { data: { status: 'canceled' } } });
  t.match(await ask('GET', `${line}/autopay/history`), { json: { total: 1, data: [{ id: idOf(made) }] } });
  t.match((await emitted('autopay.schedule.created')).at(-1), { amountType: 'statementBalance', nextPaymentDate: '2026-04-15' });
  t.equal((await emitted('autopay.schedule.cancel')).length, 1);
  t.same(failures, []);
});

test('one payment of a line is moved within its period, or left out', async (t) => {
  const { ask, line, plan, goTo, failures } = await openPaidLine(t);
  await ask('POST', `${line}/autopay`, plan);
  const [first, second] = listOf(await ask('GET', `${line}/autopay/expected-payments?status=booked`));
  const payment = (of: typeof first): string => `${line}/autopay/expected-payments/${String(of?.['id'])}`;
  t.match(await ask('POST', `${payment(first)}/reschedule`, { date: '2026-04-20' }), { status: 422 });
  t.match(await ask('POST', `${payment(first)}/reschedule`, { date: '2026-04-10' }), { status: 200 });
  t.match(await ask('POST', `${payment(second)}/cancel`, {}), { status: 200 });
  await goTo('2026-04-10');
  t.match(await ask('GET', `${line}/transactions`), { json: { total: 1, data: [{ scheduledAmount: first?.['amount'] }] } });
  await goTo('2026-05-16');
  t.match(await ask('GET', line), { json: { data: { current: { isOverdue: true, autopayEnabled: true } } } });
  t.same(failures, []);
});
