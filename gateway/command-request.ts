import { hash, randomUUID } from 'node:crypto';
import { type CommandRequest, type Mode, refuseProperty, toJsonText } from '../actors/index.js';
import { fieldOf, isRecord } from '../engine/index.js';
import type { CallParts } from './call-context.js';
import { LIMITS } from './limits.js';
import type { Caller, CommandOptions } from './routing/route.js';
import { UploadedFile } from './wire/upload.js';

/** The command that a call gives to the engine: with an id from the idempotency key, the caller, and the digest of the body. */
export function commandRequest<Type extends string>(
  parts: CallParts,
  type: Type,
  target: string | null,
  options: CommandOptions,
): CommandRequest & { readonly type: Type } {
  const { params, body, caller, requestId, method, path } = parts;
  const { company, mode, permissions, address } = caller;
  const query = 'query' in options ? options.query : parts.query;
  const key = isDryRun(query) ? null : parts.idempotencyKey;
  const request = {
    commandId: commandIdOf({ company, mode, method, path }, key, options.step),
    company,
    mode,
    type,
    target,
    params,
    body: 'body' in options ? options.body : body,
    query,
    actor: agentOf(caller),
    permissions,
    address,
    requestId,
  };
  return key === null ? request : { ...request, idempotency: { key, digest: digestOf(body) } };
}

/** A dry run changes nothing, so it uses up no key: a write under the same key is carried out. */
const isDryRun = (query: unknown): boolean => fieldOf(query, 'dryRun') === true || fieldOf(query, 'validateOnly') === true;

/** The caller as facts name it. */
export function agentOf({ keyId, userId, session }: Caller): CommandRequest['actor'] {
  if (session?.borrower && userId !== null) return { type: 'borrower', id: userId, userId };
  if (keyId === null) return userId === null ? { type: 'user', id: 'unknown' } : { type: 'user', id: userId, userId };
  return userId === null ? { type: 'key', id: keyId } : { type: 'key', id: keyId, userId };
}

/** An idempotency key is unique within company, mode, method and path. */
interface RequestIdentity {
  readonly company: string;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
}

const KEY = /^[\x20-\x7e]+$/;

/** The key of the header; null if the header was not sent. Without its key, a repeated write would be carried out twice. */
export function idempotencyKeyOf(header: string | null): string | null {
  if (header === null) return null;
  if (header.length <= LIMITS.idempotencyKeyLength && KEY.test(header)) return header;
  const expected = `1 to ${LIMITS.idempotencyKeyLength} printable ASCII characters`;
  refuseProperty('Idempotency-Key', expected, `The Idempotency-Key header must have ${expected}.`);
}

/** The same for every attempt of a request with a key, so that the shard recognizes a retry; random without one. */
function commandIdOf(identity: RequestIdentity, key: string | null, step = ''): string {
  if (key === null) return randomUUID();
  const { company, mode, method, path } = identity;
  return sha256(toJsonText([company, mode, method, path, key, step]));
}

/** Properties left out of the digest: it is stored, and could be used to check a guess of the secret. */
const SECRETS: ReadonlySet<string> = new Set([
  'password',
  'currentPassword',
  'login',
  'transactionKey',
  'pan',
  'cvvNumber',
  'cardNumber',
  'cvv',
  'processorToken',
  'cardApiKey',
  'cardWebhookSecret',
  'adminAccessToken',
  'apiKey',
  'applicationToken',
  'queryApiKey',
  's3Secret',
  'sftpPassword',
]);

/** Equal for bodies with the same content: spacing, the order of properties and secrets do not count. */
const digestOf = (body: unknown): string => (body instanceof UploadedFile ? body.digest : sha256(canonicalText(body)));

const sha256 = (text: string): string => hash('sha256', text);

/** JSON with the properties of each object in the order of their names. */
function canonicalText(value: unknown): string {
  if (!isRecord(value)) return toJsonText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const properties = Object.keys(value)
    .filter((key) => !SECRETS.has(key))
    .sort()
    .map((key) => `${toJsonText(key)}:${canonicalText(value[key])}`);
  return `{${properties.join()}}`;
}
