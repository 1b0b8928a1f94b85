import { test } from 'tap';
import { ACCOUNT } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** The loan owes 1,200.00: up to 2,400.00 passes. */
const TOO_MUCH = 5000;

const refused = (path: string): object => ({
  status: 422,
  json: { errorType: 'amountExceedsEligible', payoffAmount: 1200, errors: [{ path, expected: '1200.00, or force=true' }] },
});

const PAID = { type: 'oneTime', isExternal: true, status: 'succeeded' };

test('a payment far above the balance needs force, also one that is scheduled and a down payment', async (t) => {
  const { ask, active } = await openLoanOverHttp(t);
  const added = await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true });
  const paymentInstrumentId = String(listOf(added)[0]?.['id']);
  for (const body of [
    { type: 'oneTime', paymentInstrumentId },
    { type: 'oneTime', paymentInstrumentId, scheduledDate: '2026-03-10' },
    { type: 'oneTime', isExternal: true, scheduledDate: '2026-03-10' },
    { type: 'downPayment', paymentInstrumentId },
    { type: 'downPayment', isExternal: true, status: 'succeeded' },
  ]) {
    const path = `${await active()}/transactions`;
    t.match(await ask('POST', path, { ...body, amount: TOO_MUCH }), refused('amount'));
    t.match(await ask('POST', path, { ...body, amount: 2400 }), { status: 201 });
    t.match(await ask('POST', `${await active()}/transactions?force=true`, { ...body, amount: TOO_MUCH }), { status: 201 });
  }
});

test('so does another amount of a payment that is scheduled or was recorded', async (t) => {
  const { ask, loan, active } = await openLoanOverHttp(t);
  const path = `${loan}/transactions`;
  const made = await ask('POST', path, { type: 'oneTime', isExternal: true, amount: 20, scheduledDate: '2026-03-10' });
  const scheduled = `${path}/${idOf(made)}`;
  const later = { scheduledDate: '2026-03-11' };
  t.match(await ask('POST', `${scheduled}/reschedule`, { ...later, amount: TOO_MUCH }), refused('amount'));
  t.match(await ask('PUT', scheduled, { scheduledAmount: TOO_MUCH }), refused('scheduledAmount'));
  t.match(await ask('PUT', scheduled, { status: 'succeeded', actualAmount: TOO_MUCH }), refused('actualAmount'));
  t.match(dataOf(await ask('GET', scheduled)), { status: 'scheduled', scheduledAmount: 20 });
  t.match(await ask('POST', `${scheduled}/reschedule?force=true`, { ...later, amount: TOO_MUCH }), { status: 200 });
  t.match(await ask('POST', `${scheduled}/reschedule`, later), { status: 200 }, 'the amount stays');
  t.match(await ask('PUT', `${scheduled}?force=true`, { scheduledAmount: 6000 }), { status: 200 });

  const other = `${await active()}/transactions`;
  const paid = `${other}/${idOf(await ask('POST', other, { ...PAID, amount: 1200 }))}`;
  t.match(await ask('PUT', paid, { actualAmount: 1350 }), { status: 200 }, 'of what was owed without it');
  t.match(await ask('PUT', paid, { actualAmount: TOO_MUCH }), { status: 422, json: { errors: [{ path: 'actualAmount' }] } });
  t.match(await ask('PUT', `${paid}?force=true`, { actualAmount: TOO_MUCH }), { status: 200 });
});
