import { parentPort, workerData } from 'node:worker_threads';
import type { QueryList } from '../../actors/index.js';
import { queryListOf, Unreadable } from './query-list.js';

/*
 * The code of a thread that reads one answer of a query tool, which may be long: reading it at once would hold the service for seconds. It
 * says what it has found, and then gives the rows in pieces, each when it is asked for.
 */

/** The first message: what is wrong, or the columns and the number of rows. */
export type QueryListFound = { readonly fault: string } | { readonly columns: readonly string[]; readonly rowCount: number };

/** A piece of the rows, from its place to the place behind its last row. */
export interface QueryPiece {
  readonly from: number;
  readonly to: number;
}

function listOf(content: Uint8Array): QueryList | { readonly fault: string } {
  try {
    return queryListOf(new TextDecoder().decode(content));
  } catch (cause) {
    if (cause instanceof Unreadable) return { fault: cause.message };
    throw cause;
  }
}

const content: Uint8Array = workerData;
const list = listOf(content);
parentPort?.postMessage(('fault' in list ? list : { columns: list.columns, rowCount: list.rows.length }) satisfies QueryListFound);
if (!('fault' in list)) parentPort?.on('message', ({ from, to }: QueryPiece) => parentPort?.postMessage(list.rows.slice(from, to)));
