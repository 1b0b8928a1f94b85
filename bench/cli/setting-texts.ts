import { isZone } from '../../engine/index.js';
import { bucketLocation, isMasterKey } from '../../persistence/index.js';
import { isAddressOrBlock, type RateLimit } from '../../gateway/index.js';

/** What the text of a setting must look like: each says what is wrong with a text, or null. */

export const anyText = (text: string): string | null => (text.length > 0 ? null : 'must not be empty');
export const portText = (text: string): string | null =>
  /^\d{1,5}$/.test(text) && Number(text) < 65_536 ? null : 'must be a port, 0 to 65535';
export const keyText =
  (mode: string) =>
  (text: string): string | null =>
    new RegExp(`^${mode}_[A-Za-z0-9_-]{32,200}$`).test(text) ? null : `must be ${mode}_ and 32 to 200 letters, digits, - or _`;
export const rateText = (text: string): string | null =>
  rateLimitOf(text) === undefined ? 'must be off, or requests a second and at once: 50/100' : null;
export const addressesText = (text: string): string | null =>
  addressesOf(text).every(isAddressOrBlock) ? null : 'must be addresses or blocks with commas: 10.0.0.0/8,::1';
export const awakeText = (text: string): string | null =>
  /^\d{3,8}$/.test(text) && Number(text) <= 10_000_000 && Number(text) >= 100 ? null : 'must be a number from 100 to 10000000';
export const originText = (text: string): string | null =>
  /^https?:\/\/[^/?#]+$/.test(text) ? null : 'must be a scheme and a host without a path: https://loans.example.com';
export const redisText = (text: string): string | null =>
  /^rediss?:\/\/[^?#\s]+$/.test(text) ? null : 'must be the address of a server: redis://127.0.0.1:6379';
export const natsText = (text: string): string | null =>
  /^(nats|tls):\/\/[^/?#\s]+$/.test(text) ? null : 'must be the address of a server: nats://127.0.0.1:4222';
export const documentsText = (text: string): string | null =>
  text.length > 0 && (!text.startsWith('s3:') || bucketLocation(text, { id: '', secret: '' }))
    ? null
    : 'must be a folder, or a bucket: s3://bucket/prefix?region=us-east-1';
export const nameText = (text: string): string | null =>
  /^[A-Za-z0-9_-]{1,40}$/.test(text) ? null : 'must be 1 to 40 letters, digits, - or _';
export const masterKeyText = (text: string): string | null => (isMasterKey(text) ? null : 'must be 32 bytes as hexadecimal or base64');
export const zoneText = (text: string): string | null => (isZone(text) ? null : 'must be an IANA time zone such as America/New_York');
export const oneOf =
  (...values: readonly string[]) =>
  (text: string): string | null =>
    values.includes(text) ? null : `must be one of ${values.join(', ')}`;

/** The list in a text with commas. */
export const addressesOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** `50/100`: a second and at once; null = off; undefined = neither. */
export function rateLimitOf(text: string): RateLimit | null | undefined {
  if (text === 'off') return null;
  const match = /^(\d{1,7})\/(\d{1,7})$/.exec(text);
  const [perSecond, burst] = [Number(match?.[1]), Number(match?.[2])];
  return perSecond > 0 && burst > 0 ? { perSecond, burst } : undefined;
}
