// A borrower with a value in every personal field, each in a form that no other text has. People and amounts are invented.

export const VALUES = {
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
  nicknameAfter: 'Minas later money',
  account: '9988776655443322',
  institution: 'Credit Union of Larkspur',
  instrumentExternalId: 'giro-of-mina',
  instrumentExternalIdAfter: 'giro-of-mina-after',
  instrumentMetaData: 'shared with her daughter',
  card: '4000123400097319',
  check: 'CHK-55512-XQ',
  reference: 'wire of aunt Gerda',
  loanCard: '8642',
  description: 'Letter of the neurologist Dr Plumb',
  fileName: 'plumb-letter.txt',
  documentExternalId: 'scan-of-plumb-77',
  documentMetaData: 'found in the blue folder',
  caseName: 'Minas illness of spring',
  caseNameAfter: 'Minas illness of autumn',
  caseExternalId: 'file-mina-3',
  caseExternalIdAfter: 'file-mina-after-3',
  caseMetaData: 'ask for the nurse Odette',
  caseMetaDataAfter: 'ask for the nurse Oda',
  note: 'Her brother Leopold pays',
  message: 'I lost my job at Harrowgate Mills',
  escalation: 'she cried about the letter of May',
  snooze: 'she sits with her father Kasimir',
  transcript: 'She will sell the caravan',
  callExternalId: 'call-of-mina-12',
  callMetaData: 'dog barks in the background',
  representative: 'Barnabas Thistlewood',
  firm: 'Thistlewood and Daughters',
  representativeMetaData: 'only before noon',
  taskAttribute: 'ring twice at the green gate',
  taskReason: 'Leonie has called already',
  hit: 'pacer-quimbleford-88',
  userName: 'mina.quimbleford',
  userExternalId: 'portal-of-mina',
  user: 'mina@portal.quimbleford.example',
  items: 'wedding dress of her sister Roswitha',
  loanExternalId: 'loan-of-mina-1',
  loanMetaData: 'for the roof of her mother',
  loanNickname: 'Minas roof',
  canceledLoan: 'canceled-loan-of-mina',
  paymentExternalId: 'payment-of-mina-5',
  paymentMetaData: 'paid by uncle Ferdinand',
  feeExternalId: 'fee-of-mina-6',
  feeName: 'copies for her lawyer Nepomuk',
  lineExternalId: 'line-of-mina-8',
  drawExternalId: 'draw-of-mina-9',
  drawMetaData: 'for the wedding in June',
  drawNickname: 'Minas wedding',
  purchaseText: 'insulin of the child Balduin',
  merchantName: 'Apotheke zum Einhorn',
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
  reasonCode: 'code-of-mina-99',
  creditReason: 'the agent shouted at her mother',
  creditName: 'sorry, dear Philippa',
  failureReason: 'holder Philippa Zwickl unknown',
  failureDetails: 'her bank wrote that she moved to Graz',
  replayReason: 'she asked again for her aunt Brunhild',
};

