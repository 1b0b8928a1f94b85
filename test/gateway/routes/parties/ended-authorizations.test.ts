import { type Test, test } from 'tap';
import type { CardIssuerEvent } from '../../../../actors/index.js';
import { signatureOfIssuer } from '../../../../gateway/routes/parties/card-issuers.js';
import type { HttpAnswer } from '../../harness.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type LineOverHttp, openLineOverHttp } from '../line-over-http.js';

interface Issued extends LineOverHttp {
  readonly drawPath: string;
  /** Sends an event of the issuer of the card, which it signs as `signed`. */
  report(
    event: Pick<CardIssuerEvent, 'eventId' | 'type'> & Partial<CardIssuerEvent>,
    signed?: Partial<CardIssuerEvent>,
  ): Promise<HttpAnswer>;
  ended(eventId: string, authorizationPurchaseId: string): Promise<HttpAnswer>;
  bought(eventId: string, purchase: CardIssuerEvent['purchase']): Promise<HttpAnswer>;
  credit(): Promise<unknown>;
  /** Adds another card of the issuer, with this token. */
  addCard(token: string): Promise<string>;
}

/** A line with a draw and a card whose issuer sends its events to the service. */
async function openIssued(t: Test): Promise<Issued> {
  const lender = await openLineOverHttp(t);
  const { ask, line } = lender;
  const kind = { cardIssuerType: 'accountTokenIssuer', cardType: 'virtualCard', apiKey: 'key' };
  const made = await ask('POST', '/card-issuers', { ...kind, status: 'active', issuerEventsSubscriber: 'service' });
  const addCard: Issued['addCard'] = async (issuerCardToken) =>
    `${line}/cards/${idOf(await ask('POST', `${line}/cards`, { issuerId: idOf(made), issuerAccountToken: 'a', issuerCardToken }))}`;
  await addCard('c');
  const drawPath = await lender.draw();
  const [loanId = '', drawId = ''] = [line, drawPath].map((path) => path.split('/').at(-1));
  const report: Issued['report'] = (event, signed = {}) => {
    const body = { loanId, card: 'c', at: Math.floor(Date.now() / 1000), drawId, ...event };
    const signature = signatureOfIssuer({ ...body, ...signed }, String(dataOf(made)['webhookSecret']));
    return ask('POST', `/card-issuers/${idOf(made)}/events`, { ...body, signature });
  };
  return {
    ...lender,
    drawPath,
    addCard,
    report,
    ended: (eventId, authorizationPurchaseId) => report({ eventId, type: 'authorizationEnd', authorizationPurchaseId }),
    bought: (eventId, purchase) => report({ eventId, type: 'purchase', ...(purchase === undefined ? {} : { purchase }) }),
    credit: async () => dataOf(await ask('GET', `${line}/balances`))['creditBalances'],
  };
}

test('an issuer reports that an authorization was reversed or has expired, and its credit is open again', async (t) => {
  const { ask, drawPath, ended, bought, credit, emitted, line, failures } = await openIssued(t);
  t.match(await ended('e-1', 'ext-a-1'), { status: 422, json: { errors: [{ path: 'authorizationPurchaseId' }] } }, 'it has not come yet');
  await bought('a-1', { amount: 230, status: 'authorized' });
  t.match(await credit(), { heldAmount: 230 });
  t.match(await ended('e-1', 'ext-a-1'), { status: 202, json: { data: { eventId: 'e-1' } } }, 'it is sent again');
  t.match(await credit(), { heldAmount: 0, utilizedAmount: 0 });
  t.match(await ask('GET', `${drawPath}/purchases/ext-a-1`), { json: { data: { status: 'canceled' } } });
  const changes = (await emitted('purchase.changed', line)).length;
  t.match(await ended('e-1', 'ext-a-1'), { status: 202 });
  t.match(await ended('e-2', 'ext-a-1'), { status: 202 });
  t.equal((await emitted('purchase.changed', line)).length, changes, 'what has ended stays as it is');

  t.match(await bought('c-1', { amount: 230, authorizationPurchaseId: 'ext-a-1' }), { status: 202 }, 'a clearing may follow all the same');
  t.match(await ended('e-3', 'ext-c-1'), { status: 202 });
  t.match(await credit(), { heldAmount: 0, utilizedAmount: 230 }, 'what was cleared is owed');
  await bought('p-1', { amount: 40, status: 'pending' });
  t.match(await ended('e-4', 'ext-p-1'), { status: 202 });
  t.match(await credit(), { heldAmount: 0, utilizedAmount: 230 }, 'a pending purchase ends, too');
  t.equal(listOf(await ask('GET', `${drawPath}/purchases`)).length, 3);
  t.same(failures, []);
});

