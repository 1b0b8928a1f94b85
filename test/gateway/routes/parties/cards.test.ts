import { type Test, test } from 'tap';
import type { CardIssuerEvent } from '../../../../actors/index.js';
import { signatureOfIssuer } from '../../../../gateway/routes/parties/card-issuers.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type LineOverHttp, openLineOverHttp } from '../line-over-http.js';
import { openLoanOverHttp } from '../loan-over-http.js';

const USERS = {
  status: 'active',
  cardIssuerType: 'userTokenIssuer',
  cardType: 'virtualCard',
  applicationToken: 'app',
  adminAccessToken: 'adm',
};
const NUMBERS = {
  status: 'active',
  cardIssuerType: 'accountNumberIssuer',
  cardType: 'physicalCard',
  apiKey: 'key',
  providerId: 'P1',
  transactionProcessorId: 'T1',
};
/** A number with a valid check digit, of no card. */
const PAN = '4242424242424242';
const DETAILS = {
  usageType: 'multiUse',
  fulfillmentStatus: 'issued',
  expirationYear: 2030,
  expirationMonth: 4,
  firstName: 'Ann',
  pan: PAN,
};

interface CardLender extends LineOverHttp {
  readonly issuer: string;
  card(body?: object, of?: string): Promise<string>;
  statusOf(card: string): Promise<unknown>;
}

async function openCards(t: Test): Promise<CardLender> {
  const lender = await openLineOverHttp(t, { freezeAllowedForLineOfCredit: true });
  const { ask, line } = lender;
  const issuer = idOf(await ask('POST', '/card-issuers', USERS));
  return {
    ...lender,
    issuer,
    card: async (body = { cardDetails: { ...DETAILS, status: 'active' } }, of = line) => {
      const made = await ask('POST', `${of}/cards`, body);
      if (made.status !== 200) throw new Error(made.text);
      return `${of}/cards/${idOf(made)}`;
    },
    statusOf: async (card) => (dataOf(await ask('GET', card))['cardDetails'] as { readonly status?: unknown }).status,
  };
}

test('one card issuer of each kind is active, its keys are never shown, and only a draft is deleted', async (t) => {
  const { ask, issuer, failures } = await openCards(t);
  const path = '/card-issuers';
  t.match(await ask('GET', `${path}/${issuer}`), {
    status: 200,
    json: {
      data: {
        id: /^CI-/,
        object: 'cardIssuer',
        status: 'active',
        issuerEventsSubscriber: 'lender',
        syncCardDetails: false,
        applicationToken: '********',
        adminAccessToken: '********',
        apiKey: null,
        webhookSecret: '********',
      },
    },
  });
  t.match(await ask('POST', path, { ...USERS, adminAccessToken: null, apiKey: 'x', syncCardDetails: true }), {
    status: 400,
    json: { errors: [{ path: 'adminAccessToken' }, { path: 'apiKey' }, { path: 'syncCardDetails' }] },
  });
  t.match(await ask('POST', path, USERS), { status: 409, json: { errors: [{ path: 'status' }] } }, 'a second one of the kind');
  const made = await ask('POST', path, { ...USERS, status: 'draft' });
  t.match(made, { status: 200, json: { data: { webhookSecret: /^whsec_/ } } }, 'the secret is shown once');
  const draft = `${path}/${idOf(made)}`;
  t.match(await ask('PUT', draft, { status: 'active' }), { status: 409 });
  t.match(await ask('PUT', `${path}/${issuer}`, { status: 'deprecated', applicationToken: '********' }), {
    status: 200,
    json: { data: { status: 'deprecated', applicationToken: '********' } },
  });
  t.match(await ask('PUT', `${path}/${issuer}`, { status: 'draft' }), { status: 409 });
  t.match(await ask('DELETE', `${path}/${issuer}`), { status: 409 });
  t.match(await ask('DELETE', draft), { status: 204 });
  t.match(await ask('GET', draft), { status: 404 });
  t.match(await ask('GET', path), { status: 200, json: { total: 1, data: [{ id: issuer }] } });
  t.same(failures, []);
});

