import { hash } from 'node:crypto';
import type { CommandRequest } from '../actor.js';

/**
 * The request with a keyed digest of its body. The digest stays in the journal, and bodies contain identity numbers that could be found by
 * guessing from a plain hash. All hashed values have one length, so a key before the value makes a keyed hash.
 */
export function withKeyedDigest(request: CommandRequest, key: Uint8Array): CommandRequest {
  if (!request.idempotency) return request;
  const { key: idempotencyKey, digest: plainDigest } = request.idempotency;
  const digest = hash('sha256', Buffer.concat([key, Buffer.from(plainDigest)]), 'base64url');
  return { ...request, idempotency: { key: idempotencyKey, digest, plainDigest } };
}

/** Whether a stored digest is that of this body. Earlier releases have stored the plain one. */
export const isOfBody = (stored: string, { digest, plainDigest }: NonNullable<CommandRequest['idempotency']>): boolean =>
  stored === digest || stored === plainDigest;
