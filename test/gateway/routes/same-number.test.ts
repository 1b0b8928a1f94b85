import { test } from 'tap';
import { HOME, PHONE } from '../../actors/borrower/lender.js';
import { dataOf, type HttpLender, idOf, listOf } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

const PERSON = '/people/ext-ann-1';
const TODAY = '2026-03-02';
const OTHER = '+12025550144';

interface Reached {
  readonly ask: HttpLender['ask'];
  goTo(day: string): Promise<unknown>;
  /** Adds a contact, or copies one. */
  add(body: object, copyOf?: string): Promise<string>;
  change(contactId: string, body: object): ReturnType<HttpLender['ask']>;
  contact(contactId: string): Promise<Record<string, unknown>>;
  /** Records what a list says of the number of a contact. */
  check(contactId: string, list: string, isListed: boolean): Promise<unknown>;
  /** What the guard says. */
  may(contactId: string, asked: object): Promise<Record<string, unknown>>;
  stop(): Promise<unknown>;
}

async function openReached(t: Parameters<typeof openLoanOverHttp>[0]): Promise<Reached> {
  const { ask, goTo } = await openLoanOverHttp(t);
  await ask('POST', `${PERSON}/contacts`, HOME);
  return {
    ask,
    goTo,
    add: async (body, copyOf) => idOf(await ask('POST', `${PERSON}/contacts${copyOf === undefined ? '' : `/${copyOf}/clone`}`, body)),
    change: (id, body) => ask('PUT', `${PERSON}/contacts/${id}`, body),
    contact: async (id) => dataOf(await ask('GET', `${PERSON}/contacts/${id}`)),
    check: (id, list, isListed) => ask('POST', `${PERSON}/contacts/${id}/number-checks`, { list, isListed, checkedOn: TODAY }),
    may: async (contactId, asked) => dataOf(await ask('POST', `${PERSON}/can-interact`, { direction: 'outbound', contactId, ...asked })),
    stop: () => ask('POST', '/communicator/receive', { channel: 'text', content: { from: PHONE.value, contentText: 'STOP' } }),
  };
}

const TEXT = { channel: 'text', subject: 'loanDetails' };
const SELLING = { channel: 'voice', subject: 'marketingMessage' };
const DIALED = { channel: 'voice', subject: 'freeForm', theme: 'opsCollDebt', isAutodialed: true };

test('STOP applies also to archived contacts with the number, which get no texts when they are taken into use again', async (t) => {
  const { add, change, contact, may, stop } = await openReached(t);
  const first = await add({ ...PHONE, receiveTextMessages: true });
  await add({ label: 'home' }, first);
  await stop();
  t.match(await contact(first), { status: 'archived', receiveTextMessages: false });
  t.match(await change(first, { status: 'primary' }), { status: 200 });
  t.match(await may(first, TEXT), { result: false });
  t.match(await may(await add({ status: 'primary' }, first), TEXT), { result: false }, 'a copy of it gets none either');
});

test('STOP from a number that only an archived contact has is applied', async (t) => {
  const { ask, add, change, contact, stop } = await openReached(t);
  const phone = await add({ ...PHONE, receiveTextMessages: true });
  await change(phone, { status: 'archived' });
  await stop();
  t.match(await contact(phone), { receiveTextMessages: false });
  t.strictSame(listOf(await ask('GET', `${PERSON}/interactions`)), [], 'the message itself is of an unknown sender');
});

test('a contact that is given a stopped number gets no texts, unless the borrower has consented again', async (t) => {
  const { add, change, contact, may, stop } = await openReached(t);
  await add({ ...PHONE, receiveTextMessages: true });
  await stop();
  const other = await add({ ...PHONE, status: 'secondary', value: OTHER, receiveTextMessages: true });
  await change(other, { value: PHONE.value });
  t.match(await contact(other), { receiveTextMessages: false, receiveTextMessagesLastConsentAt: null });
  t.match(await may(other, TEXT), { result: false });
  await change(other, { receiveTextMessages: true });
  t.match(await may(other, TEXT), { result: true });
});

test('answers of lists hold for each contact of the borrower that has the number', async (t) => {
  const { add, change, contact, check, may } = await openReached(t);
  const first = await add(PHONE);
  const before = await add({ ...PHONE, label: 'work' });
  const corrected = await add({ ...PHONE, label: 'military', value: OTHER });
  await check(first, 'internalDoNotCall', true);
  const after = await add({ ...PHONE, label: 'home' });
  await change(corrected, { value: PHONE.value });
  for (const id of [before, after, corrected]) {
    t.match(await contact(id), { numberChecks: [{ list: 'internalDoNotCall', isListed: true }] });
    t.match(await may(id, SELLING), { result: false, ruleCode: 'US-DNC' });
  }
  await check(after, 'internalDoNotCall', false);
  t.match(await may(first, SELLING), { result: true }, 'the newest counts for all of them');
});

test('an imported list reaches archived contacts', async (t) => {
  const { ask, add, change, may } = await openReached(t);
  const first = await add(PHONE);
  await add({ label: 'home' }, first);
  await ask('POST', '/communicator/number-checks', {
    list: 'internalDoNotCall',
    checkedOn: TODAY,
    numbers: [{ number: PHONE.value, isListed: true }],
  });
  await change(first, { status: 'primary' });
  t.match(await may(first, SELLING), { result: false, ruleCode: 'US-DNC' });
});

