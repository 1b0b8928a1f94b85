import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { QuestionFailed, type RowsPiece, type TableGroup } from '../../../actors/index.js';
import { QuestionStore } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';
import { piece } from '../../actors/questions/rows-piece.js';

const LOANS: TableGroup = {
  name: 'loans',
  tables: [
    {
      name: 'v_loans',
      columns: [
        { name: 'loan_id', type: 'VARCHAR' },
        { name: 'outstanding_amount', type: 'MONEY' },
        { name: 'is_open', type: 'BOOLEAN' },
        { name: 'due_date', type: 'DATE' },
        { name: 'created_at', type: 'TIMESTAMP' },
        { name: 'days_overdue', type: 'INTEGER' },
      ],
    },
  ],
};

const BOUNDS = { mostRows: 1_000, limitMs: 20_000 };

/** Two lenders, one loan each. */
async function openStore(t: Test): Promise<QuestionStore> {
  const store = new QuestionStore({ folder: join(tempFolder(t), 'questions'), report: () => undefined });
  t.teardown(() => store.close());
  for (const [database, loan] of [
    ['CP-ONE/live', 'LN-ONE'],
    ['CP-TWO/live', 'LN-TWO'],
  ] as const) {
    await store.open(database);
    await store.add(database, LOANS);
    await put(store, database, loan, 1234);
  }
  return store;
}

const put = (store: QuestionStore, database: string, loan: string, cents: number, replaces = false, hasMore = false): Promise<void> =>
  store.put(database, {
    group: 'loans',
    replaces,
    hasMore,
    pieces: [piece([[loan, [[[loan, cents, true, 20_000, 1_700_000_000_000, null]]]]])],
    watermark: 1_700_000_000_000,
  });

const fault = (store: QuestionStore, sql: string, bounds = BOUNDS): Promise<string> =>
  store.ask('CP-ONE/live', sql, bounds).then(
    () => 'answered',
    (cause: unknown) => (cause instanceof QuestionFailed ? cause.type : `no fault of a question: ${String(cause)}`),
  );

test('a view has what was put last, amounts to the cent, and its watermark', async (t) => {
  const store = await openStore(t);
  const all = await store.ask('CP-ONE/live', 'SELECT * FROM v_loans', BOUNDS);
  t.strictSame(all.columns, ['loan_id', 'outstanding_amount', 'is_open', 'due_date', 'created_at', 'days_overdue', 'as_of']);
  t.strictSame(all.rows, [['LN-ONE', '12.34', true, '2024-10-04', '2023-11-14 22:13:20', null, '2023-11-14 22:13:20']]);
  await put(store, 'CP-ONE/live', 'LN-ONE', 99, true);
  await put(store, 'CP-ONE/live', 'LN-NEW', 1);
  t.equal(await store.count('CP-ONE/live', 'loans'), 2);
  const sum = 'WITH open AS (FROM v_loans WHERE is_open) SELECT sum(outstanding_amount) AS s FROM open';
  t.strictSame((await store.ask('CP-ONE/live', sum, BOUNDS)).rows, [['1.00']]);
});

test('batches that are sent without waiting for those before are put in their order, also behind one that fails', async (t) => {
  const store = await openStore(t);
  const batches = Array.from({ length: 40 }, (_, at) => put(store, 'CP-ONE/live', at === 20 ? 'no text\ud800' : 'LN-ONE', at, true));
  const ends = await Promise.allSettled(batches);
  t.equal(ends.filter(({ status }) => status === 'fulfilled').length >= 39, true);
  const { rows } = await store.ask('CP-ONE/live', "SELECT outstanding_amount FROM v_loans WHERE loan_id = 'LN-ONE'", BOUNDS);
  t.strictSame(rows, [['0.39']]);
});