test('a card keeps no number, its identifiers are those of its issuer, and they are fixed after activation', async (t) => {
  const { ask, line, issuer, card, created, emitted, failures } = await openCards(t);
  const cards = `${line}/cards`;
  t.match(await ask('POST', cards, {}), { status: 400, json: { errors: [{ path: 'issuerId' }] } });
  t.match(await ask('POST', cards, { cardDetails: { ...DETAILS, pan: '4242424242424241', cvvNumber: '123', status: 'expired' } }), {
    status: 400,
    json: { errors: [{ path: 'cardDetails.cvvNumber' }, { path: 'cardDetails.pan' }, { path: 'cardDetails.status' }] },
  });
  t.match(await ask('POST', cards, { issuerId: issuer, type: 'physicalCard', issuerAccountNumber: '123456789012' }), {
    status: 400,
    json: { errors: [{ path: 'issuerAccountNumber' }, { path: 'issuerUserToken' }, { path: 'issuerCardToken' }, { path: 'type' }] },
  });
  t.match(await ask('POST', cards, { issuerId: 'CI-AAAA-AAAA', issuerCardToken: 'c' }), { status: 422 });

  const made = await ask('POST', cards, {
    externalId: 'blue',
    issuerId: issuer,
    issuerUserToken: 'user-1',
    cardDetails: DETAILS,
    issuerCardToken: 'card-1',
    cardBalances: { originalAmount: 500 },
  });
  t.match(made, {
    status: 200,
    json: {
      data: {
        id: /^CK-/,
        type: 'virtualCard',
        issuerUserToken: 'user-1',
        cardDetails: { status: 'unactivated', cardNumberLastFour: '4242', network: 'visa', expirationYear: 2030, firstName: 'Ann' },
        cardBalances: { originalAmount: 500, usedAmount: 0, refundedAmount: 0 },
      },
    },
  });
  t.notMatch(made.text, PAN);
  t.match(await emitted('card.created'), [{ cardId: idOf(made), drawId: null, lastFour: '4242', status: 'unactivated' }]);
  t.match(await ask('POST', cards, { externalId: 'blue', cardDetails: DETAILS }), { status: 409 });
  const own = `${cards}/ext-blue`;
  t.match(await ask('PUT', own, { issuerUserToken: 'user-2' }), { status: 409, json: { errors: [{ path: 'issuerUserToken' }] } });
  t.match(await ask('PUT', own, { issuerCardProductToken: 'product', cardDetails: { nickname: 'Blue' } }), {
    status: 200,
    json: { data: { issuerUserToken: 'user-1', issuerCardProductToken: 'product', cardDetails: { nickname: 'Blue', firstName: 'Ann' } } },
  });
  t.match(await ask('GET', `${own}/sensitive-token`), { status: 400 });

  const pending = `/people/ext-ann-1/loans/${idOf(await created())}`;
  const early = await card({ issuerId: issuer, issuerUserToken: 'a', issuerCardToken: 'b' }, pending);
  t.match(await ask('PUT', early, { issuerUserToken: 'c' }), { status: 200, json: { data: { issuerUserToken: 'c' } } });
  await ask('PUT', `/card-issuers/${issuer}`, { status: 'deprecated' });
  t.match(await ask('POST', cards, { issuerId: issuer, issuerUserToken: 'a', issuerCardToken: 'b' }), { status: 409 });
  t.match(await ask('POST', '/card-issuers', NUMBERS), { status: 200 });
  t.match(await ask('GET', `${cards}?status=unactivated`), { json: { total: 1, data: [{ externalId: 'blue' }] } });
  t.match(await ask('DELETE', own), { status: 204 });
  t.match(await ask('GET', own), { status: 404 });
  t.same(failures, []);
});

