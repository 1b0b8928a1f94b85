import type { DuckDBConnection } from '@duckdb/node-api';
import type { RowsPiece } from './messages.js';

/**
 * Characters of rows as JSON that lie in a database uncompressed, where they take some six times as much. While a view is filled they are
 * those of some 125,000 loans, as many rows as DuckDB compresses together: with fewer it compresses the last rows of each table again and
 * again, which took more than a third of the time of a fill.
 */
const UNCOMPRESSED = { whileMoreFollow: 64 * 1024 * 1024, atEnd: 8 * 1024 * 1024 } as const;

/** DuckDB itself would compress after every 16 MB that it takes to have changed. */
export const NOT_BY_ITSELF: Readonly<Record<string, string>> = { checkpoint_threshold: '1TB' };

/** When the tables of a database are compressed in memory. */
export class Compression {
  #uncompressed = 0;

  constructor(private readonly connection: Pick<DuckDBConnection, 'run'>) {}

  /** Once rows were put. */
  async put(pieces: readonly RowsPiece[], hasMore: boolean): Promise<void> {
    for (const { tables } of pieces) for (const text of tables) this.#uncompressed += text?.length ?? 0;
    if (this.#uncompressed < (hasMore ? UNCOMPRESSED.whileMoreFollow : UNCOMPRESSED.atEnd)) return;
    if (await compress(this.connection)) this.#uncompressed = 0;
  }
}

/** False: a question that is being answered stands against it, and what was not compressed now is with the next time. */
export async function compress(connection: Pick<DuckDBConnection, 'run'>): Promise<boolean> {
  try {
    await connection.run('CHECKPOINT');
    return true;
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes('Cannot CHECKPOINT'))) throw cause;
    return false;
  }
}
