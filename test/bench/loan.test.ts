import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';
import type { Ended } from './tenor.js';
import { tenorHere } from './tenor-here.js';

const tenor = (...parameters: readonly string[]): Promise<Ended> => tenorHere({}, ...parameters);

test('one loan is explained to an operator, for people and as JSON', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-loan-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'loans.csv');
  const data = ['--data', join(folder, 'data')];
  await writeFile(file, csv(rowOf('L-1'), rowOf('L-2')));
  t.equal((await tenor('import', file, '--mapping', EXAMPLE_MAPPING, '--activate', '--as-of', '2018-04-20', ...data)).code, 0);

  const shown = await tenor('loan', 'show', 'ext-L-1', '--json', ...data);
  t.equal(shown.code, 0);
  const { loan, balances } = JSON.parse(shown.out) as { loan: { id: string; status: string }; balances: { outstandingBalances: object } };
  t.match(loan, { status: 'active', displayId: 'L-1' });
  t.ok(balances.outstandingBalances);
  t.match(await tenor('loan', 'show', loan.id, ...data), {
    code: 0,
    out: /in test mode\n  type +installment of LT-[^]*status +active[^]*outstanding +[0-9.]+ +[0-9.]+ +[0-9.]+ +0\.00[^]*overdue +\d+ days/,
  });

  const ledger = await tenor('loan', 'ledger', 'ext-L-1', ...data);
  t.match(ledger.out, /disbursement .*servicing-behaviour 3\.1/);
  t.match(ledger.out, /to 2018-\d\d-\d\d +interestAccrual +\d+ days, each nonDue interest/, 'days that accrue the same are one row');
  const lines = JSON.parse((await tenor('loan', 'ledger', 'ext-L-1', '--json', ...data)).out) as readonly { entryType: string }[];
  t.equal(lines[0]?.entryType, 'disbursement');
  t.match(await tenor('loan', 'replay', 'ext-L-1', ...data), { code: 0, out: /Both ledgers are the same/ });
  const asOf = JSON.parse((await tenor('loan', 'as-of', 'ext-L-1', '--day', '2018-02-01', '--json', ...data)).out) as object;
  t.match(asOf, { outstandingBalances: {} });
  t.match(await tenor('loan', 'diff', 'ext-L-1', '--known', '2018-03-01T00:00:00Z', ...data), { code: 0 });

  t.match(
    await tenor('loan', 'diff', 'ext-L-1', ...data),
    { code: 2, error: /--known .*not specified/ },
    'a comparison needs its earlier moment',
  );
  t.match(
    await tenor('loan', 'show', loan.id, '--known-later', '2018-03-01', ...data),
    { code: 2, error: /unknown option/ },
    'only a comparison has a later moment',
  );
  t.match(await tenor('loan', 'show', 'ext-L-9', ...data), { code: 1, error: /There is no loan ext-L-9/ });
  t.match(await tenor('loan', 'as-of', 'ext-L-1', '--day', 'tomorrow', ...data), { code: 2, error: /--day must be a date/ });
});
