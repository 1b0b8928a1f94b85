import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { UsageError } from '../cli/lookups.js';
import { CsvScanner, NOT_UTF8, type ScannedRow } from './csv-scanner.js';
import { type Encoding, encodingOf, type FoundEncoding, toUtf8 } from './encoding.js';
import { LIMITS } from './row-booking.js';
import type { Cells } from './template.js';

export interface Row {
  /** The line of the file on which the row begins; the header is line 1. */
  readonly line: number;
  /** Bytes of the file that were read so far. */
  readonly bytes: number;
  /** Null where it is no row; `fault` says why. */
  readonly cells: Cells | null;
  readonly fault: string | null;
}

/** A file of rows whose encoding and header are known. */
export class RowFile {
  /** SHA-256 of what `rows` has read; that of the whole file once all rows were read. */
  #hash: Hash = createHash('sha256');

  /** Throws `UsageError` where the encoding is unknown or the first line is no header. */
  static async open(path: string, asked: Encoding | null): Promise<RowFile> {
    const found = await encodingOf(path, asked);
    for await (const { cells, fault } of scanned(path, found, () => undefined)) {
      if (cells === null) throw new UsageError(`The header of ${path} cannot be used: it ${worded(fault, found.encoding)}.`);
      return new RowFile(
        path,
        cells.map((name) => name.trim()),
        found,
      );
    }
    return new RowFile(path, [], found);
  }

  private constructor(
    private readonly path: string,
    readonly header: readonly string[],
    private readonly found: FoundEncoding,
  ) {}

  get encoding(): Encoding {
    return this.found.encoding;
  }

  /** The digest of the bytes that `rows` has read. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** All rows behind the header in the order of the file; a broken row comes with its fault. */
  async *rows(): AsyncGenerator<Row> {
    let bytes = 0;
    let isHeader = true;
    this.#hash = createHash('sha256');
    const onRead = (chunk: Buffer): void => {
      bytes += chunk.length;
      this.#hash.update(chunk);
    };
    for await (const { line, cells, fault } of scanned(this.path, this.found, onRead)) {
      if (isHeader) isHeader = false;
      else if (cells === null) yield { line, bytes, cells, fault: worded(fault, this.encoding) };
      else yield { line, bytes, ...this.#named(cells) };
    }
  }

  #named(values: readonly string[]): Pick<Row, 'cells' | 'fault'> {
    const cells: Record<string, string> = Object.create(null); // a column may have any name
    for (const [index, name] of this.header.entries()) {
      const value = values[index] ?? '';
      if (value.includes('\ufffd')) return { cells: null, fault: `${LOST} in the column ${name}` };
      cells[name] = value;
    }
    return { cells, fault: null };
  }
}

const LOST = 'has U+FFFD, which stands for a character that an earlier conversion of the file has lost,';

function worded(fault: string | null, encoding: Encoding): string {
  if (fault !== NOT_UTF8) return fault ?? 'is no row';
  const hint = encoding === 'utf-8' ? '. If the file is in another encoding, name it, for example --encoding windows-1252' : '';
  return `is no ${encoding} text${hint}`;
}

async function* scanned(path: string, { encoding, markBytes }: FoundEncoding, onRead: (chunk: Buffer) => void): AsyncGenerator<ScannedRow> {
  const scanner = new CsvScanner();
  const decoder = toUtf8(encoding);
  let skip = markBytes;
  for await (const chunk of createReadStream(path, { highWaterMark: LIMITS.chunkBytes }) as AsyncIterable<Buffer>) {
    onRead(chunk);
    yield* scanner.push(decoder.chunk(chunk.subarray(skip)));
    skip = Math.max(0, skip - chunk.length);
  }
  yield* scanner.push(decoder.end());
  yield* scanner.end();
}
