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
}

/** A line with a draw and a card whose issuer sends its events to the service. */
async function openIssued(t: Test): Promise<Issued> {
  const lender = await openLineOverHttp(t);
  const { ask, line } = lender;
  const kind = { cardIssuerType: 'accountTokenIssuer', cardType: 'virtualCard', apiKey: 'key' };
  const made = await ask('POST', '/card-issuers', { ...kind, status: 'active', issuerEventsSubscriber: 'service' });
  await ask('POST', `${line}/cards`, { issuerId: idOf(made), issuerAccountToken: 'a', issuerCardToken: 'c' });
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
