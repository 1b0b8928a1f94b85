import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Test, test } from 'tap';
import { Compression, NOT_BY_ITSELF } from '../../../persistence/questions/compression.js';
import type { RowsPiece } from '../../../persistence/questions/messages.js';

const MB = 1024 * 1024;

test('rows are compressed once many were put: 64 MB of JSON while more follow, 8 MB at the end', async (t) => {
  const { connection, isCompressed } = await tableOf(t);
  const compression = new Compression(connection);
  await compression.put([pieceOf(63 * MB)], true);
  t.notOk(await isCompressed(), 'more follow');
  await compression.put([pieceOf(2 * MB)], true);
  t.ok(await isCompressed());

  await connection.run('INSERT INTO numbers SELECT range, range % 7 FROM range(300000)');
  await compression.put([pieceOf(7 * MB)], false);
  t.notOk(await isCompressed(), 'they are few');
  await compression.put([pieceOf(MB), pieceOf(0)], false);
  t.ok(await isCompressed());
});

test('what a question stands against is compressed with the next rows; any other failure is one', async (t) => {
  const { connection, isCompressed } = await tableOf(t);
  const faults = ['Cannot CHECKPOINT: there are other transactions', 'The memory is full.'];
  const failing = {
    run: (sql: string): ReturnType<DuckDBConnection['run']> => {
      const fault = faults.shift();
      return fault === undefined ? connection.run(sql) : Promise.reject(new Error(fault));
    },
  };
  const compression = new Compression(failing);
  await compression.put([pieceOf(9 * MB)], false);
  t.notOk(await isCompressed());
  await t.rejects(compression.put([pieceOf(1)], false), /memory is full/);
  await compression.put([pieceOf(1)], false);
  t.ok(await isCompressed());
});

/** A table with rows that are not compressed. */
async function tableOf(t: Test): Promise<{
  readonly connection: DuckDBConnection;
  readonly isCompressed: () => Promise<boolean>;
}> {
  const instance = await DuckDBInstance.create(':memory:', NOT_BY_ITSELF);
  t.teardown(() => instance.closeSync());
  const connection = await instance.connect();
  await connection.run('CREATE TABLE numbers AS SELECT range AS number, range % 7 AS part FROM range(300000)');
  const segments = `pragma_storage_info('numbers') WHERE segment_type <> 'VALIDITY'`;
  const uncompressed = `SELECT count(*)::INTEGER FROM ${segments} AND compression = 'Uncompressed'`;
  return {
    connection,
    isCompressed: async () => (await connection.runAndReadAll(uncompressed)).getRowsJson()[0]?.[0] === 0,
  };
}

/** A piece with so much JSON. */
const pieceOf = (characters: number): RowsPiece => ({ actors: ['LN-1'], rowCount: 1, tables: ['x'.repeat(characters), null] });
