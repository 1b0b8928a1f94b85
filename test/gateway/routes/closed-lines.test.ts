import { test } from 'tap';
import { dataOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';

/** A purchase that was authorized before the closing is money that the merchant still gets. */

test('a line that was closed and owes nothing settles what it had authorized, and is paid off again by a payment', async (t) => {
  const { ask, line, draw } = await openLineOverHttp(t);
  const d = await draw();
  for (const [externalId, amount] of [
    ['a', 100],
    ['b', 70],
  ] as const)
    await ask('POST', `${d}/purchases`, { amount, status: 'authorized', externalId });
  const statuses = async (): Promise<unknown[]> => [dataOf(await ask('GET', line))['status'], dataOf(await ask('GET', d))['status']];
  const credit = async (): Promise<unknown[]> => {
    const { outstandingBalances, creditBalances } = dataOf(await ask('GET', `${line}/balances?isRounded=true`)) as Record<
      string,
      Record<string, unknown>
    >;
    return [outstandingBalances?.['outstandingTotalAmount'], creditBalances?.['heldAmount']];
  };
  t.equal((await ask('POST', `${line}/close`, { closeReasonDescription: 'asked for' })).status, 200);
  t.strictSame(
    [await statuses(), await credit()],
    [
      ['paidOff', 'paidOff'],
      [0, 170],
    ],
  );

  t.equal((await ask('PUT', `${d}/purchases/ext-a`, { status: 'settled' })).status, 200, 'settled by its caller');
  t.strictSame(
    [await statuses(), await credit()],
    [
      ['active', 'active'],
      [100, 70],
    ],
  );
  t.equal((await ask('POST', `${d}/purchases`, { amount: 5 })).status, 409, 'a new purchase');

  const paid = { type: 'oneTime', isExternal: true, status: 'succeeded' };
  t.equal((await ask('POST', `${line}/transactions`, { ...paid, amount: 100 })).status, 201);
  t.strictSame(await statuses(), ['paidOff', 'paidOff']);
  t.equal((await ask('POST', `${d}/purchases`, { amount: 5 })).status, 409, 'a new purchase of a line that is paid off');
  const cleared = await ask('POST', `${d}/purchases`, { amount: 70, authorizationPurchaseId: 'ext-b' });
  t.equal(cleared.status, 200, 'cleared by a purchase that names it');
  t.strictSame(
    [await statuses(), await credit()],
    [
      ['active', 'active'],
      [70, 0],
    ],
  );
});
