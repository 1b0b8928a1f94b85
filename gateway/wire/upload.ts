import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { Refusal, refuseProperty } from '../../actors/index.js';
import type { HttpRequest } from '../http/message.js';
import { getParts } from '../http/uws.js';
import { LIMITS } from '../limits.js';

/** A file as it was sent; its content is not checked yet. */
export class UploadedFile {
  constructor(
    readonly content: Buffer,
    /** The declared type; null where none was sent. */
    readonly contentType: string | null,
    readonly fileName: string | null,
  ) {}

  /** Compared when a request is repeated under the same idempotency key. */
  get digest(): string {
    return createHash('sha256').update(this.content).digest('hex');
  }
}

/** The part `file` of a multipart body, or the whole body. */
export function readUpload({ headers, body }: HttpRequest): UploadedFile {
  const contentType = headers['content-type'];
  const isMultipart = /^multipart\/form-data\b/i.test(contentType);
  const file = isMultipart ? partOf(body, contentType) : new UploadedFile(body, typeOf(contentType), null);
  if (file.content.length === 0) refuseProperty('file', 'a file that is not empty', '`file` is empty.');
  if (file.content.length > LIMITS.documentBytes)
    throw new Refusal('payloadTooLarge', `\`file\` is too large. A file may have at most ${LIMITS.documentBytes / 1024 / 1024} MB.`);
  return file;
}

function partOf(body: Buffer, contentType: string): UploadedFile {
  const parts = getParts(body, contentType) ?? [];
  const part = parts.slice(0, LIMITS.uploadParts).find(({ name }) => name === 'file');
  if (!part)
    return refuseProperty('file', 'the part `file` of a multipart body', '`file` is missing. Send it as a part of the multipart body.');
  return new UploadedFile(Buffer.from(part.data), typeOf(part.type ?? ''), nameOf(part.filename));
}

const typeOf = (header: string): string | null => (header.split(';', 1)[0] ?? '').trim().toLowerCase() || null;

/** The last part of a path, without control characters. */
function nameOf(text: string | undefined): string | null {
  const name = (text ?? '').split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').trim().slice(0, LIMITS.fileNameLength) ?? '';
  return name === '' || name === '.' || name === '..' ? null : name;
}

/** The two kinds of bodies. A body without a content type counts as JSON. */
export type ContentType = 'json' | 'form';

const CONTENT_TYPES: Readonly<Record<string, ContentType>> = {
  '': 'json',
  'application/json': 'json',
  'application/x-www-form-urlencoded': 'form',
};

/** Throws `Refusal` with 415 for every other content type. */
export function contentTypeOf(header: string): ContentType {
  if (header === 'application/json') return 'json'; // the usual case
  const name = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  const type = Object.hasOwn(CONTENT_TYPES, name) ? CONTENT_TYPES[name] : undefined;
  if (type) return type;
  const expected = 'application/json or application/x-www-form-urlencoded';
  throw new Refusal('unsupportedMediaType', `Unsupported Content-Type. Send ${expected}.`, {
    errors: [{ path: 'Content-Type', expected, message: `Content-Type must be ${expected}` }],
  });
}

export function bodyText(body: Buffer): string {
  if (isUtf8(body)) return body.toString('utf8');
  throw new Refusal('badRequest', 'The body is not valid UTF-8.', {
    errors: [{ path: 'body', expected: 'UTF-8', message: 'the body is not valid UTF-8' }],
  });
}
