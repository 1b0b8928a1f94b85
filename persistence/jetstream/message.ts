import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { ShardBlock, ShardHead } from '../ports.js';
import { blockBytes, writeBlock } from '../journal/batch-encoder.js';
import { HASH_BYTES, NO_HASH } from '../journal/format.js';

/*
 * The messages of the journal in a stream. A block is one message with the same bytes as in a segment. A block that is larger than the
 * server's largest message is cut into parts, and counts with its last part: parts without a last one were never acknowledged. A fence has
 * no payload: it ends the writing of the owner before.
 *
 *   Tenor-Head   last sequence and hash of the shard's chain with this message, `4711:9f86…`
 *   Tenor-Part   `2/3` of a block in parts
 *   Tenor-Start  sequence in the stream of the first part, on all others
 *   Tenor-Fence  name of the process that has taken the shard over
 *   Tenor-Lost   the acknowledged records that the server has lost, for the operator: nobody can write behind such a message
 */

const HEAD = 'Tenor-Head';
const PART = 'Tenor-Part';
const START = 'Tenor-Start';
const FENCE = 'Tenor-Fence';
const LOST = 'Tenor-Lost';

/** The head of a shard without a block. */
export const NO_HEAD: ShardHead = { lastSequence: 0, hash: NO_HASH };

/** One message of the stream, by its headers. */
export interface JournalMessage {
  readonly type: 'block' | 'fence' | 'lost';
  /** Head of the shard's chain with this message. */
  readonly head: ShardHead;
  /** 1 of 1 when the block is whole in it. */
  readonly part: number;
  readonly parts: number;
  /** Sequence in the stream of the first part; null on that one. */
  readonly start: number | null;
  /** The text of a `lost` message; empty for others. */
  readonly lost: string;
}

/** Undefined when the headers are not those of a journal. */
export function readMessage(header: MsgHdrs | undefined): JournalMessage | undefined {
  const head = readHead(header?.get(HEAD) ?? '');
  if (header === undefined || head === undefined) return undefined;
  const empty = { head, part: 1, parts: 1, start: null, lost: header.get(LOST) } as const;
  if (header.has(LOST)) return { type: 'lost', ...empty };
  if (header.has(FENCE)) return { type: 'fence', ...empty };
  const [, part = '1', parts = '1'] = /^(\d+)\/(\d+)$/.exec(header.get(PART)) ?? [];
  return { ...empty, type: 'block', part: Number(part), parts: Number(parts), start: header.has(START) ? Number(header.get(START)) : null };
}

export function fenceHeaders(head: ShardHead, owner: string): MsgHdrs {
  const made = headers();
  made.set(HEAD, headText(head));
  made.set(FENCE, owner);
  return made;
}

/** Headers of the mark behind the last remaining message of a shard that has lost records. */
export function lostHeaders(head: ShardHead, lost: string): MsgHdrs {
  const made = headers();
  made.set(HEAD, headText(head));
  made.set(LOST, lost);
  return made;
}

export interface BlockMessages {
  /** Of the chain with the block. */
  readonly head: ShardHead;
  readonly parts: readonly Uint8Array[];
  /** Headers of a part, counted from 0; `start` is the sequence of the first one in the stream. */
  headers(part: number, start: number | null): MsgHdrs;
}

/** The messages of a block that follows on `before`. */
export function blockMessages(block: ShardBlock, before: ShardHead, partBytes: number): BlockMessages {
  const bytes = Buffer.allocUnsafe(blockBytes(block));
  writeBlock(bytes, 0, block, before.hash);
  const head = {
    lastSequence: block.firstSequence + block.records.length - 1,
    hash: Uint8Array.from(bytes.subarray(bytes.length - HASH_BYTES)),
  };
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += partBytes) parts.push(bytes.subarray(at, at + partBytes));
  return {
    head,
    parts,
    headers(part, start) {
      const made = headers();
      made.set(HEAD, headText(part === parts.length - 1 ? head : before));
      if (parts.length > 1) made.set(PART, `${part + 1}/${parts.length}`);
      if (start !== null) made.set(START, String(start));
      return made;
    },
  };
}

const headText = ({ lastSequence, hash }: ShardHead): string => `${lastSequence}:${Buffer.from(hash).toString('hex')}`;

function readHead(text: string): ShardHead | undefined {
  const [, sequence, hash] = /^(\d{1,16}):([0-9a-f]{64})$/.exec(text) ?? [];
  return sequence === undefined || hash === undefined
    ? undefined
    : { lastSequence: Number(sequence), hash: Uint8Array.from(Buffer.from(hash, 'hex')) };
}
