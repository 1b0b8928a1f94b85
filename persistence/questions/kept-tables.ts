import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ownJson } from '../../engine/basics/index.js';
import { decrypt, encrypt } from '../keys/data-keys.js';
import { compress } from './compression.js';
import type { EncryptedFiles } from './kept-views.js';
import type { TableGroup } from './messages.js';

/** Rows that lie in clear at a time, in a file of the process on their way: those of one row group of DuckDB, which reads them fastest. */
const PORTION = 122_880;
/** The file that says what the others are. */
const CONTENTS = 'tables';

/** A table of the schema `stored`, and how many files its rows are in. */
interface KeptTable {
  readonly name: string;
  readonly portions: number;
}

interface Contents {
  readonly group: TableGroup;
  readonly tables: readonly KeptTable[];
}

/** Writes tables, encrypted, as the transaction of the connection sees them. `scratch`: a folder of the process. */
export async function keepTables(
  connection: DuckDBConnection,
  { group, tables }: { readonly group: TableGroup; readonly tables: readonly string[] },
  files: EncryptedFiles,
  scratch: string,
): Promise<void> {
  const kept: KeptTable[] = [];
  for (const name of tables) kept.push({ name, portions: await keepTable(connection, name, files, scratch) });
  write(files, CONTENTS, Buffer.from(JSON.stringify({ group, tables: kept } satisfies Contents)));
}

async function keepTable(connection: DuckDBConnection, table: string, files: EncryptedFiles, scratch: string): Promise<number> {
  const counted = await connection.runAndReadAll(`SELECT coalesce(max(rowid) + 1, 0)::DOUBLE FROM stored."${table}"`);
  const end = Number(counted.getRowsJson()[0]?.[0]);
  const path = join(scratch, `${randomUUID()}.parquet`);
  let portions = 0;
  for (let from = 0; from < end; from += PORTION) {
    const rows = `SELECT * FROM stored."${table}" WHERE rowid >= ${from} AND rowid < ${from + PORTION}`;
    try {
      const written = await connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet)`);
      if (written.rowsChanged > 0) write(files, portionOf(table, portions++), readFileSync(path));
    } finally {
      rmSync(path, { force: true });
    }
  }
  return portions;
}

/** What was kept; throws where a file is missing or cannot be decrypted. */
export const contentsOf = (files: EncryptedFiles): Contents => ownJson<Contents>(read(files, CONTENTS).toString());

/** Puts the rows that were kept into an empty table. */
export async function restoreTable(
  connection: DuckDBConnection,
  { name, portions }: KeptTable,
  files: EncryptedFiles,
  scratch: string,
): Promise<void> {
  const path = join(scratch, `${randomUUID()}.parquet`);
  for (let at = 0; at < portions; at += 1)
    try {
      writeFileSync(path, read(files, portionOf(name, at)), { mode: 0o600 });
      await connection.run(`INSERT INTO stored."${name}" SELECT * FROM read_parquet('${path}')`);
      await compress(connection); // together all rows would need five times the memory
    } finally {
      rmSync(path, { force: true });
    }
}

const portionOf = (table: string, at: number): string => `${table}-${at}`;

const write = ({ folder, key }: EncryptedFiles, name: string, content: Uint8Array): void =>
  writeFileSync(join(folder, name), encrypt(key, content, name), { mode: 0o600 });

function read({ folder, key }: EncryptedFiles, name: string): Buffer {
  const content = decrypt(key, readFileSync(join(folder, name)), name);
  if (content === undefined) throw new Error('A file of kept views cannot be decrypted.');
  return content;
}
