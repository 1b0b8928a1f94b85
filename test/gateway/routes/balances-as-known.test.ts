import { test } from 'tap';
import { openLoanOverHttp } from './loan-over-http.js';

test('balances as known at a moment: not of the future, not before the loan was recorded, and zero before it was active', async (t) => {
  const { ask, created, goTo } = await openLoanOverHttp(t);
  const loan = await created();
  await goTo('2026-03-05');
  t.match(await ask('POST', `${loan}/activate`, {}), { status: 200 });
  await goTo('2026-03-10');
  const at = (moment: string) => ask('GET', `${loan}/balances?isRounded=true&recordedAsOf=${moment}`);
  t.match(await at('2030-01-01T00:00:00Z'), { status: 400, json: { errors: [{ path: 'recordedAsOf' }] } });
  t.match(await at('2020-01-01T00:00:00Z'), { status: 404, json: { errorType: 'notFound' } });
  const nothing = { outstandingTotalAmount: 0 };
  t.match(await at('2026-03-04T12:00:00Z'), { status: 200, json: { data: { outstandingBalances: nothing } } });
  const owed = (await at('2026-03-06T12:00:00Z')).json as { data: { outstandingBalances: typeof nothing } };
  t.ok(owed.data.outstandingBalances.outstandingTotalAmount > 0);
});
