import { parse } from 'csv-parse/sync';
import { test } from 'tap';
import { dayOf } from '../../../../engine/index.js';
import { openSftpServer } from '../campaigns/sftp-server.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openGeneralLedger } from './lender.js';

type Row = Readonly<Record<string, string>>;

const cents = (rows: readonly Row[], name: string): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[name] || '0') * 100), 0);

test('the same entries are written for the imports of other books, and each file balances', async (t) => {
  const { ask, root, batches, sealTo, exported } = await openGeneralLedger(t);
  await sealTo('2026-03-03');
  const [batch] = await batches('&basis=accrual');
  const id = batch?.['id'];
  const netsuite = await exported(id, { format: 'netsuite' });
  const journals: Row[] = parse(netsuite.text, { columns: true });
  t.equal(cents(journals, 'Debit'), 120_059);
  t.equal(cents(journals, 'Credit'), 120_059);
  t.match(journals[0], { 'External ID': /^GL[0-9a-f]{12}$/, Date: '2026-03-02', Account: '1200', Debit: '1200.00', Credit: '' });
  t.equal(new Set(journals.map((row) => row['External ID'])).size, 2, 'one number for each entry');
  const intacct: Row[] = parse((await exported(id, { format: 'sageIntacct' })).text, { columns: true });
  t.match(intacct, [
    { JOURNAL: 'GJ', DATE: '03/02/2026', LINE_NO: '1', ACCT_NO: '1200', DEBIT: '1200.00' },
    { JOURNAL: '', DATE: '', LINE_NO: '2', ACCT_NO: '2110', CREDIT: '1200.00' },
    { JOURNAL: 'GJ', LINE_NO: '1', ACCT_NO: '1210', DEBIT: '0.59' },
    { JOURNAL: '', LINE_NO: '2', ACCT_NO: '4010', CREDIT: '0.59' },
  ]);
  const online: Row[] = parse((await exported(id, { format: 'quickBooksOnline' })).text, { columns: true });
  t.match(online[2], { JournalDate: '03/02/2026', AccountName: 'Accrued interest', Debits: '0.59', Credits: '' });
  const lines = (await exported(id, { format: 'iif' })).text.trimEnd().split('\r\n');
  t.match(lines.slice(0, 3), ['!TRNS\tTRNSTYPE\tDATE\tACCNT\tAMOUNT\tDOCNUM\tMEMO', /^!SPL/, '!ENDTRNS']);
  t.match(lines[3], /^TRNS\tGENERAL JOURNAL\t03\/02\/2026\tPrincipal of loans\t1200\.00\tGL/);
  t.match(lines[4], /^SPL\tGENERAL JOURNAL\t03\/02\/2026\tDisbursements and refunds in processing\t-1200\.00\t/);
  t.equal(lines[5], 'ENDTRNS');
  const { record, text } = await exported(id, { format: 'json' });
  const whole = JSON.parse(text) as { readonly batch: Row; readonly entries: readonly { readonly lines: readonly Row[] }[] };
  t.match(whole.batch, { id, basis: 'accrual', sequence: 1, hash: batch?.['hash'], entryCount: 2, debitTotal: '1200.59' });
  t.match(whole.entries[0]?.lines[0], { account: '1200', role: 'principalReceivable', debit: '1200.00', credit: '0.00', currency: 'USD' });
  t.match(record, { fileName: 'ledger_accrual_20260302_000001_json.json', rowCount: 4 });
  const summary: Row[] = parse((await exported(id, { format: 'csv', detail: 'summary' })).text, { columns: true });
  t.match(summary, [
    { role: 'clearingOutgoing', credit: '1200.00', loanId: '' },
    { role: 'interestIncome' },
    { role: 'interestReceivable' },
    {},
  ]);
  t.notMatch([netsuite.text, text].join(''), /Ann|ann-1/, 'nothing personal');
  t.equal((await ask('POST', `${root}/batches/${String(id)}/export`, { format: 'parquet' })).status, 400);
  t.equal((await ask('POST', `${root}/batches/GB-0000-0000/export`, { format: 'csv' })).status, 404);
});

