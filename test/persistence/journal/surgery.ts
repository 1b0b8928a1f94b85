import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchEncoder } from '../../../persistence/journal/batch-encoder.js';
import { parseBatch, type ParsedBatch } from '../../../persistence/journal/walk.js';
import { firstBatchOfName } from '../../../persistence/journal/format.js';
import { decodeHeader, encodeHeader, type SegmentHeader } from '../../../persistence/journal/segments.js';
import { SECTOR_BYTES } from '../faulty-inode.js';
import { blockOf } from './blocks.js';

/** Changes to the files of a closed journal, as bad disks, bad tools and bad luck make them. */

export interface Part {
  readonly offset: number;
  readonly length: number;
}

/** Paths of the segments in the order of writing. */
export function segmentsOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => firstBatchOfName(name) !== undefined)
    .sort()
    .map((name) => join(folder, name));
}

export function batchesOf(path: string): readonly ParsedBatch[] {
  const bytes = readFileSync(path);
  const header = headerOf(path);
  const batches: ParsedBatch[] = [];
  for (let at = header.headerBytes; ; ) {
    const batch = parseBatch(bytes, at, header.journalId);
    if (batch === undefined) return batches;
    batches.push(batch);
    at += batch.length;
  }
}

export function flip(path: string, part: Part | undefined, offset: number): void {
  edit(path, (bytes) => {
    const at = partOf(part).offset + offset;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  });
}

export function fill(path: string, part: Part | undefined, value: number): void {
  edit(path, (bytes) => bytes.fill(value, partOf(part).offset, partOf(part).offset + partOf(part).length));
}

/** Zeros from one offset within the part to another. */
export function zero(path: string, part: Part | undefined, from = 0, to = partOf(part).length): void {
  fill(path, { offset: partOf(part).offset + from, length: to - from }, 0);
}

/** Zeros the first sector that begins within the part. */
export function zeroSector(path: string, part: Part | undefined): void {
  const offset = Math.ceil(partOf(part).offset / SECTOR_BYTES) * SECTOR_BYTES;
  zero(path, { offset, length: SECTOR_BYTES });
}

/** Copies one batch over another of the same length. */
export function moveBatch(path: string, from: number, to: number): void {
  const batches = batchesOf(path);
  const source = partOf(batches[from]);
  const target = partOf(batches[to]);
  edit(path, (bytes) => bytes.copyWithin(target.offset, source.offset, source.offset + source.length));
}

/** A sound batch behind the last one whose block does not fit the chain of shard 0. */
export function appendForged(path: string, forgery: { readonly skippedRecords?: number; readonly otherPast?: boolean }): void {
  const { journalId } = headerOf(path);
  const batch = partOf(batchesOf(path).at(-1));
  const block = batch.blocks[0];
  if (block === undefined) throw new Error('a batch has a block');
  const lastSequence = block.lastSequence + (forgery.skippedRecords ?? 0);
  const hash = forgery.otherPast === true ? Buffer.alloc(32, 1) : block.hash;
  const before = new Map([[0, { lastSequence, hash }]]);
  const forged = new BatchEncoder(journalId).encode(batch.number + 1, [blockOf(0, lastSequence + 1, ['forged'])], before);
  edit(path, (bytes) => forged.bytes.copy(bytes, batch.offset + batch.length));
}

export function rewriteHeader(path: string, change: Partial<SegmentHeader>): void {
  const header = encodeHeader({ ...headerOf(path), ...change });
  edit(path, (bytes) => header.copy(bytes));
}

function headerOf(path: string): SegmentHeader {
  const reading = decodeHeader(readFileSync(path));
  if (reading.type !== 'whole') throw new Error(`${path} has a whole header`);
  return reading.header;
}

function partOf<P extends Part>(part: P | undefined): P {
  if (part === undefined) throw new Error('the segment has the part');
  return part;
}

function edit(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}
