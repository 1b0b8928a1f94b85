import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { KEPT_FILES } from '../../../actors/index.js';
import { GRACE_DAYS } from '../../../actors/kernel/retention.js';
import { bai2, line, openStatements } from './ach/statements-over-http.js';
import { openAch } from './ach/ach-over-http.js';
import { DUE, openCampaigns } from './campaigns/campaign-over-http.js';
import { openSftpServer } from './campaigns/sftp-server.js';
import { openCredit } from './credit-reporting/credit-over-http.js';
import { dataOf, idOf, listOf } from './http-lender.js';
import type { LoanOverHttp } from './loan-over-http.js';
import { openSettled } from './parties/settled-lender.js';

/*
 * Files that name many borrowers are sealed with keys of their own, which no erasure destroys. Each kind is kept for a named time of the
 * company's clock; then its contents and its key go by themselves.
 */

const storedContents = ({ h }: Pick<LoanOverHttp, 'h'>): number =>
  readdirSync(join(h.folder, 'documents'), { recursive: true }).filter((name) => /[0-9a-f-]{36}$/.test(String(name))).length;

const DAY_MS = 24 * 3_600_000;

/** The last day of its time, the day on which a file has outlived it, and the end of the grace, on which it is gone. */
async function expectGone(
  t: Test,
  lender: LoanOverHttp,
  { id, last, outlived, isThere }: { readonly id: string; readonly last: string; readonly outlived: string; isThere(): Promise<boolean> },
): Promise<void> {
  const { h, goTo } = lender;
  const after = (days: number): string => new Date(Date.parse(outlived) + days * DAY_MS).toISOString().slice(0, 10);
  for (const date of [last, outlived, after(GRACE_DAYS - 1)]) {
    await goTo(date);
    await h.campaigns.retentionSettled();
    t.equal(await isThere(), true, `there on ${date}`);
    t.equal(h.keys.has(id), true, 'its key is there');
  }
  const contents = storedContents(lender);
  await goTo(after(GRACE_DAYS));
  await h.campaigns.retentionSettled();
  t.equal(await isThere(), false, `gone on ${after(GRACE_DAYS)}`);
  t.equal(h.keys.has(id), false, 'its key is destroyed');
  t.ok(storedContents(lender) < contents, 'so are its contents');
}

/** As the last step of a test: nobody is asked over HTTP any more. */
async function staysGone(t: Test, { h }: LoanOverHttp, id: string): Promise<void> {
  h.forgetSnapshots();
  await h.restart();
  t.equal(h.keys.has(id), false, 'a start from the journal brings no key back');
}

test('an ACH file is kept for two years: its bytes, and what its entries stand for', async (t) => {
  const lender = await openAch(t);
  const { ask, pay, settled, goTo, names, give, h } = lender;
  const transactionId = await pay(20);
  await goTo('2026-03-03');
  await settled();
  give('CONF_1.txt', `${names()[0] ?? ''}\n`);
  await settled();
  const id = String(listOf(await ask('GET', '/ach-files?direction=outgoing'))[0]?.['id']);
  t.equal(storedContents(lender), 3, 'the file, its entries, and the confirmation');
  const entries = `/ach-files/${id}/transactions`;
  t.match((await ask('GET', entries)).json, { data: [{ transactionId }] });

  h.nowMs += 10 * 366 * 24 * 3_600_000;
  await h.campaigns.retentionSettled();
  t.equal(storedContents(lender), 3, 'a clock of the machine that is set forward drops nothing: no day of the company is closed');

  await expectGone(t, lender, {
    id,
    last: '2028-03-03',
    outlived: '2028-03-04',
    isThere: async () => (await ask('GET', entries)).status === 200,
  });
  t.match(await ask('GET', entries), { status: 404, json: { message: /no longer kept/ } });
  t.match(dataOf(await ask('GET', `/ach-files/${id}`)), { status: 'confirmed', entryCount: 1, debitTotalAmount: 20 }, 'its figures stay');
  t.equal(storedContents(lender), 0);
  await staysGone(t, lender, id);
});

test('a bank statement is kept for two years; its balances and counts stay', async (t) => {
  const lender = await openStatements(t);
  const { ask, upload, matched } = lender;
  const id = idOf(await upload(bai2('2026-03-02', 100_00, [line({ cents: 12_34, text: 'WIRE OF ANN QUIMBY' })])));
  await matched();
  const before = dataOf(await ask('GET', `/bank-statements/${id}`));
  t.match(before, { entryCount: 1, closingAmount: 112.34 });
  const entries = `/bank-statements/${id}/entries`;
  t.match(listOf(await ask('GET', entries)), [{ text: /QUIMBY/ }]);
  const isThere = async (): Promise<boolean> => (await ask('GET', entries)).status === 200;
  await expectGone(t, lender, { id, last: '2028-03-02', outlived: '2028-03-03', isThere });
  await matched();
  const { updatedAt: _then, ...figures } = before;
  t.match(dataOf(await ask('GET', `/bank-statements/${id}`)), figures, 'nothing is matched again');
  for (const [method, path] of [
    ['POST', `${entries}/1/unmatch`],
    ['DELETE', `/bank-statements/${id}`],
  ] as const)
    t.match(await ask(method, path), { status: 409, json: { message: /no longer kept/ } });
});

