import { join } from 'node:path';
import { assert, tableOf, namesOf } from '../../engine/index.js';
import { JournalDamaged, type JournalPosition } from '../errors.js';
import type { FileLayer } from '../files/file-layer.js';
import { limits } from '../limits.js';
import type { ShardHead } from '../ports.js';
import {
  asBuffer,
  firstBatchOfName,
  HASH_BYTES,
  HEAD_BYTES,
  HEADER_ALIGNMENT,
  JOURNAL_ID_BYTES,
  PREPARED_NAME,
  readNumber,
  roundUp,
  SEGMENT_FIXED_BYTES,
  SEGMENT_MAGIC,
  segmentName,
  sha256,
  UNFINISHED_NAME,
  VERSION,
  writeNumber,
} from './format.js';

/**
 * Everything that opening, reading or verifying a journal can find, as one table. What a crash, a kill or a power cut can leave behind is
 * handled without a person. Anything else means that somebody or some disk has changed stored data: the journal refuses to open and names
 * the position.
 *
 *   take      used as it is, nothing to do
 *   mend      a leftover without acknowledged content: repaired and reported
 *   cut       the end of a write that never resolved, so that it was never acknowledged: zeroed and reported
 *   report    left alone and reported
 *   refuse    `JournalDamaged`: a person restores the file
 */
export interface RecoveryCase {
  readonly letter: string;
  readonly name: string;
  readonly verdict: 'take' | 'mend' | 'cut' | 'report' | 'refuse';
  readonly meaning: string;
}

const table = {
  // The folder.
  noSegment: row('A', 'take', 'no segment yet: a journal begins here'),
  unfinishedPreparation: row('B', 'mend', 'the next segment was still being filled with zeros: removed'),
  preparation: row('C', 'take', 'the next segment lies ready'),
  // A crash between writing the header of the next segment and giving it its name.
  usedPreparation: row('D', 'mend', 'the next segment has another size, or bytes but no name yet: removed'),
  strayFile: row('E', 'report', 'a file that is not of the journal'),

  // The last segment, behind its last sound batch.
  whole: row('F', 'take', 'batches, then zeros'),
  zeroTail: row('G', 'take', 'a header, then zeros: no batch yet'),
  // A torn write leaves whole sectors out: those still hold zeros (tear.ts).
  tornTail: row('H', 'cut', 'the last write was torn and never acknowledged'),
  // The size was flushed before the segment was used, so no crash shortens it; only zeros are missing, though.
  trimmedTail: row('I', 'mend', 'the file lost zeros at its end: grown again'),

  // What no crash leaves behind.
  damagedInside: row('J', 'refuse', 'a batch is damaged and a sound one follows it'),
  damagedEnd: row('K', 'refuse', 'all sectors of the last batch were written, yet its checksum is wrong'),
  cutFile: row('L', 'refuse', 'the file is shorter than it was made, and batches are missing'),
  missingSegment: row('M', 'refuse', 'a segment is missing'),
  batchGap: row('N', 'refuse', 'a sound batch stands where another one belongs'),
  sequenceGap: row('O', 'refuse', 'the records of a shard do not continue where they ended'),
  chainMismatch: row('P', 'refuse', 'a block does not name the hash of the block before it'),
  headsMismatch: row('Q', 'refuse', 'the header names other heads than the segment before ends with'),
  damagedBlock: row('R', 'refuse', 'the bytes of a block are not those that its hash was made from'),

  // Headers of files that carry the name of a segment. A segment gets its name after its header was flushed.
  emptyFile: row('S', 'refuse', 'the file is empty'),
  shortFile: row('T', 'refuse', 'the file ends inside its header'),
  foreignFile: row('U', 'refuse', 'the file is not a segment'),
  otherVersion: row('V', 'refuse', 'the segment was written by another version of the program'),
  unreadableHeader: row('W', 'refuse', 'the header is damaged'),
  otherJournal: row('X', 'refuse', 'the segment belongs to another journal'),
  misnamedSegment: row('Y', 'refuse', 'the file has the name of another segment'),
} as const;

