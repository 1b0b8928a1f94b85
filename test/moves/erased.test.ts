import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { tenor as run } from '../bench/tenor.js';
import { lineBody } from '../gateway/routes/line-over-http.js';
import { loanBody } from '../service/portfolio.js';
import { Service, TEST_KEY } from '../service/service.js';
import { scratchFolder } from '../temp-folder.js';
import { ENVIRONMENT, exportFolder } from './moving.js';
import { filesBelow, namedBy as disclosedBy, namedIn as disclosedIn, type Trace, traceOf } from './traces.js';

/** Every personal value that is written, in a form that no other text has. */
const VALUES = {
  firstName: 'Wilhelmina',
  middleName: 'Petronella',
  lastName: 'Quimbleford',
  maidenName: 'Ashgrovington',
  externalId: 'crm-quimbleford-1971',
  metaData: 'prefers letters in large print',
  birth: '1971-03-04',
  email: 'wilhelmina@quimbleford.example',
  contactExternalId: 'mailbox-of-mina',
  street: '4711 Larkspur Crescent',
  phone: '2125550187',
  identity: '219099911',
  identityName: 'Seafarers book of Norway',
  holder: 'W Quimbleford Holder',
  nickname: 'Minas household money',
  account: '9988776655443322',
  institution: 'Credit Union of Larkspur',
  instrumentExternalId: 'giro-of-mina',
  instrumentMetaData: 'shared with her daughter',
  card: '4000123400097319',
  check: 'CHK-55512-XQ',
  reference: 'wire of aunt Gerda',
  loanCard: '8642',
  description: 'Letter of the neurologist Dr Plumb',
  fileName: 'plumb-letter.txt',
  documentExternalId: 'scan-of-plumb-77',
  documentMetaData: 'found in the blue folder',
  content: 'She cannot work before the summer.',
  caseName: 'Minas illness of spring',
  caseExternalId: 'file-mina-3',
  caseMetaData: 'ask for the nurse Odette',
  note: 'Her brother Leopold pays',
  message: 'I lost my job at Harrowgate Mills',
  transcript: 'She will sell the caravan',
  callExternalId: 'call-of-mina-12',
  callMetaData: 'dog barks in the background',
  representative: 'Barnabas Thistlewood',
  firm: 'Thistlewood and Daughters',
  representativeMetaData: 'only before noon',
  taskAttribute: 'ring twice at the green gate',
  hit: 'pacer-quimbleford-88',
  userName: 'mina.quimbleford',
  userExternalId: 'portal-of-mina',
  user: 'mina@portal.quimbleford.example',
  loanExternalId: 'loan-of-mina-1',
  loanMetaData: 'for the roof of her mother',
  loanNickname: 'Minas roof',
  paymentExternalId: 'payment-of-mina-5',
  paymentMetaData: 'paid by uncle Ferdinand',
  feeExternalId: 'fee-of-mina-6',
  lineExternalId: 'line-of-mina-8',
  drawExternalId: 'draw-of-mina-9',
  drawMetaData: 'for the wedding in June',
  drawNickname: 'Minas wedding',
  purchaseExternalId: 'purchase-of-mina-10',
  purchaseExternalIdAfter: 'purchase-of-mina-11',
  purchaseMetaData: 'flowers of the garden of Ines',
  detailsMetaData: 'worn at the christening',
  feeReason: 'she was in hospital with Dr Plumb',
  closeReason: 'moves to her son in Bergen',
  declineReason: 'three months behind with the rent',
  declineScript: 'speak of the rent in Larkspur',
  promiseReason: 'her brother pays no more',
  limitReason: 'works at Harrowgate no longer',
  disputeReason: 'her nephew Rufus bought it',
  chargebackText: 'her niece Odile used the card',
  chargebackCase: 'network-case-mina-31',
  replayReason: 'she asked again for her aunt Brunhild',
  oldAccount: 'old-account-mina-55',
} as const;

const FEE_TYPE = { name: { displayName: 'Change fee', apiName: 'change' }, feeType: 'modificationFee', amountLogic: 'fixed', amount: 5 };

const PASSWORD = 'correct horse battery';

