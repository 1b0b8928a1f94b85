import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Test, test } from 'tap';
import { tempFolder } from '../../../temp-folder.js';
import { dataOf, listOf } from '../http-lender.js';
import { openCampaigns } from './campaign-over-http.js';

test('each report is answered, as JSON and as CSV', async (t) => {
  const { ask, loan, loanId, goTo, failures } = await openCampaigns(t);
  await goTo('2026-03-15');
  const payment = { type: 'oneTime', amount: 109.14, isExternal: true, status: 'succeeded' };
  t.equal((await ask('POST', `${loan}/transactions`, payment)).status, 201, 'a payment came');
  await goTo('2026-06-20');
  const reports = listOf(await ask('GET', '/reports'));
  t.same(
    reports.map(({ name }) => name),
    ['delinquency', 'roll-rates', 'vintages', 'cash-by-day', 'promises-kept'],
  );
  for (const { name } of reports) {
    const answer = await ask('GET', `/reports/${String(name)}`);
    t.match(answer.json, { status: 200, data: { object: 'reportResult', name, columns: [] } }, answer.text);
    t.match(
      (await ask('GET', `/reports/${String(name)}/file`)).text,
      new RegExp(`^${(dataOf(answer)['columns'] as string[]).join(',')}\r\n`),
    );
  }
  const rowsOf = async (name: string): Promise<unknown> => dataOf(await ask('GET', `/reports/${name}`))['rows'];
  t.match(await rowsOf('delinquency'), [['60-89', 1]]);
  t.match(await rowsOf('cash-by-day'), [['2026-03-15', 1, '109.14']]);
  t.match(await rowsOf('roll-rates'), [
    ['2026-03-31', 'current', '1-29', 1, 100],
    ['2026-04-30', '1-29', '30-59', 1, 100],
  ]);
  t.match(await rowsOf('vintages'), [
    ['2026-03', 0, 1, 0, 0],
    ['2026-03', 1, 1, 0, 0],
    ['2026-03', 2, 1, 1, 100],
  ]);
  t.equal((await ask('GET', '/reports/none')).status, 404);
  t.ok(loanId);
  t.same(failures, []);
});

test('questions have what was just recorded, of the own company and mode, and personal data for who may read it', async (t) => {
  const { ask, askWith, keys, created, goTo } = await openCampaigns(t);
  const rows = async (sql: string): Promise<unknown> => dataOf(await ask('POST', '/questions', { sql }))['rows'];
  t.same(await rows('SELECT count(*)::INTEGER FROM v_loans'), [[1]]);
  await created();
  t.same(await rows('SELECT status, count(*)::INTEGER FROM v_loans GROUP BY status ORDER BY status'), [
    ['active', 1],
    ['originated', 1],
  ]);
  t.same(await rows('SELECT overdue_amount, days_overdue FROM v_loans ORDER BY 1 DESC LIMIT 1'), [['0.00', 0]]);
  await goTo('2026-03-20');
  t.same(await rows('SELECT overdue_amount, days_overdue FROM v_loans ORDER BY 1 DESC LIMIT 1'), [['109.14', 5]]);
  t.same(await rows('SELECT count(*)::INTEGER FROM v_obligations WHERE is_overdue'), [[1]]);
  t.same(await rows('SELECT first_name, state FROM v_people'), [['Annabel', 'NY']]);
  t.equal((await ask('DELETE', '/people/ext-ann-1')).status < 500, true);
  const inLive = await ask('POST', '/questions', { sql: 'SELECT count(*)::INTEGER FROM v_loans' }, { key: keys.live });
  t.same(dataOf(inLive)['rows'], [[0]]);
  const blind = await askWith(['report:ask'], 'POST', '/questions', { sql: 'SELECT first_name FROM v_people' });
  t.match(blind.json, { statusCode: 400, errors: [{ path: 'query' }] });
  t.equal((await askWith(['report:read'], 'POST', '/questions', { sql: 'SELECT 1' })).status, 403);
  t.equal((await ask('POST', '/questions', { sql: 'DROP VIEW v_loans' })).status, 400);
});

test('a saved question is a report of its name, also as a Parquet file with types', async (t) => {
  const { ask, askWith, loanId, failures } = await openCampaigns(t);
  const sql = 'SELECT loan_id, outstanding_amount, days_overdue FROM v_loans -- all of them';
  const created = await ask('POST', '/saved-questions', { name: 'all-loans', title: 'All loans', sql });
  t.match(created, { status: 201, json: { data: { id: /^SQ-/, object: 'savedQuestion', name: 'all-loans', description: null, sql } } });
  t.match((await ask('POST', '/saved-questions', { name: 'all-loans', title: 'Again', sql })).status, 409);
  t.match((await ask('POST', '/saved-questions', { name: 'No name', title: 'x', sql: 'DELETE FROM v_loans' })).json, {
    statusCode: 400,
    errors: [{ path: 'name' }],
  });
  t.match(
    (await ask('POST', '/saved-questions', { name: 'files', title: 'x', sql: "SELECT * FROM read_text('/etc/passwd')" })).status,
    400,
  );
  t.match(listOf(await ask('GET', '/reports')).at(-1), {
    id: 'all-loans',
    object: 'report',
    title: 'All loans',
    description: 'All loans',
    sql,
  });
  const { rows } = dataOf(await ask('GET', '/reports/all-loans')) as { readonly rows: readonly (readonly unknown[])[] };
  t.match(rows, [[loanId, /^\d+\.\d\d$/, 0]]);
  const file = await ask('GET', '/reports/all-loans/file?format=parquet');
  t.match(file, { status: 200, headers: { 'content-type': 'application/vnd.apache.parquet' } });
  t.same(await rowsOfParquet(t, file.bytes), [[loanId, rows[0]?.[1], 'DECIMAL(18,2)']]);
  t.match((await askWith(['report:read'], 'POST', '/saved-questions', { name: 'other', title: 'x', sql })).status, 403);
  const path = `/saved-questions/${String(dataOf(created)['id'])}`;
  t.match(await ask('PUT', path, { sql: 'SELECT 1 AS one' }), {
    status: 200,
    json: { data: { title: 'All loans', sql: 'SELECT 1 AS one' } },
  });
  t.match((await ask('GET', '/reports/all-loans/file')).text, 'one\r\n1\r\n');
  t.equal((await ask('DELETE', path)).status, 200);
  t.equal((await ask('GET', '/reports/all-loans')).status, 404);
  t.same(failures, []);
});

/** The loan, its amount, and the amount's type. */
async function rowsOfParquet(t: Test, content: Buffer): Promise<unknown> {
  const path = join(tempFolder(t), 'report.parquet');
  writeFileSync(path, content);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await connection.runAndReadAll(`SELECT loan_id, outstanding_amount, typeof(outstanding_amount) FROM '${path}'`);
  return read.getRowsJson();
}
