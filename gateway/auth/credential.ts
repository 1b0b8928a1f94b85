import { Refusal } from '../../actors/index.js';
import type { HttpRequest } from '../http/message.js';
import { LIMITS } from '../limits.js';
import type { Caller } from '../routing/call.js';

/** What a request shows of its caller. */
export interface Credential {
  /** A key (`test_…`, `live_…`) or a session's token. */
  readonly text: string;
  /** The client's address, for keys that are bound to some. */
  readonly address: string;
}

/** Finds out who calls. Throws `Refusal` with 401, or 403 for an address that the key does not allow. */
export interface Authenticator {
  authenticate(credential: Credential): Caller | Promise<Caller>;
}

/** `Authorization: Bearer`, `X-API-KEY` and `X_API_KEY` are equal. Undefined when none is sent. */
export function credentialText(headers: HttpRequest['headers']): string | undefined {
  const token = bearer(headers.authorization);
  const { 'x-api-key': dashed, x_api_key: underlined } = headers;
  const text = token || dashed || underlined;
  if (text === '') return undefined;
  if ((dashed !== '' && dashed !== text) || (underlined !== '' && underlined !== text))
    throw new Refusal('unauthenticated', 'The request shows two different credentials.');
  if (text.length > LIMITS.credentialLength) throw new Refusal('unauthenticated', 'The credential is too long.');
  return text;
}

function bearer(header: string): string {
  if (header === '') return '';
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match) throw new Refusal('unauthenticated', 'The Authorization header must be "Bearer" and a key or token.');
  return match[1] ?? '';
}

/** Holds every permission: of keys whose user has no roles to be limited by. */
export const ALL_PERMISSIONS: ReadonlySet<string> = new Set(['*']);

export function assertPermitted(caller: Caller, permission: string): void {
  if (caller.permissions.has(permission) || caller.permissions.has('*')) return;
  throw new Refusal('permissionDenied', `The permission ${permission} is missing.`, { extra: { permission } });
}