const ADDRESS = { addressLine1: VALUES.street, city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' };
const FEE = { name: { displayName: 'Change fee', apiName: 'change' }, feeType: 'modificationFee', amountLogic: 'fixed', amount: 5 };
const COPIES = { name: { displayName: 'Copies', apiName: 'copies' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 5 };

/** Writes the borrower by `ask(method, path, body)`, which answers the data of the reply, and answers the ids of what it has written. */
export async function writePerson(ask) {
  const make = async (path, body) => [await ask('POST', path, body)].flat()[0].id;
  const companyId = (await ask('GET', '/companies'))[0].id;
  const v = VALUES;
  const personId = await make('/people', {
    externalId: v.externalId,
    metaData: { hint: v.metaData },
    name: { firstName: v.firstName, middleName: v.middleName, lastName: v.lastName, maidenLastName: v.maidenName },
    dateOfBirth: v.birth,
    identity: { identityType: 'SSN', value: v.identity, issuingCountry: 'US' },
  });
  const own = `/people/${personId}`;
  const instruments = await writeContacts(ask, make, own);
  const { documentId, caseId } = await writeCases(ask, make, { own, companyId, personId });
  const loans = `${own}/loans`;
  const loanId = await writeLoan(ask, make, { loans, companyId, ...instruments, documentId });
  const line = await writeLine(ask, make, { loans, companyId, ...instruments });
  return { companyId, personId, caseId, documentId, loanId: [loanId, line.loanId], drawId: line.drawId, purchaseId: line.purchaseId };
}

async function writeContacts(ask, make, own) {
  const v = VALUES;
  await make(`${own}/identities`, {
    identityType: 'customID',
    customIdentityTypeName: v.identityName,
    value: v.identity,
    issuingCountry: 'NO',
  });
  const contact = { label: 'personal', affiliation: 'self', status: 'primary', valid: true };
  const emailId = await make(`${own}/contacts`, { ...contact, contactType: 'email', value: v.email });
  await ask('PUT', `${own}/contacts/${emailId}`, { externalId: v.contactExternalId });
  await make(`${own}/contacts`, { ...contact, contactType: 'phone', value: `+1${v.phone}` });
  await make(`${own}/contacts`, { ...contact, contactType: 'address', label: 'home', address: ADDRESS });
  const instruments = `${own}/payment-instruments`;
  const external = { isExternal: true, status: 'active' };
  const checkId = await make(instruments, {
    ...external,
    instrumentType: 'check',
    payerName: v.holder,
    checkNumber: v.check,
    nickname: v.nickname,
    externalId: v.instrumentExternalId,
    metaData: { hint: v.instrumentMetaData },
  });
  await ask('PUT', `${instruments}/${checkId}`, { nickname: v.nicknameAfter, externalId: v.instrumentExternalIdAfter });
  await make(instruments, { ...external, instrumentType: 'wire', senderName: v.holder, reference: v.reference });
  const account = { instrumentType: 'bankAccount', accountHolderName: v.holder, institutionName: v.institution, accountNumber: v.account };
  const accountId = await make(instruments, { ...external, ...account });
  const cardId = await make(instruments, { ...external, instrumentType: 'card', cardType: 'debit', cardNumber: v.card });
  await make(`${own}/user`, {
    userName: v.userName,
    externalId: v.userExternalId,
    auths: [{ authType: 'basic', authValueType: 'email', value: v.user }],
    password: 'correct horse battery',
  });
  return { checkId, accountId, cardId };
}

async function writeCases(ask, make, { own, companyId, personId }) {
  const v = VALUES;
  const documentId = await make(`${own}/documents`, {
    type: 'evidence',
    description: v.description,
    fileName: v.fileName,
    externalId: v.documentExternalId,
    metaData: { hint: v.documentMetaData },
  });
  const caseId = await make(`${own}/cases`, {
    caseType: 'generic',
    description: v.note,
    name: v.caseName,
    externalId: v.caseExternalId,
    metaData: { hint: v.caseMetaData },
  });
  const after = { name: v.caseNameAfter, externalId: v.caseExternalIdAfter, metaData: { hint: v.caseMetaDataAfter } };
  await ask('PUT', `${own}/cases/${caseId}`, after);
  await make(`${own}/cases/${caseId}/notes`, { content: v.message });
  const teamId = await make('/teams', { name: 'Supervisors' });
  await make(`${own}/cases/${caseId}/escalations`, { targetType: 'team', teamId, reason: v.escalation });
  await ask('POST', `${own}/cases/${caseId}/snooze`, { until: '2030-01-05T10:00:00Z', reason: v.snooze });
  await make(`${own}/interactions`, {
    channel: 'voice',
    subject: 'loanOverdueFirstNotice',
    contactExternalId: v.contactExternalId,
    agentOutcome: 'voiceSpokeWithFirstParty',
    externalId: v.callExternalId,
    metaData: { hint: v.callMetaData },
    content: { to: v.email, transcript: v.transcript },
  });
  await make(`${own}/legal-representatives`, {
    name: { firstName: v.representative, lastName: v.representative },
    firmName: v.firm,
    metaData: { hint: v.representativeMetaData },
  });
  const tasks = `/companies/${companyId}/tasks`;
  await make(tasks, { taskType: 'reviewDocumentUpload', personId, attributes: { hint: v.taskAttribute } });
  const taskId = await make(tasks, { taskType: 'reviewDocumentUpload', personId, attributes: {} });
  await ask('POST', `${tasks}/${taskId}/cancel`, { reason: v.taskReason });
  await ask('POST', '/monitoring/hits', { personId, kind: 'bankruptcy', externalReference: v.hit, effectiveDate: '2026-01-05' });
  return { documentId, caseId };
}

/** A loan with payments and fees, which is paid off in the end; a canceled and a declined one. Answers the id of the first. */
async function writeLoan(ask, make, { loans, companyId, checkId, accountId, cardId }) {
  const v = VALUES;
  const product = { name: 'Personal', type: 'installment', assetType: 'personalClosedEndUnsecured', assetDisplayName: 'Personal loan' };
  const loanTypeId = await make(`/companies/${companyId}/loan-types`, product);
  const body = {
    type: 'installment',
    loanTypeId,
    status: 'originated',
    servicedBy: 'creditor',
    newDrawsAllowed: false,
    atOrigination: {
      amountFinanced: 100_000,
      duration: 120,
      paymentFrequency: 'monthly',
      specificDays: [15],
      interestRates: [{ interestType: 'absolute', days: null, rate: 0 }],
      personAddress: ADDRESS,
      originationLicense: 'stateLicense',
      originatingCreditorName: 'First Lender',
      itemsOrServicesFinanced: v.items,
    },
  };
  const named = { externalId: v.loanExternalId, metaData: { hint: v.loanMetaData }, nickname: v.loanNickname };
  const loanId = await make(loans, { ...body, ...named });
  const loan = `${loans}/${loanId}`;
  await ask('POST', `${loan}/activate`, {});
  const canceledId = await make(loans, { ...body, externalId: v.canceledLoan });
  await ask('POST', `${loans}/${canceledId}/cancel`, {});
  const declineReason = { mainText: v.declineReason, subReasons: [{ scriptForRep: v.declineScript }] };
  await make(loans, { ...body, status: 'declined', declineReason });
  const feeTypeId = await make(`/loan-types/${loanTypeId}/fee-types`, FEE);
  await make(`/loan-types/${loanTypeId}/fee-types`, COPIES);
  const feeId = await make(`${loan}/fees`, { feeTypeId, amount: 5, externalId: v.feeExternalId });
  await ask('PUT', `${loan}/fees/${feeId}/cancel`, { reason: v.feeReason });
  await make(`${loan}/fees`, { apiName: 'copies', amount: 5, customDisplayName: v.feeName });
  await ask('POST', `${loan}/replay`, { reason: v.replayReason });
  const dueDate = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const promiseId = await make(`${loan}/promise-to-pay-plans`, { schedule: [{ dueDate, amount: 20 }] });
  await ask('POST', `${loan}/promise-to-pay-plans/${promiseId}/cancel`, { reasonDetails: v.promiseReason });
  const payment = { type: 'oneTime', isExternal: true, status: 'succeeded' };
  const pay = (more, query = '') => make(`${loan}/transactions${query}`, { ...payment, ...more });
  const own = { externalId: v.paymentExternalId, metaData: { hint: v.paymentMetaData } };
  await pay({ amount: 50, paymentInstrumentId: checkId, ...own });
  const paidId = await pay({ amount: 100, paymentInstrumentId: accountId });
  const disputed = { description: v.chargebackText, externalCaseNumber: v.chargebackCase, reasonCode: v.reasonCode };
  await make(`${loan}/transactions/${paidId}/chargebacks`, { amount: 10, status: 'lost', ...disputed });
  const credit = { type: 'courtesy', reason: v.creditReason, displayName: v.creditName };
  await make(`${loan}/transactions`, { type: 'serviceCredit', amount: 3, serviceCreditDetails: credit });
  const pendingId = await pay({ amount: 40, status: 'pending', paymentInstrumentId: accountId });
  const why = { processorFailureReason: v.failureReason, processorFailureDetails: v.failureDetails };
  await ask('PUT', `${loan}/transactions/${pendingId}`, { status: 'failed', failureReason: 'paymentStopped', ...why });
  await pay({ amount: 200_000, paymentInstrumentId: cardId }, '?force=true');
  return loanId;
}

/** A line with a card that is canceled, and one with a draw and a purchase that is paid and closed in the end. */
async function writeLine(ask, make, { loans, companyId, checkId }) {
  const v = VALUES;
  const loanTypeId = await make(`/companies/${companyId}/loan-types`, { name: 'Card', type: 'lineOfCredit' });
  const body = (more, terms) => ({
    type: 'lineOfCredit',
    loanTypeId,
    status: 'originated',
    servicedBy: 'creditor',
    newDrawsAllowed: true,
    atOrigination: {
      creditLimitAmount: 5000,
      paymentFrequency: 'monthly',
      specificDays: [15],
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.18 }],
      personAddress: ADDRESS,
      originationLicense: 'stateLicense',
      originatingCreditorName: 'First Lender',
      ...terms,
    },
    ...more,
  });
  const card = { type: 'physicalCard', cardDetails: { status: 'active', cardNumberLastFour: v.loanCard, network: 'visa' } };
  const canceledId = await make(loans, body({}, { card }));
  await ask('POST', `${loans}/${canceledId}/cancel`, {});
  const loanId = await make(loans, body({ externalId: v.lineExternalId }));
  const line = `${loans}/${loanId}`;
  await ask('POST', `${line}/activate`, {});
  const drawn = { externalId: v.drawExternalId, metaData: { hint: v.drawMetaData }, nickname: v.drawNickname };
  const drawId = await make(`${line}/draws`, { status: 'originated', drawType: 'regularPurchase', ...drawn });
  await ask('POST', `${line}/draws/${drawId}/activate`, {});
  const purchases = `${line}/draws/${drawId}/purchases`;
  const purchaseId = await make(purchases, {
    amount: 100,
    purchaseDetails: { description: v.purchaseText, merchantName: v.merchantName, metadata: { hint: v.detailsMetaData } },
    externalId: v.purchaseExternalId,
    metadata: { hint: v.purchaseMetaData },
  });
  await ask('PUT', `${purchases}/${purchaseId}`, { externalId: v.purchaseExternalIdAfter });
  await make(`${purchases}/${purchaseId}/disputes`, { disputedAmount: 60, reason: v.disputeReason });
  await ask('POST', `${line}/credit-limit`, { creditLimitAmount: 4000, adverseActionReason: v.limitReason });
  const payment = { type: 'oneTime', amount: 200, isExternal: true, status: 'succeeded', paymentInstrumentId: checkId };
  await make(`${line}/transactions?force=true`, payment);
  await ask('POST', `${line}/close`, { closeReasonDescription: v.closeReason });
  return { loanId, drawId, purchaseId };
}