test('a file for a credit agency is kept for two years; what was reported stays with the loan', async (t) => {
  const lender = await openCredit(t);
  const { ask, goTo, madeFile, files, loan } = lender;
  await goTo('2026-04-01');
  const id = String((await madeFile())['id']);
  const content = `${files}/${id}/content`;
  t.match((await ask('GET', content)).text, /QUIMBY/);
  const isThere = async (): Promise<boolean> => (await ask('GET', content)).status === 200;
  await expectGone(t, lender, { id, last: '2028-04-01', outlived: '2028-04-02', isThere });
  t.match(await ask('GET', content), { status: 404, json: { message: /no longer kept/ } });
  t.match(dataOf(await ask('GET', `${files}/${id}`)), { status: 'succeeded', recordCount: 1, sha256: /^[0-9a-f]{64}$/ });
  const records = listOf(await ask('GET', `${loan}/credit-reporting/records?limit=100`));
  t.ok(records.some(({ creditReportingFileId }) => creditReportingFileId === id));
});

test('a file of a loan tape is kept for 90 days', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, h } = lender;
  const login = { username: 'tapes', password: 'kept secret' };
  const server = await openSftpServer(t, login);
  const fields = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanExternalId'], compressionType: 'noCompression' };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, fields));
  const address = { sftpHostname: server.host, sftpUsername: login.username, sftpPassword: login.password, status: 'paused' };
  const files = `/companies/${company}/loan-tapes/${idOf(
    await ask('POST', `/companies/${company}/loan-tapes`, { loanTapeTypeId, ...address }),
  )}/files`;
  const id = idOf(await ask('POST', files));
  await h.campaigns.tapesSettled();
  t.match((await ask('GET', `${files}/${id}/content`)).text, /owned/);
  const isThere = async (): Promise<boolean> => (await ask('GET', `${files}/${id}/content`)).status === 200;
  await expectGone(t, lender, { id, last: '2026-05-31', outlived: '2026-06-01', isThere });
  t.match(await ask('GET', `${files}/${id}/content`), { status: 404, json: { message: /no longer kept/ } });
  t.match(listOf(await ask('GET', files)), [{ id, status: 'succeeded', rowCount: 2 }]);
});

test('the list of a campaign and what became of its rows are kept for 90 days', async (t) => {
  const lender = await openCampaigns(t);
  const { campaign, sender, ran, rows } = lender;
  const run = await ran(await campaign({ name: 'Due soon', query: DUE, bulkSenderId: await sender({ interactionChannel: 'email' }) }));
  t.match(run, { status: 'succeeded', sentCount: 1 });
  const isThere = async (): Promise<boolean> => (await rows(run)).length === 1;
  await expectGone(t, lender, { id: String(run['id']), last: '2026-05-31', outlived: '2026-06-01', isThere });
  t.equal(storedContents(lender), 0);
});

test('a clock of the machine that is set ahead closes days, and drops nothing that is not over once it is right again', async (t) => {
  const lender = await openCampaigns(t);
  const { campaign, sender, ran, rows, h, goTo } = lender;
  const run = await ran(await campaign({ name: 'Due soon', query: DUE, bulkSenderId: await sender({ interactionChannel: 'email' }) }));
  const isThere = async (): Promise<boolean> => {
    await h.campaigns.retentionSettled();
    return (await rows(run)).length === 1;
  };
  const [rightAt, aheadAt] = [h.nowMs, Date.parse('2027-04-07T17:00:00Z')];
  h.jumpedMs += aheadAt - rightAt;
  await goTo('2027-04-07');
  t.ok(await isThere(), 'on the day that the clock jumped to');
  await goTo('2027-04-12');
  t.ok(await isThere(), 'while the grace lasts');
  h.jumpedMs -= aheadAt - rightAt;
  for (const days of [6, GRACE_DAYS, 80]) {
    h.nowMs = rightAt + days * DAY_MS;
    t.ok(await isThere(), `${days} days later, with the right clock`);
  }
  h.nowMs = rightAt + 92 * DAY_MS;
  t.notOk(await isThere(), 'when its time is over');
});

test('a company with a test clock needs no grace: its time moves by order alone', async (t) => {
  const lender = await openCampaigns(t);
  const { campaign, sender, ran, rows, h, ask } = lender;
  const run = await ran(await campaign({ name: 'Due soon', query: DUE, bulkSenderId: await sender({ interactionChannel: 'email' }) }));
  const clock = idOf(await ask('POST', '/test-clocks', { name: 'a year' }));
  await ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to: '2026-06-01' });
  await h.engine.settled();
  await h.campaigns.retentionSettled();
  t.equal((await rows(run)).length, 0);
});

test('each kind of file that names borrowers is one of these, and docs/data.md says how long it is kept', (t) => {
  t.strictSame(
    KEPT_FILES.map(({ kind, keptDays }) => [kind, keptDays]),
    [
      ['achFile', 731],
      ['bankStatement', 731],
      ['creditFile', 731],
      ['loanTapeFile', 90],
      ['campaignRun', 90],
    ],
  );
  const page = readFileSync(join(process.cwd(), 'docs/data.md'), 'utf8');
  const rows = page.matchAll(/^\| (?:ACH files|bank statements|files for credit agencies|loan tapes|campaigns)[^|]*\| (\d+) days/gm);
  t.strictSame(
    [...rows].map(([, days]) => Number(days)),
    KEPT_FILES.map(({ keptDays }) => keptDays),
  );
  t.end();
});
