import { type Test, test } from 'tap';
import { HOME, PHONE } from '../../../actors/borrower/lender.js';
import { openLineOverHttp } from '../line-over-http.js';
import { type CreditOverHttp, dataOf, EQUIFAX, idOf, listOf, openCredit, REPORTER } from './credit-over-http.js';

interface OnFile extends CreditOverHttp {
  /** The path of the loan's status at the agency. */
  readonly reporting: string;
}

/** A loan whose first month was reported. */
async function openOnFile(t: Test): Promise<OnFile> {
  const credit = await openCredit(t);
  const { ask, loan, goTo, madeFile } = credit;
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await goTo('2026-04-01');
  t.match(await madeFile(), { recordCount: 1 });
  return { ...credit, reporting: `${loan}/credit-reporting/${String(known?.['id'])}` };
}

test('canceling a loan that was reported needs the code with which the account ends', async (t) => {
  const { ask, loan } = await openOnFile(t);
  t.match(await ask('POST', `${loan}/cancel`, {}), { status: 422, json: { errors: [{ path: 'metro2AccountStatus' }] } });
  t.match(await ask('POST', `${loan}/cancel?force=true`, {}), { status: 422, json: { errors: [{ path: 'metro2AccountStatus' }] } });
  t.match(await ask('POST', `${loan}/cancel`, { metro2AccountStatus: '97' }), {
    status: 422,
    json: { errors: [{ path: 'metro2AccountStatus', message: '97 is no code of a canceled loan' }] },
  });
  t.match(await ask('POST', `${loan}/cancel`, { metro2AccountStatus: 'delete' }), {
    status: 400,
    json: { errors: [{ path: 'metro2AccountStatus' }] },
  });
  t.match(dataOf(await ask('GET', loan)), { status: 'active' });
});

test('a cancellation deletes the account at the agency', async (t) => {
  const { ask, loan, reporting, goTo, madeFile, accountsOf, emitted } = await openOnFile(t);
  t.equal((await ask('POST', `${loan}/cancel`, { metro2AccountStatus: 'DA', previewMode: true })).status, 200);
  t.match(dataOf(await ask('GET', reporting)), { status: 'active' });
  await goTo('2026-04-20');
  const canceled = await ask('POST', `${loan}/cancel`, { metro2AccountStatus: 'DA' });
  t.equal(canceled.status, 200, canceled.text);
  t.match(dataOf(await ask('GET', reporting)), { status: 'deleting', deletedReason: 'other', reportingEndDate: '2026-04-20' });
  t.match(await emitted('loan.creditreporting.stopped', loan), [{ status: 'deleting' }]);
  await goTo('2026-05-01');
  const [account] = await accountsOf(await madeFile());
  t.match(account?.base, { accountStatus: 'DA', currentBalance: 0, consumerAccountNumber: loan.split('/').at(-1) });
  t.match(dataOf(await ask('GET', reporting)), { status: 'deleted', accountStatusCode: 'DA' });
  await goTo('2026-06-01');
  t.match(await madeFile(), { recordCount: 0, heldCount: 0 });
});

for (const code of ['05', '13'])
  test(`a cancellation with ${code} makes a final report`, async (t) => {
    const { ask, loan, reporting, goTo, madeFile, accountsOf } = await openOnFile(t);
    await goTo('2026-04-20'); // overdue since March 15
    t.equal((await ask('POST', `${loan}/cancel`, { metro2AccountStatus: code })).status, 200);
    await goTo('2026-05-01');
    const [account] = await accountsOf(await madeFile());
    t.match(account?.base, { accountStatus: code, currentBalance: 0, amountPastDue: 0, scheduledMonthlyPayment: 0 });
    t.match(dataOf(await ask('GET', reporting)), { status: 'stopped', accountStatusCode: code });
    await goTo('2026-06-01');
    t.match(await madeFile(), { recordCount: 0, heldCount: 0 });
  });

test('a deletion that waits is reported although the loan is canceled', async (t) => {
  const { ask, loan, reporting, goTo, madeFile } = await openOnFile(t);
  await ask('DELETE', reporting, { deletedReason: 'reportedInError' });
  t.equal((await ask('POST', `${loan}/cancel`, {})).status, 200, 'no code is needed');
  await goTo('2026-05-01');
  t.match(await madeFile(), { recordCount: 1, statusCounts: { DA: 1 } });
  t.match(dataOf(await ask('GET', reporting)), { status: 'deleted', deletedReason: 'reportedInError' });
});

test('the reports of a canceled loan can be stopped with a code, or deleted', async (t) => {
  const { ask, loan, reporting, goTo, madeFile } = await openOnFile(t);
  await ask('POST', `${loan}/cancel`, { metro2AccountStatus: '13' });
  t.match(await ask('POST', `${reporting}/stop`, {}), { status: 422, json: { errors: [{ path: 'metro2.accountStatusCode' }] } });
  t.equal((await ask('POST', `${reporting}/stop`, { metro2: { accountStatusCode: '05' } })).status, 200);
  t.equal((await ask('DELETE', reporting, { deletedReason: 'reportedInError' })).status, 200);
  t.equal((await ask('PUT', `${loan}/credit-reporting/fields`, { metro2: { complianceConditionCode: 'XC' } })).status, 409);
  await goTo('2026-05-01');
  t.match(await madeFile(), { statusCounts: { DA: 1 } });
});

test('a loan that was never reported is canceled without a code, and is in no file', async (t) => {
  const { ask, loan, goTo, madeFile, loanTypeId, company, agencyId } = await openCredit(t);
  t.equal((await ask('POST', `${loan}/cancel`, {})).status, 200);
  const agency = { ...EQUIFAX, agencyName: 'innovis', enrollExistingLoans: true, specificDays: [1] };
  const other = idOf(await ask('POST', `/companies/${company}/credit-agencies`, agency));
  const keys = { metro2InnovisProgramIdentifier: 'IN1', metro2InnovisIdentificationNumber: '55555' };
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { creditAgencyIds: [agencyId, other], ...keys });
  await goTo('2026-04-01');
  await madeFile();
  t.strictSame(listOf(await ask('GET', `${loan}/credit-reporting/records`)), []);
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`)), [{ creditAgencyId: agencyId }], 'it is not enrolled');
  t.equal(listOf(await ask('GET', `${loan}/credit-reporting`)).length, 1);
});

test('the same of a line of credit', async (t) => {
  const { ask, company, loanTypeId, active, draw, goTo, h } = await openLineOverHttp(t);
  const agencyId = idOf(await ask('POST', `/companies/${company}/credit-agencies`, EQUIFAX));
  const keys = { ...REPORTER, metro2PortfolioType: 'C', metro2AccountType: '15', creditAgencyIds: [agencyId] };
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, keys);
  for (const contact of [HOME, PHONE]) await ask('POST', '/people/ext-ann-1/contacts', contact);
  const line = await active();
  await draw({}, line);
  const made = async (): Promise<unknown> => {
    await h.campaigns.settled();
    return listOf(await ask('GET', `/companies/${company}/credit-reporting/files`))[0];
  };
  await goTo('2026-04-01');
  t.match(await made(), { recordCount: 1 });
  await goTo('2026-04-10');
  t.match(await ask('POST', `${line}/cancel?force=true`, {}), { status: 422, json: { errors: [{ path: 'metro2AccountStatus' }] } });
  t.equal((await ask('POST', `${line}/cancel?force=true`, { metro2AccountStatus: 'DA' })).status, 200);
  await goTo('2026-05-01');
  t.match(await made(), { recordCount: 1, heldCount: 0, statusCounts: { DA: 1 } });
});
