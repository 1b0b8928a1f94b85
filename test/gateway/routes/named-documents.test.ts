import { test } from 'tap';
import { ACCOUNT, ANN } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, signedDocument } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

const PERSON = '/people/ext-ann-1';
const BOB = '/people/ext-bob';

test('actions on a loan name documents of its borrowers by either id, and keep the service id', async (t) => {
  const { ask, loan, paymentInstrumentId, documentId } = await open(t);
  const plan = await ask('POST', `${loan}/autopay`, { paymentInstrumentId, agreementDocumentId: 'ext-paper' });
  t.equal(dataOf(plan)['agreementDocumentId'], documentId);
  const other = await signedDocument(ask);
  const changed = await ask('PUT', `${loan}/autopay`, { paymentInstrumentId, agreementDocumentId: other });
  t.equal(dataOf(changed)['agreementDocumentId'], other);
  const body = { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1 };
  const paid = await ask('POST', `${loan}/transactions`, { ...body, evidenceDocumentId: 'ext-paper', consentDocumentId: other });
  t.match(dataOf(paid), { evidenceDocumentId: documentId, consentDocumentId: other });
  t.match(await ask('PUT', `${loan}/transactions/${idOf(paid)}`, { consentDocumentId: 'ext-paper' }), {
    json: { data: { evidenceDocumentId: documentId, consentDocumentId: documentId } },
  });
  await ask('PUT', `${loan}/expected-payments`, { dueDatesFrequency: 'monthly', specificDays: [20], agreementDocumentId: 'ext-paper' });
  t.match(listOf(await ask('GET', `${loan}/schedule-modifications`)), [{ agreementDocumentId: documentId }]);
});

test('actions on a loan refuse documents that are not there, or are of somebody who is not on the loan', async (t) => {
  const { ask, loan, loanId, paymentInstrumentId, bobsDocument } = await open(t);
  const payment = { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1 };
  const dates = { dueDatesFrequency: 'monthly', specificDays: [20] };
  const paid = idOf(await ask('POST', `${loan}/transactions`, payment));
  for (const id of ['ext-none', 'DD-AAAA-AAAA', loanId, bobsDocument]) {
    const actions = [
      ['POST', `${loan}/autopay`, 'agreementDocumentId', { paymentInstrumentId }],
      ['PUT', `${loan}/expected-payments`, 'agreementDocumentId', dates],
      ['POST', `${loan}/transactions`, 'evidenceDocumentId', payment],
      ['POST', `${loan}/transactions`, 'consentDocumentId', payment],
      ['PUT', `${loan}/transactions/${paid}`, 'evidenceDocumentId', {}],
    ] as const;
    for (const [method, path, field, body] of actions)
      t.match(await ask(method, path, { ...body, [field]: id }), { status: 400, json: { errors: [{ path: field }] } }, `${path} ${id}`);
  }
  t.match(await ask('POST', `${loan}/people`, { personId: 'ext-bob', loanRelationType: 'coBorrower' }), { status: 201 });
  t.match(await ask('PUT', `${loan}/transactions/${paid}`, { evidenceDocumentId: bobsDocument }), { status: 200 });
});

test('a task names what it is about by either id, and only what is of its borrower', async (t) => {
  const { ask, company, documentId, bobsDocument } = await open(t);
  const contact = { channel: 'email', direction: 'outbound', subject: 'freeForm', theme: 'opsServicing', status: 'attempted' };
  const interactionId = idOf(await ask('POST', `${PERSON}/interactions`, { ...contact, externalId: 'mail' }));
  const noteId = idOf(await ask('POST', `${PERSON}/notes`, { content: 'called' }));
  const supercaseId = idOf(await ask('POST', '/supercases', { name: 'Storm', supercaseType: 'generic' }));
  const bobsCase = idOf(await ask('POST', `${BOB}/cases`, { caseType: 'generic' }));
  const tasks = `/companies/${company}/tasks`;
  const about = { taskType: 'reviewCaseInstructions', personId: 'ext-ann-1' };
  const made = await ask('POST', tasks, { ...about, interactionId: 'ext-mail', documentId: 'ext-paper', noteId, supercaseId });
  t.match(dataOf(made), { interactionId, documentId, noteId, supercaseId });
  const wrong = {
    interactionId: ['ext-none', 'IN-AAAA-AAAA', idOf(await ask('POST', `${BOB}/interactions`, contact))],
    documentId: ['ext-none', 'DD-AAAA-AAAA', bobsDocument],
    noteId: ['NO-AAAA-AAAA', idOf(await ask('POST', `${BOB}/notes`, { content: 'called' }))],
    supercaseId: ['SC-AAAA-AAAA'],
    caseId: [bobsCase],
  };
  for (const [field, ids] of Object.entries(wrong))
    for (const id of ids)
      t.match(await ask('POST', tasks, { ...about, [field]: id }), { status: 400, json: { errors: [{ path: field }] } }, `${field} ${id}`);
});

test('the content of an interaction names documents of its borrower by either id, and keeps the service id', async (t) => {
  const { ask, documentId, bobsDocument } = await open(t);
  const call = { channel: 'voice', subject: 'freeForm', theme: 'opsServicing', status: 'attempted' };
  const letter = { ...call, channel: 'mail' };
  const email = { ...call, channel: 'email' };
  const path = `${PERSON}/interactions`;
  const made = await ask('POST', path, { ...call, content: { recordingDocumentId: 'ext-paper' } });
  t.match(dataOf(made)['content'], { recordingDocumentId: documentId });
  const sent = await ask('POST', path, { ...email, content: { attachments: ['ext-paper'] } });
  t.match(dataOf(sent)['content'], { attachments: [documentId] });
  for (const id of ['ext-none', 'DD-AAAA-AAAA', bobsDocument]) {
    const bodies = [
      ['content.recordingDocumentId', { ...call, content: { recordingDocumentId: id } }],
      ['content.documentId', { ...letter, content: { documentId: id } }],
      ['content.attachments[1]', { ...email, content: { attachments: ['ext-paper', id] } }],
    ] as const;
    for (const [field, body] of bodies)
      t.match(await ask('POST', path, body), { status: 400, json: { errors: [{ path: field }] } }, `${field} ${id}`);
    const change = await ask('PUT', `${path}/${idOf(made)}`, { content: { recordingDocumentId: id } });
    t.match(change, { status: 400, json: { errors: [{ path: 'content.recordingDocumentId' }] } });
  }
  await ask('DELETE', `${PERSON}/documents/${documentId}`);
  const echo = await ask('PUT', `${path}/${idOf(made)}`, { content: { recordingDocumentId: documentId, durationSeconds: 9 } });
  t.match(dataOf(echo)['content'], { recordingDocumentId: documentId, durationSeconds: 9 });
});

/** Ann's loan, account and document, and Bob's document. */
async function open(t: Parameters<typeof openLoanOverHttp>[0]) {
  const lender = await openLoanOverHttp(t);
  const { ask, loan } = lender;
  await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } });
  const account = await ask('POST', `${PERSON}/payment-instruments?force=true`, { ...ACCOUNT, verified: true });
  return {
    ...lender,
    loanId: loan.split('/').at(-1) ?? '',
    paymentInstrumentId: String(listOf(account)[0]?.['id']),
    documentId: (await ask('POST', `${PERSON}/documents`, { type: 'other', externalId: 'paper' })).json['id'],
    bobsDocument: await signedDocument(ask, BOB),
  };
}
