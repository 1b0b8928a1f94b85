import { test } from 'tap';
import { listOf } from './credit-over-http.js';
import { openCreditOfLine } from './lines-over-http.js';

test('the highest balance of a line has the interest that has fallen due, also after it was paid', async (t) => {
  const { ask, of, goTo, sentOn, failures } = await openCreditOfLine(t);
  t.match(await sentOn('2026-04-01'), { currentBalance: 1_011, highestCredit: 1_011 });
  await goTo('2026-04-20');
  const paid = await ask('POST', `${of}/transactions`, { type: 'oneTime', amount: 500, isExternal: true, status: 'succeeded' });
  t.equal(paid.status, 201, paid.text);
  t.match(await sentOn('2026-05-01'), { currentBalance: 524, highestCredit: 1_011 });
  t.same(failures, []);
});

test('the scheduled payment of a weekly line is that of a month', async (t) => {
  const { ask, of, sentOn, failures } = await openCreditOfLine(t, { paymentFrequency: 'weekly', specificDays: ['friday'] });
  t.match(await sentOn('2026-04-01'), { termsFrequency: 'W', scheduledMonthlyPayment: 231 });
  t.ok(listOf(await ask('GET', `${of}/obligations`)));
  t.same(failures, []);
});
