import { hash, randomUUID } from 'node:crypto';
import { type Mode, refuseProperty, toJsonText } from '../actors/index.js';
import { LIMITS } from './limits.js';
import { UploadedFile } from './wire/upload.js';

/** What makes two requests the same: the key counts within company, mode, method and path. */
export interface RequestIdentity {
  readonly company: string;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
}

const KEY = /^[\x20-\x7e]+$/;

/** The header's key, or null when there is none. */
export function idempotencyKeyOf(header: string): string | null {
  if (header === '') return null;
  if (header.length <= LIMITS.idempotencyKeyLength && KEY.test(header)) return header;
  refuseProperty('Idempotency-Key', `1 to ${LIMITS.idempotencyKeyLength} printable characters`, 'The Idempotency-Key is malformed.');
}

/** The same for every try of a request with a key, so that the shard knows a retry; random without one. */
export function commandIdOf(identity: RequestIdentity, key: string | null, step = ''): string {
  if (key === null) return randomUUID();
  const { company, mode, method, path } = identity;
  return sha256(toJsonText([company, mode, method, path, key, step]));
}

/** What no digest may be made of: it is stored, and would tell whoever guesses that the guess was right. */
const SECRETS: ReadonlySet<string> = new Set(['password', 'currentPassword', 'login', 'transactionKey']);

/** Tells whether two bodies say the same: spacing and the order of properties do not count, nor do secrets. */
export const digestOf = (body: unknown): string => (body instanceof UploadedFile ? body.digest : sha256(canonicalText(body)));

const sha256 = (text: string): string => hash('sha256', text);

/** JSON with the properties of each object in the order of their names. */
function canonicalText(value: unknown): string {
  if (value === null || typeof value !== 'object') return toJsonText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const object = value as Readonly<Record<string, unknown>>;
  const properties = Object.keys(object)
    .filter((key) => !SECRETS.has(key))
    .sort()
    .map((key) => `${toJsonText(key)}:${canonicalText(object[key])}`);
  return `{${properties.join()}}`;
}
