import { test } from 'tap';
import { chooseContact, faultOfContact, needsContact } from '../../../engine/index.js';
import { email, letterbox, phone } from './situations.js';

test('1.5: an e-mail goes to a valid own address, primary before secondary before additional', async (t) => {
  const [first, second, third] = [
    email({ id: 'first' }),
    email({ id: 'second', status: 'secondary' }),
    email({ id: 'third', status: 'additional' }),
  ];
  t.equal(chooseContact([third, second, first], 'email')?.id, 'first');
  t.equal(chooseContact([third, second, { ...first, valid: false }], 'email')?.id, 'second');
  t.equal(chooseContact([third, { ...first, affiliation: 'spouse', authorizedThirdParty: true }], 'email')?.id, 'third', 'own ones alone');
  t.equal(chooseContact([{ ...first, status: 'archived' as const }], 'email'), null);
  t.equal(chooseContact([], 'email'), null);
});

test('1.5: a text goes to a personal phone that receives texts', async (t) => {
  const own = phone();
  t.equal(chooseContact([own], 'text'), own);
  t.equal(chooseContact([{ ...own, receiveTextMessages: false }], 'text'), null);
  t.equal(chooseContact([{ ...own, label: 'home' as const }], 'text'), null);
  t.equal(chooseContact([{ ...own, phoneDisconnectionDetails: { disconnectionStatus: 'disconnected' as const } }], 'text'), null);
});

test('1.5: a letter goes home before it goes to work, whatever the status', async (t) => {
  const work = letterbox({ id: 'work', label: 'work' });
  const home = letterbox({ id: 'home', status: 'additional' });
  t.equal(chooseContact([work, home], 'mail')?.id, 'home');
  t.equal(chooseContact([work], 'mail')?.id, 'work');
  t.equal(chooseContact([{ ...work, label: 'military' as const }], 'mail'), null);
});

test('1.5: a call goes by status, then personal, home, work', async (t) => {
  const work = phone(undefined, { id: 'work', label: 'work' });
  const home = phone(undefined, { id: 'home', label: 'home' });
  const personal = phone(undefined, { id: 'personal', status: 'secondary' });
  t.equal(chooseContact([work, personal, home], 'voice')?.id, 'home');
  t.equal(chooseContact([work, personal], 'voice')?.id, 'work');
});

test('1.5: a named contact has to be usable, too', async (t) => {
  t.equal(faultOfContact(phone(), 'voice'), null);
  t.equal(faultOfContact(phone(), 'email'), 'wrongType');
  t.equal(faultOfContact(phone(), null), null);
  t.equal(faultOfContact(phone(undefined, { valid: false }), 'voice'), 'invalid');
  t.equal(faultOfContact(phone(undefined, { status: 'archived' }), 'voice'), 'archived');
  t.equal(
    faultOfContact(phone(undefined, { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected' } }), 'voice'),
    'disconnected',
  );
  t.equal(faultOfContact(phone(undefined, { affiliation: 'spouse' }), 'voice'), 'thirdParty');
  t.equal(faultOfContact(phone(undefined, { affiliation: 'spouse', authorizedThirdParty: true }), 'voice'), null);
  t.equal(faultOfContact(phone(undefined, { affiliation: 'attorney', powerOfAttorney: true }), 'voice'), null);
});

test('a chat, a portal and a document need no contact', async (t) => {
  t.strictSame((['voice', 'email', 'text', 'mail', 'chat', 'gui', 'document'] as const).map(needsContact), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
