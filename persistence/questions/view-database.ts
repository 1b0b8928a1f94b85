import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBListValue,
  type DuckDBPreparedStatement,
  DuckDBTypeId,
  JsonDuckDBValueConverter,
  listValue,
  StatementType,
} from '@duckdb/node-api';
import { must } from '../../engine/basics/index.js';
import { Compression, NOT_BY_ITSELF } from './compression.js';
import { CsvText } from './csv-text.js';
import { contentsOf, keepTables, restoreTable } from './kept-tables.js';
import type { EncryptedFiles } from './kept-views.js';
import type { Answer, Cell, Fault, FileSection, ParquetFile, RowsPiece, TableGroup, ViewBatch } from './messages.js';
import { type SqlGuard, SqlRefused } from './sql-guard.js';
import { sqlType, TableWriter } from './table-writer.js';

/** What holds for each database, whatever is asked of it: nothing of the machine is reached, and nothing can be set any more. */
const SETTINGS: Readonly<Record<string, string>> = {
  memory_limit: '1GB',
  threads: '2',
  temp_directory: '',
  max_temp_directory_size: '0GB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_unsigned_extensions: 'false',
  ...NOT_BY_ITSELF,
};

/** Set last: nothing can be opened behind it. */
const CLOSED = [
  ['enable_external_access', 'false'],
  ['lock_configuration', 'true'],
] as const;

/** Of the text of one answer. */
const MOST_BYTES = 128 * 1024 * 1024;
const CELL_BYTES = 8;
/** Actors whose rows are put at once while more follow: much of what a transaction costs does not grow with its rows. */
const PUT_AT_ONCE = 10_000;

export class QuestionFault extends Error {
  override readonly name = 'QuestionFault';

  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** `folder`: the only place whose files it reaches; absent: none. */
export async function openInstance(folder?: string): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', SETTINGS);
  const connection = await instance.connect();
  if (folder !== undefined) await connection.run(`SET allowed_directories = ['${folder}/']`);
  for (const [name, value] of CLOSED) await connection.run(`SET ${name} = ${value}`);
  connection.closeSync();
  return instance;
}

/** Tables that are filled together, and what writes into them: `writers` in the order of the tables. */
interface StoredGroup extends TableGroup {
  readonly writers: readonly TableWriter[];
  /** What is put with the next batch. */
  waiting: RowsPiece[];
}

const storedGroup = ({ name, tables }: TableGroup): StoredGroup => ({
  name,
  tables,
  writers: tables.map((table) => new TableWriter(table.name, table.columns)),
  waiting: [],
});

const actorsTable = (group: string): string => `actors_${group}`;

/** Its tables in the schema `stored`. */
const tablesOf = ({ name, tables }: TableGroup): readonly string[] => [actorsTable(name), ...tables.map((table) => table.name)];

/** The views of one company, mode and access: a database of its own, so that no question finds another's rows. */
export class ViewDatabase {
  /** Each table is in one group alone. */
  readonly #groups = new Map<string, StoredGroup>();
  /** Settled once what is kept is fixed: what is put later is not in it. */
  #fixed: Promise<unknown> = Promise.resolve();
  /** Settled once what was put last is there. */
  #putting: Promise<unknown> = Promise.resolve();

