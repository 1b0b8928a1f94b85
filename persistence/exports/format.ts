import { HASH_BYTES, sha256 } from '../journal/format.js';

/**
 * How an export lies in its folder. The blocks are those of the journal, byte by byte, so that the chain of each shard goes
 * through every move; `export.json` is written last and says what must be there.
 *
 *   export.json               counts, heads, checksums of the parts, and the key of ids wrapped with the master key
 *   journal-000001.blocks     magic 8 | version 4 | number 4 | block | block | …
 *   journal-000002.blocks
 *
 * Data keys are never in it: they travel apart, as a key file of their own.
 */
export const EXPORT_VERSION = 1;
export const MANIFEST_NAME = 'export.json';
export const PART_HEADER_BYTES = 16;

const PART_MAGIC = Buffer.from('TENOREXP', 'latin1');

export const partName = (number: number): string => `journal-${String(number).padStart(6, '0')}.blocks`;

export function partHeader(number: number): Buffer {
  const header = Buffer.alloc(PART_HEADER_BYTES);
  PART_MAGIC.copy(header);
  header.writeUInt32LE(EXPORT_VERSION, 8);
  header.writeUInt32LE(number, 12);
  return header;
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Undefined for text that is not the hash that it should be. */
export function hashOfHex(text: unknown): Uint8Array | undefined {
  return typeof text === 'string' && text.length === HASH_BYTES * 2 && /^[0-9a-f]+$/.test(text)
    ? Uint8Array.from(Buffer.from(text, 'hex'))
    : undefined;
}

export const checksumOf = (text: string): string => hexOf(sha256(Buffer.from(text)));
