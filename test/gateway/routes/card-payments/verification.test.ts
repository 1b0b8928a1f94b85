import { test } from 'tap';
import { dataOf } from '../http-lender.js';
import { CARD, CARD_NUMBER, openCards } from './cards-over-http.js';

const OTHER = { ...CARD, cardNumber: '5555555555554444' };
const PATH = '/people/ext-ann-1/payment-instruments';

test('a card is pending until its processor has verified it', async (t) => {
  const { h, ask, settled } = await openCards(t);
  const [made] = (await ask('POST', PATH, OTHER)).json['data'] as readonly [Record<string, unknown>];
  t.match(made, { object: 'card', status: 'pending', verified: false, cardNumberLastFour: '4444', network: 'mastercard' });
  t.notOk('cvv' in made || 'cardNumber' in made || 'accountNumber' in made);
  await settled();
  t.match(dataOf(await ask('GET', `${PATH}/${String(made['id'])}`)), { status: 'active', verified: true });
  t.notOk(h.written().includes(OTHER.cardNumber));
});

test('with sync the reply waits for the verification', async (t) => {
  const { ask, cards } = await openCards(t);
  const answer = await ask('POST', `${PATH}?sync=true`, OTHER);
  t.match(answer, { status: 201, json: { data: [{ status: 'active', verified: true }] } });
  t.equal(Object.keys(cards.ledger.answers).length, 1);
  t.notOk(answer.text.includes(OTHER.cardNumber) || answer.text.includes('tok_'));
});

test('a card that its processor refuses is inactive, with the reason', async (t) => {
  const { ask } = await openCards(t, { cards: { declines: new Map([['82', 1]]) } });
  t.match(await ask('POST', `${PATH}?sync=true`, OTHER), {
    status: 201,
    json: { data: [{ status: 'inactive', inactiveReason: 'verificationFailed', failureReason: 'invalidCvv' }] },
  });
});

test('a processor that does not answer leaves the card pending, and is asked again', async (t) => {
  let isAway = true;
  const { ask, settled } = await openCards(t, { afterAnswer: () => !isAway });
  const [made] = (await ask('POST', `${PATH}?sync=true`, OTHER)).json['data'] as readonly [Record<string, unknown>];
  t.match(made, { status: 'pending' });
  isAway = false;
  await settled();
  t.match(dataOf(await ask('GET', `${PATH}/${String(made['id'])}`)), { status: 'active' });
});

test('numbers, codes and keys of cards are in no reply, event, report or file', async (t) => {
  const { h, ask, settled, pay, loan, port } = await openCards(t);
  t.ok(port > 0);
  await ask('POST', `${PATH}?sync=true`, OTHER);
  await pay(20);
  await settled();
  const texts = [
    h.written(),
    h.reports.join('\n'),
    ...(await Promise.all(
      ['/events?limit=100', PATH, `${loan}/transactions`, '/payment-processors'].map(async (path) => (await ask('GET', path)).text),
    )),
  ].join('\n');
  for (const secret of [CARD_NUMBER, OTHER.cardNumber, 'cards-api-key-1', 'cards-webhook-secret-1', 'tok_'])
    t.notOk(texts.includes(secret));
});

test('an erased borrower’s card can no longer be read, and is not charged', async (t) => {
  const { h, ask, addCard, pay, settled, cards, transaction } = await openCards(t);
  t.ok(await addCard({ cardNumber: OTHER.cardNumber }));
  const id = await pay(20);
  const { id: personId } = dataOf(await ask('GET', '/people/ext-ann-1'));
  await h.keys.destroy(String(personId));
  await settled();
  t.same(cards.ledger.payments, []);
  t.match(await transaction(id), { status: 'failed', failureReason: 'invalidAccount' });
});

test('a retry under a key gets the first reply, and what identifies a card is no part of its digest', async (t) => {
  const { ask } = await openCards(t);
  const question = { headers: { 'Idempotency-Key': 'card-1' } };
  const first = await ask('POST', PATH, OTHER, question);
  t.equal(first.status, 201);
  const again = await ask('POST', PATH, { ...OTHER, cvv: '999' }, question);
  t.match(again, { status: 201, headers: { 'idempotent-replayed': 'true' } });
  t.equal((await ask('POST', PATH, { ...OTHER, expirationYear: 2031 }, question)).status, 409);
});

test('another address of the holder, or another expiry, is sent with the next payment', async (t) => {
  const { ask, cards, instrumentId, pay, settled } = await openCards(t);
  const sent: unknown[] = [];
  const { answer } = cards;
  cards.answer = (method, path, key, body) => {
    if (path === '/authorizations') sent.push((body as { readonly card: unknown }).card);
    return answer.call(cards, method, path, key, body);
  };
  const changed = { address: { addressLine1: '2 Elm Street', city: 'Albany', state: 'NY', postalCode: '12207' }, expirationYear: 2031 };
  t.equal((await ask('PUT', `${PATH}/${instrumentId}`, changed)).status, 200);
  await pay(10);
  await settled();
  t.match(sent, [{ number: CARD_NUMBER, expirationYear: 2031, address: { addressLine1: '2 Elm Street', postalCode: '12207' } }]);
});

test('a card that is given by a token of its processor is charged by it, and shows what the processor knows', async (t) => {
  const { ask, loan, cards, settled } = await openCards(t);
  const sent: unknown[] = [];
  const { answer } = cards;
  cards.answer = (method, path, key, body) => {
    sent.push((body as { readonly card?: unknown } | null)?.card);
    return answer.call(cards, method, path, key, body);
  };
  const { cardNumber: _number, cvv: _code, ...named } = CARD;
  const made = await ask('POST', `${PATH}?sync=true`, { ...named, processorToken: 'tok_of_a_form' });
  t.match(made.json, { data: [{ status: 'active', cardNumberLastFour: '4242', network: 'visa' }] });
  t.notOk(made.text.includes('tok_'));
  const [{ id }] = made.json['data'] as readonly [{ readonly id: string }];
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, paymentInstrumentId: id });
  await settled();
  t.match(sent, [
    { number: null, token: 'tok_of_a_form' },
    { number: null, token: /^tok_[0-9a-f]{24}$/ },
  ]);
});
