import { test } from 'tap';
import { loanBody } from '../../actors/loan/setting.js';
import { ANN } from '../../actors/borrower/lender.js';
import { ask as askAt, type HttpAnswer } from '../harness.js';
import { dataOf, idOf, listOf, openHttpLender, servePortfolio } from './http-lender.js';

test('events due on the day that a clock moves to happen on that day', async (t) => {
  const { ask, company, h } = await openHttpLender(t);
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

test('a retried request creates and moves a clock once', async (t) => {
  const { ask } = await openHttpLender(t);
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

test('each earlier request to a clock is answered again as it was, after a restart and until the test mode is emptied', async (t) => {
  const lender = await openHttpLender(t, 'oneProcess');
  let { port } = lender;
  const asks = (method: string, path: string, body: object | undefined, key: string): Promise<HttpAnswer> =>
    askAt(port, `/api${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
      key: lender.keys.test,
      headers: { 'Idempotency-Key': key },
    });
  const made = await asks('POST', '/test-clocks', { startDate: '2026-03-02', name: 'first' }, 'make');
  const clock = `/test-clocks/${idOf(made)}`;
  const first = await asks('POST', `${clock}/advance?sync=true`, { to: '2026-03-10' }, 'first');
  const second = await asks('POST', `${clock}/advance`, { to: '2026-03-12' }, 'second');
  t.match(second, { status: 202, json: { data: { status: 'running', progress: { done: 0, total: 2 } } } });
  while (dataOf(await lender.ask('GET', clock))['status'] !== 'ready');
  const third = await asks('POST', `${clock}/advance?sync=true`, { to: '2026-03-15' }, 'third');
  const tried = async (): Promise<void> => {
    for (const [method, path, body, key, before] of [
      ['POST', '/test-clocks', { startDate: '2026-03-02', name: 'first' }, 'make', made],
      ['POST', `${clock}/advance?sync=true`, { to: '2026-03-10' }, 'first', first],
      ['POST', `${clock}/advance`, { to: '2026-03-12' }, 'second', second],
      ['POST', `${clock}/advance?sync=true`, { to: '2026-03-15' }, 'third', third],
    ] as const) {
      const again = await asks(method, path, body, key);
      t.match([again.status, again.text], [before.status, before.text], key);
      t.equal(again.headers['idempotent-replayed'], 'true', key);
      const otherBody = 'to' in body ? { to: '2026-03-20' } : { startDate: '2026-03-20' };
      t.match(await asks(method, path, otherBody, key), { status: 409, json: { errorType: 'idempotencyConflict' } });
    }
  };
  await tried();
  await lender.h.restart();
  ({ port } = (await servePortfolio(t, lender.h)).gateway);
  await tried();
  lender.h.nowMs += 2 * 3_600_000; // operations are known for an hour, replies for a day
  await tried();

  const deleted = await asks('DELETE', clock, undefined, 'delete');
  t.equal(deleted.status, 200);
  const gone = await asks('DELETE', clock, undefined, 'delete');
  t.same([gone.status, gone.text, gone.headers['idempotent-replayed']], [200, deleted.text, 'true']);
  t.match(await asks('POST', `${clock}/advance?sync=true`, { to: '2026-03-10' }, 'first'), { status: 404 });
  t.match(await asks('GET', clock, undefined, 'none'), { status: 404 });
  const other = await asks('POST', '/test-clocks', { startDate: '2026-03-20' }, 'make');
  t.match(other, { status: 201, json: { data: { status: 'ready', today: '2026-03-20', goal: null } } });
  const otherAgain = await asks('POST', '/test-clocks', { startDate: '2026-03-20' }, 'make');
  t.equal(otherAgain.text, other.text, 'a clock that was made for a later day');
});
