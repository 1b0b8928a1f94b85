import { setTimeout as pause } from 'node:timers/promises';
import { describe, StreamDamaged } from '../errors.js';
import { limits } from '../limits.js';
import { lostHeaders } from './message.js';
import type { ShardHead } from '../ports.js';
import { endOf, type SubjectEnd } from './read.js';
import { type JournalStream, type StreamServer, subjectOf } from './nats-stream.js';

/*
 * A server can lose acknowledged messages: by a power cut before its flush, or when its store is restored from an older backup. The next
 * append notices the loss, since it follows a message that is gone. The writer then marks the loss behind the last remaining message, so
 * that no process serves the shorter shard as if it were whole until an operator has restored the stream.
 */

/** A message that the server refused, since it does not follow the last one. */
export interface Refused {
  readonly stream: JournalStream;
  readonly shard: number;
  /** The message that it follows. */
  readonly follows: number;
  /** The last record that was acknowledged. */
  readonly acknowledged: number;
  /** Whether the writer still owns the shard: only then it marks the loss. */
  readonly isHeld: () => boolean;
}

/** Null where another writer has written: then this one is fenced. Otherwise the loss, with its position. */
export async function lossBehind(
  server: StreamServer,
  { stream, shard, follows, acknowledged, isHeld }: Refused,
): Promise<StreamDamaged | null> {
  const end = await endBehind(server, stream, shard, ({ streamSequence }) => streamSequence >= follows);
  return end === null ? null : missing(server, { stream, shard, end, acknowledged, isHeld });
}

/** The end of a shard that its writer opens again. */
export interface Reopened extends Pick<Refused, 'stream' | 'shard' | 'isHeld'> {
  readonly end: SubjectEnd;
  readonly acknowledged: ShardHead | undefined;
}

/** Throws `StreamDamaged` where records are missing that were acknowledged to the writer before. */
export async function assertReaches(server: StreamServer, { stream, shard, end: found, acknowledged, isHeld }: Reopened): Promise<void> {
  const reaches = ({ head }: SubjectEnd): boolean => head.lastSequence >= (acknowledged?.lastSequence ?? 0);
  if (reaches(found)) return;
  const end = await endBehind(server, stream, shard, reaches);
  if (end !== null) throw await missing(server, { stream, shard, end, acknowledged: acknowledged?.lastSequence ?? 0, isHeld });
}

/**
 * The end of a shard that stays too short; null where it is not. A server that has just become the leader may not know all messages yet.
 */
async function endBehind(
  server: StreamServer,
  stream: JournalStream,
  shard: number,
  reaches: (end: SubjectEnd) => boolean,
): Promise<SubjectEnd | null> {
  for (let looked = 1; ; looked += 1) {
    const end = await endOf(server, stream, shard);
    if (reaches(end)) return null;
    if (looked >= limits.lossLooks) return end;
    await pause(limits.lossLookMs);
  }
}

async function missing(
  server: StreamServer,
  { stream, shard, end, acknowledged, isHeld }: Omit<Refused, 'follows'> & { readonly end: SubjectEnd },
): Promise<StreamDamaged> {
  const {
    streamSequence,
    head: { lastSequence },
  } = end;
  const meaning = `the server lost acknowledged records: record ${acknowledged} is gone, and the shard ends with record ${lastSequence}`;
  // This writer stops in any case. Without a mark (its lease has ended, another writer was faster, the server is away) the next one may not
  // know of the loss: the error says so to the operator.
  const unmarked = (await isHeldAgain(isHeld))
    ? await markLoss(server, stream, shard, end, meaning).then(() => null, describe)
    : 'no lease';
  return new StreamDamaged(stream.name, shard, streamSequence, unmarked === null ? meaning : `${meaning}. It is not marked: ${unmarked}`);
}

/** After a start of the server the lease of its writer may be late: the next beat renews it, if nobody has taken the shard. */
async function isHeldAgain(isHeld: () => boolean): Promise<boolean> {
  for (let waitedMs = 0; !isHeld() && waitedMs < limits.lossLeaseMs; waitedMs += limits.lossLookMs) await pause(limits.lossLookMs);
  return isHeld();
}

async function markLoss(
  server: StreamServer,
  stream: JournalStream,
  shard: number,
  { head, streamSequence }: SubjectEnd,
  meaning: string,
): Promise<void> {
  await server.publish({ subject: subjectOf(stream, shard), bytes: NOTHING, headers: lostHeaders(head, meaning), follows: streamSequence });
}

/** Throws `StreamDamaged` where a writer has marked a loss. */
export function assertWhole({ name }: JournalStream, shard: number, { streamSequence, lost }: SubjectEnd): void {
  if (lost !== null) throw new StreamDamaged(name, shard, streamSequence, lost);
}

const NOTHING = new Uint8Array(0);
