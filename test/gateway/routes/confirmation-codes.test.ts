import { test } from 'tap';
import { ANN, EMAIL, HOME, PHONE } from '../../actors/borrower/lender.js';
import { dataOf, idOf, openHttpLender } from './http-lender.js';

const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('a code that was sent to a number confirms the number, once', async (t) => {
  const { ask, sent, h } = await openHttpLender(t);
  await ask('POST', '/people', ANN);
  const contacts = '/people/ext-ann-1/contacts';
  const phone = idOf(await ask('POST', contacts, PHONE));
  t.match(await ask('POST', `${contacts}/${phone}/confirmation-codes`), { status: 200, json: { data: { contactId: phone } } });
  t.match(sent, [{ channel: 'text', destination: '+12025550143', purpose: 'contactConfirmation', code: /^\d{6}$/, mode: 'test' }]);
  const code = sent[0]?.code ?? '';
  t.match(await ask('PUT', `${contacts}/${phone}?confirmationCode=${other(code)}`, {}), {
    status: 422,
    json: { errorType: 'confirmationCodeInvalid' },
  });
  t.match(await ask('PUT', `${contacts}/${phone}?confirmationCode=${code}`, {}), { status: 200, json: { data: { verified: true } } });
  t.match(await ask('PUT', `${contacts}/${phone}?confirmationCode=${code}`, {}), { status: 422 });
  t.match(await ask('PUT', `${contacts}/${phone}`, { value: '+12025550144' }), { json: { data: { verified: false } } });
  t.notOk(h.written().includes(code), 'the code lies sealed');
});

test('a code expires after its time and after its attempts', async (t) => {
  const { ask, sent, h } = await openHttpLender(t);
  await ask('POST', '/people', ANN);
  const contacts = '/people/ext-ann-1/contacts';
  const email = idOf(await ask('POST', contacts, EMAIL));
  const send = async (): Promise<string> => {
    await ask('POST', `${contacts}/${email}/confirmation-codes`);
    return sent.at(-1)?.code ?? '';
  };
  const confirm = async (code: string): Promise<number> => (await ask('PUT', `${contacts}/${email}?confirmationCode=${code}`, {})).status;
  const late = await send();
  h.nowMs += 15 * 60_000;
  t.equal(await confirm(late), 422);
  const code = await send();
  for (let wrong = 0; wrong < 5; wrong++) t.equal(await confirm(other(code)), 422);
  t.equal(await confirm(code), 422);
  const third = await send();
  t.match(dataOf(await ask('POST', `${contacts}/${email}/clone?confirmationCode=${third}`, { label: 'work' })), {
    verified: true,
    label: 'work',
  });
});

test('codes are sent to numbers and e-mail addresses only, and are limited', async (t) => {
  const { ask, sent, keys } = await openHttpLender(t);
  await ask('POST', '/people', ANN);
  const contacts = '/people/ext-ann-1/contacts';
  const home = idOf(await ask('POST', contacts, HOME));
  t.match(await ask('POST', `${contacts}/${home}/confirmation-codes`), { status: 409 });
  t.match(await ask('POST', `${contacts}/CT-NONE-NONE/confirmation-codes`), { status: 404 });
  const phone = idOf(await ask('POST', contacts, PHONE));
  for (let sending = 0; sending < 5; sending++) await ask('POST', `${contacts}/${phone}/confirmation-codes`);
  t.match(await ask('POST', `${contacts}/${phone}/confirmation-codes`), { status: 429, headers: { 'retry-after': '3600' } });
  t.equal(sent.length, 5);
  const once = { key: keys.live };
  await ask('POST', '/people', ANN, once);
  const live = idOf(await ask('POST', contacts, PHONE, once));
  t.match(await ask('POST', `${contacts}/${live}/confirmation-codes`, undefined, once), {
    status: 422,
    json: { errorType: 'businessValidation' },
  });
});
