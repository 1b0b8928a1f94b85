import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { test } from 'tap';
import { dataOf, listOf } from '../http-lender.js';
import { openGeneralLedger } from './lender.js';

test('each day is sealed by itself, chained to the day before, and its file balances', async (t) => {
  const { ask, root, batches, sealTo, exported, failures } = await openGeneralLedger(t);
  await sealTo('2026-03-05');
  const sealed = await batches('&basis=accrual');
  t.match(sealed, [
    { accountingDate: '2026-03-02', sequence: 1, previousHash: null, status: 'sealed', hash: /^[0-9a-f]{64}$/ },
    { accountingDate: '2026-03-03', sequence: 2, previousHash: sealed[0]?.['hash'], previousBatchId: sealed[0]?.['id'] },
    { accountingDate: '2026-03-04', sequence: 3, previousHash: sealed[1]?.['hash'] },
  ]);
  t.equal(sealed.length, 3, 'today is open');
  const [first] = sealed;
  t.match(first, { debitTotal: first?.['creditTotal'], loanCount: 1 });
  const entries = await ask('GET', `${root}/entries?basis=accrual&fromDate=2026-03-02&toDate=2026-03-02`);
  t.equal(entries.json['total'], first?.['entryCount']);
  const [entry] = listOf(entries);
  t.match(entry, {
    id: /^GE-/,
    batchId: first?.['id'],
    accountingDate: '2026-03-02',
    lines: [{ lineNo: 1, role: 'principalReceivable', accountNumber: '1200', debit: '1200.00', credit: '0.00' }],
  });
  t.match(await ask('GET', `${root}/entries/${String(entry?.['id'])}`), { status: 200, json: { data: { id: entry?.['id'] } } });
  const { record, text } = await exported(first?.['id'], { format: 'csv' });
  t.match(record, { status: 'succeeded', sha256: createHash('sha256').update(text).digest('hex') });
  const rows: Record<string, string>[] = parse(text, { columns: true });
  t.match(rows[0], { batchId: first?.['id'], account: '1200', role: 'principalReceivable', debit: '1200.00', credit: '' });
  const cents = (name: string): number => rows.reduce((sum, row) => sum + Math.round(Number(row[name] ?? 0) * 100), 0);
  t.equal(cents('debit'), cents('credit'));
  t.match(dataOf(await ask('GET', `${root}/batches/${String(first?.['id'])}`)), { status: 'exported' });
  const again = await exported(first?.['id'], { format: 'csv' });
  t.equal(again.text, text, 'the same bytes');
  t.strictSame(failures, []);
});

test('the law of the books: what is booked is what the loans owe, day by day, with late facts on the next open day', async (t) => {
  const { ask, root, loan, h, sealTo, batches, failures } = await openGeneralLedger(t);
  await sealTo('2026-03-20');
  const before = await batches();
  const pay = (amount: number, effectiveDate: string): Promise<unknown> =>
    ask('POST', `${loan}/transactions`, { type: 'oneTime', amount, isExternal: true, status: 'succeeded', effectiveDate });
  t.match(await pay(110.01, '2026-03-15'), { status: 201 });
  t.match(await pay(40, '2026-03-20'), { status: 201 });
  await sealTo('2026-03-21');
  const after = await batches();
  t.strictSame(after.slice(0, before.length), before, 'sealed days stay');
  t.match(after.slice(before.length), [
    { accountingDate: '2026-03-20', basis: 'accrual' },
    { accountingDate: '2026-03-20', basis: 'cash' },
  ]);
  const late = await ask('GET', `${root}/entries?basis=accrual&fromDate=2026-03-20&toDate=2026-03-20&limit=100`);
  const payment = listOf(late).find(({ factType, effectiveDate }) => factType === 'payment' && effectiveDate === '2026-03-15');
  t.match(payment, { accountingDate: '2026-03-20', effectiveDate: '2026-03-15', rule: 'payment', loanId: /^LN-/ });
  t.match(
    listOf(late).filter(({ effectiveThrough }) => effectiveThrough !== null),
    [{ effectiveDate: '2026-03-15', effectiveThrough: '2026-03-19', factType: 'payment' }],
    'the interest of the days since is corrected in one entry',
  );
  const effective = await ask('GET', `${root}/entries?basis=accrual&fromDate=2026-03-15&toDate=2026-03-15&dateKind=effective&limit=100`);
  t.ok(listOf(effective).some(({ id }) => id === payment?.['id']));
  t.match(await ask('GET', `${root}/entries?correctionsOnly=true&limit=100`), { status: 200 });
  t.match(await ask('GET', `${root}/entries?loanId=${String(payment?.['loanId'])}&role=bank&basis=cash`), {
    json: { data: [{ basis: 'cash' }, { basis: 'cash' }] },
  });
  for (const basis of ['accrual', 'cash']) {
    const { json } = await ask('GET', `${root}/reports/subledger?basis=${basis}`);
    for (const row of (json['data'] as { readonly rows: readonly Record<string, unknown>[] }).rows)
      t.match(row, { difference: '0.00', loansWithDifference: 0 }, `${basis} ${String(row['component'])}`);
  }
  const { json } = await ask('GET', `${root}/reports/trialBalance?date=2026-03-20`);
  const rows = (json['data'] as { readonly rows: readonly Record<string, string>[] }).rows;
  t.match(rows.at(-1), { accountName: 'total', closing: '0.00' });
  t.match(
    rows.find(({ account }) => account === '1010'),
    { debits: '150.01', closing: '150.01' },
  );
  const csv = await ask('GET', `${root}/reports/trialBalance?format=csv`);
  t.match(csv.text, /^accountId,account,accountName,type,opening,debits,credits,closing\r\n/);
  t.match(await ask('GET', `${root}/reports/restated?date=2026-03-19`), { status: 200 });
  t.match(await ask('GET', `${root}/reports/rollForward`), { status: 200 });
  t.match(await ask('GET', `${root}/reports/deferredFees`), { status: 200, json: { data: { rows: [] } } });
  t.match(await ask('GET', `${root}/reports/borrowerCredit`), { json: { data: { rows: [] } } });
  t.match(await ask('GET', `${root}/reports/clearing`), { json: { data: { rows: [{ role: 'clearingOutgoing', amount: '1200.00' }] } } });
  t.equal((await ask('GET', `${root}/reports/nothing`)).status, 404);
  t.match(await ask('GET', `${root}/reports/subledger?date=2026-03-21`), { status: 400 });
  await h.restart();
  h.deliver();
  await h.campaigns.ledgerSettled();
  const page = (await h.query('generalLedgerBatch.list', null, { limit: 100 }, {}))['items'] as readonly Record<string, unknown>[];
  t.match(page, after, 'a restart computes the same');
  t.equal(page.length, after.length);
  t.strictSame(failures, []);
});
