import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openPurchases } from './purchases-over-http.js';

test('a refund above the non-due principal makes a payment of the service, as long as the ledger needs it', async (t) => {
  const { ask, line, draw, goTo, owed } = await openPurchases(t);
  const purchases = `${draw}/purchases`;
  const bought = idOf(await ask('POST', purchases, { amount: 100 }));
  await ask('POST', purchases, { amount: 40, type: 'refund', originalPurchaseId: bought });
  t.same(listOf(await ask('GET', `${line}/transactions`)), [], 'non-due principal takes it all');
  await goTo('2026-04-20');
  const before = await owed(draw);
  const back = await ask('POST', purchases, { amount: 60, type: 'refund', originalPurchaseId: bought });
  const {
    refundTransactionId: id,
    refundNonDuePrincipalAmount: direct,
    refundTransactionAmount: paid,
  } = dataOf(back)['refundDetails'] as Readonly<Record<string, number>>;
  t.equal(Math.round((Number(direct) + Number(paid)) * 100), 6000);
  t.ok(Number(paid) > 0, 'a part had fallen due');
  t.equal(await owed(draw), Math.round((before - 60) * 100) / 100);
  const shown = {
    id,
    transactionType: 'refund',
    status: 'succeeded',
    actualAmount: paid,
    drawId: draw.split('/').at(-1),
    paymentDetails: { type: 'internal', reason: 'refund' },
  };
  t.match(await ask('GET', `${line}/transactions`), { json: { data: [shown] } });
  t.match(await ask('GET', `${line}/transactions/${id}`), { status: 200, json: { data: shown } });
  t.match(await ask('GET', `${line}/transactions/${id}/allocation`), {
    status: 200,
    json: { data: { transactionId: id, appliedAmount: paid } },
  });
  t.match(await ask('POST', `${line}/transactions/${id}/reverse`, {}), { status: 409, json: { message: /purchase/ } });
  t.match(await ask('GET', `${line}/transactions?transactionType=payment`), { json: { data: [] } });
  await ask('POST', `${purchases}/${idOf(back)}/cancel`, {});
  t.match(await ask('GET', `${line}/transactions/${id}`), { status: 404 });
  t.equal(await owed(draw), before);
});
