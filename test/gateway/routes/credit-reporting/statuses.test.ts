import { test } from 'tap';
import { dataOf, EQUIFAX, idOf, listOf, openCredit } from './credit-over-http.js';

test('a loan is reported to an agency once, from a day of its life on', async (t) => {
  const { ask, company, loan, agencyId } = await openCredit(t);
  const start = (body: object): ReturnType<typeof ask> => ask('POST', `${loan}/credit-reporting`, body);
  t.equal((await start({ creditAgencyId: agencyId, reportingStartDate: '2026-03-02' })).status, 409);
  const other = idOf(await ask('POST', `/companies/${company}/credit-agencies`, { ...EQUIFAX, agencyName: 'innovis' }));
  t.match((await start({ creditAgencyId: other, reportingStartDate: '2026-03-01' })).json, { errors: [{ path: 'reportingStartDate' }] });
  t.match((await start({ creditAgencyId: other, reportingStartDate: '2030-01-01' })).json, { errors: [{ path: 'reportingStartDate' }] });
  t.match((await start({ creditAgencyId: 'CA-0', reportingStartDate: '2026-03-02' })).json, { errors: [{ path: 'creditAgencyId' }] });
  const started = await start({ creditAgencyId: other, reportingStartDate: '2026-03-02' });
  t.match(dataOf(started), { creditAgencyId: other, status: 'active', accountStatusCode: null, metro2: { accountStatusCode: null } });
  t.match(dataOf(await ask('GET', `${loan}/credit-reporting/${idOf(started)}`)), { id: idOf(started) });
  t.equal(listOf(await ask('GET', `${loan}/credit-reporting`)).length, 2);
});

test('a loan that is kept out, or whose loan type allows no reporting, is not reported', async (t) => {
  const { ask, active, agencyId, loanTypeId, company } = await openCredit(t);
  const keptOut = await active({ atOrigination: { amountFinanced: 1200, duration: 12, skipCreditReporting: true } });
  t.strictSame(listOf(await ask('GET', `${keptOut}/credit-reporting`)), []);
  const body = { creditAgencyId: agencyId, reportingStartDate: '2026-03-02' };
  t.equal((await ask('POST', `${keptOut}/credit-reporting`, body)).status, 422);
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { isCreditReportingAllowed: false });
  const later = await active();
  t.strictSame(listOf(await ask('GET', `${later}/credit-reporting`)), []);
  t.equal((await ask('POST', `${later}/credit-reporting`, body)).status, 422);
});

test('fields for the next report are used once', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  const set = await ask('PUT', `${loan}/credit-reporting/fields`, {
    metro2: { specialCommentBaseSegment: 'CO', complianceConditionCode: 'XB' },
  });
  t.equal(set.status, 200, set.text);
  t.equal(dataOf(set)['id'], loan.split('/').at(-1));
  t.equal((await ask('PUT', `${loan}/credit-reporting/fields`, { metro2: {} })).status, 400);
  await goTo('2026-04-01');
  const [first] = await accountsOf(await madeFile());
  t.match(first?.base, { specialComment: 'CO', complianceConditionCode: 'XB' });
  await goTo('2026-05-01');
  const [second] = await accountsOf(await madeFile());
  t.match(second?.base, { specialComment: null, complianceConditionCode: 'XH' }, 'the investigation has ended');
});

