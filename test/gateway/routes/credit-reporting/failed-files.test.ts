import { type Test, test } from 'tap';
import { openSftpServer, type TestSftpServer } from '../campaigns/sftp-server.js';
import { type CreditOverHttp, listOf, openCredit } from './credit-over-http.js';

type Data = Readonly<Record<string, unknown>>;

interface SentByServer extends CreditOverHttp {
  readonly server: TestSftpServer;
  /** The path of the loan's status at the agency. */
  readonly reporting: string;
  readonly shown: () => Promise<Data>;
  /** Fails the file of the month of a day. */
  readonly failOn: (day: string) => Promise<void>;
  /** Makes a file by hand, and returns it. */
  readonly makeAgain: () => Promise<Data>;
}

/** A loan whose first month was reported to an agency with a server. */
async function openSent(t: Test): Promise<SentByServer> {
  const login = { username: 'furnisher', password: 'word-of-the-server' };
  const server = await openSftpServer(t, login);
  const credit = await openCredit(t, {
    sftpHostname: server.host,
    sftpUsername: login.username,
    sftpPassword: login.password,
    sftpCdDir: '/in',
  });
  const { ask, loan, goTo, madeFile, files, agencyId } = credit;
  await goTo('2026-04-01');
  t.match(await madeFile(), { status: 'succeeded', recordCount: 1 });
  const statuses = async (): Promise<readonly Data[]> => listOf(await ask('GET', `${loan}/credit-reporting`));
  const [known] = await statuses();
  return {
    ...credit,
    server,
    reporting: `${loan}/credit-reporting/${String(known?.['id'])}`,
    shown: async () => (await statuses())[0] ?? {},
    async failOn(day) {
      server.refuses = 100;
      await goTo(day);
      t.match(await madeFile(), { status: 'failed' });
      server.refuses = 0;
    },
    async makeAgain() {
      const made = await ask('POST', files, { creditAgencyId: agencyId });
      t.equal(made.status, 201, made.text);
      return madeFile();
    },
  };
}

test('a deletion in a file that failed is in the next file', async (t) => {
  const { ask, reporting, shown, failOn, makeAgain, accountsOf, loan, goTo, madeFile } = await openSent(t);
  t.equal((await ask('DELETE', reporting, { deletedReason: 'reportedInError' })).status, 200);
  await failOn('2026-05-01');
  t.match(await shown(), { status: 'deleting', accountStatusCode: '11' });
  const [record] = listOf(await ask('GET', `${loan}/credit-reporting/records`));
  t.match(record, { outcome: 'notSent', metro2: { accountStatus: 'DA' } });
  const file = await makeAgain();
  t.match(file, { status: 'succeeded', recordCount: 1, statusCounts: { DA: 1 } });
  t.match((await accountsOf(file))[0]?.base, { accountStatus: 'DA' });
  t.match(await shown(), { status: 'deleted', accountStatusCode: 'DA' });
  await goTo('2026-06-01');
  t.match(await madeFile(), { recordCount: 0 });
});

test('a final report in a file that failed is in the next file, also if several failed', async (t) => {
  const { ask, reporting, shown, failOn, goTo, madeFile, accountsOf } = await openSent(t);
  t.equal((await ask('POST', `${reporting}/stop`, { metro2: { accountStatusCode: '05' } })).status, 200);
  await failOn('2026-05-01');
  t.match(await shown(), { status: 'stopping', accountStatusCode: '11' });
  await failOn('2026-06-01');
  t.match(await shown(), { status: 'stopping', accountStatusCode: '11' });
  await goTo('2026-07-01');
  const file = await madeFile();
  t.match((await accountsOf(file))[0]?.base, { accountStatus: '05' });
  t.match(await shown(), { status: 'stopped', accountStatusCode: '05' });
});

test('fields for the next report are used in the next file that is sent, and once', async (t) => {
  const { ask, loan, failOn, makeAgain, accountsOf, goTo, madeFile } = await openSent(t);
  const metro2 = { complianceConditionCode: 'XC', specialCommentBaseSegment: 'CO' };
  t.equal((await ask('PUT', `${loan}/credit-reporting/fields`, { metro2 })).status, 200);
  await failOn('2026-05-01');
  t.match((await accountsOf(await makeAgain()))[0]?.base, { complianceConditionCode: 'XC', specialComment: 'CO' });
  await goTo('2026-06-01');
  t.match((await accountsOf(await madeFile()))[0]?.base, { complianceConditionCode: null, specialComment: null });
});

test('fields that are set after a file failed replace those that were in it', async (t) => {
  const { ask, loan, failOn, makeAgain, accountsOf } = await openSent(t);
  const set = (complianceConditionCode: string): ReturnType<typeof ask> =>
    ask('PUT', `${loan}/credit-reporting/fields`, { metro2: { complianceConditionCode } });
  await set('XC');
  await failOn('2026-05-01');
  await set('XR');
  t.match((await accountsOf(await makeAgain()))[0]?.base, { complianceConditionCode: 'XR' });
});

test('a payoff in a file that failed is reported by the next one', async (t) => {
  const { ask, loan, failOn, makeAgain, goTo, madeFile } = await openSent(t);
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 1300 });
  await failOn('2026-05-01');
  t.match(await makeAgain(), { recordCount: 1, statusCounts: { '13': 1 } });
  await goTo('2026-06-01');
  t.match(await madeFile(), { recordCount: 0 });
});

test('what a failed file has put back is the same after a restart', async (t) => {
  const { ask, reporting, failOn, loan, h } = await openSent(t);
  await ask('PUT', `${loan}/credit-reporting/fields`, { metro2: { complianceConditionCode: 'XC' } });
  await ask('DELETE', reporting, { deletedReason: 'fraud' });
  await failOn('2026-05-01');
  const loanId = loan.split('/').at(-1) ?? '';
  const shown = async (): Promise<object> => [
    await h.query('creditReporting.list', loanId, {}, { params: {} }),
    await h.query('creditReporting.records', loanId, {}, { params: {} }),
  ];
  const before = await shown();
  await h.restart();
  t.same(await shown(), before, 'from snapshots');
  h.forgetSnapshots();
  await h.restart();
  t.same(await shown(), before, 'from the journal');
});