test('rows that more follow are seen with the last of them, and are gone with a group that is filled again', async (t) => {
  const store = await openStore(t);
  const cents = async (): Promise<unknown> => {
    const { rows } = await store.ask('CP-ONE/live', 'SELECT outstanding_amount FROM v_loans ORDER BY loan_id', BOUNDS);
    return rows.flat();
  };
  await put(store, 'CP-ONE/live', 'LN-TWO', 2, false, true);
  await put(store, 'CP-ONE/live', 'LN-WAY', 3, false, true);
  t.strictSame(await cents(), ['12.34']);
  await put(store, 'CP-ONE/live', 'LN-YET', 4);
  t.strictSame(await cents(), ['12.34', '0.02', '0.03', '0.04']);
  t.equal(await store.count('CP-ONE/live', 'loans'), 4);
  await put(store, 'CP-ONE/live', 'LN-ZED', 5, false, true);
  await store.add('CP-ONE/live', LOANS);
  await put(store, 'CP-ONE/live', 'LN-NEW', 6);
  t.strictSame(await cents(), ['0.06']);
});

test('many rows that more follow are seen before the last', async (t) => {
  const store = await openStore(t);
  const loans = Array.from({ length: 10_000 }, (_, at) => `LN-${at}`);
  const pieces = [piece(loans.map((loan) => [loan, [[[loan, 1, true, 20_000, 1_700_000_000_000, null]]]]))];
  await store.put('CP-ONE/live', { group: 'loans', replaces: false, hasMore: true, pieces, watermark: 1_700_000_000_000 });
  t.equal(await store.count('CP-ONE/live', 'loans'), 10_001);
});

test('files that a killed service left in the folder of questions are removed, and the folder is for its owner alone', async (t) => {
  const folder = join(tempFolder(t), 'questions');
  mkdirSync(join(folder, 'merge-left'), { recursive: true });
  writeFileSync(join(folder, 'merge-left', 'whole.parquet'), 'Ada Alder');
  const store = new QuestionStore({ folder, report: () => undefined });
  t.notOk(existsSync(folder), 'nothing is left before the first question');
  await store.open('CP-ONE/live');
  t.equal(statSync(folder).mode & 0o777, 0o700);
  t.equal(readdirSync(folder).length, 1, 'a folder of the database');
  await store.close();
  t.notOk(existsSync(folder));
});

/** Some actors in each, as pages of the engine have them. */
function inPieces(actors: Parameters<typeof piece>[0]): readonly RowsPiece[] {
  const made: RowsPiece[] = [];
  for (let from = 0; from < actors.length; from += 40) made.push(piece(actors.slice(from, from + 40)));
  return made;
}

const KINDS: TableGroup = {
  name: 'kinds',
  tables: [
    { name: 'v_texts', columns: [{ name: 'said', type: 'VARCHAR' }] },
    {
      name: 'v_kinds',
      columns: [
        { name: 'number', type: 'INTEGER' },
        { name: 'amount', type: 'MONEY' },
        { name: 'is_open', type: 'BOOLEAN' },
        { name: 'day', type: 'DATE' },
        { name: 'moment', type: 'TIMESTAMP' },
      ],
    },
  ],
};

