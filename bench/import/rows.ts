import { createReadStream } from 'node:fs';
import { type CsvError, parse } from 'csv-parse';
import { LIMITS } from './limits.js';
import type { Cells } from './template.js';

export interface Row {
  /** The line of the file on which the row ends; the header is line 1. */
  readonly line: number;
  /** Bytes of the file up to the row's end. */
  readonly bytes: number;
  /** Null where the line is no row; `fault` says why. */
  readonly cells: Cells | null;
  readonly fault: string | null;
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly bytes: number };
}

/** The names in the first line. */
export async function readHeader(path: string): Promise<readonly string[]> {
  for await (const { record } of parsed(path, () => undefined)) return record.map((name) => name.trim());
  return [];
}

/** All rows in the order of the file, as they are read; a line that is no row comes with its fault. */
export async function* readRows(path: string, header: readonly string[]): AsyncGenerator<Row> {
  const broken: Row[] = [];
  const onBroken = (line: number, fault: string): void => void broken.push({ line, bytes: 0, cells: null, fault });
  let isHeader = true;
  for await (const { record, info } of parsed(path, onBroken)) {
    yield* broken.splice(0);
    if (isHeader) isHeader = false;
    else yield rowOf(record, header, info);
  }
  yield* broken.splice(0);
}

function rowOf(record: readonly string[], header: readonly string[], { lines: line, bytes }: Parsed['info']): Row {
  if (record.length !== header.length) {
    return { line, bytes, cells: null, fault: `has ${record.length} fields, the header has ${header.length}` };
  }
  const cells: Record<string, string> = {};
  for (const [index, name] of header.entries()) cells[name] = record[index] ?? '';
  return { line, bytes, cells, fault: null };
}

function parsed(path: string, onBroken: (line: number, fault: string) => void): AsyncIterable<Parsed> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: LIMITS.rowBytes,
    on_skip: (error: CsvError | undefined) => {
      onBroken(Number(error?.['lines'] ?? 0), error?.message ?? 'is no row');
      return undefined;
    },
  });
  const file = createReadStream(path);
  file.on('error', (cause) => parser.destroy(cause));
  return file.pipe(parser) as AsyncIterable<Parsed>;
}
