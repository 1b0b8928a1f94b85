import { assert } from '../../engine/index.js';
import { limits } from '../limits.js';
import type { ShardHead } from '../ports.js';
import {
  asBuffer,
  HASH_BYTES,
  HEAD_BYTES,
  HEADER_ALIGNMENT,
  JOURNAL_ID_BYTES,
  readNumber,
  roundUp,
  SEGMENT_FIXED_BYTES,
  SEGMENT_MAGIC,
  sha256,
  VERSION,
  writeNumber,
} from './format.js';

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

/** What reading a header can come to. */
export type HeaderSight =
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
export function decodeHeader(file: Uint8Array): HeaderSight {
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
