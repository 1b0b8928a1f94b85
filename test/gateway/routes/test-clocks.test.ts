import { test } from 'tap';
import { loanBody } from '../../actors/loan/setting.js';
import { ANN } from '../../actors/borrower/book.js';
import { dataOf, idOf, listOf, openBookOverHttp } from './book-over-http.js';

test('what is due on the day that a clock moves to happens on that day', async (t) => {
  const { ask, company, h } = await openBookOverHttp(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  t.match(await ask('POST', '/test-clocks', { startDate: '2127-01-01' }), { status: 400, json: { errorType: 'validationError' } }, 'no clock stands a century ahead');
  const clock = await ask('POST', '/test-clocks', { startDate: '2026-03-02' });
  t.match(clock, { status: 201, json: { data: { status: 'ready', today: '2026-03-02' } } });
  await ask('POST', '/people', ANN);
  const loan = `/people/ext-ann-1/loans/${idOf(await ask('POST', '/people/ext-ann-1/loans', loanBody(loanTypeId)))}`;
  await ask('POST', `${loan}/activate`, {});
  const moved = await ask('POST', `/test-clocks/${idOf(clock)}/advance?sync=true`, { to: '2026-03-15' });
  t.match(moved, { status: 200 });
  const midnight = '2026-03-15T04:00:00.000Z';
  t.match(dataOf(await ask('GET', `/test-clocks/${idOf(clock)}`)), { status: 'ready', now: midnight, today: '2026-03-15', goal: null });
  t.match(listOf(await ask('GET', `${loan}/statements`)), [{ statementDate: '2026-03-15', createdAt: midnight }]);
});