test('a stop is followed by a final report', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf, emitted } = await openCredit(t);
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await goTo('2026-04-01');
  await madeFile();
  const stop = `${loan}/credit-reporting/${String(known?.['id'])}/stop`;
  const stopped = await ask('POST', stop, { metro2: { accountStatusCode: '05' } });
  t.match(dataOf(stopped), { status: 'stopping', reportingEndDate: '2026-04-01', metro2: { accountStatusCode: '05' } });
  t.match(await emitted('loan.creditreporting.stopped', loan), [{ reportingEndDate: '2026-04-01' }]);
  await goTo('2026-05-01');
  const [last] = await accountsOf(await madeFile());
  t.match(last?.base, { accountStatus: '05', currentBalance: 0, paymentRating: '1', amountPastDue: 0 });
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`)), [{ status: 'stopped', accountStatusCode: '05' }]);
  t.equal((await ask('POST', stop, {})).status, 409);
  await goTo('2026-06-01');
  t.match(await madeFile(), { recordCount: 0 });
});

test('a final code with which the report would be held is refused, and another one can follow until the report is made', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf, emitted } = await openCredit(t);
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await goTo('2026-04-01');
  await madeFile();
  const path = `${loan}/credit-reporting/${String(known?.['id'])}`;
  const withCode = (accountStatusCode: string): object => ({ metro2: { accountStatusCode } });
  for (const code of ['64', '97', '89']) {
    const refused = await ask('POST', `${path}/stop`, withCode(code));
    t.match(refused, { status: 422, json: { errors: [{ path: 'metro2.accountStatusCode' }] } }, code);
  }
  const deletion = await ask('DELETE', path, { deletedReason: 'other', ...withCode('97') });
  t.match(deletion, { status: 422, json: { errors: [{ path: 'metro2.accountStatusCode' }] } });
  t.match(dataOf(await ask('GET', path)), { status: 'active' });
  t.match(dataOf(await ask('POST', `${path}/stop`, withCode('13'))), { status: 'stopping', metro2: { accountStatusCode: '13' } });
  t.match(dataOf(await ask('POST', `${path}/stop`, withCode('05'))), { status: 'stopping', metro2: { accountStatusCode: '05' } });
  t.equal((await emitted('loan.creditreporting.stopped', loan)).length, 1);
  await goTo('2026-05-01');
  t.equal((await accountsOf(await madeFile()))[0]?.base.accountStatus, '05');
  t.equal((await ask('DELETE', path, { deletedReason: 'other' })).status, 200);
  t.match(dataOf(await ask('DELETE', path, { deletedReason: 'fraud' })), { status: 'deleting', metro2: { accountStatusCode: 'DF' } });
});

test('a code that is held only today, or only at the end of the month, is taken', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await goTo('2026-04-05'); // due on March 15 and unpaid: 30 days late on April 14
  await madeFile();
  const stop = `${loan}/credit-reporting/${String(known?.['id'])}/stop`;
  for (const accountStatusCode of ['11', '71']) t.equal((await ask('POST', stop, { metro2: { accountStatusCode } })).status, 200);
  await goTo('2026-05-05');
  t.equal((await accountsOf(await madeFile()))[0]?.base.accountStatus, '71');
});

test('the reporting of a loan that has ended and was reported can be stopped', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1300 });
  await goTo('2026-04-01');
  t.equal((await accountsOf(await madeFile()))[0]?.base.accountStatus, '13');
  t.equal((await ask('POST', `${loan}/credit-reporting/${String(known?.['id'])}/stop`, {})).status, 200);
  await goTo('2026-05-01');
  t.equal((await accountsOf(await madeFile()))[0]?.base.accountStatus, '13');
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`)), [{ status: 'stopped' }]);
});

test('a deletion is reported once, and the loan never again', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf, agencyId } = await openCredit(t);
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await goTo('2026-04-01');
  await madeFile();
  const path = `${loan}/credit-reporting/${String(known?.['id'])}`;
  t.equal((await ask('DELETE', path, {})).status, 400, 'the reason is required');
  const deleted = await ask('DELETE', path, { deletedReason: 'reportedInError', deletedReasonDetails: 'wrong person' });
  t.match(dataOf(deleted), { status: 'deleting', deletedReason: 'reportedInError', metro2: { accountStatusCode: 'DA' } });
  await goTo('2026-05-01');
  const [last] = await accountsOf(await madeFile());
  t.equal(last?.base.accountStatus, 'DA');
  t.match(dataOf(await ask('GET', path)), { status: 'deleted', accountStatusCode: 'DA' });
  const again = await ask('POST', `${loan}/credit-reporting`, { creditAgencyId: agencyId, reportingStartDate: '2026-03-02' });
  t.equal(again.status, 409, again.text);
});