test('statuses follow the table, cards are suspended with their loan, and a replacement ends the old card', async (t) => {
  const { h, ask, line, card, statusOf, emitted, failures } = await openCards(t);
  const to = (path: string, status: string): Promise<{ readonly status: number }> => ask('POST', `${path}/status`, { status });
  const first = await card({ cardDetails: DETAILS });
  t.match(await to(first, 'suspended'), { status: 409, json: { errors: [{ path: 'status', expected: 'active, terminated' }] } });
  t.match(await to(first, 'active'), { status: 200, json: { data: { cardDetails: { status: 'active' } } } });
  t.match(await to(first, 'suspended'), { status: 200 });
  t.match(await to(first, 'expired'), { status: 409 });
  t.match(await to(first, 'active'), { status: 200 });
  t.match((await emitted('card.status.changed')).at(-1), { oldStatus: 'suspended', newStatus: 'active' });

  t.match(await ask('POST', `${line}/freeze`, {}), { status: 200 });
  t.equal(await statusOf(first), 'suspended', 'with the loan');
  t.match((await emitted('card.status.changed')).at(-1), { oldStatus: 'active', newStatus: 'suspended' });
  t.match(await to(first, 'active'), { status: 409 });
  t.match(await ask('POST', `${line}/cards`, { cardDetails: DETAILS }), { status: 409 });
  await ask('POST', `${line}/unfreeze`, {});
  t.match(await to(first, 'active'), { status: 200 });

  const replaced = await ask('POST', `${first}/replace`, { reason: 'damaged', expedite: true });
  t.match(replaced, {
    status: 201,
    json: { data: { replacementReason: 'damaged', cardDetails: { status: 'unactivated', firstName: 'Ann' } } },
  });
  t.match(await emitted('card.replacement.requested'), [{ reason: 'damaged', expedite: true, newCardId: idOf(replaced) }]);
  t.match(await ask('POST', `${first}/replace`, { reason: 'lost' }), { status: 409 }, 'is being replaced');
  t.equal(await statusOf(first), 'active', 'until the new one is activated');
  const second = `${line}/cards/${idOf(replaced)}`;
  t.match(await to(second, 'active'), { status: 200 });
  t.equal(await statusOf(first), 'terminated');
  t.match(await to(first, 'active'), { status: 409 });

  const third = `${line}/cards/${idOf(await ask('POST', `${second}/replace`, { reason: 'stolen' }))}`;
  t.equal(await statusOf(second), 'terminated', 'at once');
  await to(third, 'active');
  t.match(await ask('DELETE', third), { status: 400 });
  t.match(await ask('POST', `${line}/charge-off`, { chargedOffReason: 'legal' }), { status: 200 });
  t.equal(await statusOf(third), 'suspended', 'charged off');
  const loanId = line.split('/').at(-1) ?? '';
  const before = await h.query('card.list', loanId);
  await h.restart();
  t.same(await h.query('card.list', loanId), before, 'after a restart');
  t.same(failures, []);
});

test('a line that names a card at its origination has it', async (t) => {
  const { ask, created, failures } = await openCards(t);
  const line = `/people/ext-ann-1/loans/${idOf(await created({ atOrigination: { card: { cardDetails: DETAILS } } }))}`;
  t.match(await ask('GET', `${line}/cards`), { json: { total: 1, data: [{ cardDetails: { cardNumberLastFour: '4242' } }] } });
  t.notMatch((await ask('GET', line)).text, PAN);
  t.same(failures, []);
});