test('a reassigned or disconnected number is that under each contact', async (t) => {
  const { ask, add, change, check, may } = await openReached(t);
  await ask('PUT', `${PERSON}/consents`, [
    { name: 'autodialedColl', status: 'consented' },
    { name: 'prerecordedColl', status: 'consented' },
  ]);
  const [first, second] = [await add(PHONE), await add({ ...PHONE, label: 'home' })];
  t.match(await may(second, DIALED), { result: true });
  await check(first, 'reassigned', true);
  t.match(await may(second, DIALED), { result: false });
  await check(first, 'reassigned', false);
  await change(first, { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected', lastDisconnectCheckDate: '2026-03-01' } });
  t.match(await may(second, DIALED), { result: false });
  t.match(await may(await add({ ...PHONE, label: 'work' }), DIALED), { result: false }, 'a new contact');
  await change(second, { phoneDisconnectionDetails: { disconnectionStatus: 'connected', lastDisconnectCheckDate: TODAY } });
  t.match(await may(first, DIALED), { result: true }, 'the check of a later day counts');
});

test('a copy of a contact renews no consent to texts to a reassigned number', async (t) => {
  const { add, check, contact, may, goTo } = await openReached(t);
  const first = await add({ ...PHONE, receiveTextMessages: true });
  const { receiveTextMessagesLastConsentAt: agreedAt } = await contact(first);
  await check(first, 'reassigned', true);
  await goTo('2026-03-04');
  const copy = await add({ label: 'home' }, first);
  t.match(await contact(copy), { receiveTextMessages: true, receiveTextMessagesLastConsentAt: agreedAt });
  t.match(await may(copy, TEXT), { result: false });
});

test('a wrong party is reached under no contact with the number', async (t) => {
  const { ask, add, contact } = await openReached(t);
  const first = await add(PHONE);
  const copy = await add({ name: 'Ann' }, first);
  await ask('POST', `${PERSON}/interactions`, {
    channel: 'voice',
    direction: 'inbound',
    subject: 'freeForm',
    theme: 'inbWrongParty',
    status: 'succeeded',
    contactId: copy,
  });
  t.match(await contact(first), { status: 'archived', valid: false });
  t.match(await contact(await add({ ...PHONE, label: 'work' })), { valid: false }, 'a new contact with the number is invalid');
  t.match(await contact(await add({ ...PHONE, label: 'military', valid: true })), { valid: true }, 'unless it is said to be valid');
});

const AGREED = [
  { name: 'autodialedColl', status: 'consented' },
  { name: 'prerecordedColl', status: 'consented' },
];

/** Two contacts with one number, and a third with another: what is used where no contact is named. */
async function openChoice(t: Parameters<typeof openLoanOverHttp>[0]) {
  const reached = await openReached(t);
  const { ask, add } = reached;
  await ask('PUT', `${PERSON}/consents`, AGREED);
  const first = await add({ ...PHONE, receiveTextMessages: true });
  const second = await add({ ...PHONE, status: 'additional', receiveTextMessages: true });
  const third = await add({ ...PHONE, status: 'additional', value: OTHER, receiveTextMessages: true });
  const chosen = async (asked: object): Promise<unknown> =>
    dataOf(await ask('POST', `${PERSON}/can-interact`, { direction: 'outbound', ...asked }));
  return { ...reached, first, second, third, chosen };
}

test('a number that is disconnected under one contact is not chosen under another', async (t) => {
  const { change, first, second, third, chosen } = await openChoice(t);
  t.match(await chosen(DIALED), { result: true, contactId: first });
  const lost = { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected', lastDisconnectCheckDate: TODAY } };
  t.match(await change(second, lost), { status: 200 });
  t.match(await chosen(DIALED), { result: true, contactId: third });
  t.match(await chosen(TEXT), { result: true, contactId: third });
});

test('a reassigned number is chosen last, under whichever contact', async (t) => {
  const { check, change, second, third, chosen } = await openChoice(t);
  await check(second, 'reassigned', true);
  t.match(await chosen(DIALED), { result: true, contactId: third });
  t.match(await chosen(TEXT), { result: true, contactId: third });
  await change(third, { status: 'archived' });
  t.match(await chosen(TEXT), { result: false, ruleCode: 'US-TEXT-CONSENT' });
  t.match(await chosen(DIALED), { result: false, ruleCode: 'US-AUTODIAL' });
});

test('an agent who ends the texts to one contact ends them to its number', async (t) => {
  const { add, change, contact, first, second, third, chosen } = await openChoice(t);
  await change(first, { receiveTextMessages: false });
  t.match(await contact(second), { receiveTextMessages: false });
  t.match(await chosen(TEXT), { result: true, contactId: third });
  const copy = await add({ receiveTextMessages: false, status: 'primary' }, third);
  t.match(await contact(copy), { receiveTextMessages: false, status: 'primary' });
  t.match(await contact(third), { receiveTextMessages: false, status: 'archived' });
  t.match(await contact(first), { status: 'secondary' }, 'the former primary is secondary');
  t.match(await chosen(TEXT), { result: false, blockReason: 'noContact' });
});
