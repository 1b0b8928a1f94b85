import { hash } from 'node:crypto';
import { Refusal } from '../../errors.js';
import { JsonText } from '../../wire.js';
import type { CommandRequest, Outcome } from '../actor.js';
import type { KeyStore } from '../ports.js';
import { replyContext } from './execution.js';
import type { StoredReply } from '../journal/records.js';
import type { Replies } from './replies.js';

/**
 * The stored answer of a command that was accepted before, under the same key with the same body. Undefined when
 * this is its first try. A reply with personal data opens as long as the person's key exists.
 */
export function earlierReply(replies: Replies, keys: KeyStore, request: CommandRequest, nowMs: number): Outcome | undefined {
  if (!request.idempotency) return undefined;
  const stored = replies.find(request.commandId, nowMs);
  if (!stored) {
    if (replies.wasAccepted(request.commandId, nowMs)) throw new Refusal('idempotencyConflict', NO_LONGER_KEPT);
    if (!replies.isRunning(request.commandId)) return undefined;
    throw new Refusal('idempotencyInProgress', 'The first request under this key is still running.');
  }
  if (stored.digest !== request.idempotency.digest) throw new Refusal('idempotencyConflict', 'This key was used with another body.');
  const text = textOf(stored, keys);
  return {
    data: text === '' ? undefined : new JsonText(text),
    replayed: true,
    ...(stored.status === null ? {} : { status: stored.status }),
    ...(stored.message === null ? {} : { message: stored.message }),
    ...(stored.operationId === null ? {} : { operationId: stored.operationId }),
  };
}

const NO_LONGER_KEPT = 'The first request under this key was carried out; its reply had to make room and is no longer kept.';

/**
 * The request with its body's digest keyed: the digest stays in the journal, and bodies carry identity numbers that
 * a plain hash would let anybody find by trying. What is hashed has one length, so a key before it makes it a keyed hash.
 */
export function withKeyedDigest(request: CommandRequest, key: Uint8Array): CommandRequest {
  if (!request.idempotency) return request;
  const digest = hash('sha256', Buffer.concat([key, Buffer.from(request.idempotency.digest)]), 'base64url');
  return { ...request, idempotency: { key: request.idempotency.key, digest } };
}

function textOf({ commandId, dataText, sealedFor }: StoredReply, keys: KeyStore): string {
  if (sealedFor === null) return dataText;
  const opened = keys.open(sealedFor, Buffer.from(dataText, 'base64'), replyContext(commandId));
  if (opened === undefined) throw new Refusal('notFound', 'The person that the first reply was about was erased.');
  return opened;
}
