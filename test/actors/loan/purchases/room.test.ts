import { test } from 'tap';
import { type Data } from '../../harness.js';
import { openLine } from './setting.js';

test('a purchase is checked against the credit that is available today, with the interest since the last step of the ledger', async (t) => {
  const s = await openLine(0.36);
  t.teardown(() => s.h.close());
  await s.on(0, 'draw.activate', {});
  await s.on(0, 'purchase.create', { amount: 900 });
  await s.goTo('2024-02-01');
  const { availableCreditAmount } = (await s.h.query('loan.balances', s.lineId)) as Data & { readonly availableCreditAmount: number };
  t.equal(availableCreditAmount, 84.92, '900.00 at 36 % for 17 days are 15.08 and a part of a cent');
  const params = { drawId: s.drawIds[0] ?? '' };
  const refused = await s.h.refusal('purchase.create', s.lineId, { amount: 85 }, { params });
  t.equal(refused.errorType, 'creditLimitExceeded');
  await s.on(0, 'purchase.create', { amount: 84.92 });
});
