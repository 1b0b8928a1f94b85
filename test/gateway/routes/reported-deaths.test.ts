import { type Test, test } from 'tap';
import { must } from '../../../engine/index.js';
import { ACCOUNT, PHONE } from '../../actors/borrower/lender.js';
import { bankFile, openAch } from './ach/ach-over-http.js';
import { openCredit } from './credit-reporting/credit-over-http.js';
import { dataOf, type HttpLender, idOf, listOf, signedDocument } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL } from './loan-over-http.js';

const ANN = '/people/ext-ann-1';
const DEAD = { status: 'failed', failureReason: 'deceased', achReturnCode: 'R15' };

const accountOf = async ({ ask }: Pick<HttpLender, 'ask'>, person = ANN, changes: object = {}): Promise<string> =>
  String(listOf(await ask('POST', `${person}/payment-instruments?force=true`, { ...ACCOUNT, verified: true, ...changes }))[0]?.['id']);

const casesOf = async ({ ask }: Pick<HttpLender, 'ask'>, person = ANN): Promise<readonly Record<string, unknown>[]> =>
  listOf(await ask('GET', `${person}/cases`));

/** A payment of today from an account; returns its path. */
async function paid(t: Test, { ask, loan }: Pick<LoanOverHttp, 'ask' | 'loan'>, paymentInstrumentId: string): Promise<string> {
  const made = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 20, paymentInstrumentId });
  t.match(made, { status: 201 });
  return `${loan}/transactions/${idOf(made)}`;
}

test('a return because the account holder is deceased opens a case, which stops payments and messages', async (t) => {
  const lender = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  const { company, ask, loan, failures } = lender;
  await ask('POST', `${ANN}/contacts`, PHONE);
  const account = await accountOf(lender);
  await ask('POST', `${loan}/autopay`, { paymentInstrumentId: account, agreementDocumentId: await signedDocument(ask) });
  const planned = { type: 'oneTime', amount: 25, paymentInstrumentId: account, scheduledDate: '2026-03-12' };
  const scheduled = `${loan}/transactions/${idOf(await ask('POST', `${loan}/transactions`, planned))}`;
  const [first, second] = [await paid(t, lender, account), await paid(t, lender, account)];
  t.match(await ask('PUT', first, DEAD), { status: 200, json: { data: { status: 'failed' } } });
  const [opened, ...others] = await casesOf(lender);
  t.same(others, []);
  t.match(opened, {
    caseType: 'deceased',
    status: 'initiated',
    autoCreated: true,
    deceasedNoticeReceivedDate: '2026-03-02',
    reportedBy: 'bank',
  });
  t.match(listOf(await ask('GET', `${loan}/autopay/history`)), [{ status: 'canceled', cancelReason: 'deceased' }]);
  t.match(dataOf(await ask('GET', scheduled)), { status: 'canceled', cancelReason: 'borrowerDeceased' });
  t.match(listOf(await ask('GET', `/companies/${company}/tasks?caseId=${String(opened?.['id'])}`)), [
    { taskType: 'reviewAutoCreatedCase' },
  ]);
  const call = { channel: 'voice', theme: 'opsCollDebt', loanId: loan.split('/').at(-1) };
  t.match(dataOf(await ask('POST', `${ANN}/can-interact`, call)), { result: false, ruleCode: 'US-DECEASED' });

  t.match(await ask('PUT', second, DEAD), { status: 200 });
  t.equal((await casesOf(lender)).length, 1, 'the death is reported already');
  const path = `${ANN}/cases/${String(opened?.['id'])}`;
  await ask('PUT', path, { status: 'processing' });
  t.match(await ask('PUT', path, { status: 'completed', outcome: 'denied' }), { status: 200 });
  const other = await paid(t, lender, await accountOf(lender, ANN, { accountNumber: '7700112244' }));
  await ask('PUT', other, DEAD);
  t.equal((await casesOf(lender)).length, 2, 'another account, after the first report was found to be wrong');
  t.same(failures, []);
});

test('a closed day that brings the return opens the case, too', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, goTo, failures } = lender;
  const account = await accountOf(lender, ANN, { accountNumber: '1234569915' });
  await ask('POST', `${loan}/autopay`, { paymentInstrumentId: account, agreementDocumentId: await signedDocument(ask) });
  await goTo('2026-03-28');
  t.match(listOf(await ask('GET', `${loan}/transactions`)), [{ status: 'failed', achReturnCode: 'R15' }]);
  t.match(await casesOf(lender), [{ caseType: 'deceased', status: 'initiated' }]);
  t.match(listOf(await ask('GET', `${loan}/autopay/history`)), [{ status: 'canceled', cancelReason: 'deceased' }]);
  t.same(failures, []);
});

test('a return of the account of another person on the loan says nothing about the borrower', async (t) => {
  const lender = await openLoanOverHttp(t);
  const { ask, loan, failures } = lender;
  await ask('POST', '/people', { name: { firstName: 'Cora', lastName: 'Quimby' }, externalId: 'cora' });
  await ask('POST', `${loan}/people`, { personId: 'ext-cora', loanRelationType: 'coBorrower' });
  const account = await accountOf(lender, '/people/ext-cora');
  await ask('PUT', await paid(t, { ask, loan: loan.replace(ANN, '/people/ext-cora') }, account), DEAD);
  t.same(await casesOf(lender), []);
  t.same(failures, []);
});

test('a prenote that comes back because the account holder is deceased opens the case', async (t) => {
  const ach = await openAch(t, { achPrenotes: true });
  const { ask, pay, settled, goTo, names, read, give, failures } = ach;
  const id = String(
    listOf(await ask('POST', `${ANN}/payment-instruments?force=true`, { ...ACCOUNT, accountNumber: '660055', verified: true }))[0]?.['id'],
  );
  await pay(30, { paymentInstrumentId: id });
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = file.batches.flatMap(({ entries }) => entries).find(({ individualId }) => individualId === id);
  await goTo('2026-03-05');
  give('RET_1.ach', bankFile(file, [{ entry: must(entry, 'a prenote'), code: 'R15' }]));
  await settled();
  t.match(await casesOf(ach), [{ caseType: 'deceased', status: 'initiated' }]);
  t.same(failures, []);
});

test('a death is reported to the credit agencies when somebody has taken up its case', async (t) => {
  const lender = await openCredit(t);
  const { ask, goTo, madeFile, accountsOf } = lender;
  const ecoaOn = async (date: string): Promise<unknown> => {
    await goTo(date);
    return (await accountsOf(await madeFile()))[0]?.base.ecoaCode;
  };
  await ask('PUT', await paid(t, lender, await accountOf(lender)), DEAD);
  const [opened] = await casesOf(lender);
  t.match(opened, { caseType: 'deceased' });
  t.equal(await ecoaOn('2026-04-01'), '1');
  await ask('PUT', `${ANN}/cases/${String(opened?.['id'])}`, { status: 'processing' });
  t.equal(await ecoaOn('2026-05-01'), 'X');
});
