import { type Test, test } from 'tap';
import { ACCOUNT, ANN } from '../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, signedDocument } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp } from './loan-over-http.js';

interface Setting extends LoanOverHttp {
  /** Of the borrower. */
  readonly account: string;
  enrol(loan: string, account?: string): Promise<void>;
  schedule(loan: string, date: string, account?: string): Promise<string>;
  openCase(body: object, person?: string): Promise<string>;
  /** Status and reason of the newest plan. */
  plan(loan: string): Promise<unknown>;
}

/** Ann's loan, due on the 15th from 2026-03-15, and her account. */
async function open(t: Test): Promise<Setting> {
  const lender = await openLoanOverHttp(t);
  const { ask } = lender;
  const account = String(
    listOf(await ask('POST', '/people/ext-ann-1/payment-instruments?force=true', { ...ACCOUNT, verified: true }))[0]?.['id'],
  );
  return {
    ...lender,
    account,
    enrol: async (loan, paymentInstrumentId = account) => {
      t.match(await ask('POST', `${loan}/autopay`, { paymentInstrumentId, agreementDocumentId: await signedDocument(ask) }), {
        status: 200,
      });
    },
    schedule: async (loan, scheduledDate, instrumentId = account) => {
      const made = await ask('POST', `${loan}/transactions`, {
        type: 'oneTime',
        amount: 25,
        paymentInstrumentId: instrumentId,
        scheduledDate,
      });
      t.match(made, { status: 201, json: { data: { status: 'scheduled' } } });
      return `${loan}/transactions/${idOf(made)}`;
    },
    openCase: async (body, person = 'ext-ann-1') => {
      const made = await ask('POST', `/people/${person}/cases`, body);
      t.match(made, { status: 200 });
      return idOf(made);
    },
    plan: async (loan) => {
      const present = await ask('GET', `${loan}/autopay`);
      return present.status === 200 ? dataOf(present) : listOf(await ask('GET', `${loan}/autopay/history`))[0];
    },
  };
}

test('a bankruptcy ends autopay and scheduled payments at once, and no more debits are made', async (t) => {
  const { ask, loan, enrol, schedule, openCase, plan, goTo, emitted, failures } = await open(t);
  await enrol(loan);
  const planned = await schedule(loan, '2026-03-10');
  const caseId = await openCase({ caseType: 'bankruptcy', courtCaseChapter: 'chapter7' });
  t.match(await plan(loan), { status: 'canceled', cancelReason: 'bankruptcy' });
  t.match(await ask('GET', planned), { json: { data: { status: 'canceled', cancelReason: 'bankruptcy' } } });
  t.match(await ask('GET', `/events?caseId=${caseId}&eventType=autopay.schedule.cancel`), { json: { count: 1 } });
  t.match(await ask('GET', loan), { json: { data: { current: { autopayEnabled: false } } } });
  t.match(await emitted('autopay.schedule.cancel'), [{ cancelReason: 'bankruptcy' }]);
  await goTo('2026-04-20');
  t.match(await ask('GET', `${loan}/transactions?status=initiated,pending,succeeded`), { json: { total: 0 } });
  t.same(failures, []);
});

test('payments that the borrower agrees to after the petition stay', async (t) => {
  const { ask, loan, enrol, openCase, schedule, plan, goTo } = await open(t);
  const caseId = await openCase({ caseType: 'bankruptcy', courtCaseFiledDate: '2026-02-20' });
  await enrol(loan);
  const planned = await schedule(loan, '2026-03-10');
  t.match(await ask('PUT', `/people/ext-ann-1/cases/${caseId}`, { courtCaseChapter: 'chapter13' }), { status: 200 });
  t.match(await ask('PUT', `/people/ext-ann-1/cases/${caseId}`, { status: 'processing' }), { status: 200 });
  t.match(await plan(loan), { status: 'active' });
  await openCase({ caseType: 'bankruptcy', courtCaseFiledDate: '2026-02-25' });
  t.match(await plan(loan), { status: 'active' }, 'agreed on after the day of the petition, though before it was known');
  await goTo('2026-03-11');
  t.match(await ask('GET', planned), { json: { data: { status: /initiated|pending/ } } });
});

test('a case stops collecting only on the loans that it is about', async (t) => {
  const { loan, active, enrol, openCase, plan, ask } = await open(t);
  const [other, third] = [await active(), await active({ externalId: 'third' })];
  for (const each of [loan, other, third]) await enrol(each);
  const idOfPath = (path: string): string => path.split('/').at(-1) ?? '';
  const caseId = await openCase({ caseType: 'bankruptcy', loanIds: [idOfPath(other)] });
  t.match([await plan(loan), await plan(other)], [{ status: 'active' }, { status: 'canceled' }]);
  t.match(await ask('POST', `/people/ext-ann-1/cases/${caseId}/associations`, { loanId: idOfPath(loan) }), { status: 200 });
  t.match([await plan(loan), await plan(third)], [{ status: 'canceled', cancelReason: 'bankruptcy' }, { status: 'active' }]);
  t.match(await ask('PUT', `/people/ext-ann-1/cases/${caseId}`, { loansIncluded: ['ext-third'] }), { status: 200 });
  t.match(await plan(third), { status: 'canceled', cancelReason: 'bankruptcy' });
});