test('an issuer whose events go to the service moves its cards and posts purchases by signed events, each once', async (t) => {
  const { ask, line, draw, statusOf, failures } = await openCards(t);
  const made = await ask('POST', '/card-issuers', {
    status: 'active',
    cardIssuerType: 'accountTokenIssuer',
    cardType: 'virtualCard',
    apiKey: 'key',
    issuerEventsSubscriber: 'service',
    syncCardDetails: true,
  });
  const issuer = idOf(made);
  const secret = String(dataOf(made)['webhookSecret']);
  t.match(await ask('POST', `${line}/cards`, { issuerId: issuer, cardDetails: DETAILS }), {
    status: 400,
    json: { errors: [{ path: 'issuerAccountToken' }, { path: 'issuerCardToken' }] },
  });
  const named = { issuerId: issuer, issuerAccountToken: 'a', issuerCardToken: 'c' };
  const card = `${line}/cards/${idOf(await ask('POST', `${line}/cards`, named))}`;
  t.match(await ask('POST', `${card}/status`, { status: 'active' }), { status: 409 }, 'the issuer reports it');
  t.match(await ask('PUT', card, { cardDetails: { nickname: 'Blue' } }), { status: 409 });

  const loanId = line.split('/').at(-1) ?? '';
  const sent = (event: Pick<CardIssuerEvent, 'eventId' | 'type'> & Partial<CardIssuerEvent>, key = secret): ReturnType<typeof ask> => {
    const body = { loanId, card: 'c', at: Math.floor(Date.now() / 1000), ...event };
    return ask('POST', `/card-issuers/${issuer}/events`, { ...body, signature: signatureOfIssuer(body, key) });
  };
  t.match(await sent({ eventId: 'e-1', type: 'cardStatus', status: 'active' }, 'another secret'), { status: 401 });
  t.match(await sent({ eventId: 'e-1', type: 'cardStatus', status: 'active', at: 1 }), { status: 401 }, 'an old event');
  t.equal(await statusOf(card), 'unactivated');
  t.match(await sent({ eventId: 'e-1', type: 'cardStatus', status: 'active' }), { status: 202, json: { data: { eventId: 'e-1' } } });
  t.equal(await statusOf(card), 'active');
  t.match(await sent({ eventId: 'e-1', type: 'cardStatus', status: 'active' }), { status: 202 }, 'again');
  t.match(await sent({ eventId: 'e-2', type: 'cardStatus', card: 'x', status: 'active' }), { status: 404 });
  t.match(await sent({ eventId: 'e-2', type: 'cardStatus' }), { status: 400, json: { errors: [{ path: 'status' }] } });
  await sent({ eventId: 'e-3', type: 'cardDetails', cardDetails: { fulfillmentStatus: 'shipped', cardNumberLastFour: '1111' } });
  const drawId = (await draw()).split('/').at(-1) ?? '';
  const bought = { eventId: 'e-4', type: 'purchase', drawId, purchase: { amount: 40, merchantName: 'Boats' } } as const;
  t.match(await sent(bought), { status: 202 });
  t.match(await sent(bought), { status: 202 }, 'again');
  t.match(await ask('GET', card), {
    json: {
      data: {
        cardDetails: { fulfillmentStatus: 'shipped', cardNumberLastFour: '1111', status: 'active' },
        cardBalances: { originalAmount: null, usedAmount: 40, refundedAmount: 0 },
      },
    },
  });
  t.same(failures, []);
});

test('the cards of an installment loan are suspended when it is paid off, and those of a line when it is closed', async (t) => {
  const { ask, loan, failures } = await openLoanOverHttp(t);
  const cardDetails = { ...DETAILS, status: 'active' };
  const suspended = { json: { data: [{ cardDetails: { status: 'suspended' } }] } };
  t.match(await ask('POST', `${loan}/cards`, { cardDetails }), { status: 200, json: { data: { cardDetails: { status: 'active' } } } });
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 1200, isExternal: true, status: 'succeeded' });
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  t.match(await ask('GET', `${loan}/cards`), suspended);
  t.match(await ask('POST', `${loan}/cards`, { cardDetails }), { status: 409 });
  const { ask: askOfLine, line } = await openLineOverHttp(t);
  await askOfLine('POST', `${line}/cards`, { cardDetails });
  t.match(await askOfLine('POST', `${line}/close`, { closeReasonDescription: 'moved' }), { status: 200 });
  t.match(await askOfLine('GET', `${line}/cards`), suspended);
  t.same(failures, []);
});

