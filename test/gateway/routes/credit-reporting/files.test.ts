import { test } from 'tap';
import { formatDay } from '../../../../engine/index.js';
import { openSftpServer } from '../campaigns/sftp-server.js';
import { dataOf, EQUIFAX, idOf, listOf, openCredit, REPORTER } from './credit-over-http.js';

test('a new loan is reported on the first of the next month, and the file can be downloaded', async (t) => {
  const { ask, loan, agencyId, company, goTo, madeFile, accountsOf, emitted } = await openCredit(t);
  const [status] = listOf(await ask('GET', `${loan}/credit-reporting`));
  t.match(status, { object: 'creditReportingStatus', creditAgencyId: agencyId, reportingStartDate: '2026-03-02', status: 'active' });
  t.match(await emitted('loan.creditreporting.created', loan), [{ creditAgencyId: agencyId, reportingStartDate: '2026-03-02' }]);

  await goTo('2026-04-01');
  const file = await madeFile();
  t.match(file, {
    status: 'succeeded',
    activityDate: '2026-03-31',
    creditAgencyIds: [agencyId],
    companyIds: [company],
    agencyName: 'equifax',
    trigger: 'schedule',
    recordCount: 1,
    statusCounts: { '11': 1 },
    heldCount: 0,
    failureDescription: null,
    partNames: ['part.equifax.20260331.1.service.txt', 'metadata.equifax.20260331.1.json'],
  });
  t.match(file['fileName'], /^[A-Za-z0-9]{1,20}CP-[A-Z0-9-]+EQUIFAX20260331\.txt$/);
  const [account] = await accountsOf(file);
  t.match(account?.base, {
    consumerAccountNumber: loan.split('/').at(-1),
    identificationNumber: '90210',
    portfolioType: 'I',
    accountType: '01',
    accountStatus: '11',
    highestCredit: 1_200,
    termsDuration: '012',
    scheduledMonthlyPayment: 109,
    currentBalance: 1_207,
    amountPastDue: 0,
    actualPayment: 0,
    paymentHistoryProfile: 'B'.repeat(24),
    ecoaCode: '1',
    ssn: '900112233',
    phone: '2025550143',
    surname: 'QUIMBY',
  });
  const [record] = listOf(await ask('GET', `${loan}/credit-reporting/records`));
  t.match(record, { activityDate: '2026-03-31', outcome: 'reported', metro2: { accountStatus: '11' }, creditReportingFileId: file['id'] });
  t.match(listOf(await ask('GET', `${loan}/credit-reporting`))[0], { accountStatusCode: '11' });
});

test('a number of social security that is known to be wrong is not reported', async (t) => {
  const { ask, goTo, madeFile, accountsOf } = await openCredit(t);
  const [identity] = listOf(await ask('GET', '/people/ext-ann-1/identities'));
  const marked = await ask('PUT', `/people/ext-ann-1/identities/${String(identity?.['id'])}`, { valid: false });
  t.match(marked, { status: 200, json: { data: { valid: false } } });
  await goTo('2026-04-01');
  const [account] = await accountsOf(await madeFile());
  t.not(account?.base['ssn'], '900112233');
});

test('a sale that is to be reported names the buyer, from the first file after it and while the buyer has the loan', async (t) => {
  const { ask, loan, company, goTo, madeFile, accountsOf } = await openCredit(t);
  const investor = async (legalName: string): Promise<string> => idOf(await ask('POST', `/companies/${company}/investors`, { legalName }));
  const [own, buyer] = [await investor('Example Lending LLC'), await investor('Birch Loan Trust')];
  const sell = async (effectiveDate: string, investorId: string, reportK2Segment: boolean): Promise<void> => {
    const investors = [{ investorId, share: 1, metro2: { reportK2Segment } }];
    t.match(await ask('PUT', `${loan}/investors`, { effectiveDate, investors }), { status: 204 });
  };
  await goTo('2026-04-01');
  t.equal((await accountsOf(await madeFile()))[0]?.K2, null);
  await goTo('2026-04-20');
  await sell('2026-04-15', buyer, true);
  await goTo('2026-05-01');
  const [sold] = await accountsOf(await madeFile());
  t.match(sold?.K2, { purchasedSoldIndicator: '2', purchasedSoldName: 'BIRCH LOAN TRUST' });
  await goTo('2026-05-20');
  await sell('2026-05-15', own, false);
  await goTo('2026-06-01');
  t.equal((await accountsOf(await madeFile()))[0]?.K2, null, 'it was bought back');
});