  readonly #compression: Compression;

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly writer: DuckDBConnection,
    private readonly folder: string,
  ) {
    this.#compression = new Compression(writer);
  }

  /** `folder`: its own, for files on their way to the service. */
  static async open(folder: string): Promise<ViewDatabase> {
    const instance = await openInstance(folder);
    const writer = await instance.connect();
    await writer.run('CREATE SCHEMA stored');
    await writer.run('CREATE TABLE stored.watermarks (named VARCHAR, known_at TIMESTAMP)');
    return new ViewDatabase(instance, writer, folder);
  }

  get views(): readonly string[] {
    return [...this.#groups.values()].flatMap(({ tables }) => tables.map(({ name }) => name));
  }

  /** Empty tables. A group that had one of them is gone with all of its tables. */
  async add(group: TableGroup): Promise<void> {
    await this.#fixed;
    const names = new Set(group.tables.map(({ name }) => name));
    const gone = [...this.#groups.values()].filter(({ tables }) => tables.some(({ name }) => names.has(name)));
    await this.#inTransaction(async () => {
      for (const each of gone) await this.#drop(each);
      await this.#create(group);
    });
    for (const each of gone) this.#groups.delete(each.name);
    this.#groups.set(group.name, storedGroup(group));
  }

  async #create({ name: group, tables }: TableGroup): Promise<void> {
    await this.writer.run(`CREATE TABLE stored."${actorsTable(group)}" (id VARCHAR)`);
    await this.writer.run('INSERT INTO stored.watermarks VALUES ($1::VARCHAR, NULL)', [group]);
    for (const { name, columns } of tables) {
      const typed = columns.map((column) => `"${column.name}" ${sqlType(column)}`);
      await this.writer.run(`CREATE TABLE stored.${name} (_actor VARCHAR, ${typed.join(', ')})`);
      const names = columns.map((column) => `"${column.name}"`).join(', ');
      const watermark = `(SELECT known_at FROM stored.watermarks WHERE named = '${group}')`;
      await this.writer.run(`CREATE VIEW ${name} AS SELECT ${names}, ${watermark} AS as_of FROM stored.${name}`);
    }
  }

  async #drop({ name: group, tables }: TableGroup): Promise<void> {
    await this.writer.run(`DROP TABLE stored."${actorsTable(group)}"`);
    await this.writer.run('DELETE FROM stored.watermarks WHERE named = $1::VARCHAR', [group]);
    for (const { name } of tables) {
      await this.writer.run(`DROP VIEW ${name}`);
      await this.writer.run(`DROP TABLE stored.${name}`);
    }
  }

  /** All of a batch is seen at once, behind those before. Batches that more follow are put a few at a time. */
  put(batch: ViewBatch): Promise<void> {
    const put = this.#putting.then(() => this.#put(batch));
    this.#putting = put.catch(() => undefined); // who has put it knows
    return put;
  }

  async #put({ group: name, replaces, hasMore, watermark, pieces: added }: ViewBatch): Promise<void> {
    const group = this.#groups.get(name);
    if (group === undefined) throw new QuestionFault({ type: 'closed', message: 'The views are not there.' });
    const pieces = [...group.waiting, ...added];
    const actors = pieces.flatMap((piece) => piece.actors);
    if (hasMore && actors.length < PUT_AT_ONCE) {
      group.waiting = pieces;
      return;
    }
    group.waiting = [];
    await this.#fixed;
    await this.#inTransaction(async () => {
      if (actors.length > 0) {
        const ids = listValue(actors);
        if (replaces) await this.#remove(group, ids);
        await this.#append(group, ids, pieces);
      }
      const known = [BigInt(watermark) * 1000n, name];
      await this.writer.run('UPDATE stored.watermarks SET known_at = make_timestamp($1::BIGINT) WHERE named = $2::VARCHAR', known);
    });
    await this.#compression.put(pieces, hasMore);
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.writer.run('BEGIN');
    try {
      await work();
      await this.writer.run('COMMIT');
    } catch (cause) {
      await this.writer.run('ROLLBACK');
      throw cause;
    }
  }

  async #remove({ name: group, tables }: TableGroup, ids: DuckDBListValue): Promise<void> {
    await this.writer.run(`DELETE FROM stored."${actorsTable(group)}" WHERE id IN (SELECT unnest($1::VARCHAR[]))`, [ids]);
    for (const { name } of tables)
      await this.writer.run(`DELETE FROM stored.${name} WHERE _actor IN (SELECT unnest($1::VARCHAR[]))`, [ids]);
  }

  async #append({ name, writers }: StoredGroup, ids: DuckDBListValue, pieces: readonly RowsPiece[]): Promise<void> {
    await this.writer.run(`INSERT INTO stored."${actorsTable(name)}" SELECT unnest($1::VARCHAR[])`, [ids]);
    for (const [place, writer] of writers.entries())
      await writer.append(
        this.writer,
        pieces.map(({ tables }) => tables[place] ?? null),
      );
  }

  /** Writes a group as it is now, encrypted; meanwhile others are put and asked. */
  async keep(name: string, files: EncryptedFiles): Promise<void> {
    const { tables } = must(this.#groups.get(name), 'a group of the database');
    const reading = this.#reader();
    this.#fixed = Promise.allSettled([this.#fixed, reading]); // what fails is thrown below
    const connection = await reading;
    try {
      await keepTables(connection, { group: { name, tables }, tables: tablesOf({ name, tables }) }, files, this.folder);
    } finally {
      connection.closeSync();
    }
  }

  /** Reads what is there now, whatever is put later. */
  async #reader(): Promise<DuckDBConnection> {
    const connection = await this.instance.connect();
    await connection.run('BEGIN TRANSACTION READ ONLY');
    await connection.run('SELECT count(*) FROM stored.watermarks'); // a transaction sees what was there when it first reads
    return connection;
  }

  /** Adds a group that was kept, with its rows. */
  async restore(files: EncryptedFiles): Promise<void> {
    const { group, tables } = contentsOf(files);
    await this.add(group);
    for (const table of tables) await restoreTable(this.writer, table, files, this.folder);
  }

  /** How many actors a group has. */
  async count(group: string): Promise<number> {
    const read = await this.writer.runAndReadAll(`SELECT count(*)::INTEGER FROM stored."${actorsTable(group)}"`);
    return Number(read.getRowsJson()[0]?.[0]);
  }

  /** Throws `SqlRefused` and `QuestionFault`. */
  ask(guard: SqlGuard, { sql, mostRows, limitMs }: Asked): Promise<Answer> {
    return this.#within(guard, sql, limitMs, (connection) => answerOf(connection, sql, mostRows));
  }

  /** The answer as a Parquet file. Throws as `ask` does. */
  parquet(guard: SqlGuard, { sql, mostRows, limitMs }: Asked): Promise<ParquetFile> {
    return this.#within(guard, sql, limitMs, async (connection) => {
      await preparedSelect(connection, sql);
      const path = join(this.folder, `${randomUUID()}.parquet`);
      try {
        const text = `SELECT * FROM (\n${withoutEnd(sql)}\n) LIMIT ${mostRows + 1}`;
        const written = await connection.run(`COPY (${text}) TO '${path}' (FORMAT parquet)`);
        if (written.rowsChanged > mostRows)
          throw new QuestionFault({ type: 'tooLarge', message: `The answer has more than ${mostRows} rows.` });
        if (statSync(path).size > MOST_BYTES)
          throw new QuestionFault({ type: 'tooLarge', message: `The answer has more than ${MOST_BYTES} bytes.` });
        return { content: readFileSync(path), rowCount: written.rowsChanged };
      } finally {
        rmSync(path, { force: true });
      }
    });
  }

  /** The answer as lines of CSV. Throws as `ask` does. */
  csv(guard: SqlGuard, { sql, mostRows, limitMs, hasHead }: Asked & { readonly hasHead: boolean }): Promise<FileSection> {
    return this.#within(guard, sql, limitMs, async (connection) => {
      const text = new CsvText();
      let rowCount = 0;
      const head = (columns: readonly string[]): void => {
        if (hasHead) text.add(columns);
      };
      await eachRow(connection, sql, head, (row) => {
        text.add(row);
        rowCount += 1;
        if (rowCount > mostRows) throw new QuestionFault({ type: 'tooLarge', message: `The answer has more than ${mostRows} rows.` });
      });
      return { content: text.bytes(), rowCount };
    });
  }

  async #within<Result>(
    guard: SqlGuard,
    sql: string,
    limitMs: number,
    run: (connection: DuckDBConnection) => Promise<Result>,
  ): Promise<Result> {
    await guard.check(sql, this.views);
    const connection = await this.instance.connect();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      connection.interrupt();
    }, limitMs);
    try {
      await connection.run('BEGIN TRANSACTION READ ONLY');
      return await run(connection);
    } catch (cause) {
      if (isLate) throw new QuestionFault({ type: 'late', message: `The question takes more than ${limitMs} milliseconds.` });
      throw cause;
    } finally {
      clearTimeout(timer);
      connection.closeSync();
    }
  }

  close(): void {
    this.writer.closeSync();
    this.instance.closeSync();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What is asked, and its bounds. */
interface Asked {
  readonly sql: string;
  readonly mostRows: number;
  readonly limitMs: number;
}

async function preparedSelect(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new SqlRefused('A question is one SELECT.');
  const prepared = await statements.prepare(0).catch((cause: unknown) => {
    throw new SqlRefused(firstLine(cause));
  });
  if (prepared.statementType !== StatementType.SELECT) throw new SqlRefused('Only SELECT is answered.');
  return prepared;
}

/** Without the semicolon that may end it. */
const withoutEnd = (sql: string): string => sql.trimEnd().replace(/;$/, '');

async function answerOf(connection: DuckDBConnection, sql: string, mostRows: number): Promise<Answer> {
  const rows: Cell[][] = [];
  let named: readonly string[] = [];
  const head = (columns: readonly string[]): void => {
    named = columns;
  };
  await eachRow(connection, sql, head, (row) => {
    rows.push(row);
    if (rows.length > mostRows) throw new QuestionFault({ type: 'tooLarge', message: `The answer has more than ${mostRows} rows.` });
  });
  return { columns: named, rows };
}

/** Gives the names of the columns, and then each row. */
async function eachRow(
  connection: DuckDBConnection,
  sql: string,
  head: (columns: readonly string[]) => void,
  take: (row: Cell[]) => void,
): Promise<void> {
  const prepared = await preparedSelect(connection, sql);
  const result = await prepared.stream();
  head(result.deduplicatedColumnNames());
  let bytes = 0;
  const types = result.columnTypes();
  for await (const chunk of result) {
    const vectors = types.map((_type, column) => chunk.getColumnVector(column));
    for (let at = 0; at < chunk.rowCount; at += 1) {
      // Cell by cell, so that no chunk of long texts is in memory before it is counted.
      const row = vectors.map((vector, column) => {
        const type = types[column] ?? vector.type;
        const cell = cellOf(JsonDuckDBValueConverter(vector.getItem(at), type, JsonDuckDBValueConverter), type.typeId);
        bytes += typeof cell === 'string' ? cell.length : CELL_BYTES;
        if (bytes > MOST_BYTES) throw new QuestionFault({ type: 'tooLarge', message: `The answer has more than ${MOST_BYTES} bytes.` });
        return cell;
      });
      take(row);
    }
  }
}

/** Whole numbers of any width as numbers, where those are exact; lists and the like as JSON text. */
const cellOf = (value: unknown, typeId: DuckDBTypeId): Cell =>
  WHOLE.has(typeId) && typeof value === 'string' && Number.isSafeInteger(Number(value)) ? Number(value) : plainCell(value);

const WHOLE: ReadonlySet<DuckDBTypeId> = new Set([DuckDBTypeId.BIGINT, DuckDBTypeId.UBIGINT, DuckDBTypeId.HUGEINT]);

const plainCell = (value: unknown): Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value);

export const firstLine = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? '';

/** Writes one Parquet file of others with the same columns, in their order. Paths are the service's own, in the folder of the process. */
export async function mergeParquet(folder: string, sections: readonly string[], whole: string): Promise<void> {
  const instance = await openInstance(folder);
  try {
    const connection = await instance.connect();
    const named = sections.map((path) => `'${path}'`).join(', ');
    await connection.run(`COPY (SELECT * FROM read_parquet([${named}])) TO '${whole}' (FORMAT parquet)`);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