/** Four digits in MessagePack, after the byte with their count, and as JSON. */
const digitsStored = (digits: string): readonly string[] => [`\u00a4${digits}`, `"${digits}"`];

const TRACES: readonly Trace[] = [
  ...Object.entries(VALUES).map(([name, value]): Trace => (name === 'loanCard' ? [name, digitsStored(value)] : traceOf(name, value))),
  ['account last four', digitsStored(VALUES.account.slice(-4))],
  ['card last four', digitsStored(VALUES.card.slice(-4))],
];

const namedBy = (texts: readonly string[]): readonly string[] => disclosedBy(TRACES, texts);
const namedIn = (folder: string): readonly string[] => disclosedIn(TRACES, folder);

const signIn = (service: Service): Promise<{ readonly status: number }> =>
  fetch(`${service.url}/api/auth/token?mode=test&userType=borrower`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: VALUES.userName.toUpperCase(), password: PASSWORD }),
  });

test('after an erasure nothing on the disk and no answer names the person', { timeout: 480_000 }, async (t) => {
  const folder = scratchFolder();
  const data = join(folder, 'data');
  let service = await Service.start(data, ENVIRONMENT);
  const company = await service.company();
  const asked: { readonly path: string; readonly body: object; readonly key: string }[] = [];
  const made = async (path: string, body: object): Promise<string> => {
    const key = `key-${asked.length}`;
    asked.push({ path, body, key });
    const answer = await service.ask('POST', path, body, { 'Idempotency-Key': key });
    t.ok(answer.status < 300, `${path} ${answer.status} ${JSON.stringify(answer.json)}`);
    return /"id":"([A-Z]{2}-[^"]+)"/.exec(JSON.stringify(answer.json['data'] ?? answer.json))?.[1] ?? '';
  };
  const v = VALUES;
  const personId = await made('/people', {
    externalId: v.externalId,
    metaData: { hint: v.metaData },
    name: { firstName: v.firstName, middleName: v.middleName, lastName: v.lastName, maidenLastName: v.maidenName },
    dateOfBirth: v.birth,
    identity: { identityType: 'SSN', value: v.identity, issuingCountry: 'US' },
  });
  const own = `/people/${personId}`;
  await made(`${own}/identities`, {
    identityType: 'customID',
    customIdentityTypeName: v.identityName,
    value: v.identity,
    issuingCountry: 'NO',
  });
  const contact = { label: 'personal', affiliation: 'self', status: 'primary', valid: true };
  const emailId = await made(`${own}/contacts`, { ...contact, contactType: 'email', value: v.email });
  const given = await service.ask('PUT', `${own}/contacts/${emailId}`, { externalId: v.contactExternalId });
  t.equal(given.status, 200, JSON.stringify(given.json));
  await made(`${own}/contacts`, { ...contact, contactType: 'phone', value: `+1${v.phone}` });
  await made(`${own}/contacts`, {
    ...contact,
    contactType: 'address',
    label: 'home',
    address: { addressLine1: v.street, city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
  });
  const instruments = `${own}/payment-instruments`;
  const external = { isExternal: true, status: 'active' };
  const checkId = await made(instruments, {
    ...external,
    instrumentType: 'check',
    payerName: v.holder,
    checkNumber: v.check,
    nickname: v.nickname,
    externalId: v.instrumentExternalId,
    metaData: { hint: v.instrumentMetaData },
  });
  await made(instruments, { ...external, instrumentType: 'wire', senderName: v.holder, reference: v.reference });
  const account = { instrumentType: 'bankAccount', accountHolderName: v.holder, institutionName: v.institution };
  const accountId = await made(instruments, { ...external, ...account, accountNumber: v.account });
  const cardId = await made(instruments, { ...external, instrumentType: 'card', cardType: 'debit', cardNumber: v.card });

  const document = { type: 'evidence', description: v.description, fileName: v.fileName };
  const documentId = await made(`${own}/documents`, {
    ...document,
    externalId: v.documentExternalId,
    metaData: { hint: v.documentMetaData },
  });
  const stored = await fetch(`${service.url}/api${own}/documents/${documentId}/content`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'text/plain' },
    body: v.content,
  });
  t.equal(stored.status, 200, await stored.text());
  const caseId = await made(`${own}/cases`, {
    caseType: 'generic',
    description: v.note,
    name: v.caseName,
    externalId: v.caseExternalId,
    metaData: { hint: v.caseMetaData },
  });
  await made(`${own}/cases/${caseId}/notes`, { content: v.message });
  await made(`${own}/interactions`, {
    channel: 'voice',
    subject: 'loanOverdueFirstNotice',
    contactExternalId: v.contactExternalId,
    agentOutcome: 'voiceSpokeWithFirstParty',
    externalId: v.callExternalId,
    metaData: { hint: v.callMetaData },
    content: { to: v.email, transcript: v.transcript },
  });
  await made(`${own}/legal-representatives`, {
    name: { firstName: v.representative, lastName: v.representative },
    firmName: v.firm,
    metaData: { hint: v.representativeMetaData },
  });
  await made(`/companies/${company}/tasks`, { taskType: 'reviewDocumentUpload', personId, attributes: { hint: v.taskAttribute } });
  await made('/monitoring/hits', { personId, kind: 'bankruptcy', externalReference: v.hit, effectiveDate: '2026-01-05' });
  const userId = await made(`${own}/user`, {
    userName: v.userName,
    externalId: v.userExternalId,
    auths: [{ authType: 'basic', authValueType: 'email', value: v.user }],
    password: PASSWORD,
  });
  t.equal((await signIn(service)).status, 200, 'the borrower signs in');

  const loanTypeId = await made(`/companies/${company}/loan-types`, {
    name: 'Personal',
    type: 'installment',
    assetType: 'personalClosedEndUnsecured',
    assetDisplayName: 'Personal loan',
  });
  const loanId = await made(`${own}/loans`, {
    ...loanBody(loanTypeId),
    externalId: v.loanExternalId,
    metaData: { hint: v.loanMetaData },
    nickname: v.loanNickname,
  });
  await made(`${own}/loans/${loanId}/activate`, {});
  const pay = (paymentInstrumentId: string, amount: number, query = ''): Promise<string> =>
    made(`${own}/loans/${loanId}/transactions${query}`, {
      type: 'oneTime',
      amount,
      isExternal: true,
      status: 'succeeded',
      paymentInstrumentId,
    });
  const feeTypeId = await made(`/loan-types/${loanTypeId}/fee-types`, FEE_TYPE);
  const feeId = await made(`${own}/loans/${loanId}/fees`, { feeTypeId, amount: 5, externalId: v.feeExternalId });
  const canceled = await service.ask('PUT', `${own}/loans/${loanId}/fees/${feeId}/cancel`, { reason: v.feeReason });
  t.equal(canceled.status, 200, JSON.stringify(canceled.json));
  await made(`${own}/loans/${loanId}/replay`, { reason: v.replayReason });
  const declinedId = await made(`${own}/loans`, {
    ...loanBody(loanTypeId),
    migration: { creditReporting: { l1Segment: { oldConsumerAccountNumber: v.oldAccount } } },
    status: 'declined',
    declineReason: { mainText: v.declineReason, subReasons: [{ scriptForRep: v.declineScript }] },
  });
  const promises = `${own}/loans/${loanId}/promise-to-pay-plans`;
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const promiseId = await made(promises, { schedule: [{ dueDate: soon, amount: 20 }] });
  await made(`${promises}/${promiseId}/cancel`, { reasonDetails: v.promiseReason });
  await made(`${own}/loans/${loanId}/transactions`, {
    type: 'oneTime',
    amount: 50,
    isExternal: true,
    status: 'succeeded',
    paymentInstrumentId: checkId,
    externalId: v.paymentExternalId,
    metaData: { hint: v.paymentMetaData },
  });
  await pay(`ext-${v.instrumentExternalId}`, 100);
  await pay(checkId, 100);
  const paidId = await pay(accountId, 100);
  const disputed = { description: v.chargebackText, externalCaseNumber: v.chargebackCase };
  await made(`${own}/loans/${loanId}/transactions/${paidId}/chargebacks`, { amount: 10, status: 'lost', ...disputed });
  await pay(cardId, 200_000, '?force=true');

  const lineTypeId = await made(`/companies/${company}/loan-types`, { name: 'Card', type: 'lineOfCredit' });
  const card = { type: 'physicalCard', cardDetails: { status: 'active', cardNumberLastFour: v.loanCard, network: 'visa' } };
  const lineId = await made(`${own}/loans`, lineBody(lineTypeId, { atOrigination: { card } }));
  await made(`${own}/loans/${lineId}/cancel`, {});
  const activeLineId = await made(`${own}/loans`, lineBody(lineTypeId, { externalId: v.lineExternalId }));
  const line = `${own}/loans/${activeLineId}`;
  await made(`${line}/activate`, {});
  const drawn = { externalId: v.drawExternalId, metaData: { hint: v.drawMetaData }, nickname: v.drawNickname };
  const drawId = await made(`${line}/draws`, { status: 'originated', ...drawn });
  await made(`${line}/draws/${drawId}/activate`, {});
  const purchaseId = await made(`${line}/draws/${drawId}/purchases`, {
    amount: 100,
    purchaseDetails: { metadata: { hint: v.detailsMetaData } },
    externalId: v.purchaseExternalId,
    metadata: { hint: v.purchaseMetaData },
  });
  const renamed = { externalId: v.purchaseExternalIdAfter };
  const changed = await service.ask('PUT', `${line}/draws/${drawId}/purchases/${purchaseId}`, renamed);
  t.equal(changed.status, 200, JSON.stringify(changed.json));
  await made(`${line}/draws/${drawId}/purchases/${purchaseId}/disputes`, {
    disputedAmount: 60,
    reason: v.disputeReason,
    createDisputeCase: true,
  });
  await made(`${line}/credit-limit`, { creditLimitAmount: 4000, adverseActionReason: v.limitReason });
  await made(`${line}/transactions?force=true`, {
    type: 'oneTime',
    amount: 200,
    isExternal: true,
    status: 'succeeded',
    paymentInstrumentId: checkId,
  });
  await made(`${line}/close`, { closeReasonDescription: v.closeReason });

  /** Every list and object of the person. */
  const paths = [
    ...['', '/names', '/identities', '/contacts', '/payment-instruments', '/documents', '/cases', '/interactions', '/notes', '/user'],
    ...[
      '/legal-representatives',
      '/monitoring-statuses',
      '/loans',
      `/loans/${loanId}`,
      `/loans/${lineId}`,
      `/loans/${loanId}/transactions`,
      `/loans/${loanId}/fees`,
      `/loans/${loanId}/promise-to-pay-plans`,
      `/loans/${loanId}/transactions/${paidId}/chargebacks`,
      `/loans/${declinedId}`,
      `/loans/${activeLineId}`,
      `/loans/${activeLineId}/draws`,
      `/loans/${activeLineId}/credit-limit`,
      `/loans/${activeLineId}/disputes`,
      `/loans/${activeLineId}/draws/${drawId}/purchases`,
      `/loans/${activeLineId}/draws/${drawId}/purchases/${purchaseId}`,
    ],
    ...[`/loans/${loanId}/transactions/${paidId}`, `/cases/${caseId}`, `/cases/${caseId}/notes`],
  ].map((path) => own + path);
  const everywhere = [
    ...paths,
    ...['/people', `/people/ext-${v.externalId}`, `/people?externalId=${v.externalId}`, '/users?type=borrower', `/users/${userId}`],
    ...['/cases', '/interactions', '/loans', '/transactions', '/events?limit=100', `/people/${personId}/events?limit=100`],
    ...[`/loans/ext-${v.loanExternalId}`, `/loans/${loanId}/events?limit=100`, `/loans/${activeLineId}/events?limit=100`],
    ...['/people/search?q=Quimbleford', `/companies/${company}/tasks`, '/operations'],
  ];
  const answers = async (): Promise<readonly (readonly [string, string])[]> => {
    const found: (readonly [string, string])[] = [];
    for (const path of everywhere) found.push([path, JSON.stringify(await service.ask('GET', path))]);
    return found;
  };
  const namedBefore = new Set((await answers()).flatMap(([, text]) => namedBy([text])));
  for (const name of [
    'externalId',
    'metaData',
    'caseName',
    'callExternalId',
    'documentExternalId',
    'instrumentExternalId',
    'userName',
    'taskAttribute',
    'loanExternalId',
    'loanMetaData',
    'loanNickname',
    'paymentExternalId',
    'paymentMetaData',
    'feeExternalId',
    'drawExternalId',
    'drawMetaData',
    'drawNickname',
    'purchaseExternalIdAfter',
    'purchaseMetaData',
    'feeReason',
    'closeReason',
    'declineReason',
    'promiseReason',
    'limitReason',
    'disputeReason',
    'chargebackText',
    'chargebackCase',
    'oldAccount',
  ])
    t.ok(namedBefore.has(name), `${name} is answered before`);
  for (const name of ['account last four', 'card last four', 'loanCard']) t.ok(namedBefore.has(name), `${name} is answered before`);
  t.match((await service.ask('GET', `/people?externalId=${v.externalId}`)).json, { data: [{ id: personId }] }, 'filters find');
  await service.stop();

  service = await Service.start(data, ENVIRONMENT);
  t.match((await service.ask('GET', `/people/ext-${v.externalId}`)).json, { data: { id: personId, metaData: { hint: v.metaData } } });
  t.match((await service.ask('GET', `${own}/cases/ext-${v.caseExternalId}`)).json, { data: { id: caseId, name: v.caseName } });
  t.equal((await signIn(service)).status, 200, 'the borrower signs in after a restart');
  const person = await service.ask('GET', `/events?personId=${personId}&limit=100`);
  t.match(person.json, { data: [{ externalIds: { personId: v.externalId } }] }, 'events name the borrower');
  await service.stop();
  t.ok(filesBelow(join(data, 'documents')).length > 0, 'a content is stored');
  t.same(namedIn(data), [], 'nothing lies on the disk in clear before the erasure, either');

  t.equal((await run(ENVIRONMENT, 'verify', '--data', data)).code, 0, 'and is sound');

  const outgoing = { channel: 'email', content: { to: v.email } };
  const messages = join(data, 'messages/test', company, 'email');
  mkdirSync(messages, { recursive: true });
  for (const [file, to] of [
    ['IN-1.json', personId],
    ['IN-2.json', 'BO-OTHE-RONE'],
  ] as const)
    writeFileSync(
      join(messages, file),
      JSON.stringify({ ...outgoing, personId: to, ...(to === personId ? {} : { content: {} }) }, null, 2),
    );

  const erased = await run(ENVIRONMENT, 'erase', personId, '--company', company, '--data', data);
  t.equal(erased.code, 0, erased.error);
  t.equal((await run(ENVIRONMENT, 'erase', personId, '--company', company, '--data', data)).code, 0, 'again');
  t.same(readdirSync(messages), ['IN-2.json'], 'messages to others stay');
  t.match(await run(ENVIRONMENT, 'verify', '--data', data), { code: 0 }, 'is sound after the erasure, too');
  const exported = join(folder, 'exported');
  await exportFolder(data, exported, join(folder, 'keys'));
  t.same(filesBelow(join(data, 'documents')), [], 'no ciphertext is left');

  service = await Service.start(data, ENVIRONMENT);
  for (const [path, text] of await answers()) t.same(namedBy([text.replaceAll(`ext-${v.externalId}`, '')]), [], path);
  for (const { path, body, key } of asked) {
    const answer = await service.ask('POST', path, body, { 'Idempotency-Key': key });
    const named = namedBy([JSON.stringify(answer)]);
    t.same(named, [], `a retry of ${path}: ${answer.status}`);
  }
  t.equal((await signIn(service)).status, 401, 'nobody signs in');
  const next = { externalId: v.externalId, name: { firstName: 'Ada', lastName: 'Verde' } };
  t.equal((await service.ask('POST', '/people', next)).status, 200, 'its external id is free');
  await service.stop();

  t.ok(filesBelow(exported).length > 0);
  t.same(namedIn(folder), [], 'nothing lies on the disk, nor in the export');
});
