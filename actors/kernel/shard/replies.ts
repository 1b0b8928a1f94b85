import { Refusal } from '../../errors.js';
import { JsonText, keptText } from '../../wire.js';
import type { CommandRequest, Outcome, Reply } from '../actor.js';
import type { JournalTime } from '../journal/journal-time.js';
import { readReply, type StoredReply } from '../journal/records.js';
import { LIMITS } from '../limits.js';
import { SlidingList } from '../lists/row-list.js';
import type { KeyStore, KeyValue } from '../ports.js';
import { hasPersonalField } from '../snapshots/at-rest.js';
import { isOfBody } from './body-digest.js';
import { KeptBytes } from './kept-bytes.js';
import { type LoggedReply, ReplyIndex } from './reply-index.js';
import type { Runtime } from './runtime.js';
import type { Work } from './work.js';
import type { CachedActor } from './world.js';

/**
 * The answers to accepted commands, for their retries: unstored ones in memory, all others in the index on the disk, for 24 hours within
 * its size limit. Memory also knows that the newest commands were accepted, even if their replies had to be removed.
 */
export class Replies {
  readonly #running = new Set<string>();
  /** Accepted commands and when; `#order` has them from the oldest to the newest. */
  readonly #accepted = new Map<string, number>();
  readonly #order = new SlidingList<string>();
  readonly #unwritten = new SlidingList<LoggedReply>();
  readonly #unwrittenById = new Map<string, LoggedReply>();
  /** Of the unwritten replies. */
  readonly #bytes = new KeptBytes();
  readonly #index: ReplyIndex;

