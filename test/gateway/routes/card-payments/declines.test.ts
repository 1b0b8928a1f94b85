import { test } from 'tap';
import { addDays, formatDay, must, parseDay } from '../../../../engine/index.js';
import { dataOf, signedDocument } from '../http-lender.js';
import { CARD, openCards } from './cards-over-http.js';

const declining = (code: string): { readonly cards: { readonly declines: ReadonlyMap<string, number> } } => ({
  cards: { declines: new Map([[code, 1]]) },
});

const CODES = [
  ['51', 'insufficientFunds', 'active', null],
  ['05', 'cardDeclined', 'active', null],
  ['91', 'networkError', 'active', null],
  ['82', 'invalidCvv', 'active', null],
  ['avs', 'avsFailed', 'active', null],
  ['54', 'invalidExpirationDate', 'inactive', 'expired'],
  ['14', 'incorrectNumber', 'inactive', 'invalidAccount'],
  ['43', 'fraudulent', 'inactive', 'fraudAlert'],
  ['46', 'accountClosed', 'inactive', 'accountClosed'],
  ['R0', 'paymentStopped', 'inactive', 'unauthorized'],
] as const;

test('a decline fails the payment with its reason, and deactivates a card that cannot be charged again', async (t) => {
  for (const [code, failureReason, status, inactiveReason] of CODES) {
    const { loan, ask, settled, pay, transaction, instrumentId } = await openCards(t, declining(code));
    const id = await pay(100);
    await settled();
    t.match(await transaction(id), { status: 'failed', failureReason, processorFailureReason: code, paidPrincipalAmount: 0 }, code);
    const card = dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`));
    t.match(card, { status, inactiveReason }, code);
    t.match(
      dataOf(await ask('GET', `${loan}/balances?isRounded=true`)),
      { outstandingBalances: { outstandingPrincipalAmount: 1200 } },
      `${code}: the ledger is as if the payment had never been made`,
    );
  }
});

test('autopay presents a declined payment again with another key, as often as its settings say', async (t) => {
  const product = { autopay: { retry: { maxAttempts: 2, daysBetween: 3 } } };
  const { loan, ask, settled, goTo, cards, instrumentId } = await openCards(t, { ...declining('51'), product });
  t.equal(
    (await ask('POST', `${loan}/autopay`, { paymentInstrumentId: instrumentId, agreementDocumentId: await signedDocument(ask, loan) }))
      .status,
    200,
  );
  let day = must(parseDay('2026-03-16'), 'a Monday');
  for (let passed = 0; passed < 12; passed += 1) {
    await goTo(formatDay(day));
    await settled();
    day = addDays(day, 1);
  }
  const made = (await ask('GET', `${loan}/transactions?limit=100`)).json['data'] as readonly Record<string, unknown>[];
  const failed = made.filter(({ status }) => status === 'failed');
  t.same(
    failed.map(({ retryAttempt, failureReason, paymentDetails }) => [
      retryAttempt,
      failureReason,
      (paymentDetails as Record<string, unknown>)['type'],
    ]),
    [
      [2, 'insufficientFunds', 'debitCard'],
      [1, 'insufficientFunds', 'debitCard'],
      [null, 'insufficientFunds', 'debitCard'],
    ],
  );
  t.equal(cards.ledger.payments.length, 3, 'each presentment is a call of its own');
});

test('an expired card is neither added nor charged', async (t) => {
  const { loan, ask, addCard, goTo, settled, cards } = await openCards(t);
  const old = await ask('POST', '/people/ext-ann-1/payment-instruments', { ...CARD, expirationYear: 2026, expirationMonth: 2 });
  t.match(old.json, { statusCode: 400, errors: [{ path: 'expirationYear' }] });
  const id = await addCard({ cardNumber: '5555555555554444', expirationYear: 2026, expirationMonth: 3 });
  const body = { type: 'oneTime', amount: 10, paymentInstrumentId: id };
  const scheduled = dataOf(await ask('POST', `${loan}/transactions`, { ...body, scheduledDate: '2026-04-02' }));
  t.match(
    dataOf(await ask('POST', `${loan}/transactions`, body)),
    { status: 'initiated' },
    'it is valid through the last day of its month',
  );
  await settled();
  t.equal(cards.ledger.payments.length, 1);
  await goTo('2026-04-02');
  await settled();
  t.match(dataOf(await ask('GET', `${loan}/transactions/${String(scheduled['id'])}`)), {
    status: 'failed',
    failureReason: 'invalidExpirationDate',
  });
  t.equal(cards.ledger.payments.length, 1, 'the processor is not asked');
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${id}`)), { status: 'inactive', inactiveReason: 'expired' });
  t.equal((await ask('POST', `${loan}/transactions`, body)).status, 409);
});

test('a card needs a processor that takes it, its number with all digits, and its security code', async (t) => {
  const { ask, processorId } = await openCards(t);
  const add = async (changes: object): Promise<unknown> =>
    (await ask('POST', '/people/ext-ann-1/payment-instruments', { ...CARD, ...changes })).json['errors'];
  t.match(await add({ cvv: undefined }), [{ path: 'cvv' }]);
  t.match(await add({ cardNumber: '1111' }), [{ path: 'cardNumber' }]);
  t.match(await add({ processorToken: 'tok_1' }), [{ path: 'processorToken' }]);
  t.equal((await ask('PUT', `/payment-processors/${processorId}`, { isDefault: false, status: 'deprecated' })).status, 200);
  t.match((await ask('POST', '/people/ext-ann-1/payment-instruments', { ...CARD, cardNumber: '5555555555554444' })).json, {
    statusCode: 422,
    errorType: 'businessValidation',
  });
});

test('a payment that no processor takes on its day fails, and its money does not count', async (t) => {
  const { loan, ask, processorId, instrumentId, goTo, settled } = await openCards(t);
  const body = { type: 'oneTime', amount: 10, paymentInstrumentId: instrumentId };
  const { id } = dataOf(await ask('POST', `${loan}/transactions`, { ...body, scheduledDate: '2026-03-10' }));
  t.equal((await ask('PUT', `/payment-processors/${processorId}`, { isDefault: false, status: 'deprecated' })).status, 200);
  t.equal((await ask('POST', `${loan}/transactions`, body)).status, 422);
  await goTo('2026-03-12');
  await settled();
  t.match(dataOf(await ask('GET', `${loan}/transactions/${String(id)}`)), { status: 'failed', failureReason: 'networkError' });
});
