import { test } from 'tap';
import { must, parseDay } from '../../../../engine/index.js';
import { listOf } from '../http-lender.js';
import { type CardsOverHttp, openCards } from './cards-over-http.js';

const dayOf = (text: string) => must(parseDay(text), text);

async function reconciled({ ask, processorId }: CardsOverHttp, date: string): Promise<Record<string, unknown> | undefined> {
  return listOf(await ask('GET', `/reconciliations?paymentProcessorId=${processorId}&fromDate=${date}&toDate=${date}`))[0];
}

async function nextDay(lender: CardsOverHttp, date: string): Promise<void> {
  await lender.goTo(date);
  lender.cards.run(dayOf(date));
  await lender.settled();
}

test('the results of a day are matched with its payments and refunds, and say what the processor pays', async (t) => {
  const lender = await openCards(t, { cards: { feeCents: 35 } });
  const { ask, loan, pay, settled, transaction } = lender;
  const [first, second] = [await pay(100), await pay(50)];
  await settled();
  await ask('POST', `${loan}/transactions/${second}/reverse`, {});
  await settled();
  await nextDay(lender, '2026-03-03');
  t.match(await reconciled(lender, '2026-03-02'), {
    status: 'matched',
    items: [],
    cardResults: {
      capturedAmount: 150,
      refundedAmount: 50,
      disputedAmount: 0,
      feeAmount: 0.7,
      fundedAmount: 99.3,
      itemCount: 3,
      fundingDate: '2026-03-03',
      fundingReference: 'CARDS20260302',
    },
  });
  t.match(await transaction(first), { processorReconciliationId: 'it_20260302_1', processingFeeAmount: 0.35, processingFeeType: 'net' });
  await settled();
  t.equal(listOf(await ask('GET', '/reconciliations')).length, 1, 'a day is read once');
});

test('a dispute that no callback has brought comes with the results', async (t) => {
  const lender = await openCards(t, { cards: { disputes: new Map([['13.1', 1]]) } });
  const id = await lender.pay(100);
  await lender.settled();
  await nextDay(lender, '2026-03-12');
  await nextDay(lender, '2026-03-13');
  t.match(await lender.transaction(id), { status: 'inDispute' });
  await nextDay(lender, '2026-03-27');
  await nextDay(lender, '2026-03-28');
  t.match(await lender.transaction(id), { status: 'chargeback' });
  t.match(await reconciled(lender, '2026-03-12'), { status: 'matched', cardResults: { disputedAmount: 100, fundedAmount: -100 } });
});

test('what results and ledger do not agree about is a difference of the day', async (t) => {
  const lender = await openCards(t);
  const { pay, settled, cards } = lender;
  const [missing, wrong] = [await pay(100), await pay(50)];
  await settled();
  const [, other] = must(cards.ledger.items['2026-03-02'], 'the items of the day');
  cards.ledger.items['2026-03-02'] = [
    { ...must(other, 'an item'), amount: 49_00 },
    { id: 'it_x', type: 'capture', reference: 'not of the service', amount: 7_00, feeAmount: 0 },
  ];
  await nextDay(lender, '2026-03-03');
  const day = await reconciled(lender, '2026-03-02');
  t.match(day, { status: 'differences' });
  const items = day?.['items'] as readonly Record<string, unknown>[];
  t.same(
    items.map(({ kind, transactionId, expectedAmount, actualAmount }) => [kind, transactionId, expectedAmount, actualAmount]),
    [
      ['amountMismatch', wrong, 50, 49],
      ['missingInLedger', null, null, 7],
      ['missingAtBank', wrong, 50, null],
      ['missingAtBank', missing, 100, null],
    ],
  );
});

test('results that have the capture of a payment whose own answer was lost settle it', async (t) => {
  let isAway = true;
  const lender = await openCards(t, { afterAnswer: (path) => path !== '/captures' || !isAway });
  const id = await lender.pay(100);
  await lender.settled();
  t.match(await lender.transaction(id), { status: 'pending' });
  lender.cards.run(dayOf('2026-03-03'));
  await lender.goTo('2026-03-03');
  isAway = false;
  await lender.settled();
  t.match(await lender.transaction(id), { status: 'succeeded', processorReconciliationId: 'it_20260302_1' });
  t.match(await reconciled(lender, '2026-03-02'), { status: 'matched' });
});
