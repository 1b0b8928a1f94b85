import { test } from 'tap';
import { ANN, EMAIL } from '../../../actors/borrower/lender.js';
import { dataOf, idOf } from '../http-lender.js';
import { lineBody } from '../line-over-http.js';
import { openPurchases } from '../purchases-over-http.js';

const BOB = '/people/ext-bob';

test('fields of a case that name objects take either id, and keep the service id', async (t) => {
  const { ask, person, line, draw } = await open(t);
  const documentId = (await ask('POST', `${person}/documents`, { type: 'other', externalId: 'orders' })).json['id'];
  const contactId = idOf(await ask('POST', `${person}/contacts`, { ...EMAIL, externalId: 'estate' }));
  const purchaseId = idOf(await ask('POST', `${draw}/purchases`, { amount: 100, externalId: 'shoes' }));
  const dispute = { externalId: 'd-1', disputedAmount: 60, reason: 'unauthorized', createDisputeCase: false };
  const purchaseDisputeId = idOf(await ask('POST', `${draw}/purchases/${purchaseId}/disputes`, dispute));
  t.match(await ask('PUT', line, { externalId: 'line' }), { status: 200 });
  const loanId = line.split('/').at(-1) ?? '';
  const cases: readonly (readonly [caseType: string, sent: object, kept: object])[] = [
    ['bankruptcy', { loansIncluded: ['ext-line', loanId] }, { loansIncluded: [loanId] }],
    ['militaryDuty', { certificateDocumentId: 'ext-orders' }, { certificateDocumentId: documentId }],
    [
      'deceased',
      { deathCertificateDocumentId: 'ext-orders', estateRepresentativeContactId: 'ext-estate' },
      { deathCertificateDocumentId: documentId, estateRepresentativeContactId: contactId },
    ],
    ['disputeOfPurchase', { purchaseIds: ['ext-shoes'], purchaseDisputeId: 'ext-d-1' }, { purchaseIds: [purchaseId], purchaseDisputeId }],
  ];
  for (const [caseType, sent, kept] of cases) {
    const made = await ask('POST', `${person}/cases`, { caseType, ...sent });
    t.match(dataOf(made), kept, caseType);
    const later = `${person}/cases/${idOf(await ask('POST', `${person}/cases`, { caseType }))}`;
    t.match(await ask('PUT', later, sent), { status: 200, json: { data: kept } }, `${caseType}, updated`);
  }
});

test('fields of a case refuse what is not there, and objects of another borrower', async (t) => {
  const { ask, person, otherLoan } = await open(t);
  const other = {
    documentId: String((await ask('POST', `${BOB}/documents`, { type: 'other' })).json['id']),
    contactId: idOf(await ask('POST', `${BOB}/contacts`, { ...EMAIL, value: 'bob@example.com' })),
  };
  const wrong: readonly (readonly [caseType: string, field: string, ids: readonly string[]])[] = [
    ['bankruptcy', 'loansIncluded', ['ext-none', 'LN-AAAA-AAAA', otherLoan, other.documentId]],
    ['militaryDuty', 'certificateDocumentId', ['ext-none', 'DD-AAAA-AAAA', other.documentId]],
    ['deceased', 'deathCertificateDocumentId', ['ext-none', 'DD-AAAA-AAAA', other.documentId]],
    ['deceased', 'estateRepresentativeContactId', ['ext-none', 'CT-AAAA-AAAA', other.contactId]],
    ['collection', 'promiseToPayPlanId', ['ext-none', 'PY-AAAA-AAAA', otherLoan]],
    ['disputeOfPurchase', 'purchaseIds', ['ext-none', 'PU-AAAA-AAAA', otherLoan]],
    ['disputeOfPurchase', 'purchaseDisputeId', ['ext-none', 'PD-AAAA-AAAA']],
    ['creditBureauDispute', 'creditAgencyId', ['ext-none', 'CA-AAAA-AAAA']],
  ];
  for (const [caseType, field, ids] of wrong) {
    const known = `${person}/cases/${idOf(await ask('POST', `${person}/cases`, { caseType }))}`;
    const isList = field === 'loansIncluded' || field === 'purchaseIds';
    for (const id of ids) {
      const refused = { status: 400, json: { errors: [{ path: isList ? `${field}[0]` : field }] } };
      const body = { [field]: isList ? [id] : id };
      t.match(await ask('PUT', known, body), refused, `${field} ${id}`);
      if (caseType !== 'collection') t.match(await ask('POST', `${person}/cases`, { caseType, ...body }), refused, `${field} ${id}, new`);
    }
  }
});

test('the stay of a bankruptcy stays on its loan when the external id goes to another loan', async (t) => {
  const { ask, person, line, otherLoan } = await open(t);
  await ask('PUT', line, { externalId: 'in-court' });
  const made = await ask('POST', `${person}/cases`, { caseType: 'bankruptcy', loansIncluded: ['ext-in-court'] });
  const loanId = line.split('/').at(-1) ?? '';
  await ask('PUT', line, { externalId: 'renamed' });
  t.match(await ask('PUT', `${BOB}/loans/${otherLoan}`, { externalId: 'in-court' }), { status: 200 });
  t.match(await ask('GET', `${person}/cases/${idOf(made)}`), { json: { data: { loansIncluded: [loanId] } } });
});

/** A borrower with a line, and another borrower with a loan. */
async function open(t: Parameters<typeof openPurchases>[0]) {
  const lender = await openPurchases(t);
  const { ask, line, loanTypeId } = lender;
  await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } });
  const made = await ask('POST', `${BOB}/loans`, lineBody(loanTypeId, {}));
  return { ...lender, person: line.replace(/\/loans\/.*/, ''), otherLoan: idOf(made) };
}