test('a debt that is sold to a collection agency names the agency as its buyer', async (t) => {
  const { ask, loan, company, goTo, madeFile, accountsOf } = await openCredit(t);
  const agency = { legalName: 'Meadow Recoveries', contactPhone: '+12125550100' };
  const agencyId = idOf(await ask('POST', `/companies/${company}/collection-agencies`, agency));
  await goTo('2026-04-20');
  await madeFile();
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'term' });
  const sold = { agencyId, status: 'assigned', assignmentType: 'wholeSale', metro2: { reportK2Segment: true } };
  t.match(await ask('POST', `${loan}/collection-agency`, sold), { status: 200 });
  await goTo('2026-05-01');
  const [account] = await accountsOf(await madeFile());
  t.match(account, { base: { accountStatus: '97' }, K2: { purchasedSoldIndicator: '2', purchasedSoldName: 'MEADOW RECOVERIES' } });
});

test('months late, the history and the first delinquency go from month to month; each month is reported once', async (t) => {
  const { goTo, madeFile, accountsOf, ask, files } = await openCredit(t);
  await goTo('2026-04-01');
  await madeFile();
  await goTo('2026-05-01');
  // Due on March 15 and unpaid: 46 days late on April 30.
  const april = await madeFile();
  const [late] = await accountsOf(april);
  t.match(late?.base, { accountStatus: '71', amountPastDue: 109, paymentHistoryProfile: `0${'B'.repeat(23)}` });
  t.equal(formatDay(late?.base.dateOfFirstDelinquency ?? (0 as never)), '2026-04-14');
  await goTo('2026-06-01');
  const [later] = await accountsOf(await madeFile());
  t.match(later?.base, { accountStatus: '78', paymentHistoryProfile: `10${'B'.repeat(22)}` });
  t.equal(later?.base.dateOfFirstDelinquency, late?.base.dateOfFirstDelinquency);
  await goTo('2026-06-02');
  await madeFile();
  t.equal(listOf(await ask('GET', files)).length, 3);
});

test('a loan that is paid off is reported once more, as paid', async (t) => {
  const { goTo, madeFile, accountsOf, ask, loan } = await openCredit(t);
  await goTo('2026-04-10');
  await madeFile();
  const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1300 });
  t.equal(paid.status, 201, paid.text);
  await goTo('2026-05-01');
  const [closed] = await accountsOf(await madeFile());
  t.match(closed?.base, { accountStatus: '13', paymentRating: '0', currentBalance: 0, scheduledMonthlyPayment: 0, amountPastDue: 0 });
  t.equal(closed?.base.dateClosed, closed?.base.dateOfLastPayment);
  await goTo('2026-06-01');
  t.match(await madeFile(), { recordCount: 0, activityDate: '2026-05-31' });
});

test('a record that must not be sent is held with its reason, and the others are sent', async (t) => {
  const { goTo, madeFile, ask, active } = await openCredit(t);
  await ask('POST', '/people', { externalId: 'bea-1', borrowerType: 'person', firstName: 'Bea', lastName: 'Brown' });
  const other = await active();
  t.ok(other);
  await goTo('2026-04-01');
  t.match(await madeFile(), { status: 'succeeded', recordCount: 2, heldCount: 0 });
  const [contact] = listOf(await ask('GET', '/people/ext-ann-1/contacts')).filter(({ contactType }) => contactType === 'address');
  await ask('DELETE', `/people/ext-ann-1/contacts/${String(contact?.['id'])}`);
  await goTo('2026-05-01');
  const file = await madeFile();
  t.match(file, {
    status: 'succeeded',
    recordCount: 0,
    heldCount: 2,
    held: [{ checks: ['content'] }, { checks: ['content'] }],
  });
});

