import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { type HttpLender, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** Noon of New York, to which the tests' clock goes. */
const NOW = '2026-03-25T17:00:00.000Z';
const END_OF = { '03-10': '2026-03-11T03:59:00.000Z', '03-11': '2026-03-12T03:59:00.000Z', '03-20': '2026-03-21T03:59:00.000Z' };
const PAID = { type: 'oneTime', isExternal: true, amount: 5 };

/** By type, when the events of a request occurred; `order` makes it. */
async function occurred(ask: HttpLender['ask'], order: () => Promise<HttpAnswer>): Promise<ReadonlyMap<unknown, unknown>> {
  const [last] = listOf(await ask('GET', '/events?limit=1'));
  await order();
  const events = listOf(await ask('GET', `/events?order=asc&limit=100&startingAfter=${String(last?.['id'])}`));
  return new Map(events.map(({ eventType, occurredAt }) => [eventType, occurredAt]));
}

test('events of what is recorded for a past day occurred when it took effect', async (t) => {
  const { ask, loan, loanTypeId, goTo } = await openLoanOverHttp(t);
  const name = { apiName: 'copy', displayName: 'Copy' };
  await ask('POST', `/loan-types/${loanTypeId}/fee-types`, { name, feeType: 'adHoc', trigger: 'manual', amountLogic: 'fixed', amount: 20 });
  await goTo('2026-03-25');
  const of = (path: string, body: object): Promise<ReadonlyMap<unknown, unknown>> => occurred(ask, () => ask('POST', loan + path, body));

  const paid = await of('/transactions', { ...PAID, status: 'succeeded', effectiveDate: '2026-03-10' });
  t.equal(paid.get('payment.succeeded'), END_OF['03-10']);
  const charged = await of('/fees', { apiName: 'copy', chargeDate: '2026-03-11' });
  t.equal(charged.get('loan.fee.booked'), END_OF['03-11']);
  const rated = await of('/rates', { interestRate: { annualRate: 0.1, startDate: '2026-03-12' } });
  t.equal(rated.get('loan.rate.created'), '2026-03-12T04:10:00.000Z', 'rates begin ten minutes after midnight');
  const capped = await of('/payment-plan-scra', { startDate: '2026-03-05', endDate: null });
  t.equal(capped.get('loan.changeloanterms.scra.update'), '2026-03-05T05:10:00.000Z');
  const refunded = await of('/refunds', { refundAmount: 1, atFaultParty: 'loanOwner', refundDate: '2026-03-20' });
  t.equal(refunded.get('loan.refunded'), END_OF['03-20']);
});

test('events of what counts today or later occurred when it was recorded', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t);
  await goTo('2026-03-25');
  const of = (path: string, body: object): Promise<ReadonlyMap<unknown, unknown>> => occurred(ask, () => ask('POST', loan + path, body));
  t.equal((await of('/transactions', { ...PAID, status: 'succeeded' })).get('payment.succeeded'), NOW);
  const coming = { ...PAID, status: 'scheduled', scheduledDate: '2026-04-02' };
  t.equal((await of('/transactions', coming)).get('payment.scheduled'), NOW);
  const rated = await of('/rates', { interestRate: { annualRate: 0.1, startDate: '2026-04-01' } });
  t.equal(rated.get('loan.rate.created'), NOW);
});

test('no event occurred later than it was recorded', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t);
  await goTo('2026-03-25');
  const moved = await occurred(ask, () => ask('POST', `${loan}/accelerate`, { effectiveDate: '2026-03-20' }));
  t.equal(moved.get('loan.statuschanged'), END_OF['03-20']);
  t.equal(moved.get('loan.balance.changed'), NOW, 'the figures are those of today');
});

test('the events of a purchase that is made for a past day occurred on that day', async (t) => {
  const { ask, draw, goTo } = await openLineOverHttp(t);
  const path = await draw();
  await goTo('2026-03-25');
  const bought = (body: object): Promise<ReadonlyMap<unknown, unknown>> =>
    occurred(ask, () => ask('POST', `${path}/purchases`, { amount: 9, ...body }));
  const past = await bought({ status: 'settled', purchaseDate: '2026-03-10' });
  for (const step of ['created', 'settled', 'applied']) t.equal(past.get(`purchase.${step}`), END_OF['03-10'], step);
  const hold = await bought({ status: 'authorized', purchaseDate: '2026-03-11', externalId: 'a-1' });
  t.equal(hold.get('purchase.created'), END_OF['03-11']);
  t.equal(hold.get('purchase.authorized'), END_OF['03-11']);
  const today = await bought({ status: 'settled' });
  for (const step of ['created', 'settled', 'applied']) t.equal(today.get(`purchase.${step}`), NOW, step);
  const settled = await occurred(ask, () => ask('PUT', `${path}/purchases/ext-a-1`, { status: 'settled' }));
  for (const step of ['changed', 'settled', 'applied']) t.equal(settled.get(`purchase.${step}`), NOW, 'it counts from its settlement');
});
