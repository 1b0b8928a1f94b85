import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Test, test } from 'tap';
import { QuestionFailed, type SectionBounds } from '../../../actors/index.js';
import { QuestionStore } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';
import { piece } from '../../actors/questions/rows-piece.js';

const CSV: SectionBounds = { mostRows: 1_000, limitMs: 20_000, format: 'csv', hasHead: true };

/** Two loans, one of which has an id with all that CSV quotes. */
async function openStore(t: Test, folder = join(tempFolder(t), 'questions')): Promise<QuestionStore> {
  const store = new QuestionStore({ folder, report: () => undefined });
  t.teardown(() => store.close());
  await store.open('section');
  const columns = [
    { name: 'loan_id', type: 'VARCHAR' },
    { name: 'amount', type: 'MONEY' },
    { name: 'is_open', type: 'BOOLEAN' },
    { name: 'due_date', type: 'DATE' },
  ] as const;
  await store.add('section', { name: 'section', tables: [{ name: 'v_loans', columns }] });
  const rows = [
    ['LN-ONE', 1234, true, 20_000],
    ['a "b",\nc', -5, false, null],
  ];
  const batch = { group: 'section', replaces: false, hasMore: false, watermark: 1_700_000_000_000 };
  await store.put('section', { ...batch, pieces: [piece(rows.map((row, at) => [`LN-${at}`, [[row]]]))] });
  return store;
}

const ALL = 'SELECT loan_id AS "loan, id", amount, is_open, due_date FROM v_loans ORDER BY amount DESC';

test('a section is CSV with its head or without, and has the rows of its answer', async (t) => {
  const store = await openStore(t);
  const lines = 'LN-ONE,12.34,true,2024-10-04\r\n"a ""b"",\nc",-0.05,false,\r\n';
  const first = await store.section('section', ALL, CSV);
  t.equal(Buffer.from(first.content).toString(), `"loan, id",amount,is_open,due_date\r\n${lines}`);
  t.equal(first.rowCount, 2);
  const next = await store.section('section', ALL, { ...CSV, hasHead: false });
  t.equal(Buffer.from(next.content).toString(), lines);
  const many = await store.section('section', ALL, { ...CSV, mostRows: 1 }).catch((cause: unknown) => cause);
  t.match(many, { type: 'tooLarge' });
  t.ok(many instanceof QuestionFailed);
});

test('sections of Parquet become one file, and nothing stays of them', async (t) => {
  const folder = join(tempFolder(t), 'questions');
  const store = await openStore(t, folder);
  const sections: Uint8Array[] = [];
  for (const where of ['amount > 0', 'FALSE', 'amount < 0']) {
    const sql = `SELECT loan_id, amount FROM v_loans WHERE ${where}`;
    sections.push((await store.section('section', sql, { ...CSV, format: 'parquet' })).content);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of store.merged(each(sections))) pieces.push(piece);
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  t.strictSame(
    left.filter((name) => name.endsWith('.parquet')),
    [],
  );
  const path = join(tempFolder(t), 'whole.parquet');
  writeFileSync(path, Buffer.concat(pieces));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await connection.runAndReadAll(`SELECT loan_id, amount, typeof(amount) FROM '${path}'`);
  t.strictSame(read.getRowsJson(), [
    ['LN-ONE', '12.34', 'DECIMAL(18,2)'],
    ['a "b",\nc', '-0.05', 'DECIMAL(18,2)'],
  ]);
});

async function* each(sections: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  for (const section of sections) yield await Promise.resolve(section);
}