  /** `time` continues from the replies that are found. */
  constructor(
    store: KeyValue,
    private readonly time: Pick<JournalTime, 'reached'> | null = null,
    bytesLimit: number = LIMITS.storedReplyBytes,
  ) {
    this.#index = new ReplyIndex(store, bytesLimit);
    this.time?.reached(this.#index.storedAt);
  }

  isRunning(commandId: string): boolean {
    return this.#running.has(commandId);
  }

  /** Its reply is recorded, and not yet durable. */
  recorded(commandId: string): void {
    this.#running.add(commandId);
  }

  /** A command that waits for another one counts as running. */
  async runningWhile(commandId: string, wait: () => Promise<void>): Promise<void> {
    this.#running.add(commandId);
    try {
      await wait();
    } finally {
      this.#running.delete(commandId);
    }
  }

  /** A flush has failed: replies that were not durable never will be. */
  endAll(): void {
    this.#running.clear();
  }

  /** A reply counts once its batch is durable. */
  durable(reply: LoggedReply): void {
    const { commandId, at } = reply;
    const kept = { commandId, at, packed: this.#bytes.keep(reply.packed) };
    this.#running.delete(commandId);
    this.#unwritten.push(kept);
    this.#unwrittenById.set(commandId, kept);
    this.#remember(kept);
    this.time?.reached(reply.at);
  }

  find(commandId: string, nowMs: number): StoredReply | undefined {
    const packed = this.#unwrittenById.get(commandId)?.packed ?? this.#index.get(commandId);
    const reply = packed && readReply(packed);
    return reply && reply.commandId === commandId && isKept(reply.at, nowMs) ? reply : undefined;
  }

  /** Whether the command is known to have been accepted, even if its reply is no longer kept. */
  wasAccepted(commandId: string, nowMs: number): boolean {
    const at = this.#accepted.get(commandId);
    return at !== undefined && isKept(at, nowMs);
  }

  get unwritten(): number {
    return this.#unwritten.length;
  }

  /** The entries that store the first `count` unwritten replies, and remove old ones. */
  entries(nowMs: number, count: number): (readonly [string, Uint8Array | null])[] {
    const replies: LoggedReply[] = [];
    for (let index = 0; index < count; index++) {
      const reply = this.#unwritten.at(index);
      if (reply) replies.push(reply);
    }
    return this.#index.entries(replies, nowMs);
  }

  /** The entries for the first `count` unwritten replies are stored: memory may drop them. */
  stored(count: number): void {
    this.#index.stored();
    for (let index = 0; index < count; index++) {
      const reply = this.#unwritten.at(index);
      if (reply && this.#unwrittenById.get(reply.commandId) === reply) this.#unwrittenById.delete(reply.commandId);
    }
    this.#bytes.drop(Math.min(count, this.#unwritten.length));
    this.#unwritten.drop(count);
  }

  #remember({ commandId, at }: LoggedReply): void {
    if (!this.#accepted.has(commandId)) this.#order.push(commandId);
    this.#accepted.set(commandId, at);
    if (this.#order.length <= LIMITS.recentCommands) return;
    const oldest = this.#order.at(0);
    if (oldest !== undefined) this.#accepted.delete(oldest);
    this.#order.drop(1);
  }
}

const isKept = (at: number, nowMs: number): boolean => nowMs - at < LIMITS.storedReplyMs;

/** Records the reply of a command for its retries. One with personal data is sealed with the key of the person. */
export function storeReply(
  runtime: Runtime,
  work: Work,
  { request, actor }: { readonly request: CommandRequest; readonly actor: CachedActor },
  reply: Reply,
): void {
  const text = reply.data === undefined ? '' : keptText(reply.data);
  const { personal } = actor.definition;
  const person = reply.sealedFor ?? (personal && hasPersonalField(text, personal) ? personal.ownerOf(actor.state) : undefined);
  // For a person without a key there is nothing left to seal.
  const sealedFor = person !== undefined && runtime.keys.has(person) ? person : null;
  const sealed = (owner: string): string => Buffer.from(runtime.keys.seal(owner, text, replyContext(request.commandId))).toString('base64');
  work.storeReply({
    commandId: request.commandId,
    digest: request.idempotency?.digest ?? '',
    status: reply.status ?? null,
    message: reply.message ?? null,
    operationId: reply.operationId ?? null,
    dataText: sealedFor === null ? text : sealed(sealedFor),
    sealedFor,
    at: runtime.journalMs(),
    stamp: runtime.world.lastStamp,
  });
  runtime.replies.recorded(request.commandId);
}

/** The context of a sealed reply: it opens only as the answer to its own command. */
export const replyContext = (commandId: string): string => `reply/${commandId}`;

/**
 * The stored answer of a command that was accepted before, under the same key with the same body. Undefined on the first attempt. A reply
 * with personal data opens as long as the person's key exists. What was removed with a test mode, at the stamp `emptiedAt`, was never
 * accepted.
 */
export function earlierReply(
  { replies, keys, emptiedAt = 0 }: EarlierReplies,
  request: CommandRequest,
  nowMs: number,
): Outcome | undefined {
  if (!request.idempotency) return undefined;
  const found = replies.find(request.commandId, nowMs);
  const isRemoved = found?.stamp !== undefined && found.stamp < emptiedAt;
  const stored = isRemoved ? undefined : found;
  if (!stored) {
    if (!isRemoved && replies.wasAccepted(request.commandId, nowMs)) throw new Refusal('idempotencyConflict', NO_LONGER_KEPT);
    if (!replies.isRunning(request.commandId)) return undefined;
    throw new Refusal('idempotencyInProgress', 'The first request with this Idempotency-Key is still running. Try again in a second.');
  }
  if (!isOfBody(stored.digest, request.idempotency))
    throw new Refusal('idempotencyConflict', 'This Idempotency-Key was already used with another body. Use a new key.');
  const text = textOf(stored, keys);
  return {
    data: text === '' ? undefined : new JsonText(text),
    replayed: true,
    ...(stored.status === null ? {} : { status: stored.status }),
    ...(stored.message === null ? {} : { message: stored.message }),
    ...(stored.operationId === null ? {} : { operationId: stored.operationId }),
  };
}

/** Where earlier replies are found. */
interface EarlierReplies {
  readonly replies: Replies;
  readonly keys: KeyStore;
  readonly emptiedAt?: number;
}

const NO_LONGER_KEPT = 'The first request with this Idempotency-Key was carried out. Its reply is no longer kept.';

function textOf({ commandId, dataText, sealedFor }: StoredReply, keys: KeyStore): string {
  if (sealedFor === null) return dataText;
  const opened = keys.open(sealedFor, Buffer.from(dataText, 'base64'), replyContext(commandId));
  if (opened === undefined) throw new Refusal('notFound', 'The person in the first reply was erased.');
  return opened;
}