test('the authorization of a line that was closed meanwhile ends', async (t) => {
  const { ask, line, drawPath, ended, bought } = await openIssued(t);
  await bought('a-1', { amount: 230, status: 'authorized' });
  t.match(await ask('POST', `${line}/close`, { closeReason: 'borrowerRequest', closeReasonDescription: 'asked' }), { status: 200 });
  t.match(await ended('e-1', 'ext-a-1'), { status: 202 });
  t.match(await ask('GET', `${drawPath}/purchases/ext-a-1`), { json: { data: { status: 'canceled' } } });
});

test('the end of an authorization names it, and is signed with its name', async (t) => {
  const { report, bought, credit } = await openIssued(t);
  await bought('a-1', { amount: 230, status: 'authorized' });
  const missing = await report({ eventId: 'e-1', type: 'authorizationEnd' });
  t.match(missing, { status: 400, json: { errors: [{ path: 'authorizationPurchaseId' }] } });
  const event = { eventId: 'e-1', type: 'authorizationEnd', authorizationPurchaseId: 'ext-a-1' } as const;
  t.match(await report(event, { authorizationPurchaseId: 'ext-a-2' }), { status: 401 });
  t.match(await credit(), { heldAmount: 230 });
});

test('an event names an authorization of its own card, or of one that the card replaces', async (t) => {
  const { ask, report, bought, ended, credit, addCard, line, drawPath } = await openIssued(t);
  await addCard('d');
  await bought('a-1', { amount: 230, status: 'authorized' });
  const authorizationPurchaseId = 'ext-a-1';
  const refused = { status: 422, json: { errors: [{ path: 'authorizationPurchaseId', expected: 'a purchase with the same card' }] } };
  t.match(await report({ eventId: 'e-1', type: 'authorizationEnd', card: 'd', authorizationPurchaseId }), refused);
  const cleared = { eventId: 'c-1', type: 'purchase', purchase: { amount: 230, authorizationPurchaseId } } as const;
  t.match(await report({ ...cleared, card: 'd' }), refused, 'nor may a clearing release it');
  t.match(await credit(), { heldAmount: 230, utilizedAmount: 0 });
  const [first] = listOf(await ask('GET', `${line}/cards?limit=5`)).slice(-1);
  const replaced = await ask('POST', `${line}/cards/${String(first?.['id'])}/replace`, { reason: 'lost' });
  const named = { issuerAccountToken: 'a', issuerCardToken: 'e' };
  t.match(await ask('PUT', `${line}/cards/${idOf(replaced)}`, named), { status: 200 });
  t.match(await report({ eventId: 'e-1', type: 'authorizationEnd', card: 'e', authorizationPurchaseId }), { status: 202 });
  t.match(await credit(), { heldAmount: 0 });
  const own = idOf(await ask('POST', `${drawPath}/purchases`, { amount: 50, status: 'authorized', externalId: 'own' }));
  t.match(await ended('e-2', own), { status: 202 }, 'a purchase that the lender has recorded without a card');
});

test('a signature of version 2 covers the date of a purchase, the purchases that it names and its merchant', async (t) => {
  const { report, credit } = await openIssued(t);
  await report({ eventId: 'a-1', type: 'purchase', purchase: { amount: 30, status: 'authorized' } });
  const purchase = { amount: 30, authorizationPurchaseId: 'ext-a-1', merchantName: 'Boats' } as const;
  const event = { eventId: 'c-1', type: 'purchase', signatureVersion: 2, purchase } as const;
  for (const other of [
    { purchaseDate: '2026-02-22' },
    { authorizationPurchaseId: null },
    { originalPurchaseId: 'ext-b' },
    { merchantName: 'B' },
  ])
    t.match(await report(event, { purchase: { ...purchase, ...other } }), { status: 401 }, JSON.stringify(other));
  t.match(await report(event, { signatureVersion: 1 }), { status: 401 }, 'no text is one of both versions');
  t.match(await report({ ...event, signatureVersion: 1 }, event), { status: 401 });
  t.match(await report({ ...event, purchase: { ...purchase, merchantName: 'Boats\n1' } }), { status: 401 }, 'a line break');
  t.match(await credit(), { heldAmount: 30, utilizedAmount: 0 });
  t.match(await report(event), { status: 202 });
  t.match(await credit(), { heldAmount: 0, utilizedAmount: 30 });
  const details = { eventId: 'd-1', type: 'cardDetails', signatureVersion: 2, cardDetails: { cardNumberLastFour: '1111' } } as const;
  t.match(await report(details, { cardDetails: { cardNumberLastFour: '1112' } }), { status: 401 });
});
