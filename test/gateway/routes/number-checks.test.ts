import { test } from 'tap';
import { ANN, PHONE } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { dataOf, idOf, type HttpLender, openHttpLender } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

const TODAY = '2026-03-02';

interface Called extends HttpLender {
  readonly phone: string;
  /** What the guard says to a call that sells. */
  sold(): Promise<Record<string, unknown>>;
  warnings(): Promise<unknown>;
}

async function openCalled(t: Parameters<typeof openHttpLender>[0]): Promise<Called> {
  const lender = await openHttpLender(t);
  const { ask } = lender;
  const personId = idOf(await ask('POST', '/people', ANN));
  const contactId = idOf(await ask('POST', `/people/${personId}/contacts`, { ...PHONE, receiveTextMessages: true }));
  const asked = { channel: 'voice', theme: 'marketing', contactId };
  const said = async (): Promise<Record<string, unknown>> => dataOf(await ask('POST', `/people/${personId}/can-interact`, asked));
  return { ...lender, phone: `/people/${personId}/contacts/${contactId}`, sold: said, warnings: async () => (await said())['warnings'] };
}

test('a number that was not looked up is called by nobody who sells; one that is on no list may be', async (t) => {
  const { ask, phone, sold, h } = await openCalled(t);
  t.match(await sold(), { result: false, ruleCode: 'US-DNC' });
  const checked = await ask('POST', `${phone}/number-checks`, { list: 'nationalDoNotCall', isListed: false, checkedOn: TODAY });
  t.match(checked, { status: 200, json: { data: { numberChecks: [{ list: 'nationalDoNotCall', isListed: false, checkedOn: TODAY }] } } });
  t.match(await sold(), { result: true });
  h.nowMs += 32 * 86_400_000;
  t.match(await sold(), { result: false, ruleCode: 'US-DNC' }, 'the list is too old');
});

test('the newest of each list counts, and another number has to be looked up again', async (t) => {
  const { ask, phone, sold } = await openCalled(t);
  const check = (list: string, isListed: boolean, checkedOn = TODAY): ReturnType<typeof ask> =>
    ask('POST', `${phone}/number-checks`, { list, isListed, checkedOn });
  await check('nationalDoNotCall', false);
  await check('nationalDoNotCall', true, '2026-02-20');
  t.match(await sold(), { result: true }, 'an older list changes nothing');
  await check('internalDoNotCall', true);
  t.match(await sold(), { result: false, ruleCode: 'US-DNC' });
  await check('internalDoNotCall', false);
  t.match(await sold(), { result: true });
  await ask('PUT', phone, { value: '+16145550188' });
  t.same(dataOf(await ask('GET', phone))['numberChecks'], []);
  t.match(await sold(), { result: false, ruleCode: 'US-DNC' });
});

test('a listed number may be called for eighteen months after a loan has ended, unless the company was asked for no calls', async (t) => {
  const { ask, goTo, loan } = await openLoanOverHttp(t);
  const person = '/people/ext-ann-1';
  const contactId = idOf(await ask('POST', `${person}/contacts`, PHONE));
  const check = (list: string, checkedOn: string): ReturnType<typeof ask> =>
    ask('POST', `${person}/contacts/${contactId}/number-checks`, { list, isListed: true, checkedOn });
  const sold = async (): Promise<unknown> =>
    dataOf(await ask('POST', `${person}/can-interact`, { channel: 'voice', theme: 'marketing', contactId }));
  await check('nationalDoNotCall', TODAY);
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1300 });
  t.match(dataOf(await ask('GET', loan)), { status: 'paidOff' });
  await goTo('2027-09-02');
  t.match(await sold(), { result: true });
  await goTo('2027-09-03');
  t.match(await sold(), { result: false, ruleCode: 'US-DNC' });
});

test('a listed number may be called for three months after an application', async (t) => {
  const { ask, sold, phone, h, company } = await openCalled(t);
  await ask('POST', `${phone}/number-checks`, { list: 'nationalDoNotCall', isListed: true, checkedOn: TODAY });
  t.match(await sold(), { result: false, ruleCode: 'US-DNC' });
  const { id: loanTypeId } = await h.data('loanType.create', company, { type: 'installment', name: 'Personal loan' });
  t.match(await ask('POST', `${phone.replace(/\/contacts.*/, '')}/loans`, loanBody(loanTypeId)), { status: 200 });
  t.match(await sold(), { result: true });
  await ask('POST', `${phone}/number-checks`, { list: 'internalDoNotCall', isListed: true, checkedOn: TODAY });
  t.match(await sold(), { result: false, ruleCode: 'US-DNC' }, 'who has asked for no calls has ended it');
});

test('bad checks are refused with their place', async (t) => {
  const { ask, phone } = await openCalled(t);
  t.match(await ask('POST', `${phone}/number-checks`, { list: 'mine', isListed: 'no', checkedOn: TODAY }), {
    status: 400,
    json: { errors: [{ path: 'list' }, { path: 'isListed' }] },
  });
  t.match(await ask('POST', `${phone}/number-checks`, { list: 'reassigned', isListed: true, checkedOn: '2026-03-09' }), {
    status: 400,
    json: { errors: [{ path: 'checkedOn' }] },
  });
  t.match(
    await ask('POST', `${phone.replace(/CT-.*/, 'CT-AAAA-AAAA')}/number-checks`, { list: 'reassigned', isListed: true, checkedOn: TODAY }),
    {
      status: 404,
    },
  );
  t.match(
    await ask('POST', '/communicator/number-checks', { list: 'reassigned', checkedOn: TODAY, numbers: [{ number: '12', isListed: true }] }),
    {
      status: 400,
      json: { errors: [{ path: 'numbers[0].number' }] },
    },
  );
});

test('a list of many numbers reaches those that borrowers have, and keeps nothing of the others', async (t) => {
  const { ask, phone, sold } = await openCalled(t);
  const numbers = [
    { number: PHONE.value, isListed: false },
    { number: '+16145550199', isListed: true },
  ];
  const imported = await ask('POST', '/communicator/number-checks', { list: 'nationalDoNotCall', checkedOn: TODAY, numbers });
  t.match(imported, { status: 200, json: { data: { list: 'nationalDoNotCall', checkedOn: TODAY, matched: 1, unmatched: 1 } } });
  t.match(dataOf(await ask('GET', phone)), { numberChecks: [{ list: 'nationalDoNotCall', isListed: false, checkedOn: TODAY }] });
  t.match(await sold(), { result: true });
});

test('a number that was given to somebody else gets no texts until the new consent', async (t) => {
  const { ask, phone } = await openCalled(t);
  const [, , personId, , contactId] = phone.split('/');
  const texted = async (): Promise<Record<string, unknown>> =>
    dataOf(await ask('POST', `/people/${String(personId)}/can-interact`, { channel: 'text', theme: 'opsServicing', contactId }));
  t.match(await texted(), { result: true });
  await ask('POST', `${phone}/number-checks`, { list: 'reassigned', isListed: true, checkedOn: TODAY });
  t.match(await texted(), { result: false, ruleCode: 'US-TEXT-CONSENT' });
  await ask('POST', `${phone}/number-checks`, { list: 'reassigned', isListed: false, checkedOn: TODAY });
  t.match(await texted(), { result: true });
});

test('a call to where all have to agree to its recording is answered with a warning', async (t) => {
  const { warnings } = await openCalled(t);
  t.match(await warnings(), [/home of the borrower is not known/, /nobody record a call unless all who speak agree/]);
});