test('a file is put by SFTP, and again with the same bytes when it could not be', async (t) => {
  const { ask, root, batches, sealTo, h } = await openGeneralLedger(t);
  const login = { username: 'ledger', password: 'kept secret' };
  const server = await openSftpServer(t, login);
  await sealTo('2026-03-03');
  const [batch] = await batches('&basis=cash');
  const path = `${root}/batches/${String(batch?.['id'])}`;
  const order = async (): Promise<string> => {
    const ordered = await ask('POST', `${path}/export`, {
      format: 'csv',
      deliverTo: { sftp: { host: server.host, ...login, cdDir: 'in' } },
    });
    t.match(ordered, { status: 202, json: { data: { status: 'pending', operationId: /^[0-9a-f]{32}$/ } } });
    t.notMatch(ordered.text, /kept secret/);
    await h.campaigns.ledgerSettled();
    return String(dataOf(ordered)['operationId']);
  };
  const exportsNow = async (): Promise<readonly unknown[]> => dataOf(await ask('GET', path))['exports'] as readonly unknown[];
  const first = await order();
  t.match(await exportsNow(), [{ status: 'succeeded', deliverTo: { sftp: { username: 'ledger', cdDir: 'in' } } }]);
  t.match(await ask('GET', `/operations/${first}`), { status: 200, json: { data: { status: 'succeeded' } } });
  const sent = server.files.get('in/ledger_cash_20260302_000001_csv.csv');
  t.match(sent, /^batchId,accountingDate,/);
  server.files.clear();
  server.refuses = server.connections + 1;
  const second = await order();
  t.match(await exportsNow(), [{}, { status: 'pending', failureDescription: /SFTP/ }]);
  t.match(await ask('GET', `/operations/${second}`), { status: 206 });
  h.nowMs += 15 * 60_000;
  await h.campaigns.ledgerSettled();
  t.match(await exportsNow(), [{}, { status: 'succeeded' }]);
  t.equal(server.files.get('in/ledger_cash_20260302_000001_csv.csv'), sent);
  t.match(await ask('GET', `/events?eventType=generalledger.batch.exported&limit=100`), { json: { count: 2 } });
});

test('a role without an account refuses the file of the day and the close of the month, which seal all the same', async (t) => {
  const { ask, root, batches, sealTo, goTo, loan, h, company } = await openGeneralLedger(t);
  await goTo('2026-03-10');
  const chart = listOf(await ask('GET', `${root}/accounts?limit=100`));
  const rows = chart.filter(({ role }) => role !== 'interestIncome').map(({ role, id }) => ({ role, accountId: id }));
  const made = await ask('POST', `${root}/mappings`, { rows, fromDate: '2026-03-31' });
  t.match(dataOf(made)['rolesWithoutAccount'], ['interestIncome']);
  await h.data('generalLedgerMapping.approve', company, {}, { mode: 'test', params: { mappingId: idOf(made) } });
  await sealTo('2026-04-01');
  const sealed = await batches('&basis=accrual');
  const last = sealed.at(-1);
  t.match(last, { accountingDate: '2026-03-31', status: 'sealed', mappingId: idOf(made) });
  t.match(await ask('POST', `${root}/batches/${String(last?.['id'])}/export`, { format: 'csv' }), {
    status: 422,
    json: { errors: [{ path: /^interestIncome .*loanTypeId=/, message: /credits of 0\.59/ }] },
  });
  t.match(await ask('POST', `${root}/batches/${String(sealed[0]?.['id'])}/export`, { format: 'csv' }), { status: 202 }, 'a day before');
  t.match(await ask('GET', `${root}/periods`), {
    json: {
      data: [
        { period: '2026-04', status: 'open' },
        { period: '2026-03', status: 'open' },
      ],
    },
  });
  const refused = await ask('POST', `${root}/periods/2026-03/close`, {});
  t.match(refused, { status: 409 });
  t.match(refused.json['errors'], [
    { path: /^interestIncome/ },
    { path: /^clearingOutgoing .*LN-/, message: /^1200\.00 has not been met/ },
  ]);
  t.match(await ask('POST', `${root}/periods/2026-04/close`, {}), { status: 409 }, 'it is not over');
  t.equal((await ask('POST', `${root}/periods/march/close`, {})).status, 404);
  t.ok(loan);
});

test('the most specific row of the mapping wins from its first day on, and a written file keeps the names of accounts', async (t) => {
  const { ask, root, goTo, sealTo, h, company, loanTypeId, exported } = await openGeneralLedger(t);
  await goTo('2026-03-10');
  const own = idOf(await ask('POST', `${root}/accounts`, { number: '1201', name: 'Personal loans', type: 'asset' }));
  const chart = listOf(await ask('GET', `${root}/accounts?limit=100`)).filter(({ role }) => role !== null);
  const whole = chart.map(({ role, id }) => ({ role, accountId: id }));
  const rows = [
    ...whole,
    { role: 'interestReceivable', dimensions: { loanTypeId }, accountId: own },
    { role: 'interestReceivable', dimensions: { loanTypeId, currency: 'EUR' }, accountId: 'GA-0000-1010' },
    { role: 'interestIncome', dimensions: { loanTypeId: 'LT-0000-0000' }, accountId: 'GA-0000-1010' },
  ];
  const made = await ask('POST', `${root}/mappings`, { rows, fromDate: '2026-03-11' });
  t.equal(made.status, 201, made.text.slice(0, 300));
  await h.data('generalLedgerMapping.approve', company, {}, { mode: 'test', params: { mappingId: idOf(made) } });
  await sealTo('2026-03-12');
  const accountsOn = async (date: string): Promise<unknown> => {
    const [entry] = listOf(await ask('GET', `${root}/entries?basis=accrual&role=interestIncome&fromDate=${date}&toDate=${date}`));
    return (entry?.['lines'] as readonly Record<string, unknown>[]).map(({ accountNumber }) => accountNumber);
  };
  t.strictSame(await accountsOn('2026-03-10'), ['1210', '4010']);
  t.strictSame(await accountsOn('2026-03-11'), ['1201', '4010']);
  t.match(listOf(await ask('GET', `${root}/entries?accountId=${own}`)), [{ accountingDate: '2026-03-11' }]);
  const [batch] = listOf(await ask('GET', `${root}/batches?basis=accrual&fromDate=2026-03-11`));
  const first = await exported(batch?.['id'], { format: 'csv' });
  t.match(first.text, /,1201,Personal loans,/);
  t.match(await ask('PUT', `${root}/accounts/${own}`, { name: 'Other loans' }), { status: 200 });
  t.equal((await exported(batch?.['id'], { format: 'csv' })).text, first.text);
});