test('rows of any number and with any values are found as they were put, and are gone when their actors are replaced', async (t) => {
  const store = await openStore(t);
  await store.add('CP-ONE/live', KINDS);
  const actors = Array.from({ length: 130 }, (_, at) => `A${at}`);
  // No row of some actors, forty of others: more than two thousand together.
  const rowsOf = (actor: number): readonly (readonly (string | number | boolean | null)[])[] =>
    Array.from({ length: (actor % 3) * 20 }, (_, at) => {
      const number = actor * 40 + at;
      if (number % 7 === 0) return [number, null, null, null, null];
      return [number, -(2 ** 40) - number, number % 2 === 0, number - 1_000, -number + 0.25];
    });
  const all = actors.map((_, at) => rowsOf(at)).flat();
  const texts = (actor: string, at: number): readonly (readonly (string | null)[])[] =>
    at === 5 ? [['Zoë 한글 🏠'], [''], [null]] : [[actor]];
  const putSome = (from: number, to: number, replaces: boolean, rows = rowsOf): Promise<void> =>
    store.put('CP-ONE/live', {
      group: 'kinds',
      replaces,
      hasMore: false,
      pieces: inPieces(actors.slice(from, to).map((actor, at) => [actor, [texts(actor, from + at), rows(from + at)]])),
      watermark: 1_700_000_000_000,
    });
  const sums =
    'SELECT count(*), count(amount), sum(amount), count(*) FILTER (WHERE is_open), ' +
    'min(day), max(day), min(moment), max(moment) FROM v_kinds';
  const expected = async (rows: readonly (readonly (string | number | boolean | null)[])[], title: string): Promise<void> => {
    const known = rows.filter(([, amount]) => amount !== null).map(([number]) => Number(number));
    const cents = known.reduce((sum, number) => sum - 2n ** 40n - BigInt(number), 0n);
    const day = (number: number): string => new Date((number - 1_000) * 86_400_000).toISOString().slice(0, 10);
    const time = (number: number): string => `${new Date(Math.floor(-number)).toISOString().slice(0, -1).replace('T', ' ')}25`;
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const text = String(-cents).padStart(3, '0');
    t.strictSame(
      (await store.ask('CP-ONE/live', sums, BOUNDS)).rows,
      [
        [
          rows.length,
          known.length,
          `-${text.slice(0, -2)}.${text.slice(-2)}`,
          known.filter((number) => number % 2 === 0).length,
          day(least),
          day(most),
          time(most),
          time(least),
        ],
      ],
      title,
    );
  };
  await putSome(0, 5, false);
  await putSome(5, 130, false);
  t.ok(all.length > 2_048, `${all.length} rows`);
  await expected(all, 'all that was put');
  t.equal(await store.count('CP-ONE/live', 'kinds'), 130);
  const said = "SELECT said FROM v_texts WHERE said IS NULL OR said NOT LIKE 'A%' ORDER BY said";
  t.strictSame((await store.ask('CP-ONE/live', said, BOUNDS)).rows, [[''], ['Zoë 한글 🏠'], [null]]);
  await putSome(0, 120, true, () => []);
  await expected(
    actors.flatMap((_, at) => (at < 120 ? [] : rowsOf(at))),
    'what is left',
  );
  t.equal(await store.count('CP-ONE/live', 'kinds'), 130, 'an actor without rows is one');
});

test('texts of any characters and the largest amounts are what was put', async (t) => {
  const store = await openStore(t);
  await store.add('CP-ONE/live', {
    name: 'edges',
    tables: [
      {
        name: 'v_edges',
        columns: [
          { name: 'said', type: 'VARCHAR' },
          { name: 'amount', type: 'MONEY' },
          { name: 'exact', type: 'EXACT' },
        ],
      },
    ],
  });
  const texts = ['"quoted", and \'so\'', 'two\r\nlines\t', 'NULL', 'null', '\\ud800', '12', 'true', '{"a": [1]}', 'a\u0000b'];
  const cents = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1, -1, 0, 5, 99, 100, -100];
  const exact = ['0.0000000001', '-12345678901234567.8901234567', '0.0000000000'];
  const rows = texts.map((text, at) => [text, cents[at] ?? null, exact[at] ?? null]);
  // The high half of a character alone is no text of a database, and the other texts of its piece are kept.
  const pieces = inPieces([...rows, ['half: \ud800', null, null]].map((row, at) => [`A${at}`, [[row]]]));
  await store.put('CP-ONE/live', { group: 'edges', replaces: false, hasMore: false, pieces, watermark: 1_700_000_000_000 });
  const read = (await store.ask('CP-ONE/live', 'SELECT said, amount, exact FROM v_edges', BOUNDS)).rows;
  const money = ['90071992547409.91', '-90071992547409.91', '0.01', '-0.01', '0.00', '0.05', '0.99', '1.00', '-1.00'];
  t.strictSame(read, [...texts.map((text, at) => [text, money[at], exact[at] ?? null]), ['half: \ufffd', null, null]]);
});

