import {
  BOOLEAN,
  DATE,
  DECIMAL,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  TIMESTAMP,
  VARCHAR,
} from '@duckdb/node-api';
import type { Cell, ColumnShape } from './messages.js';

/** Rows that DuckDB takes at once: the size of its vectors. */
const CHUNK_ROWS = 2_048;
const MONEY_WIDTH = 18;
const MONEY_SCALE = 2;
const EXACT_WIDTH = 38;
const EXACT_SCALE = 10;

const TYPES: { readonly [Type in ColumnShape['type']]: DuckDBType } = {
  VARCHAR,
  BOOLEAN,
  INTEGER,
  MONEY: DECIMAL(MONEY_WIDTH, MONEY_SCALE),
  EXACT: DECIMAL(EXACT_WIDTH, EXACT_SCALE),
  DATE,
  TIMESTAMP,
};

export const sqlType = ({ type }: ColumnShape): string => TYPES[type].toString();

/** A row and the actor that it is about. */
export interface ActorRow {
  readonly actor: string;
  readonly cells: readonly Cell[];
}

/**
 * Writes rows behind those of a table, column by column: numbers go into memory that is handed over as a whole. The memory is used again:
 * the garbage collector does not know how much it is.
 */
export class TableWriter {
  readonly #chunk: DuckDBDataChunk;

  /** The table has a column for the actor before these. */
  constructor(
    private readonly table: string,
    private readonly columns: readonly ColumnShape[],
  ) {
    this.#chunk = DuckDBDataChunk.create([VARCHAR, ...columns.map(({ type }) => TYPES[type])]);
  }

  async append(connection: DuckDBConnection, rows: readonly ActorRow[]): Promise<void> {
    if (rows.length === 0) return;
    const appender = await connection.createAppender(this.table, 'stored');
    for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
      this.#fill(rows.slice(from, from + CHUNK_ROWS));
      appender.appendDataChunk(this.#chunk);
    }
    appender.closeSync();
  }

  #fill(rows: readonly ActorRow[]): void {
    this.#chunk.reset();
    this.#chunk.rowCount = rows.length;
    this.#chunk.setColumnValues(
      0,
      rows.map(({ actor }) => actor),
    );
    for (const [place, { type }] of this.columns.entries())
      this.#chunk.setColumnValues(
        place + 1,
        rows.map(({ cells }) => valueOf(type, cells[place] ?? null)),
      );
  }
}

function valueOf(type: ColumnShape['type'], cell: Cell): DuckDBValue {
  if (cell === null) return null;
  switch (type) {
    case 'VARCHAR':
      return String(cell);
    case 'BOOLEAN':
      return cell === true;
    case 'INTEGER':
      return Number(cell);
    case 'MONEY':
      return new DuckDBDecimalValue(BigInt(Number(cell)), MONEY_WIDTH, MONEY_SCALE);
    case 'EXACT':
      return new DuckDBDecimalValue(BigInt(String(cell).replace('.', '')), EXACT_WIDTH, EXACT_SCALE);
    case 'DATE':
      return new DuckDBDateValue(Number(cell));
    case 'TIMESTAMP':
      return new DuckDBTimestampValue(BigInt(Math.round(Number(cell) * 1000)));
  }
}
