import { setImmediate as othersTurn } from 'node:timers/promises';
import { dayAt, formatDay, ownJson, timeOfDayAt } from '../../../engine/index.js';
import type { ListCell, QueryList } from './rows.js';
import type { RowResult } from './view.js';

/*
 * The forms of what a run stores: its list, what became of rows, and the file. Long ones are made and read in pieces, between which others
 * have their turn.
 */

const PIECE = 2_000;

/** A line of JSON for the columns, then one for each row. */
export async function packList({ columns, rows }: QueryList): Promise<Buffer> {
  const pieces = [JSON.stringify(columns)];
  for (let at = 0; at < rows.length; at += PIECE) {
    pieces.push(
      rows
        .slice(at, at + PIECE)
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    await othersTurn();
  }
  return Buffer.from(pieces.join('\n'));
}

export async function unpackList(content: Uint8Array): Promise<QueryList> {
  const [columns = '[]', ...lines] = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8').split('\n');
  const rows: (readonly ListCell[])[] = [];
  for (const [at, line] of lines.entries()) {
    rows.push(ownJson<readonly ListCell[]>(line));
    if (at % PIECE === PIECE - 1) await othersTurn();
  }
  return { columns: ownJson<readonly string[]>(columns), rows };
}

/** What became of the rows of a batch, and the lines of the file that they gave. */
export interface BatchContent {
  readonly results: readonly RowResult[];
  readonly lines: string;
  /** Of each row that was worked: what makes a later one its duplicate. Absent in batches of earlier releases. */
  readonly keys?: readonly string[];
}

export const packBatch = (batch: BatchContent): Buffer => Buffer.from(JSON.stringify(batch));

export const unpackBatch = (content: Uint8Array): BatchContent =>
  ownJson<BatchContent>(Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8'));

interface Named {
  readonly campaignId: string;
  readonly runId: string;
  /** Milliseconds. */
  readonly at: number;
  readonly zone: string;
}

/** The name of a run's file, by the company's clock. */
export function fileNameOf(pattern: string, { campaignId, runId, at, zone }: Named): string {
  const { hour, minute } = timeOfDayAt(zone, at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return pattern
    .replaceAll('{campaignId}', campaignId)
    .replaceAll('{runId}', runId)
    .replaceAll('{YYYYMMDD}', formatDay(dayAt(zone, at)).replaceAll('-', ''))
    .replaceAll('{HHmm}', `${two(hour)}${two(minute)}`);
}