test('what an issuer reports is booked as it has happened, and an event that comes again undoes nothing', async (t) => {
  const { h, ask, line, draw, statusOf, failures } = await openCards(t);
  const made = await ask('POST', '/card-issuers', {
    status: 'active',
    cardIssuerType: 'accountTokenIssuer',
    cardType: 'virtualCard',
    apiKey: 'key',
    issuerEventsSubscriber: 'service',
  });
  const [issuer, secret] = [idOf(made), String(dataOf(made)['webhookSecret'])];
  const named = { issuerId: issuer, issuerAccountToken: 'a', issuerCardToken: 'c' };
  const card = `${line}/cards/${idOf(await ask('POST', `${line}/cards`, named))}`;
  const drawPath = await draw();
  const sent = (event: Pick<CardIssuerEvent, 'eventId' | 'type'> & Partial<CardIssuerEvent>): ReturnType<typeof ask> => {
    const at = Math.floor(Date.now() / 1000);
    const body = { loanId: line.split('/').at(-1) ?? '', card: 'c', at, drawId: drawPath.split('/').at(-1) ?? '', ...event };
    return ask('POST', `/card-issuers/${issuer}/events`, { ...body, signature: signatureOfIssuer(body, secret) });
  };
  const status = (eventId: string, to: CardIssuerEvent['status']): ReturnType<typeof ask> =>
    sent({ eventId, type: 'cardStatus', ...(to === undefined ? {} : { status: to }) });
  await status('s-1', 'active');
  await status('s-2', 'active');
  await status('s-3', 'suspended');
  t.match(await status('s-1', 'active'), { status: 202 });
  t.match(await status('s-2', 'active'), { status: 202 }, 'it changed nothing before');
  t.equal(await statusOf(card), 'suspended', 'events that come again change nothing');
  t.match(await status('s-4', 'active'), { status: 202 });
  t.equal(await statusOf(card), 'active');

  const bought = (eventId: string, purchase: CardIssuerEvent['purchase']): ReturnType<typeof ask> =>
    sent({ eventId, type: 'purchase', ...(purchase === undefined ? {} : { purchase }) });
  const credit = async (): Promise<unknown> => dataOf(await ask('GET', `${line}/balances`))['creditBalances'];
  const authorizationPurchaseId = 'ext-a-1';
  t.match(
    await bought('c-1', { amount: 1500, authorizationPurchaseId }),
    { status: 422, json: { errors: [{ path: 'authorizationPurchaseId' }] } },
    'it is sent again once the authorization has come',
  );
  t.match(await bought('a-1', { amount: 4500, status: 'authorized' }), { status: 202 });
  t.match(await credit(), { heldAmount: 4500, availableCreditAmount: 500 });
  t.match(await bought('c-1', { amount: 1500, authorizationPurchaseId }), { status: 202 });
  t.match(await credit(), { utilizedAmount: 1500, heldAmount: 0, availableCreditAmount: 3500 });
  t.match(await bought('c-2', { amount: 4000, authorizationPurchaseId }), { status: 202 }, 'a second clearing, above the limit');
  t.match(await bought('c-2', { amount: 4000, authorizationPurchaseId }), { status: 202 });
  t.match(await credit(), { utilizedAmount: 5500, heldAmount: 0, availableCreditAmount: 0 });
  t.match(await ask('GET', `${drawPath}/purchases?limit=1`), {
    json: { data: [{ externalId: 'c-2', timestamps: { authorizedAt: /^2026/ } }] },
  });
  t.match(await ask('POST', `${drawPath}/purchases`, { amount: 1 }), { status: 422 }, 'the service itself lets nothing more through');

  await bought('a-2', { amount: 20, status: 'authorized' });
  t.match(await ask('POST', `${drawPath}/close`, {}), { status: 200 });
  t.match(await bought('a-3', { amount: 5, status: 'authorized' }), { status: 409 });
  t.match(
    await bought('c-3', { amount: 20, authorizationPurchaseId: 'ext-a-2' }),
    { status: 202 },
    'authorized before the draw was closed',
  );
  t.match(await credit(), { utilizedAmount: 5520, heldAmount: 0 });
  await status('s-5', 'suspended');
  await h.restart();
  const again = { eventId: 's-4', loanId: '', card: 'c', type: 'cardStatus', status: 'active', at: 1, signature: '' };
  const loanId = line.split('/').at(-1) ?? '';
  await h.command('card.takeIssuerEvent', loanId, again, { params: { cardIssuerId: issuer } });
  t.match(await h.query('card.list', loanId), { items: [{ cardDetails: { status: 'suspended' } }] }, 'after a restart');
  t.same(failures, []);
});

