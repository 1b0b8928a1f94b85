import { test } from 'tap';
import { signedCallback } from '../../../../bench/bank/simulated-cards.js';
import { must, parseDay } from '../../../../engine/index.js';
import { dataOf, listOf } from '../http-lender.js';
import { type CardsOverHttp, openCards, WEBHOOK_SECRET } from './cards-over-http.js';

const disputing = (reasonCode: string, winning = 0) => ({ cards: { disputes: new Map([[reasonCode, 1]]), winning } });

async function post(
  { ask, company, processorId }: CardsOverHttp,
  callback: Parameters<typeof signedCallback>[0],
  { secret = WEBHOOK_SECRET, at = Math.floor(Date.now() / 1000), changes = {} } = {},
): Promise<number> {
  const body = { ...signedCallback(callback, at, secret), ...changes };
  return (await ask('POST', `/payment-processors/${processorId}/callbacks/${company}/test`, body, { key: false })).status;
}

const principalOf = async ({ ask, loan }: CardsOverHttp): Promise<unknown> =>
  (dataOf(await ask('GET', `${loan}/balances?isRounded=true`))['outstandingBalances'] as Record<string, unknown>)[
    'outstandingPrincipalAmount'
  ];

async function disputed(lender: CardsOverHttp): Promise<string> {
  const id = await lender.pay(100);
  await lender.settled();
  await lender.goTo('2026-03-12');
  lender.cards.run(must(parseDay('2026-03-12'), 'a day'));
  return id;
}

test('a dispute that is lost takes the payment back, and one that comes again changes nothing', async (t) => {
  const lender = await openCards(t, disputing('13.1'));
  const { ask, loan, cards, transaction, instrumentId } = lender;
  const before = await principalOf(lender);
  const id = await disputed(lender);
  const [opened] = cards.takeCallbacks();
  t.equal(await post(lender, must(opened, 'a callback')), 202);
  t.equal(await post(lender, must(opened, 'a callback')), 202);
  t.match(await transaction(id), { status: 'inDispute', chargebackDetails: { amount: 0, chargebacks: [{ status: 'open' }] } });
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`)), { status: 'active' });
  cards.run(must(parseDay('2026-03-27'), 'a day'));
  const [lost] = cards.takeCallbacks();
  for (let times = 0; times < 2; times += 1) t.equal(await post(lender, must(lost, 'a callback')), 202);
  t.match(await transaction(id), {
    status: 'chargeback',
    chargebackDetails: {
      amount: 100,
      chargebacks: [{ status: 'lost', reasonCode: '13.1', category: 'consumerDispute', externalCaseNumber: 'dp_au_1' }],
    },
  });
  t.equal(listOf(await ask('GET', `${loan}/transactions/${id}/chargebacks`)).length, 1);
  t.equal(await principalOf(lender), before);
  t.equal(await post(lender, must(opened, 'a callback')), 202, 'an earlier report that comes late changes nothing');
  t.match(await transaction(id), { status: 'chargeback' });
});

test('a dispute that is won leaves the payment as it was', async (t) => {
  const lender = await openCards(t, disputing('12.5', 1));
  const { cards, transaction } = lender;
  const id = await disputed(lender);
  cards.run(must(parseDay('2026-03-27'), 'a day'));
  for (const callback of cards.takeCallbacks()) t.equal(await post(lender, callback), 202);
  t.match(await transaction(id), { status: 'succeeded', paidPrincipalAmount: 100 });
});

test('a card whose holder says that they have not paid is not charged again', async (t) => {
  const lender = await openCards(t, disputing('10.4'));
  await disputed(lender);
  const [opened] = lender.cards.takeCallbacks();
  t.equal(await post(lender, must(opened, 'a callback')), 202);
  const card = dataOf(await lender.ask('GET', `/people/ext-ann-1/payment-instruments/${lender.instrumentId}`));
  t.match(card, { status: 'inactive', inactiveReason: 'unauthorized' });
});

test('a callback with a wrong signature, time, company or processor is refused and changes nothing', async (t) => {
  const lender = await openCards(t, disputing('13.1'));
  const { ask, cards, company, processorId, transaction } = lender;
  const id = await disputed(lender);
  const opened = must(cards.takeCallbacks()[0], 'a callback');
  t.equal(await post(lender, opened, { secret: 'another secret' }), 401);
  t.equal(await post(lender, opened, { at: Math.floor(Date.now() / 1000) - 400 }), 401);
  t.equal(await post(lender, opened, { changes: { amount: 1 } }), 401);
  const body = signedCallback(opened, Math.floor(Date.now() / 1000), WEBHOOK_SECRET);
  const paths = [
    `/payment-processors/${processorId}/callbacks/${company}/live`,
    `/payment-processors/${processorId}/callbacks/CP-AAAA-AAAA/test`,
    `/payment-processors/PX-AAAA-AAAA/callbacks/${company}/test`,
  ];
  for (const path of paths) t.equal((await ask('POST', path, body, { key: false })).status, 401, path);
  const foreign = { ...opened, reference: `LN-AAAA-AAAA/${id}` };
  t.equal(await post(lender, foreign), 404);
  t.equal(await post(lender, { ...opened, reference: 'something' }), 400);
  t.equal(await post(lender, { ...opened, amount: 200_00 }), 422, 'more than was paid');
  t.match(await transaction(id), { status: 'succeeded' });
});