export type RecoveryCaseName = keyof typeof table;

export const recoveryCases: Readonly<Record<RecoveryCaseName, RecoveryCase>> = named(table);

type Row = Omit<RecoveryCase, 'name'>;

function row(letter: string, verdict: RecoveryCase['verdict'], meaning: string): Row {
  return { letter, verdict, meaning };
}

function named(rows: Readonly<Record<RecoveryCaseName, Row>>): Readonly<Record<RecoveryCaseName, RecoveryCase>> {
  return tableOf(namesOf(rows), (name) => ({ ...rows[name], name }));
}

export interface SegmentHeader {
  readonly headerBytes: number;
  /** 1, 2, 3 … without a gap. */
  readonly index: number;
  readonly firstBatch: number;
  /** Preallocated size: a file that is smaller was cut by somebody. */
  readonly segmentBytes: number;
  readonly journalId: Buffer;
  /** Heads of all shards before the first batch. */
  readonly heads: ReadonlyMap<number, ShardHead>;
}

/** The result of reading a header. */
export type HeaderReading =
  | { readonly type: 'whole'; readonly header: SegmentHeader }
  | { readonly type: 'empty' | 'short' | 'foreign' | 'otherVersion' | 'unreadable' };

export function headerBytesFor(shardCount: number): number {
  return roundUp(SEGMENT_FIXED_BYTES + shardCount * HEAD_BYTES + HASH_BYTES, HEADER_ALIGNMENT);
}

export function encodeHeader(header: Omit<SegmentHeader, 'headerBytes'>): Buffer {
  const bytes = Buffer.alloc(headerBytesFor(header.heads.size));
  assert(bytes.length <= limits.headerBytes, `the heads of ${header.heads.size} shards exceed limits.headerBytes`);
  SEGMENT_MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(VERSION, 8);
  bytes.writeUInt32LE(bytes.length, 12);
  writeNumber(bytes, header.index, 16);
  writeNumber(bytes, header.firstBatch, 24);
  writeNumber(bytes, header.segmentBytes, 32);
  header.journalId.copy(bytes, 40);
  bytes.writeUInt32LE(header.heads.size, 56);
  let at = SEGMENT_FIXED_BYTES;
  for (const [shard, head] of header.heads) {
    bytes.writeUInt32LE(shard, at);
    writeNumber(bytes, head.lastSequence, at + 8);
    bytes.set(head.hash, at + 16);
    at += HEAD_BYTES;
  }
  sha256(bytes.subarray(0, bytes.length - HASH_BYTES)).copy(bytes, bytes.length - HASH_BYTES);
  return bytes;
}

/** `file` holds at least the header of a sound segment, or all of a shorter file. */
export function decodeHeader(file: Uint8Array): HeaderReading {
  const bytes = asBuffer(file);
  if (bytes.length === 0) return { type: 'empty' };
  if (bytes.length < SEGMENT_FIXED_BYTES) return { type: 'short' };
  if (!bytes.subarray(0, SEGMENT_MAGIC.length).equals(SEGMENT_MAGIC)) return { type: 'foreign' };
  if (bytes.readUInt32LE(8) !== VERSION) return { type: 'otherVersion' };
  const headerBytes = bytes.readUInt32LE(12);
  const headCount = bytes.readUInt32LE(56);
  if (headerBytes !== headerBytesFor(headCount)) return { type: 'unreadable' };
  if (bytes.length < headerBytes) return { type: 'short' };
  const sealAt = headerBytes - HASH_BYTES;
  if (!sha256(bytes.subarray(0, sealAt)).equals(bytes.subarray(sealAt, headerBytes))) return { type: 'unreadable' };
  return {
    type: 'whole',
    header: {
      headerBytes,
      index: readNumber(bytes, 16),
      firstBatch: readNumber(bytes, 24),
      segmentBytes: readNumber(bytes, 32),
      journalId: Buffer.from(bytes.subarray(40, 40 + JOURNAL_ID_BYTES)),
      heads: decodeHeads(bytes, headCount),
    },
  };
}