test('two issuers may use the same event id, and a purchase is known by its event without its external id', async (t) => {
  const { h, ask, line, draw, failures } = await openCards(t);
  const drawPath = await draw();
  const issuerOf = async (cardIssuerType: string, named: object): Promise<{ readonly id: string; readonly secret: string }> => {
    const events = { status: 'active', cardType: 'virtualCard', issuerEventsSubscriber: 'service' };
    const made = await ask('POST', '/card-issuers', { ...events, ...named, cardIssuerType });
    return { id: idOf(made), secret: String(dataOf(made)['webhookSecret']) };
  };
  const one = await issuerOf('accountTokenIssuer', { apiKey: 'key' });
  const two = await issuerOf('accountNumberIssuer', { apiKey: 'key', providerId: 'P1', transactionProcessorId: 'T1' });
  await ask('POST', `${line}/cards`, { issuerId: one.id, issuerAccountToken: 'a', issuerCardToken: 'one' });
  await ask('POST', `${line}/cards`, { issuerId: two.id, issuerAccountNumber: '123456789012', issuerCardIdentifier: 'two' });
  const bought = (of: typeof one, card: string, eventId: string, purchase: CardIssuerEvent['purchase']): ReturnType<typeof ask> => {
    const [loanId = '', drawId = ''] = [line, drawPath].map((path) => path.split('/').at(-1));
    const event = { eventId, loanId, card, type: 'purchase', drawId, at: Math.floor(Date.now() / 1000) } as const;
    const body = purchase === undefined ? event : { ...event, purchase };
    return ask('POST', `/card-issuers/${of.id}/events`, { ...body, signature: signatureOfIssuer(body, of.secret) });
  };
  const amounts = async (): Promise<unknown> =>
    listOf(await ask('GET', `${drawPath}/purchases`))
      .map(({ amount, externalId, status }) => [amount, externalId, status])
      .reverse();
  t.match(await ask('POST', `${drawPath}/purchases`, { amount: 5, externalId: '1000' }), { status: 200 });
  t.match(await bought(one, 'one', '1000', { amount: 99 }), { status: 202 }, 'the lender has a purchase of this external id');
  t.match(await bought(one, 'one', '1001', { amount: 40, status: 'authorized' }), { status: 202 });
  t.match(await bought(two, 'two', '1001', { amount: 70, status: 'authorized' }), { status: 202 }, 'the other issuer counts, too');
  t.match(await bought(two, 'two', '1002', { amount: 69, authorizationPurchaseId: 'ext-1001' }), { status: 202 });
  const all = [
    [5, '1000', 'settled'],
    [99, null, 'settled'],
    [40, '1001', 'authorized'],
    [70, null, 'canceled'],
    [69, '1002', 'settled'],
  ];
  t.same(await amounts(), all, 'a clearing ends the authorization of its own issuer');

  t.match(await ask('PUT', `${drawPath}/purchases/ext-1002`, { externalId: null }), { status: 200 });
  const renamed = all.map((purchase) => (purchase[1] === '1002' ? [69, null, 'settled'] : purchase));
  await bought(two, 'two', '1002', { amount: 69, authorizationPurchaseId: 'ext-1001' });
  await bought(two, 'two', '1001', { amount: 70, status: 'authorized' });
  await bought(one, 'one', '1000', { amount: 99 });
  t.same(await amounts(), renamed, 'events that come again change nothing');
  await h.restart();
  const [loanId = '', drawId = ''] = [line, drawPath].map((path) => path.split('/').at(-1));
  const again = { eventId: '1002', loanId, drawId, card: 'two', type: 'purchase', purchase: { amount: 69 }, at: 1, signature: '' };
  await h.command('card.takeIssuerEvent', loanId, again, { params: { cardIssuerId: two.id } });
  t.match(await h.query('card.list', loanId), { items: [{ cardBalances: { usedAmount: 69 } }, {}] }, 'after a restart');
  t.same(failures, []);
});

test('an activated card ends all that it replaces in turn, and a replacement that was terminated is replaced itself', async (t) => {
  const { ask, line, card, statusOf, failures } = await openCards(t);
  const replaced = async (old: string, reason: string): Promise<string> =>
    `${line}/cards/${idOf(await ask('POST', `${old}/replace`, { reason }))}`;
  const first = await card();
  const second = await replaced(first, 'damaged');
  const third = await replaced(second, 'lost');
  t.same([await statusOf(first), await statusOf(second)], ['active', 'terminated'], 'lost on its way');
  t.match(await ask('POST', `${third}/status`, { status: 'active' }), { status: 200 });
  t.equal(await statusOf(first), 'terminated');

  const fourth = await replaced(third, 'damaged');
  t.match(await ask('POST', `${third}/replace`, { reason: 'stolen' }), { status: 409 });
  t.match(await ask('POST', `${fourth}/status`, { status: 'terminated' }), { status: 200 });
  t.match(await ask('POST', `${third}/replace`, { reason: 'stolen' }), { status: 201 });
  t.same(failures, []);
});
