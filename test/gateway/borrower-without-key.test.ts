import { test } from 'tap';
import { lineBody } from './routes/line-over-http.js';
import { idOf, openHttpLender } from './routes/http-lender.js';

/*
 * After a data key was lost and given up, writes of personal data are refused with the reason, and all other requests work.
 */

const NAME = { firstName: 'Ada', lastName: 'Verde' };
const CONTACT = { contactType: 'email', label: 'personal', status: 'primary', value: 'ada@verde.example' };

test('a write that needs an erased data key is answered 409 with the reason', async (t) => {
  const { h, company, ask } = await openHttpLender(t);
  const person = idOf(await ask('POST', '/people', { name: NAME, externalId: 'ada-1' }));
  const own = `/people/${person}`;
  const contact = idOf(await ask('POST', `${own}/contacts`, CONTACT));
  const caseId = idOf(await ask('POST', `${own}/cases`, { caseType: 'generic' }));
  const lineTypeId = idOf(await ask('POST', `/companies/${company}/loan-types`, { name: 'Card', type: 'lineOfCredit' }));
  await h.keys.destroy(person);

  const address = { addressLine1: '4 Mill Lane', city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' };
  const user = { userName: 'ada.verde', auths: [{ authType: 'basic', authValueType: 'email', value: CONTACT.value }] };
  const refused: readonly (readonly [method: string, path: string, body: object])[] = [
    ['PUT', own, { name: NAME }],
    ['PUT', own, { dateOfBirth: '1980-01-02' }],
    ['PUT', own, { externalId: 'ada-2' }],
    ['PUT', own, { metaData: { hint: 'large print' } }],
    ['POST', `${own}/names`, NAME],
    ['POST', `${own}/contacts`, { ...CONTACT, value: 'ada.verde@verde.example' }],
    ['PUT', `${own}/contacts/${contact}`, { value: 'ada.verde@verde.example' }],
    ['POST', `${own}/identities`, { identityType: 'SSN', value: '219099911', issuingCountry: 'US' }],
    ['POST', `${own}/documents`, { type: 'evidence', description: 'a letter' }],
    ['POST', `${own}/legal-representatives`, { name: NAME }],
    ['POST', `${own}/payment-instruments`, { instrumentType: 'check', isExternal: true, status: 'active', payerName: 'Ada Verde' }],
    ['POST', `${own}/notes`, { content: 'rings at noon' }],
    ['POST', `${own}/cases`, { caseType: 'generic', description: 'a flood' }],
    ['POST', `${own}/cases`, { caseType: 'generic', name: 'the flood of Ada' }],
    ['PUT', `${own}/cases/${caseId}`, { externalId: 'case-of-ada' }],
    ['POST', `${own}/interactions`, { channel: 'voice', subject: 'loanOverdueFirstNotice', metaData: { hint: 'dog barks' } }],
    ['POST', `${own}/user`, user],
    ['POST', `${own}/loans`, lineBody(lineTypeId, { atOrigination: { personAddress: address } })],
    ['POST', `${own}/loans`, lineBody(lineTypeId, { externalId: 'line-of-ada' })],
  ];
  for (const [method, path, body] of refused) {
    const answer = await ask(method, path, body);
    const asked = `${method} ${path} ${JSON.stringify(body)}`;
    t.match(answer, { status: 409, json: { errorType: 'invalidState', detail: `Personal data of ${person} cannot be recorded` } }, asked);
  }
  t.match(await ask('PUT', own, { collectionsIntensity: 'light' }), { status: 200, json: { data: { collectionsIntensity: 'light' } } });
  t.match(await ask('POST', `${own}/cases`, { caseType: 'generic' }), { status: 200 }, 'what is not personal is done');
  t.strictSame(h.reports, []);
});
