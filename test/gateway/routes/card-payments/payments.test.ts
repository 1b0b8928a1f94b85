import { test } from 'tap';
import { dataOf } from '../http-lender.js';
import { CARD_NUMBER, openCards } from './cards-over-http.js';

test('a payment by card is authorized and captured once, and settles the money of the loan', async (t) => {
  const { h, loan, ask, cards, instrumentId, settled, pay, transaction, processorId } = await openCards(t);
  const id = await pay(100);
  t.match(await transaction(id), { status: 'initiated', paymentDetails: { type: 'debitCard', fromInstrumentId: instrumentId } });
  await settled();
  t.match(await transaction(id), {
    status: 'succeeded',
    processorTransactionId: 'au_1',
    avsResult: 'Y',
    paidPrincipalAmount: 100,
    failureReason: null,
  });
  t.match(cards.ledger.payments, [
    { reference: `${loan.split('/').at(-1) ?? ''}/${id}`, amount: 100_00, code: null, capturedOn: '2026-03-02' },
  ]);
  await settled();
  t.equal(cards.ledger.payments.length, 1);
  t.match(dataOf(await ask('GET', `${loan}/balances?isRounded=true`)), { outstandingBalances: { outstandingPrincipalAmount: 1100 } });
  t.match(dataOf(await ask('GET', `/payment-processors/${processorId}`)), {
    paymentTypes: ['debitCard', 'creditCard'],
    processorType: 'cardHTTP',
    cardApiKey: '********',
  });
  t.notOk(h.written().includes(CARD_NUMBER), 'the number of the card is nowhere in clear');
});
