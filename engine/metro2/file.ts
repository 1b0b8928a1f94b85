import { namesOf } from '../records.js';
import type { FieldFault } from './layout.js';
import {
  type AccountRecord,
  BASE,
  type Header,
  HEADER,
  isSegment,
  RECORD_LENGTH,
  type SegmentName,
  type SegmentRecords,
  SEGMENTS,
} from './records.js';
import { TRAILER, type Trailer, TrailerCount } from './trailer.js';

const LINE_END = '\n';

/** What makes up a file: its lines, each a record. */
export class FileWriter {
  readonly #count = new TrailerCount();

  header(header: Omit<Header, 'recordLength'>): string {
    return HEADER.write({ ...header, recordLength: RECORD_LENGTH }) + LINE_END;
  }

  account(account: AccountRecord): string {
    this.#count.add(account);
    return writeAccount(account) + LINE_END;
  }

  trailer(): string {
    return TRAILER.write(this.#count.trailer()) + LINE_END;
  }
}

const NAMES = namesOf(SEGMENTS);

/** The segments of an account in the order of the file, each with its name. */
const segmentsOf = (account: AccountRecord): readonly (readonly [SegmentName, object])[] =>
  NAMES.flatMap((name) => {
    const segments = account[name];
    return segments === null ? [] : (Array.isArray(segments) ? segments : [segments]).map((segment: object) => [name, segment] as const);
  });

interface AnyLayout {
  write(segment: object): string;
  faultsOf(segment: object): readonly FieldFault[];
}

// Each segment is written by the layout of its own name.
const layoutOf = (name: SegmentName): AnyLayout => SEGMENTS[name];

/** How a segment is read, by its name. */
const READING: {
  readonly [Name in SegmentName]: {
    readonly length: number;
    read(text: string): { readonly record: SegmentRecords[Name]; readonly faults: readonly FieldFault[] };
  };
} = SEGMENTS;

type FoundSegments = { readonly [Name in SegmentName]: SegmentRecords[Name][] };

export function writeAccount(account: AccountRecord): string {
  let appended = '';
  for (const [name, segment] of segmentsOf(account)) appended += layoutOf(name).write(segment);
  return BASE.write({ ...account.base, recordLength: RECORD_LENGTH + appended.length }) + appended;
}

/** What the file cannot hold, or must not, by segment and field. */
export function contentFaults(account: AccountRecord): readonly FieldFault[] {
  const faults = [...BASE.faultsOf({ ...account.base, recordLength: RECORD_LENGTH })];
  for (const [name, segment] of segmentsOf(account))
    faults.push(
      ...layoutOf(name)
        .faultsOf(segment)
        .map(({ field, message }) => ({ field: `${name}.${field}`, message })),
    );
  return faults;
}

interface FileFault {
  readonly code:
    | 'no-header'
    | 'no-trailer'
    | 'not-characters'
    | 'record-descriptor'
    | 'record-length'
    | 'record-truncated'
    | 'record-unreadable'
    | 'trailer-totals'
    | 'unknown-record'
    | 'unknown-segment';
  /** Offset of the record in the file. */
  readonly at: number;
  readonly field: string | null;
  readonly message: string;
}

export interface ReadFile {
  readonly header: Header | null;
  readonly accounts: readonly AccountRecord[];
  readonly trailer: Trailer | null;
  /** Empty: the file is one that we could have written. */
  readonly faults: readonly FileFault[];
}

type Report = (code: FileFault['code'], message: string, field?: string) => void;

/** Reads a file in character format, with line ends between records or without, with block descriptors or without. */
export function readFile(text: string): ReadFile {
  const faults: FileFault[] = [];
  let header: Header | null = null;
  let trailer: Trailer | null = null;
  const accounts: AccountRecord[] = [];
  const counted = new TrailerCount();
  if (!/^[\r\n\x20-\x7e\xa0-\xff]*$/.test(text))
    return {
      header,
      accounts,
      trailer,
      faults: [{ code: 'not-characters', at: 0, field: null, message: 'The packed format is not read.' }],
    };
  for (const { at, line, isLineWise } of linesOf(text)) {
    const report: Report = (code, message, field) => faults.push({ code, at, message, field: field ?? null });
    const unreadable = (found: readonly FieldFault[]): void =>
      found.forEach(({ field, message }) => report('record-unreadable', `${field} ${message}`, field));
    if (isLineWise) report('record-length', `The record says that it has ${Number(line.slice(0, 4))} characters.`);
    if (line.startsWith('HEADER', 4)) {
      const read = HEADER.read(line);
      unreadable(read.faults);
      if (line.length < RECORD_LENGTH) report('record-truncated', `The header has ${line.length} characters.`);
      header = read.record;
    } else if (line.startsWith('TRAILER', 4)) {
      const read = TRAILER.read(line);
      unreadable(read.faults);
      trailer = read.record;
    } else if (/^1\d{14}/.test(line.slice(4)) || /^\d{4}1/.test(line)) {
      const account = readAccount(line, report);
      if (account === null) continue;
      accounts.push(account);
      counted.add(account);
    } else report('unknown-record', `A record cannot begin with ${JSON.stringify(line.slice(4, 11))}.`);
  }
  const whole: Report = (code, message, field) => faults.push({ code, at: text.length, message, field: field ?? null });
  if (header === null) whole('no-header', 'The file has no header.');
  if (trailer === null) whole('no-trailer', 'The file has no trailer.');
  else compareTotals(trailer, counted.trailer(), whole);
  return { header, accounts, trailer, faults };
}

function compareTotals(written: Trailer, counted: Trailer, report: Report): void {
  for (const name of namesOf(counted)) {
    const total = counted[name];
    // Blocks depend on how the file was blocked, which the characters do not say.
    if (name === 'recordLength' || name === 'blockCount' || written[name] === total) continue;
    report('trailer-totals', `The trailer says ${written[name]}, and the file has ${total}.`, name);
  }
}

interface Line {
  readonly at: number;
  readonly line: string;
  /** The record's own length is wrong: it ends with its line. */
  readonly isLineWise: boolean;
}

/** The records of a file, each as long as it says; one whose length is too small ends with its line. */
function* linesOf(text: string): Iterable<Line> {
  let at = 0;
  while (at < text.length) {
    while (text[at] === '\n' || text[at] === '\r') at += 1;
    if (text.slice(at).trim() === '') return;
    if (isBlockDescriptor(text, at)) at += 4;
    const length = /^\d{4}/.test(text.slice(at, at + 4)) ? Number(text.slice(at, at + 4)) : 0;
    const end = lineEnd(text, at);
    if (length >= RECORD_LENGTH) {
      const line = text.slice(at, at + length);
      const isBroken = line.trimEnd().includes('\n');
      yield { at, line: isBroken ? text.slice(at, end) : line.replace(/[\r\n]+$/, ''), isLineWise: isBroken };
      at = isBroken ? end : at + length;
    } else {
      yield { at, line: text.slice(at, end), isLineWise: true };
      at = end;
    }
  }
}

const DESCRIPTOR = 4;

/** What follows the descriptor of a record: the name of a header or trailer, or the processing indicator and a time stamp. */
const BEGINNING = /^(HEADER|TRAILER|1(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(19|20)\d{8}[01])/;

/**
 * A block descriptor stands before the descriptor of its first record. Digits alone do not show it: a time stamp begins like a descriptor,
 * so the whole stamp decides.
 */
function isBlockDescriptor(text: string, at: number): boolean {
  const begins = (from: number): boolean => BEGINNING.test(text.slice(from, from + 20));
  return /^\d{8}$/.test(text.slice(at, at + 2 * DESCRIPTOR)) && !begins(at + DESCRIPTOR) && begins(at + 2 * DESCRIPTOR);
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}

/** Null where the fields have shifted, so that nothing of the record can be trusted. */
function readAccount(line: string, report: Report): AccountRecord | null {
  if (line.length < RECORD_LENGTH) report('record-truncated', `The base segment has ${line.length} characters.`);
  const base = BASE.read(line.slice(0, RECORD_LENGTH));
  base.faults.forEach(({ field, message }) => report('record-unreadable', `${field} ${message}`, field));
  if (base.faults.length > 0) return null;
  const found: FoundSegments = { J1: [], J2: [], K1: [], K2: [], K3: [], K4: [], L1: [], N1: [] };
  for (let at = RECORD_LENGTH; line.slice(at).trim() !== ''; ) {
    const name = line.slice(at, at + 2);
    if (!isSegment(name)) {
      report('unknown-segment', `No segment begins with ${JSON.stringify(name)}.`);
      break;
    }
    const { length } = READING[name];
    readSegment(name, line.slice(at, at + length), found, report);
    at += length;
  }
  const { J1, J2, K1, K2, K3, K4, L1, N1 } = found;
  return {
    base: base.record,
    J1,
    J2,
    K1: K1[0] ?? null,
    K2: K2[0] ?? null,
    K3: K3[0] ?? null,
    K4: K4[0] ?? null,
    L1: L1[0] ?? null,
    N1: N1[0] ?? null,
  };
}

function readSegment<Name extends SegmentName>(name: Name, text: string, found: FoundSegments, report: Report): void {
  const { record, faults } = READING[name].read(text);
  faults.forEach(({ field, message }) => report('record-unreadable', `${name}.${field} ${message}`, `${name}.${field}`));
  found[name].push(record);
}
