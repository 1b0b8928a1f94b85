import { test } from 'tap';
import { openCards } from './cards-over-http.js';

for (const lost of ['/authorizations', '/captures', '/refunds', '/verifications']) {
  test(`an answer of ${lost} that is lost is asked for again, and nothing is done twice`, async (t) => {
    let left = 2;
    const { ask, loan, pay, settled, cards, transaction, h } = await openCards(t, {
      afterAnswer: (path) => path !== lost || (left -= 1) < 0,
    });
    const id = await pay(100);
    for (let rounds = 0; rounds < 4; rounds += 1) await settled();
    await ask('POST', `${loan}/transactions/${id}/reverse`, {});
    for (let rounds = 0; rounds < 4; rounds += 1) await settled();
    t.match(await transaction(id), { status: 'succeeded', reversingTransactionStatus: 'succeeded' });
    t.match(cards.ledger.payments, [{ amount: 100_00, capturedOn: '2026-03-02', refunded: 100_00 }]);
    t.equal(cards.ledger.payments.length, 1);
    t.same(
      cards.ledger.items['2026-03-02']?.map(({ type, amount }) => [type, amount]),
      [
        ['capture', 100_00],
        ['refund', -100_00],
      ],
    );
    t.equal(left < 0 || lost === '/verifications', true);
    t.notOk(h.reports.some((line) => line.includes('4111')));
  });
}

test('an authorization that nobody answers for a day is released, and its payment fails with networkError', async (t) => {
  let isAway = true;
  const { pay, settled, goTo, cards, transaction } = await openCards(t, {
    afterAnswer: (path) => path !== '/authorizations' || !isAway,
  });
  const id = await pay(100);
  await settled();
  t.match(await transaction(id), { status: 'initiated' });
  t.match(cards.ledger.payments, [{ code: null, isReleased: false }], 'the processor holds the money, and its answer was lost');
  await goTo('2026-03-04');
  await settled();
  t.match(await transaction(id), { status: 'failed', failureReason: 'networkError' });
  t.match(cards.ledger.payments, [{ isReleased: true, capturedOn: null }]);
  isAway = false;
  await settled();
  t.match(cards.ledger.payments, [{ isReleased: true, capturedOn: null }]);
});

test('a processor that answers something else is asked again, and the fault has no secret', async (t) => {
  const { pay, settled, cards, transaction, h, server } = await openCards(t);
  t.ok(server.port > 0);
  const { answer } = cards;
  let isBroken = true;
  cards.answer = (...asked) => (isBroken ? { status: 200, body: { status: 'authorized' } } : answer.apply(cards, asked));
  const id = await pay(100);
  await settled();
  t.match(await transaction(id), { status: 'initiated' });
  t.ok(h.reports.some((line) => line.includes('not as it should be')));
  isBroken = false;
  await settled();
  t.match(await transaction(id), { status: 'succeeded' });
});

test('a refund that the processor refuses is a difference for a person', async (t) => {
  const { ask, loan, pay, settled, cards, transaction, processorId } = await openCards(t);
  const id = await pay(100);
  await settled();
  const [paid] = cards.ledger.payments;
  if (paid !== undefined) paid.refunded = paid.amount;
  await ask('POST', `${loan}/transactions/${id}/reverse`, {});
  await settled();
  t.match(await transaction(id), { reversingTransactionStatus: 'failed' });
  t.match((await ask('GET', `/reconciliations?paymentProcessorId=${processorId}`)).json, {
    data: [{ date: '2026-03-02', status: 'differences', items: [{ kind: 'missingAtBank', expectedAmount: 100 }] }],
  });
});

test('the connection of a processor of cards can be tested, and its address must be one that the service may call', async (t) => {
  const { ask, processorId, server } = await openCards(t);
  const path = `/payment-processors/${processorId}`;
  t.match((await ask('POST', `${path}/test-connection`)).json, { data: { isConnected: true, inboxFileCount: null } });
  t.equal((await ask('PUT', path, { cardApiKey: 'another key' })).status, 200);
  t.match((await ask('POST', `${path}/test-connection`)).json, { statusCode: 400, errors: [{ path: 'cardApiUrl' }] });
  for (const cardApiUrl of ['http://10.0.0.1/cards', 'http://cards.example.com', 'https://192.168.1.1'])
    t.match((await ask('PUT', path, { cardApiUrl })).json, { statusCode: 400, errors: [{ path: 'cardApiUrl' }] }, cardApiUrl);
  t.match((await ask('PUT', path, { processorType: 'achDirectUS' })).json, { errors: [{ path: 'processorType' }] });
  t.match((await ask('PUT', path, { paymentTypes: ['ach', 'debitCard'] })).json, { errors: [{ path: 'paymentTypes' }] });
  t.match((await ask('PUT', path, { cardApiUrl: null })).json, { errors: [{ path: 'cardApiUrl' }] });
  t.equal((await ask('PUT', path, { cardApiUrl: `${server.url}/`, cardApiKey: '********' })).status, 200);
});
