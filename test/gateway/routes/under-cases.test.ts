import { test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { openLoanOverHttp } from './loan-over-http.js';

const PAID = { type: 'oneTime', amount: 10, isExternal: true, status: 'succeeded' };
const REFUSED = { status: 400, json: { errorType: 'validationError', errors: [{ path: 'caseId' }] } };

test('actions for a case name the case, by its id or its external id', async (t) => {
  const { ask, loan, failures } = await openLoanOverHttp(t);
  const caseId = idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic', externalId: 'hardship' }));
  const paid = await ask('POST', `${loan}/transactions`, { ...PAID, caseId: 'ext-hardship' });
  t.match(paid, { status: 201, json: { data: { caseId } } });
  t.match(await ask('POST', `${loan}/freeze`, { caseId }), { status: 200 });
  t.match(listOf(await ask('GET', `${loan}/status-history`))[0], { newStatus: 'frozen', caseId });
  t.match(await ask('GET', `${loan}/activity?types=payment`), { json: { data: [{ caseId }] } });
  for (const name of [caseId, 'ext-hardship']) {
    const events = listOf(await ask('GET', `/events?caseId=${name}&eventType=payment.succeeded,loan.statuschanged`));
    t.match(
      events,
      [
        { eventType: 'loan.statuschanged', caseId },
        { eventType: 'payment.succeeded', caseId, transactionId: idOf(paid) },
      ],
      name,
    );
  }
  t.match(await ask('GET', '/events?caseId=ext-nobody'), { status: 404 });
  t.same(failures, []);
});

test('a case of a person who is not on the loan is refused, and so is a closed case', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } }));
  const bobs = idOf(await ask('POST', `/people/${bob}/cases`, { caseType: 'generic' }));
  for (const caseId of ['CS-AAAA-AAAA', 'ext-nobody', bobs]) {
    t.match(await ask('POST', `${loan}/transactions`, { ...PAID, caseId }), REFUSED, caseId);
    t.match(await ask('POST', `${loan}/accelerate`, { caseId, previewMode: true }), REFUSED, caseId);
  }
  t.match(await ask('GET', `${loan}/transactions`), { json: { total: 0 } });
  t.match(await ask('POST', `${loan}/people`, { personId: bob, loanRelationType: 'coBorrower' }), { status: 201 });
  t.match(await ask('POST', `${loan}/transactions`, { ...PAID, caseId: bobs }), { status: 201, json: { data: { caseId: bobs } } });
  const caseId = await newCase({ ask });
  t.match(await ask('PUT', `/people/ext-ann-1/cases/${caseId}`, { status: 'canceled' }), { status: 200 });
  t.match(await ask('POST', `${loan}/transactions`, { ...PAID, caseId }), {
    status: 409,
    json: { errorType: 'caseClosed', errors: [{ path: 'caseId' }] },
  });
  t.match(await ask('DELETE', `/people/${bob}/cases/${bobs}`), { status: 200 });
  t.match(await ask('POST', `${loan}/transactions`, { ...PAID, caseId: bobs }), REFUSED);
});

test('a payment is sent back as it was read when its case is closed or deleted', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const [canceled, deleted, other] = [await newCase({ ask }), await newCase({ ask }), await newCase({ ask })];
  const caseAt = (id: string): string => `/people/ext-ann-1/cases/${id}`;
  const paid = async (caseId: string): Promise<{ readonly one: string; readonly read: object }> => {
    const one = `${loan}/transactions/${idOf(await ask('POST', `${loan}/transactions`, { ...PAID, caseId }))}`;
    const { operationId: _operation, ...read } = dataOf(await ask('GET', one));
    return { one, read };
  };
  const payments = [
    { caseId: canceled, ...(await paid(canceled)) },
    { caseId: deleted, ...(await paid(deleted)) },
  ] as const;
  for (const id of [canceled, other]) t.match(await ask('PUT', caseAt(id), { status: 'canceled' }), { status: 200 });
  t.match(await ask('DELETE', caseAt(deleted)), { status: 200 });
  for (const { caseId, one, read } of payments) {
    t.match(await ask('PUT', one, read), { status: 200, json: { data: { caseId } } });
    t.match(await ask('PUT', one, read), { status: 200, json: { data: { caseId } } }, 'the payment keeps its case');
    t.match(await ask('PUT', one, { ...read, caseId: other }), { status: 409, json: { errorType: 'caseClosed' } }, 'another closed case');
  }
  const [{ one }] = payments;
  t.match(await ask('POST', `${one}/reverse`, { reason: 'fraud', caseId: canceled }), { status: 409, json: { errorType: 'caseClosed' } });
});

test('the case of a query is checked like that of a body', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const rateId = String(dataOf(await ask('POST', `${loan}/rates`, { interestRate: { annualRate: 0.04 } }))['interestRateId']);
  t.match(await ask('DELETE', `${loan}/rates/${rateId}?caseId=CS-AAAA-AAAA`), REFUSED);
  t.match(await ask('DELETE', `${loan}/rates/${rateId}?caseId=${await newCase({ ask })}`), { status: 200 });
});

test('a deleted case is unknown to writes of personal data', async (t) => {
  const { ask } = await openLoanOverHttp(t);
  const person = '/people/ext-ann-1';
  const caseId = idOf(await ask('POST', `${person}/cases`, { caseType: 'generic' }));
  const firm = { name: { firstName: 'Lee', lastName: 'Gale' }, caseIds: [caseId] };
  const representative = idOf(await ask('POST', `${person}/legal-representatives`, firm));
  t.match(await ask('DELETE', `${person}/cases/${caseId}`), { status: 200 });
  t.match(await ask('PUT', person, { caseId, collectionsIntensity: 'light' }), REFUSED);
  t.match(await ask('PUT', `${person}/consents?caseId=${caseId}`, [{ name: 'emailMarketing', status: 'consented' }]), REFUSED);
  t.match(await ask('POST', `${person}/identities`, { identityType: 'passport', value: 'X1', caseId }), REFUSED);
  t.match(await ask('POST', `${person}/legal-representatives`, firm), { status: 400, json: { errors: [{ path: 'caseIds[0]' }] } });
  const back = await ask('PUT', `${person}/legal-representatives/${representative}`, { firmName: 'Gale LLP', caseIds: [caseId] });
  t.match(back, { status: 200 }, 'what a record names already may be sent back');
});
