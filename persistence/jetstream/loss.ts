import { setTimeout as pause } from 'node:timers/promises';
import { StreamDamaged } from '../errors.js';
import { limits } from '../limits.js';
import { lostHeaders } from './message.js';
import type { ShardHead } from '../ports.js';
import { endOf, type SubjectEnd } from './read.js';
import { type JournalStream, type StreamServer, subjectOf } from './nats-stream.js';

/*
 * A server that loses what it had acknowledged (a power cut before its flush, a store put back from an older backup) is noticed by whoever
 * appends next, as a message follows on one that is gone. The writer leaves word of it behind what is left, so that nobody serves
 * the shorter shard as if it were whole, whoever opens it, until an operator has restored the stream.
 */

/** A message that was not taken, since it does not follow on the last one. */
export interface Refused {
  readonly stream: JournalStream;
  readonly shard: number;
  /** The message that it follows on. */
  readonly follows: number;
  /** The last record that was acknowledged. */
  readonly acknowledged: number;
  /** Whether the shard is still the writer's: only then it leaves word. */
  readonly isHeld: () => boolean;
}

/** Null where somebody else has written: the writer is fenced. Otherwise what is missing, with its place. */
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

/** Throws `StreamDamaged` where something is missing that the writer was acknowledged before. */
export async function assertReaches(server: StreamServer, { stream, shard, end: found, acknowledged, isHeld }: Reopened): Promise<void> {
  const reaches = ({ head }: SubjectEnd): boolean => head.lastSequence >= (acknowledged?.lastSequence ?? 0);
  if (reaches(found)) return;
  const end = await endBehind(server, stream, shard, reaches);
  if (end !== null) throw await missing(server, { stream, shard, end, acknowledged: acknowledged?.lastSequence ?? 0, isHeld });
}

/** The end where it stays too short; null where it is not. A server that has just become the leader may not know all of it yet. */
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
  const meaning = `the server has lost what it had acknowledged: record ${acknowledged} is gone, and the shard ends with record ${lastSequence}`;
  if (isHeld()) await leaveWord(server, stream, shard, end, meaning).catch(() => undefined); // somebody was faster, or the server is away: the writer stops in any case
  return new StreamDamaged(stream.name, shard, streamSequence, meaning);
}

async function leaveWord(
  server: StreamServer,
  stream: JournalStream,
  shard: number,
  { head, streamSequence }: SubjectEnd,
  meaning: string,
): Promise<void> {
  await server.publish({ subject: subjectOf(stream, shard), bytes: NOTHING, headers: lostHeaders(head, meaning), follows: streamSequence });
}

/** Throws `StreamDamaged` where a writer has left word. */
export function assertWhole({ name }: JournalStream, shard: number, { streamSequence, lost }: SubjectEnd): void {
  if (lost !== null) throw new StreamDamaged(name, shard, streamSequence, lost);
}

const NOTHING = new Uint8Array(0);
