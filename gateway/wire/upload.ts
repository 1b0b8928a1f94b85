import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Refusal, refuseProperty } from '../../actors/index.js';
import type { HttpRequest } from '../http/message.js';
import { getParts } from '../http/uws.js';
import { LIMITS } from '../limits.js';

/** A file as a caller has sent it: nothing of it is checked yet. */
export class UploadedFile {
  constructor(
    readonly content: Buffer,
    /** What the caller says that it is; null where nothing is said. */
    readonly contentType: string | null,
    readonly fileName: string | null,
  ) {}

  /** What tells two uploads apart, for a retry: a request is compared by it. */
  get digest(): string {
    return createHash('sha256').update(this.content).digest('hex');
  }
}

/** The part `file` of a multipart body, or the body as it is. */
export function readUpload({ headers, body }: HttpRequest): UploadedFile {
  const contentType = headers['content-type'];
  const isForm = /^multipart\/form-data\b/i.test(contentType);
  const file = isForm ? partOf(body, contentType) : new UploadedFile(body, typeOf(contentType), null);
  if (file.content.length === 0) refuseProperty('file', 'a file', 'The file is empty.');
  if (file.content.length > LIMITS.documentBytes)
    throw new Refusal('payloadTooLarge', `A file may have ${LIMITS.documentBytes / 1024 / 1024} MB at most.`);
  return file;
}

function partOf(body: Buffer, contentType: string): UploadedFile {
  const parts = getParts(body, contentType) ?? [];
  const part = parts.slice(0, LIMITS.uploadParts).find(({ name }) => name === 'file');
  if (!part) return refuseProperty('file', 'the part `file` of a multipart form', 'The form has no part `file`.');
  return new UploadedFile(Buffer.from(part.data), typeOf(part.type ?? ''), nameOf(part.filename));
}

const typeOf = (header: string): string | null => (header.split(';', 1)[0] ?? '').trim().toLowerCase() || null;

/** The last part of a path, without what a name of a file must not have. */
function nameOf(text: string | undefined): string | null {
  const name = (text ?? '').split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').trim().slice(0, LIMITS.fileNameLength) ?? '';
  return name === '' || name === '.' || name === '..' ? null : name;
}

/** The two kinds of bodies. One without a content type counts as JSON. */
export type ContentType = 'json' | 'form';

const CONTENT_TYPES: Readonly<Record<string, ContentType>> = {
  '': 'json',
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
};

/** Throws `Refusal` with 415 for every other content type. */
export function contentTypeOf(header: string): ContentType {
  if (header === 'application/json') return 'json'; // what nearly all send
  const name = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  const type = Object.hasOwn(CONTENT_TYPES, name) ? CONTENT_TYPES[name] : undefined;
  if (type) return type;
  throw new Refusal('unsupportedMediaType', 'Send application/json or application/x-www-form-urlencoded.', {
    errors: [{ path: 'Content-Type', expected: 'application/json or application/x-www-form-urlencoded', message: 'not supported' }],
  });
}

export function bodyText(body: Buffer): string {
  if (isUtf8(body)) return body.toString('utf8');
  throw new Refusal('badRequest', 'The body is not UTF-8.', { errors: [{ path: 'body', expected: 'UTF-8', message: 'other bytes' }] });
}
