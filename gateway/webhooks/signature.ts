import { createHmac, randomBytes } from 'node:crypto';

/*
 * The Standard Webhooks convention: the receiver computes the signature from id, time stamp and raw body, and compares it with each of the
 * signatures in the header.
 */

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The headers that identify and sign a message; one signature for each secret that is valid. */
export function signedHeaders(id: string, seconds: number, body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, `${id}.${seconds}.${body}`)}`).join(' '),
  };
}

const signature = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(signed)
    .digest('base64');