test('a file goes to the agency by SFTP under its name, and a server that refuses it fails the file', async (t) => {
  const login = { username: 'furnisher', password: 'word-of-the-server' };
  const server = await openSftpServer(t, login);
  const { goTo, madeFile, h, ask, company, agencyId } = await openCredit(t, {
    sftpHostname: server.host,
    sftpUsername: login.username,
    sftpPassword: login.password,
    sftpCdDir: '/in',
  });
  const agency = dataOf(await ask('GET', `/companies/${company}/credit-agencies/${agencyId}`));
  t.match(agency, { sftpHostname: server.host, sftpPassword: '********' });
  await goTo('2026-04-01');
  const file = await madeFile();
  t.match(file, { status: 'succeeded' });
  const [sent] = [...server.files];
  const [path, content] = sent ?? ['', ''];
  t.equal(path, `/in/${String(file['fileName'])}`);
  t.equal(content.length, file['bytes']);
  t.match(content, /^0426HEADER {12}EQ12345678 {15}0331202604012026/);
  server.refuses = 100;
  await goTo('2026-05-01');
  t.match(await madeFile(), { status: 'failed', failureDescription: /SFTP/ });
  for (const secret of [login.password, '900112233']) t.notMatch(JSON.stringify([file, h.reports]) + h.written(), secret);
});

test('a file can be made by hand, and a preview makes none and masks the borrower', async (t) => {
  const { ask, files, agencyId, goTo, madeFile, loan } = await openCredit(t);
  await goTo('2026-04-10');
  await madeFile();
  const shown = await ask('POST', `${files}?previewMode=true`, { creditAgencyId: agencyId });
  t.match(dataOf(shown), {
    loanCount: 1,
    records: [{ loanId: loan.split('/').at(-1), outcome: 'reported', consumer: { surname: 'Q***', ssn: '*****2233' } }],
  });
  t.notMatch(shown.text, '900112233');
  t.equal(listOf(await ask('GET', files)).length, 1);
  const made = await ask('POST', files, { creditAgencyId: agencyId });
  t.equal(made.status, 201, made.text);
  t.match(await madeFile(), { id: idOf(made), trigger: 'manual', status: 'succeeded', recordCount: 1 });
  t.equal((await ask('POST', files, { creditAgencyId: 'CA-0000-0000' })).status, 400);
});

test('what cannot be honored is refused before any file is made', async (t) => {
  const { ask, company, loanTypeId, files, agencyId } = await openCredit(t);
  const agencies = `/companies/${company}/credit-agencies`;
  const refused = async (body: object, path: string): Promise<void> => {
    const answer = await ask('POST', agencies, { ...EQUIFAX, agencyName: 'transUnion', ...body });
    t.equal(answer.status, 400, answer.text);
    t.match(answer.json, { errors: [{ path }] });
  };
  await refused({ encryptionMethod: 'GPG', publicKey: 'key' }, 'publicKey');
  await refused({ encryptionMethod: 'GPG' }, 'publicKey');
  await refused({ publicKey: 'key' }, 'publicKey');
  await refused({ sftpAccessMethod: 'keys' }, 'sftpAccessMethod');
  await refused({ copyKeysFrom: agencyId }, 'copyKeysFrom');
  const byKeys = { sftpHostname: 'sftp.example.com', sftpUsername: 'furnisher', sftpAccessMethod: 'keys' };
  await refused({ ...byKeys, sftpPassword: 'a word' }, 'sftpPassword');
  await refused({ ...byKeys, copyKeysFrom: agencyId }, 'copyKeysFrom');
  await refused({ ...byKeys, copyKeysFrom: 'CA-0000-0000' }, 'copyKeysFrom');
  await refused({ uploadFrequency: 'weekly' }, 'uploadFrequency');
  await refused({ isServiceAggregator: true }, 'isServiceAggregator');
  await refused({ sftpHostname: 'sftp.example.com' }, 'sftpUsername');
  await refused({ agencyName: 'experian' }, 'fileNamePrefix');
  t.equal((await ask('POST', agencies, EQUIFAX)).status, 409, 'one of each name');
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { metro2ReporterName: '' });
  const unnamed = await ask('POST', files, { creditAgencyId: agencyId });
  t.equal(unnamed.status, 422, unnamed.text);
  t.match(unnamed.json, { errors: [{ path: 'metro2ReporterName' }] });
  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { metro2ReporterName: REPORTER.metro2ReporterName });
});

test('an agency can be removed until something was reported to it', async (t) => {
  const { ask, company, agencyId, goTo, madeFile } = await openCredit(t);
  const other = idOf(await ask('POST', `/companies/${company}/credit-agencies`, { ...EQUIFAX, agencyName: 'innovis' }));
  t.equal((await ask('DELETE', `/companies/${company}/credit-agencies/${other}`)).status, 204);
  await goTo('2026-04-01');
  await madeFile();
  t.equal((await ask('DELETE', `/companies/${company}/credit-agencies/${agencyId}`)).status, 409);
});
