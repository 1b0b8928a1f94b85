import { RECORD_LENGTH } from './fields.js';
import type { AchBatch, AchEntry, AchFile } from './file.js';
import {
  type Addenda,
  BATCH_CONTROL,
  BATCH_HEADER,
  type BatchControl,
  type BatchHeader,
  entryLayoutOf,
  readAddenda,
  FILE_CONTROL,
  FILE_HEADER,
  type FileControl,
  type FileHeader,
} from './layouts.js';

/** What is wrong or odd in a file, and on which line; null: at its end. */
export interface AchFault {
  readonly code: string;
  readonly line: number | null;
  readonly detail?: string;
}

export interface FoundEntry extends AchEntry {
  readonly line: number;
  /** Lines of its addenda. */
  readonly addendaLines: readonly number[];
}

/** An entry whose addenda may follow. */
interface OpenEntry extends FoundEntry {
  readonly addenda: Addenda[];
  readonly addendaLines: number[];
}

export interface FoundBatch extends AchBatch {
  readonly line: number;
  readonly entries: readonly FoundEntry[];
  readonly control: (BatchControl & { readonly line: number }) | null;
}

/** The records of a file as they stand in it, before their sums are checked. */
export interface FoundFile {
  readonly header: (FileHeader & { readonly line: number }) | null;
  readonly batches: readonly FoundBatch[];
  readonly control: (FileControl & { readonly line: number }) | null;
  /** All records, those of nines at the end included. */
  readonly records: number;
  readonly fillerRecords: number;
  readonly errors: readonly AchFault[];
  readonly warnings: readonly AchFault[];
}

/** The lines of a text. Some banks send no line ends at all, or one at the end: then every 94 characters are a record. */
function* linesOf(content: string): Iterable<string> {
  const lineEnd = /\r\n|\r|\n/g;
  let at = 0;
  for (let end = lineEnd.exec(content); end !== null; end = lineEnd.exec(content)) {
    yield* recordsIn(content.slice(at, end.index));
    at = lineEnd.lastIndex;
  }
  yield* recordsIn(content.slice(at));
}

function recordsIn(line: string): readonly string[] {
  if (line.trimEnd().length <= RECORD_LENGTH) return [line];
  const records: string[] = [];
  for (let at = 0; at < line.length; at += RECORD_LENGTH) records.push(line.slice(at, at + RECORD_LENGTH));
  return records.every((record) => /^[156789]/.test(record) || record.trim() === '') ? records : [line];
}

/** A record of nines. No control record has only nines: its last 39 characters are blank. */
const isFiller = (record: string): boolean => /^9+$/.test(record);

interface OpenBatch {
  readonly line: number;
  readonly header: BatchHeader;
  readonly entries: OpenEntry[];
}

/** Records that are read, or checked, in one step. */
export const RECORDS_OF_STEP = 500;

/**
 * Reads a file record by record, in steps between which other work may run. Faults of the order of records and of single fields are
 * collected: nothing is thrown.
 */
export const readRecords = (content: string): Generator<undefined, FoundFile> => new RecordReader().read(content);

class RecordReader {
  #header: FoundFile['header'] = null;
  #control: FoundFile['control'] = null;
  readonly #batches: FoundBatch[] = [];
  #batch: OpenBatch | null = null;
  #records = 0;
  #fillers = 0;
  readonly #errors: AchFault[] = [];
  readonly #warnings: AchFault[] = [];

  *read(content: string): Generator<undefined, FoundFile> {
    let lines = 0;
    for (const line of linesOf(content)) {
      lines += 1;
      const found = line.trimEnd();
      if (found !== '') this.#take(line, found, lines);
      if (lines % RECORDS_OF_STEP === 0) yield;
    }
    this.#closeBatch(null);
    if (this.#header === null) this.#error('no-file-header', 1);
    if (this.#control === null) this.#error('no-file-control', null);
    return {
      header: this.#header,
      batches: this.#batches,
      control: this.#control,
      records: this.#records,
      fillerRecords: this.#fillers,
      errors: this.#errors,
      warnings: this.#warnings,
    };
  }

  #take(raw: string, trimmed: string, line: number): void {
    if (isFiller(trimmed) && this.#batch === null) {
      this.#fillers += 1;
      this.#records += 1;
      return;
    }
    const record = trimmed.padEnd(RECORD_LENGTH);
    const take = this.#takers[record[0] ?? ''];
    if (take === undefined) return this.#error('unknown-record-type', line, record[0]);
    if (raw.length !== RECORD_LENGTH) this.#warn('record-length', line, String(raw.length));
    if (record.length > RECORD_LENGTH) this.#error('record-too-long', line, String(record.length));
    this.#records += 1;
    take(record, line);
  }

  readonly #takers: Readonly<Record<string, (record: string, line: number) => void>> = {
    1: (record, line) => this.#fileHeader(record, line),
    5: (record, line) => this.#batchHeader(record, line),
    6: (record, line) => this.#entry(record, line),
    7: (record, line) => this.#addenda(record, line),
    8: (record, line) => this.#batchControl(record, line),
    9: (record, line) => this.#fileControl(record, line),
  };