test('the account of a loan that is paid off can be deleted', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1300 });
  await goTo('2026-04-01');
  await madeFile();
  await ask('DELETE', `${loan}/credit-reporting/${String(known?.['id'])}`, { deletedReason: 'reportedInError' });
  await goTo('2026-05-01');
  const [last] = await accountsOf(await madeFile());
  t.match(last?.base, { accountStatus: 'DA', currentBalance: 0 });
  t.equal(last?.base.dateClosed, last?.base.dateOfLastPayment);
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`)), [{ status: 'deleted' }]);
});

test('a charge-off for fraud deletes the account at every agency', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  await goTo('2026-04-01');
  await madeFile();
  const charged = await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'fraudulent' });
  t.equal(charged.status, 200, charged.text);
  await goTo('2026-05-01');
  const [last] = await accountsOf(await madeFile());
  t.equal(last?.base.accountStatus, 'DF');
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`)), [{ status: 'deleted', deletedReason: 'fraud' }]);
});

test('a charge-off for fraud also deletes the account where the reporting was stopped', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  const [known] = listOf(await ask('GET', `${loan}/credit-reporting`));
  await goTo('2026-04-01');
  await madeFile();
  await ask('POST', `${loan}/credit-reporting/${String(known?.['id'])}/stop`, {});
  await goTo('2026-05-01');
  await madeFile();
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`)), [{ status: 'stopped' }]);
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'fraudulent' });
  await goTo('2026-06-01');
  t.equal((await accountsOf(await madeFile()))[0]?.base.accountStatus, 'DF');
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`)), [{ status: 'deleted', accountStatusCode: 'DF', deletedReason: 'fraud' }]);
  await goTo('2026-07-01');
  t.match(await madeFile(), { recordCount: 0 });
});

test('a charged-off loan has the amount of its charge-off, and keeps the date of first delinquency', async (t) => {
  const { ask, loan, goTo, madeFile, accountsOf } = await openCredit(t);
  await goTo('2026-04-20');
  await madeFile();
  const charged = await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  t.equal(charged.status, 200, charged.text);
  await goTo('2026-05-01');
  const [account] = await accountsOf(await madeFile());
  t.match(account?.base, { accountStatus: '97', scheduledMonthlyPayment: 0 });
  t.equal(account?.base.originalChargeOffAmount, account?.base.currentBalance);
  t.equal(account?.base.amountPastDue, account?.base.currentBalance);
});

test('existing loans are enrolled where the agency asks for it', async (t) => {
  const { ask, company, loanTypeId, agencyId, goTo, h, files, loan } = await openCredit(t);
  const other = idOf(
    await ask('POST', `/companies/${company}/credit-agencies`, { ...EQUIFAX, agencyName: 'transUnion', enrollExistingLoans: true }),
  );
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, {
    creditAgencyIds: [agencyId, other],
    metro2TransUnionProgramIdentifier: 'TU1',
    metro2TransUnionIdentificationNumber: '55555',
  });
  await goTo('2026-04-01');
  await h.campaigns.settled();
  const made = listOf(await ask('GET', `${files}?creditAgencyId=${other}`));
  t.match(made, [{ agencyName: 'transUnion', status: 'succeeded' }]);
  t.match(
    listOf(await ask('GET', `${loan}/credit-reporting`)).filter(({ creditAgencyId }) => creditAgencyId === other),
    [{ reportingStartDate: '2026-03-02', accountStatusCode: '11' }],
  );
});

test('permissions of credit reporting are asked one by one', async (t) => {
  const { askWith, loan, files, company } = await openCredit(t);
  t.equal((await askWith(['loan:read'], 'GET', `${loan}/credit-reporting`)).status, 403);
  t.equal((await askWith(['credit.reporting.status:list'], 'GET', `${loan}/credit-reporting`)).status, 200);
  t.equal((await askWith(['credit.reporting.status:list'], 'GET', files)).status, 403);
  t.equal((await askWith(['credit.agency:read'], 'GET', `/companies/${company}/credit-agencies`)).status, 403);
});
