import { test } from 'tap';
import { dataOf, listOf } from './http-lender.js';
import { openLineOverHttp } from './line-over-http.js';
import { openLoanOverHttp } from './loan-over-http.js';

/** The state of a loan after it was frozen. */

test('a frozen loan that is charged off is active once the charge-off is reversed', async (t) => {
  const { ask, loan, goTo, emitted, failures } = await openLoanOverHttp(t);
  await goTo('2026-03-10');
  await ask('POST', `${loan}/freeze`, {});
  await goTo('2026-05-20');
  const order = { chargedOffReason: 'legal', effectiveDate: '2026-05-10' };
  const preview = dataOf(await ask('POST', `${loan}/charge-off`, { ...order, previewMode: true }));
  const booked = dataOf(await ask('POST', `${loan}/charge-off`, order));
  t.equal(preview['chargeOffAmount'], booked['chargeOffAmount']);
  t.match(dataOf(await ask('POST', `${loan}/reverse-charge-off`, {})), { reversedChargeOffAmount: booked['chargeOffAmount'] });
  t.match(dataOf(await ask('GET', loan)), { status: 'active', current: { daysOverdue: 5, nextDueDate: '2026-06-15' } });
  t.same(
    (await emitted('loan.statuschanged')).map(({ newStatus }) => newStatus),
    ['active', 'frozen', 'active', 'accelerated', 'chargedOff', 'active'],
  );
  const days = listOf(await ask('GET', `${loan}/status-history`)).map(({ newStatus, effectiveDate }) => [newStatus, effectiveDate]);
  t.same(days.slice(0, 4), [
    ['active', '2026-05-20'],
    ['chargedOff', '2026-05-10'],
    ['accelerated', '2026-05-10'],
    ['active', '2026-05-10'],
  ]);
  t.same(failures, []);
});

test('a charge-off before a freeze leaves no frozen status behind', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t);
  await goTo('2026-03-20');
  await ask('POST', `${loan}/freeze`, {});
  await goTo('2026-05-20');
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term', effectiveDate: '2026-03-12' });
  await ask('POST', `${loan}/reverse-charge-off`, {});
  t.match(dataOf(await ask('GET', loan)), { status: 'active', current: { daysOverdue: 66 } });
});

test('a line that is frozen over its statement dates has nothing due, and continues afterwards', async (t) => {
  const { ask, line, draw, goTo, emitted, failures } = await openLineOverHttp(t, { freezeAllowedForLineOfCredit: true });
  await ask('POST', `${await draw()}/purchases`, { amount: 300 });
  await goTo('2026-03-10');
  await ask('POST', `${line}/freeze`, {});
  await goTo('2026-05-20');
  t.match(dataOf(await ask('GET', line)), { status: 'frozen', current: { nextDueDate: null, isOverdue: false } });
  await ask('POST', `${line}/unfreeze`, {});
  await goTo('2026-06-01');
  t.match((await emitted('statement.created')).at(-1), { dueDate: '2026-06-15' });
  t.same(failures, []);
});
