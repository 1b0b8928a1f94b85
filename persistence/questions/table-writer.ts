import { type DuckDBConnection, listValue } from '@duckdb/node-api';
import type { ColumnShape, RowsPiece } from './messages.js';

interface Kind {
  /** Of the column. */
  readonly sql: string;
  /** Of the cells in JSON. */
  readonly read: string;
  /** Makes the value of such a cell. */
  of(cell: string): string;
}

const asRead = (sql: string): Kind => ({ sql, read: sql, of: (cell) => cell });

/** In whole numbers: a cell of `MONEY` has at most 16 digits. */
const KINDS: { readonly [Type in ColumnShape['type']]: Kind } = {
  VARCHAR: asRead('VARCHAR'),
  BOOLEAN: asRead('BOOLEAN'),
  INTEGER: asRead('INTEGER'),
  MONEY: { sql: 'DECIMAL(18,2)', read: 'BIGINT', of: (cents) => `${cents}::DECIMAL(16,0) * 0.01::DECIMAL(2,2)` },
  EXACT: { sql: 'DECIMAL(38,10)', read: 'VARCHAR', of: (text) => `${text}::DECIMAL(38,10)` },
  DATE: { sql: 'DATE', read: 'INTEGER', of: (days) => `DATE '1970-01-01' + ${days}` },
  TIMESTAMP: { sql: 'TIMESTAMP', read: 'DOUBLE', of: (ms) => `make_timestamp(round(${ms} * 1000)::BIGINT)` },
};

export const sqlType = ({ type }: ColumnShape): string => KINDS[type].sql;

/**
 * Writes rows behind those of a table, all of a batch at once: DuckDB reads the JSON of its pieces. A cell that does not fit its column
 * fails the batch, and is not taken for a missing one.
 */
export class TableWriter {
  readonly #insert: string;

  /** The table has a column for the actor before these. */
  constructor(table: string, columns: readonly ColumnShape[]) {
    const shape = Object.fromEntries([['actor', ['VARCHAR']], ...columns.map(({ type }, place) => [place, [KINDS[type].read]])]);
    const cells = ['unnest(piece.actor) AS actor', ...columns.map((_, place) => `unnest(piece."${place}") AS "${place}"`)];
    const values = ['actor', ...columns.map(({ type }, place) => KINDS[type].of(`"${place}"`))];
    const pieces = `SELECT from_json_strict(unnest($1::VARCHAR[]), '${JSON.stringify(shape)}') AS piece`;
    this.#insert = `INSERT INTO stored."${table}" SELECT ${values.join(', ')} FROM (SELECT ${cells.join(', ')} FROM (${pieces}))`;
  }

  /** `texts`: those of the table in pieces. */
  async append(connection: DuckDBConnection, texts: readonly RowsPiece['tables'][number][]): Promise<void> {
    const known = texts.filter((text) => text !== null);
    if (known.length > 0) await connection.run(this.#insert, [listValue(known)]);
  }
}
