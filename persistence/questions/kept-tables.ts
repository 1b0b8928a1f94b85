import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ownJson } from '../../engine/index.js';
import { decrypt, encrypt } from '../keys/data-keys.js';
import type { KeptPlace } from './kept-views.js';
import type { TableGroup } from './messages.js';

/** Rows that lie in clear at a time, in a file of the process on their way. */
const SLICE = 100_000;
/** The file that says what the others are. */
const CONTENTS = 'tables';

/** A table of the schema `stored`, and how many files its rows are in. */
interface KeptTable {
  readonly name: string;
  readonly slices: number;
}

interface Contents {
  readonly groups: readonly TableGroup[];
  readonly tables: readonly KeptTable[];
}

/** Writes tables, encrypted, as the transaction of the connection sees them. `scratch`: a folder of the process. */
export async function keepTables(
  connection: DuckDBConnection,
  { groups, tables }: { readonly groups: readonly TableGroup[]; readonly tables: readonly string[] },
  place: KeptPlace,
  scratch: string,
): Promise<void> {
  const kept: KeptTable[] = [];
  for (const name of tables) kept.push({ name, slices: await keepTable(connection, name, place, scratch) });
  write(place, CONTENTS, Buffer.from(JSON.stringify({ groups, tables: kept } satisfies Contents)));
}

async function keepTable(connection: DuckDBConnection, table: string, place: KeptPlace, scratch: string): Promise<number> {
  const read = await connection.runAndReadAll(`SELECT coalesce(max(rowid) + 1, 0)::DOUBLE FROM stored."${table}"`);
  const end = Number(read.getRowsJson()[0]?.[0]);
  const path = join(scratch, 'slice.parquet');
  let slices = 0;
  for (let from = 0; from < end; from += SLICE) {
    const rows = `SELECT * FROM stored."${table}" WHERE rowid >= ${from} AND rowid < ${from + SLICE}`;
    try {
      const written = await connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet)`);
      if (written.rowsChanged > 0) write(place, sliceOf(table, slices++), readFileSync(path));
    } finally {
      rmSync(path, { force: true });
    }
  }
  return slices;
}

/** What was kept; throws where a file is missing or cannot be decrypted. */
export const contentsOf = (place: KeptPlace): Contents => ownJson<Contents>(read(place, CONTENTS).toString());

/** Puts the rows that were kept into an empty table. */
export async function restoreTable(
  connection: DuckDBConnection,
  { name, slices }: KeptTable,
  place: KeptPlace,
  scratch: string,
): Promise<void> {
  const path = join(scratch, 'slice.parquet');
  for (let at = 0; at < slices; at += 1)
    try {
      writeFileSync(path, read(place, sliceOf(name, at)), { mode: 0o600 });
      await connection.run(`INSERT INTO stored."${name}" SELECT * FROM read_parquet('${path}')`);
    } finally {
      rmSync(path, { force: true });
    }
}

const sliceOf = (table: string, at: number): string => `${table}-${at}`;

const write = ({ folder, key }: KeptPlace, name: string, content: Uint8Array): void =>
  writeFileSync(join(folder, name), encrypt(key, content, name), { mode: 0o600 });

function read({ folder, key }: KeptPlace, name: string): Buffer {
  const content = decrypt(key, readFileSync(join(folder, name)), name);
  if (content === undefined) throw new Error('A file of kept views cannot be decrypted.');
  return content;
}
