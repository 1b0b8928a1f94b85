import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../actors/index.js';

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