test('a cell that does not fit its column fails its batch, and is not taken for a missing one', async (t) => {
  const store = await openStore(t);
  for (const days of [2 ** 31, 'many'])
    await t.rejects(
      store.put('CP-ONE/live', {
        group: 'loans',
        replaces: false,
        hasMore: false,
        pieces: [piece([['LN-TWO', [[['LN-TWO', 1, true, 20_000, 1_700_000_000_000, days]]]]])],
        watermark: 1_700_000_000_000,
      }),
      { name: 'QuestionFailed', type: 'failed' },
    );
  t.strictSame((await store.ask('CP-ONE/live', 'SELECT loan_id FROM v_loans', BOUNDS)).rows, [['LN-ONE']], 'nothing of it is there');
});

test('a lender finds nothing of another', async (t) => {
  const store = await openStore(t);
  t.strictSame((await store.ask('CP-TWO/live', 'SELECT loan_id FROM main.v_loans', BOUNDS)).rows, [['LN-TWO']]);
  for (const sql of [
    'SELECT * FROM "CP-TWO/live".v_loans',
    'SELECT * FROM memory.main.v_loans',
    'SELECT * FROM stored.v_loans',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM duckdb_tables',
    'SELECT * FROM duckdb_databases()',
    'SELECT * FROM pg_catalog.pg_class',
    'SELECT * FROM sqlite_master',
    'WITH duckdb_settings AS (SELECT 1) SELECT * FROM duckdb_settings',
    'SELECT * FROM (WITH sqlite_master AS (SELECT 1) SELECT 1), sqlite_master',
  ])
    t.equal(await fault(store, sql), 'refused', sql);
});

test('nothing is written, set, attached or loaded', async (t) => {
  const store = await openStore(t);
  for (const sql of [
    'DELETE FROM v_loans',
    'DELETE FROM stored.v_loans',
    'INSERT INTO stored.v_loans SELECT * FROM stored.v_loans',
    'CREATE TABLE mine AS SELECT 1',
    'CREATE TEMP TABLE mine AS SELECT 1',
    'CREATE MACRO f() AS 1',
    'DROP VIEW v_loans',
    "ATTACH ':memory:' AS other",
    "ATTACH '/tmp/tenor-question.db' AS other",
    "COPY v_loans TO '/tmp/tenor-question.csv'",
    "COPY v_loans FROM '/etc/passwd'",
    "EXPORT DATABASE '/tmp/tenor-question'",
    'INSTALL httpfs',
    'LOAD httpfs',
    "SET memory_limit = '100GB'",
    'RESET memory_limit',
    'SET VARIABLE x = 1',
    "PRAGMA memory_limit = '100GB'",
    'PRAGMA database_list',
    'CALL pragma_version()',
    "CALL enable_logging(storage = 'file', storage_path = '/tmp/tenor-question')",
    'BEGIN',
    'COMMIT',
    'CHECKPOINT',
    'VACUUM',
    'EXPLAIN ANALYZE SELECT 1',
    'PREPARE q AS SELECT 1',
    'SELECT 1; SELECT 2',
    'SELECT 1; DROP VIEW v_loans',
    'DESCRIBE v_loans',
    'SHOW TABLES',
    'SUMMARIZE v_loans',
    'PIVOT v_loans ON loan_id USING count(*)',
    'SELECT FROM WHERE',
    '',
    ';',
  ])
    t.equal(await fault(store, sql), 'refused', sql);
  t.equal((await store.ask('CP-ONE/live', 'SELECT * FROM v_loans', BOUNDS)).rows.length, 1, 'all is as it was');
  t.notOk(existsSync('/tmp/tenor-question.csv'));
  t.notOk(existsSync('/tmp/tenor-question.db'));
  t.notOk(existsSync('/tmp/tenor-question'));
});

