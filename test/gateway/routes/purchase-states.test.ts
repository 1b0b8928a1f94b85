import { test } from 'tap';
import { dataOf, idOf } from './http-lender.js';
import { openPurchases } from './purchases-over-http.js';

test('a disputed amount bears no interest and is not part of the minimum payment', async (t) => {
  const { ask, draw, newDraw, owed, goTo } = await openPurchases(t);
  const plain = await newDraw();
  for (const of of [draw, plain]) await ask('POST', `${of}/purchases`, { amount: 100 });
  const disputed = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 400 }))}`;
  const dispute = `${disputed}/disputes/${idOf(await ask('POST', `${disputed}/disputes`, { disputedAmount: 400 }))}`;
  await goTo('2026-04-20');
  t.equal(await owed(draw), await owed(plain));
  const asked = async (of: string): Promise<unknown> =>
    (dataOf(await ask('GET', of))['current'] as { readonly periodicPayment: unknown }).periodicPayment;
  t.ok(Number(await asked(plain)) > 0);
  t.equal(await asked(draw), await asked(plain));
  await ask('PUT', dispute, { status: 'expired' });
  t.equal(await owed(draw), Math.round((await owed(plain)) * 100 + 40_000) / 100, 'posted again from now on');
});

test('a lost dispute opens a line that was closed and paid off', async (t) => {
  const { ask, line, draw, owed, emitted } = await openPurchases(t);
  const bought = `${draw}/purchases/${idOf(await ask('POST', `${draw}/purchases`, { amount: 100 }))}`;
  const dispute = `${bought}/disputes/${idOf(await ask('POST', `${bought}/disputes`, { disputedAmount: 100, status: 'submitted' }))}`;
  t.match(await ask('POST', `${line}/close`, { closeReasonDescription: 'asked for' }), { status: 200 });
  t.match(await ask('GET', line), { json: { data: { status: 'paidOff' } } });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 1 }), { status: 409 });
  t.match(await ask('PUT', dispute, { status: 'lost' }), { status: 200, json: { data: { status: 'lost', repostedPurchaseId: /^DP-/ } } });
  t.match(await ask('GET', line), { json: { data: { status: 'active' } } });
  t.equal(await owed(draw), 100);
  t.match((await emitted('loan.statuschanged')).at(-1), { oldStatus: 'paidOff', newStatus: 'active' });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 200, type: 'refund', originalPurchaseId: bought.split('/').at(-1) }), {
    status: 422,
  });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 100, type: 'refund', originalPurchaseId: bought.split('/').at(-1) }), {
    status: 200,
  });
  t.match(await ask('GET', line), { json: { data: { status: 'paidOff' } } });
  t.match(
    await ask('POST', `${draw}/purchases`, { amount: 5, type: 'cashBack' }),
    { status: 200, json: { data: { refundDetails: { refundTransactionAmount: 5 } } } },
    'money back is always taken',
  );
});

test('a frozen or accelerated line accepts no purchases, and existing ones can be canceled', async (t) => {
  const { ask, line, draw, owed } = await openPurchases(t, { freezeAllowedForLineOfCredit: true });
  const purchases = `${draw}/purchases`;
  const made = async (body: object): Promise<string> => `${purchases}/${idOf(await ask('POST', purchases, body))}`;
  const [first, second, held] = [await made({ amount: 100 }), await made({ amount: 50 }), await made({ amount: 5, status: 'authorized' })];
  t.match(await ask('POST', `${line}/freeze`, {}), { status: 200 });
  t.match(await ask('POST', purchases, { amount: 1 }), { status: 409, json: { message: /frozen/ } });
  t.match(await ask('POST', purchases, { amount: 1, type: 'cashBack' }), { status: 409 });
  t.match(await ask('PUT', held, { status: 'settled' }), { status: 409 });
  t.match(await ask('POST', `${first}/disputes`, { amount: 1 }), { status: 409 });
  t.match(await ask('PUT', held, { status: 'declined' }), { status: 200 });
  t.match(await ask('POST', `${first}/cancel`, {}), { status: 200 });
  t.equal(await owed(draw), 50);
  t.match(await ask('POST', `${line}/unfreeze`, {}), { status: 200 });
  const dispute = `${second}/disputes/${idOf(await ask('POST', `${second}/disputes`, { amount: 20 }))}`;
  t.match(await ask('POST', `${line}/accelerate`, {}), { status: 200 });
  t.equal(await owed(draw), 30);
  t.match(await ask('PUT', dispute, { status: 'expired' }), { status: 200 });
  t.equal(await owed(draw), 50);
  t.match(await ask('POST', purchases, { amount: 1 }), { status: 409, json: { message: /accelerated/ } });
  t.match(await ask('PUT', second, { purchaseDetails: { description: 'kept' } }), { status: 200 });
});

test('canceling a draw or a line cancels its authorizations', async (t) => {
  const { ask, line, draw, newDraw, emitted } = await openPurchases(t);
  const other = await newDraw();
  for (const of of [draw, other])
    t.match(await ask('POST', `${of}/purchases`, { amount: 10, status: 'authorized', externalId: of.slice(-9) }), { status: 200 });
  t.match(await ask('POST', `${draw}/cancel`, {}), { status: 409 });
  t.match(await ask('POST', `${draw}/cancel?force=true`, {}), { status: 200 });
  t.match(await emitted('purchase.changed'), [
    { status: 'canceled', changes: [{ field: 'status', newValue: 'canceled' }], drawId: draw.split('/').at(-1) },
  ]);
  t.match(await ask('POST', `${line}/cancel?force=true&clearAllExternalIds=true`, { cancellationReason: 'borrowerRequest' }), {
    status: 200,
  });
  t.equal((await emitted('purchase.changed')).length, 2);
  t.match(await ask('POST', `${other}/purchases`, { amount: 1 }), { status: 409 });
});