function decodeHeads(bytes: Buffer, count: number): ReadonlyMap<number, ShardHead> {
  const heads = new Map<number, ShardHead>();
  for (let at = SEGMENT_FIXED_BYTES; heads.size < count; at += HEAD_BYTES) {
    const hash = Uint8Array.from(bytes.subarray(at + 16, at + 16 + HASH_BYTES));
    heads.set(bytes.readUInt32LE(at), { lastSequence: readNumber(bytes, at + 8), hash });
  }
  return heads;
}

/** A segment whose header is sound. */
export interface Segment {
  readonly name: string;
  readonly header: SegmentHeader;
}

/** A fault, with its file and offset. */
export interface Trouble {
  readonly name: RecoveryCaseName;
  readonly file: string;
  readonly offset: number;
  /** The name that the file should have. */
  readonly trueName?: string;
}

/** The files of the folder, as far as their headers show. */
export interface Survey {
  /** In the order of writing. */
  readonly segments: readonly Segment[];
  readonly troubles: readonly Trouble[];
  /** Names of files that a preparation has left. */
  readonly preparations: readonly string[];
}

const headerCases = {
  empty: 'emptyFile',
  short: 'shortFile',
  foreign: 'foreignFile',
  otherVersion: 'otherVersion',
  unreadable: 'unreadableHeader',
} as const satisfies Record<Exclude<HeaderReading['type'], 'whole'>, RecoveryCaseName>;

/** Checks names and headers, and that the segments follow each other without gaps. */
export async function surveyFolder(files: FileLayer, folder: string): Promise<Survey> {
  const segments: Segment[] = [];
  const troubles: Trouble[] = [];
  const preparations: string[] = [];
  for (const file of await files.list(folder)) {
    const firstBatch = firstBatchOfName(file);
    if (file === PREPARED_NAME || file === UNFINISHED_NAME) preparations.push(file);
    else if (firstBatch === undefined) troubles.push({ name: 'strayFile', file, offset: 0 });
    else {
      const reading = decodeHeader(files.read(join(folder, file), limits.headerBytes));
      const name = reading.type === 'whole' ? misfit(reading.header, firstBatch, segments) : headerCases[reading.type];
      if (name !== undefined) troubles.push({ name, file, offset: 0, ...trueNameOf(reading) });
      if (reading.type === 'whole') segments.push({ name: file, header: reading.header });
    }
  }
  return { segments, troubles, preparations };
}

function misfit(header: SegmentHeader, firstBatch: number, before: readonly Segment[]): RecoveryCaseName | undefined {
  const previous = before.at(-1)?.header;
  if (header.firstBatch !== firstBatch) return 'misnamedSegment';
  if (previous !== undefined && !previous.journalId.equals(header.journalId)) return 'otherJournal';
  return header.index === (previous?.index ?? 0) + 1 ? undefined : 'missingSegment';
}

function trueNameOf(reading: HeaderReading): Pick<Trouble, 'trueName'> {
  return reading.type === 'whole' ? { trueName: segmentName(reading.header.firstBatch) } : {};
}

export function positionOf(folder: string, trouble: Trouble): JournalPosition {
  return { file: join(folder, trouble.file), offset: trouble.offset, case: recoveryCases[trouble.name] };
}

/** The error for a case whose verdict is to refuse. */
export function damaged(folder: string, trouble: Trouble): JournalDamaged {
  return new JournalDamaged(positionOf(folder, trouble), restoreCommand(folder, trouble));
}

function restoreCommand(folder: string, { name, file, trueName = file }: Trouble): string {
  if (name === 'missingSegment') return `cp -n BACKUP/journal-*.segment ${folder}/`;
  if (name === 'misnamedSegment') return `mv -n ${join(folder, file)} ${join(folder, trueName)}`;
  return `cp BACKUP/${file} ${join(folder, file)}`;
}