test('a death ends debits from the account of the deceased, and keeps those from the account of another payer', async (t) => {
  const { ask, loan, active, enrol, schedule, openCase, plan } = await open(t);
  const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } }));
  const bobs = String(
    listOf(await ask('POST', `/people/${bob}/payment-instruments?force=true`, { ...ACCOUNT, verified: true }))[0]?.['id'],
  );
  const other = await active();
  t.match(await ask('POST', `${other}/people`, { personId: bob, loanRelationType: 'coBorrower' }), { status: 201 });
  await enrol(loan);
  await enrol(other, bobs);
  const planned = await schedule(loan, '2026-03-10');
  await openCase({ caseType: 'deceased' });
  t.match([await plan(loan), await plan(other)], [{ status: 'canceled', cancelReason: 'deceased' }, { status: 'active' }]);
  t.match(await ask('GET', planned), { json: { data: { status: 'canceled', cancelReason: 'borrowerDeceased' } } });
});

for (const [chapter, status] of [
  ['chapter7', 'active'],
  ['chapter11', 'active'],
  ['chapter12', 'canceled'],
  ['chapter13', 'canceled'],
  ['unknown', 'canceled'],
] as const) {
  test(`a bankruptcy under ${chapter} leaves the plan of a co-borrower's own account ${status}`, async (t) => {
    const { ask, loan, enrol, openCase, plan } = await open(t);
    const bob = idOf(await ask('POST', '/people', { ...ANN, externalId: 'bob', identity: { identityType: 'SSN', value: '219-09-9998' } }));
    const bobs = String(
      listOf(await ask('POST', `/people/${bob}/payment-instruments?force=true`, { ...ACCOUNT, verified: true }))[0]?.['id'],
    );
    t.match(await ask('POST', `${loan}/people`, { personId: bob, loanRelationType: 'coBorrower' }), { status: 201 });
    await enrol(loan, bobs);
    await openCase({ caseType: 'bankruptcy', courtCaseChapter: chapter });
    t.match(await plan(loan), { status });
  });
}

test('a bankruptcy that monitoring reports stops collecting like one that an agent enters, and so does a reopened case', async (t) => {
  const { ask, company, loan, enrol, plan } = await open(t);
  await ask('PUT', `/companies/${company}`, { bankruptcyPolicy: true });
  await enrol(loan);
  const hit = {
    kind: 'bankruptcy',
    externalReference: 'PACER-77',
    effectiveDate: '2026-03-02',
    details: { courtCaseChapter: 'chapter13' },
    source: 'courts',
  };
  const reported = await ask('POST', '/monitoring/hits', { ...hit, personId: 'ext-ann-1' });
  t.match(reported, { status: 200 });
  t.match(await plan(loan), { status: 'canceled', cancelReason: 'bankruptcy' });
  const path = `/people/ext-ann-1/cases/${String(listOf(await ask('GET', '/people/ext-ann-1/cases'))[0]?.['id'])}`;
  t.match(await ask('PUT', path, { courtCaseLastStatus: 'dismissed' }), { status: 200 });
  t.match(await ask('PUT', path, { status: 'completed', outcome: 'resolved' }), { status: 200 });
  await enrol(loan);
  t.match(await plan(loan), { status: 'active' });
  t.match(await ask('PUT', path, { status: 'reopened' }), { status: 200 });
  t.match(await plan(loan), { status: 'active' }, 'it was dismissed');
  t.match(await ask('PUT', path, { courtCaseLastStatus: 'filed' }), { status: 200 });
  t.match(await plan(loan), { status: 'canceled', cancelReason: 'bankruptcy' });
});

test('other cases stop nothing', async (t) => {
  const { loan, enrol, openCase, plan } = await open(t);
  await enrol(loan);
  for (const caseType of ['militaryDuty', 'ceaseCommunication', 'disputeOfDebt', 'generic']) await openCase({ caseType });
  t.match(await plan(loan), { status: 'active' });
});

test('a supercase stops collecting on every loan that its subcase is about', async (t) => {
  const { ask, h, loan, active, enrol, plan } = await open(t);
  const loans = [loan, await active(), await active()];
  for (const each of loans) await enrol(each);
  const subcaseTypeId = idOf(await ask('POST', '/case-types', { caseType: 'bankruptcy', name: 'Mass filing', status: 'active' }));
  const supercase = { supercaseType: 'generic', name: 'Mass filing', subcaseTypeId, subcaseName: 'Mass filing' };
  const populations = `/supercases/${idOf(await ask('POST', '/supercases', supercase))}/populations`;
  const population = `${populations}/${idOf(await ask('POST', populations, { name: 'All' }))}`;
  const personId = dataOf(await ask('GET', '/people/ext-ann-1'))['id'];
  const members = loans.slice(0, 2).map((path) => ({ personId, loanId: path.split('/').at(-1) }));
  t.match(await ask('POST', `${population}/members`, { members }), { status: 200 });
  t.match(await ask('PUT', population, { isDraft: false }), { status: 200 });
  await h.engine.settled();
  t.match(listOf(await ask('GET', '/people/ext-ann-1/cases')), [{ loanIds: members.map(({ loanId }) => loanId) }]);
  const canceled = { status: 'canceled', cancelReason: 'bankruptcy' };
  t.match([await plan(loans[0] ?? ''), await plan(loans[1] ?? ''), await plan(loans[2] ?? '')], [canceled, canceled, { status: 'active' }]);
});
