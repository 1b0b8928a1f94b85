import { isUtf8 } from 'node:buffer';
import { LIMITS } from './row-booking.js';

/** A row of the file. */
export interface ScannedRow {
  /** The line of the file on which it begins; the first is 1. */
  readonly line: number;
  /** Null where it is no row; `fault` says why. */
  readonly cells: readonly string[] | null;
  readonly fault: string | null;
}

type Found =
  | { readonly type: 'row'; readonly end: number; readonly lines: number; readonly cells: readonly string[] }
  | { readonly type: 'broken'; readonly fault: string }
  | { readonly type: 'unfinished' };

const [LF, CR, QUOTE, COMMA] = [10, 13, 34, 44];

const FAULTS = {
  tooLong: `is longer than ${LIMITS.rowBytes} bytes`,
  unclosed: `a quoted field begins here and has no closing quote within ${LIMITS.rowLines} lines`,
  strayQuote: 'a quote stands within a field that does not begin with one',
  afterQuote: 'text follows the closing quote of a field',
} as const;

/**
 * Cuts UTF-8 bytes into the rows of a CSV file (RFC 4180; LF, CRLF and CR end a row, also mixed). A row that breaks the rules ends
 * with its first line: the next row begins on the next line, so that a long line or an open quote does not spoil good rows. The same
 * holds for a row of several lines with another number of fields than the header, since a quote of a later row may have closed it.
 */
export class CsvScanner {
  #rest: Buffer = Buffer.alloc(0);
  #line = 1;
  /** Fields of the first row, the header. */
  #width: number | null = null;
  /** Set within a line above the bound, until its end is read. */
  #isSkipping = false;

  /** The rows that are complete with these bytes. */
  *push(chunk: Buffer): Generator<ScannedRow> {
    yield* this.#scan(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]), false);
  }

  /** The last row, which may have no end of line. */
  *end(): Generator<ScannedRow> {
    yield* this.#scan(this.#rest, true);
  }

  *#scan(bytes: Buffer, isEnd: boolean): Generator<ScannedRow> {
    let start = 0;
    while (start < bytes.length) {
      if (!this.#isSkipping) {
        const blank = newlineAt(bytes, start, isEnd);
        if (blank === null) break;
        if (blank > 0) {
          start += blank;
          this.#line += 1;
          continue;
        }
        const found = this.#checked(findRow(bytes, start, isEnd));
        if (found.type === 'unfinished') break;
        if (found.type === 'row') {
          yield this.#row(found.cells, bytes.subarray(start, found.end));
          start = found.end;
          this.#line += found.lines;
          continue;
        }
        yield { line: this.#line, cells: null, fault: found.fault };
        this.#isSkipping = true;
      }
      const next = nextLine(bytes, start, isEnd);
      if (next === null) {
        // The rest of the line is dropped, except a CR at its end, which an LF may follow.
        start = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
        break;
      }
      this.#isSkipping = false;
      this.#line += 1;
      start = next;
    }
    this.#rest = bytes.subarray(start);
  }

  #checked(found: Found): Found {
    if (found.type !== 'row' || found.lines === 1 || this.#width === null || found.cells.length === this.#width) return found;
    return { type: 'broken', fault: fieldsFault(found.cells.length, this.#width) };
  }

  #row(cells: readonly string[], bytes: Buffer): ScannedRow {
    const line = this.#line;
    this.#width ??= cells.length;
    if (!isUtf8(bytes)) return { line, cells: null, fault: NOT_UTF8 };
    if (cells.length !== this.#width) return { line, cells: null, fault: fieldsFault(cells.length, this.#width) };
    return { line, cells, fault: null };
  }
}

/** Fault of a row with bytes that the encoding does not have; `rows.ts` names the encoding. */
export const NOT_UTF8 = 'has bytes that are no text';

const fieldsFault = (has: number, header: number): string => `has ${has} fields, the header has ${header}`;

/** The bytes of an end of line at an offset: 0 = none, null = the next chunk decides. */
function newlineAt(bytes: Buffer, at: number, isEnd: boolean): number | null {
  if (bytes[at] === LF) return 1;
  if (bytes[at] !== CR) return 0;
  if (at + 1 === bytes.length && !isEnd) return null;
  return bytes[at + 1] === LF ? 2 : 1;
}

/** Where the next line begins; null where that is not read yet. */
function nextLine(bytes: Buffer, start: number, isEnd: boolean): number | null {
  for (let at = start; at < bytes.length; at++) {
    const newline = newlineAt(bytes, at, isEnd);
    if (newline === null) return null;
    if (newline > 0) return at + newline;
  }
  return isEnd ? bytes.length : null;
}

/**
 * | In | on a quote | on a comma | on an end of line | on anything else |
 * |---|---|---|---|---|
 * | start of a field | quoted | empty field | empty field, row | plain |
 * | plain | broken | field | field, row | plain |
 * | quoted | afterQuote | quoted | quoted | quoted |
 * | afterQuote | quoted: a doubled quote | field | field, row | broken |
 */
function findRow(bytes: Buffer, start: number, isEnd: boolean): Found {
  const cells: string[] = [];
  let [state, from, lines] = ['start' as 'start' | 'plain' | 'quoted' | 'afterQuote', start, 1];
  const field = (end: number): void => void cells.push(textOf(bytes, from, end));
  for (let at = start; at < bytes.length; at++) {
    if (at - start >= LIMITS.rowBytes) return { type: 'broken', fault: FAULTS.tooLong };
    const byte = bytes[at];
    if (byte === QUOTE) {
      if (state === 'plain') return { type: 'broken', fault: FAULTS.strayQuote };
      state = state === 'quoted' ? 'afterQuote' : 'quoted';
    } else if (state === 'quoted') {
      if (byte !== LF && byte !== CR) continue;
      if (byte === LF || bytes[at + 1] !== LF) lines += 1;
      if (lines > LIMITS.rowLines) return { type: 'broken', fault: FAULTS.unclosed };
    } else if (byte === COMMA) {
      field(at);
      [state, from] = ['start', at + 1];
    } else if (byte === LF || byte === CR) {
      const newline = newlineAt(bytes, at, isEnd);
      if (newline === null) return { type: 'unfinished' };
      field(at);
      return { type: 'row', end: at + newline, lines, cells };
    } else if (state === 'afterQuote') return { type: 'broken', fault: FAULTS.afterQuote };
    else state = 'plain';
  }
  if (!isEnd) return { type: 'unfinished' };
  if (state === 'quoted') return { type: 'broken', fault: FAULTS.unclosed };
  field(bytes.length);
  return { type: 'row', end: bytes.length, lines, cells };
}

function textOf(bytes: Buffer, from: number, end: number): string {
  if (bytes[from] !== QUOTE) return bytes.toString('utf8', from, end);
  return bytes.toString('utf8', from + 1, end - 1).replaceAll('""', '"');
}