  #fileHeader(record: string, line: number): void {
    if (this.#batch !== null) this.#error('file-header-inside-batch', line);
    if (line > 1 && this.#records > 1) this.#error('file-header-not-first', line);
    const { values, unreadable } = FILE_HEADER.read(record);
    if (unreadable.length > 0 || values.creationDate === null) this.#error('creation-date', line);
    this.#header ??= { ...values, line };
  }

  #batchHeader(record: string, line: number): void {
    this.#closeBatch(line);
    if (this.#header === null) this.#error('batch-before-file-header', line);
    const { values, unreadable } = BATCH_HEADER.read(record);
    const raw = BATCH_HEADER.raw(record, 'effectiveEntryDate');
    if (unreadable.includes('effectiveEntryDate')) this.#warn('effective-date', line, raw);
    if (unreadable.includes('batchNumber')) this.#error('batch-number', line);
    this.#batch = { line, header: values, entries: [] };
  }

  #entry(record: string, line: number): void {
    if (this.#batch === null) return this.#error('entry-outside-batch', line);
    const { header, entries } = this.#batch;
    const found = entryLayoutOf(header.sec);
    const { values, unreadable } = found.read(record);
    if (unreadable.includes('amountCents')) this.#error('amount-not-numeric', line, found.rawAmount(record));
    entries.push({ ...values, addenda: [], line, addendaLines: [] });
  }

  #addenda(record: string, line: number): void {
    const entry = this.#batch?.entries.at(-1);
    if (entry === undefined) return this.#error('addenda-outside-entry', line);
    const { addenda, unreadable } = readAddenda(record);
    if (unreadable.includes('sequence')) this.#warn('addenda-sequence', line);
    entry.addenda.push(addenda);
    entry.addendaLines.push(line);
  }

  #batchControl(record: string, line: number): void {
    if (this.#batch === null) return this.#error('control-outside-batch', line);
    const { values, unreadable } = BATCH_CONTROL.read(record);
    if (unreadable.length > 0) this.#error('control-not-numeric', line, unreadable.join(', '));
    this.#batches.push({ ...this.#batch, control: { ...values, line } });
    this.#batch = null;
  }

  #fileControl(record: string, line: number): void {
    this.#closeBatch(line);
    const { values, unreadable } = FILE_CONTROL.read(record);
    if (unreadable.length > 0) this.#error('control-not-numeric', line, unreadable.join(', '));
    if (this.#control !== null) return this.#error('second-file-control', line);
    this.#control = { ...values, line };
  }

  /** A batch that ends without its control record. */
  #closeBatch(line: number | null): void {
    if (this.#batch === null) return;
    this.#error('batch-without-control', this.#batch.line, line === null ? undefined : `line ${line}`);
    this.#batches.push({ ...this.#batch, control: null });
    this.#batch = null;
  }

  #error(code: string, line: number | null, detail?: string): void {
    this.#errors.push({ code, line, ...(detail === undefined ? {} : { detail }) });
  }

  #warn(code: string, line: number | null, detail?: string): void {
    this.#warnings.push({ code, line, ...(detail === undefined ? {} : { detail }) });
  }
}

/** The file without what only its reader knows; null if it has no header. */
export const achFileOf = ({ header, batches }: FoundFile): AchFile | null => {
  if (header === null) return null;
  const { line: _header, ...fields } = header;
  return {
    header: fields,
    batches: batches.map(({ header: batchHeader, entries }) => ({
      header: batchHeader,
      entries: entries.map(({ line: _entry, addendaLines: _lines, ...entry }) => entry),
    })),
  };
};
