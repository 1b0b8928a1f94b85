import { test } from 'tap';
import { loanBody } from '../../actors/loan/setting.js';
import { ANN } from '../../actors/borrower/book.js';
import { dataOf, idOf, listOf, openBookOverHttp } from './book-over-http.js';

test('what is due on the day that a clock moves to happens on that day', async (t) => {
  const { ask, company, h } = await openBookOverHttp(t);
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  t.match(
    await ask('POST', '/test-clocks', { startDate: '2127-01-01' }),
    { status: 400, json: { errorType: 'validationError' } },
    'no clock stands a century ahead',
  );
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

test('a clock that is asked for again under its key is made and moved once', async (t) => {
  const { ask } = await openBookOverHttp(t);
  const under = (key: string): { readonly headers: Record<string, string> } => ({ headers: { 'Idempotency-Key': key } });
  const made = await ask('POST', '/test-clocks', { startDate: '2026-03-02' }, under('make'));
  const again = await ask('POST', '/test-clocks', { startDate: '2026-03-02' }, under('make'));
  t.match([again.status, idOf(again), again.headers['idempotent-replayed']], [201, idOf(made), 'true']);
  t.match(await ask('POST', '/test-clocks', { startDate: '2026-03-03' }, under('make')), {
    status: 409,
    json: { errorType: 'idempotencyConflict' },
  });
  t.match(await ask('POST', '/test-clocks', { startDate: '2026-03-02' }), { status: 409, json: { errorType: 'duplicate' } });
  const advance = `/test-clocks/${idOf(made)}/advance`;
  const moved = await ask('POST', `${advance}?sync=true`, { to: '2026-03-15' }, under('move'));
  const retried = await ask('POST', `${advance}?sync=true`, { to: '2026-03-15' }, under('move'));
  t.match(retried, {
    status: 200,
    headers: { 'idempotent-replayed': 'true' },
    json: { data: { operationId: dataOf(moved)['operationId'], status: 'succeeded' } },
  });
  t.match(await ask('POST', advance, { to: '2026-03-16' }, under('move')), { status: 409, json: { errorType: 'idempotencyConflict' } });
  t.match(await ask('POST', `${advance}?sync=true`, { to: '2026-03-15' }), { status: 409, json: { errorType: 'invalidState' } });
  t.match(await ask('GET', `/test-clocks/${idOf(made)}`), { json: { data: { today: '2026-03-15' } } });
});