test('no function reaches files, the network, settings, logs or the process', async (t) => {
  const server = createServer((_request, response) => response.end('a'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  let asked = 0;
  server.on('request', () => (asked += 1));
  const { port } = server.address() as AddressInfo;
  const store = await openStore(t);
  for (const sql of [
    "SELECT * FROM '/etc/passwd'",
    `SELECT * FROM 'http://127.0.0.1:${port}/x.csv'`,
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/proc/self/environ')",
    "SELECT * FROM read_csv('/etc/passwd')",
    `SELECT * FROM read_csv('http://127.0.0.1:${port}/x.csv')`,
    "SELECT * FROM read_json_auto('/etc/passwd')",
    "SELECT * FROM parquet_scan('/etc/passwd')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('v_loans')",
    "SELECT * FROM json_execute_serialized_sql('{}')",
    "SELECT * FROM enable_logging(storage = 'file', storage_path = '/tmp/tenor-question')",
    "SELECT (SELECT count(*) FROM enable_logging(storage = 'file'))",
    'WITH a AS (SELECT * FROM duckdb_logs()) SELECT * FROM a',
    'SELECT * FROM v_loans WHERE loan_id IN (SELECT path FROM duckdb_databases())',
    'SELECT * FROM duckdb_settings()',
    'SELECT * FROM duckdb_secrets()',
    'SELECT * FROM checkpoint()',
    'SELECT * FROM force_checkpoint()',
    "SELECT * FROM pragma_table_info('v_loans')",
    "SELECT getenv('HOME')",
    "SELECT current_setting('temp_directory')",
    "SELECT write_log('x')",
    'SELECT sleep_ms(100000)',
    "SELECT nextval('s')",
    'SELECT version()',
    'SELECT CASE WHEN true THEN current_query() END',
    "SELECT list_transform([1], x -> current_setting('threads'))",
  ])
    t.match(await fault(store, sql), /^refused$/, sql);
  t.equal(asked, 0, 'nobody was called');
});

test('a question ends that takes too long, too much memory, or gives too much', async (t) => {
  const store = await openStore(t);
  const endless = 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r';
  t.match(await fault(store, endless, { ...BOUNDS, limitMs: 500 }), /^(late|tooLarge)$/);
  const product = 'SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c WHERE a.range + b.range = c.range % 7';
  t.equal(await fault(store, product, { ...BOUNDS, limitMs: 500 }), 'late');
  const patient = { ...BOUNDS, limitMs: 120_000 }; // a busy machine takes seconds to make a gigabyte
  t.equal(await fault(store, 'SELECT * FROM range(1001)', patient), 'tooLarge');
  t.equal(await fault(store, "SELECT repeat('x', 100000000) FROM range(10)", patient), 'tooLarge');
  t.match(await fault(store, "SELECT repeat('x', 700000000)", patient), /^(tooLarge|failed)$/);
  t.equal(await fault(store, 'SELECT list(a.range) FROM range(1000000000) a', patient), 'tooLarge');
  t.equal((await store.ask('CP-ONE/live', 'SELECT * FROM range(1000)', BOUNDS)).rows.length, 1_000, 'the next one is answered');
});

test('what a value was is in no error', async (t) => {
  const store = await openStore(t);
  const cause = await store.ask('CP-ONE/live', 'SELECT loan_id::INTEGER FROM v_loans', BOUNDS).catch((error: unknown) => error as Error);
  t.match(cause, { type: 'failed', message: /Conversion Error/ });
  t.notMatch((cause as Error).message, 'LN-ONE');
});

test('a process that has ended comes again, empty', async (t) => {
  const store = await openStore(t);
  const { generation } = store;
  await store.close();
  t.equal(await fault(store, 'SELECT 1'), 'closed');
  const other = await openStore(t);
  t.ok(generation > 0 && other.generation > 0);
});