test('a month without open items is closed and opened again by a person, and both are events', async (t) => {
  const { ask, askWith, root, sealTo } = await openGeneralLedger(t);
  await sealTo('2026-03-10');
  t.equal((await askWith(['generalledger:read'], 'POST', `${root}/periods/2026-02/close`, {})).status, 403);
  t.match(await ask('POST', `${root}/periods/2026-02/close`, {}), {
    status: 200,
    json: { data: { period: '2026-02', fromDate: '2026-02-01', toDate: '2026-02-28', status: 'closed', changes: [{ status: 'closed' }] } },
  });
  t.equal((await ask('POST', `${root}/periods/2026-02/close`, {})).status, 409);
  t.match(await ask('POST', `${root}/periods/2026-02/reopen`, {}), {
    json: { data: { status: 'open', changes: [{}, { status: 'open' }] } },
  });
  t.match(await ask('GET', '/events?eventType=generalledger.period.changed&order=asc'), {
    json: { data: [{ data: { period: '2026-02', status: 'closed' } }, { data: { status: 'open' } }] },
  });
});

test('entries that differ from what was sealed are found, and their file is refused', async (t) => {
  const { ask, root, sealTo, h, company } = await openGeneralLedger(t);
  await sealTo('2026-03-04');
  // Nothing was booked on cash basis on the second day.
  const { id } = await h.data(
    'generalLedgerBatch.seal',
    company,
    {
      basis: 'cash',
      day: dayOf(2026, 3, 3),
      contentHash: '0'.repeat(64),
      entryCount: 1,
      lineCount: 2,
      loanCount: 1,
      correctionCount: 0,
      debitCents: 59,
      creditCents: 59,
      totals: [],
    },
    { mode: 'test', system: true },
  );
  t.match(await ask('GET', `${root}/entries?basis=cash&fromDate=2026-03-03&toDate=2026-03-03`), { json: { count: 0 } });
  await h.campaigns.ledgerSettled();
  t.match(await ask('GET', `${root}/batches/${id}`), { json: { data: { status: 'different', difference: { entryCount: 0 } } } });
  t.match(await ask('GET', `${root}/batches?status=different`), { json: { total: 1, data: [{ id }] } });
  t.match(await ask('GET', '/events?eventType=generalledger.difference.found'), { json: { count: 1, data: [{ data: { batchId: id } }] } });
  t.equal((await ask('POST', `${root}/batches/${id}/export`, { format: 'csv' })).status, 409);
});

test('the books of test mode, and those of another company, are never seen', async (t) => {
  const { ask, root, batches, sealTo, keys } = await openGeneralLedger(t);
  await sealTo('2026-03-03');
  const [batch] = await batches();
  const live = { key: keys.live };
  t.match(await ask('GET', `${root}/batches`, undefined, live), { status: 200, json: { total: 0 } });
  t.match(await ask('GET', `${root}/batches/${String(batch?.['id'])}`, undefined, live), { status: 404 });
  const [entry] = listOf(await ask('GET', `${root}/entries`));
  t.match(await ask('GET', `${root}/entries/${String(entry?.['id'])}`, undefined, live), { status: 404 });
  t.match(await ask('GET', `${root}/entries`, undefined, live), { json: { total: 0 } });
  t.equal((await ask('GET', `/companies/CP-0000-0000/general-ledger/batches`)).status, 404);
});

test('pages of entries fit together in both directions', async (t) => {
  const { ask, root, sealTo, active, batches } = await openGeneralLedger(t);
  await active({ externalId: 'second' });
  await sealTo('2026-03-06');
  const total = (await batches()).reduce((sum, { entryCount }) => sum + Number(entryCount), 0);
  const ids: unknown[] = [];
  for (let after = ''; ; ) {
    const page = await ask('GET', `${root}/entries?limit=3${after}`);
    t.equal(page.json['total'], total);
    const found = listOf(page).map(({ id }) => id);
    ids.push(...found);
    if (found.length < 3) break;
    after = `&startingAfter=${String(found.at(-1))}`;
  }
  t.equal(new Set(ids).size, total);
  const before = listOf(await ask('GET', `${root}/entries?limit=3&endingBefore=${String(ids[7])}`)).map(({ id }) => id);
  t.strictSame(before, ids.slice(4, 7));
  t.equal((await ask('GET', `${root}/entries?startingAfter=GE-0000-0000`)).status, 400);
});
