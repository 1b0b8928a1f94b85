import { randomBytes } from 'node:crypto';
import { fieldsOf, ownJson } from '../../engine/index.js';
import { HASH_BYTES, sha256 } from '../journal/format.js';
import { decrypt, encrypt, wrappingKey } from '../keys/data-keys.js';
import { MasterKeyError } from '../keys/errors.js';
import { SALT_BYTES } from '../keys/key-slots.js';
import type { ShardHead } from '../ports.js';

/**
 * The files of an export. The blocks are those of the journal, byte by byte, so that the chain of each shard survives every move;
 * `export.json` is written last and says what must be there.
 *
 *   export.json               counts, heads, checksums of the parts, and the key of ids wrapped with the master key
 *   journal-000001.blocks     magic 8 | version 4 | number 4 | block | block | …
 *   journal-000002.blocks
 *
 * Data keys are never in it: they are exported apart, as a key file of their own.
 */
const EXPORT_VERSION = 1;
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

/** Undefined for text that is no hash. */
export function hashOfHex(text: unknown): Uint8Array | undefined {
  return typeof text === 'string' && text.length === HASH_BYTES * 2 && /^[0-9a-f]+$/.test(text)
    ? Uint8Array.from(Buffer.from(text, 'hex'))
    : undefined;
}

const checksumOf = (text: string): string => hexOf(sha256(Buffer.from(text)));

/** Size and checksum of a file of blocks. */
export interface ExportPart {
  readonly file: string;
  readonly bytes: number;
  readonly records: number;
  readonly sha256: string;
}

/** The end of a shard in the export. */
interface ExportedHead extends ShardHead {
  readonly shard: number;
  /** The highest id counter that its facts have recorded. */
  readonly idCounter: number;
}

/** The contents of an export. */
export interface ExportContents {
  /** ISO moment of machine time. */
  readonly madeAt: string;
  readonly madeFrom: 'folder' | 'cluster';
  /** Shards of borrowers; part of every id. */
  readonly shards: number;
  readonly records: number;
  /** The highest stamp of its records, in microseconds. */
  readonly newestStamp: number;
  readonly heads: readonly ExportedHead[];
  readonly parts: readonly ExportPart[];
  /** Persons whose erasure is recorded in it: their keys are never restored, whatever moment is restored. */
  readonly erased: readonly string[];
  /** What the key store had when it was made; null when it had none to look at. */
  readonly keys: { readonly keys: number; readonly destroyed: number };
  /** The key of the permutation of ids, wrapped with a key of the master key and the salt. */
  readonly idKey: { readonly salt: string; readonly wrapped: string };
}

const ID_KEY_CONTEXT = 'tenor export id key';

export function wrapIdKey(idKey: Uint8Array, masterKey: Uint8Array): ExportContents['idKey'] {
  const salt = randomBytes(SALT_BYTES);
  return { salt: hexOf(salt), wrapped: hexOf(encrypt(wrappingKey(masterKey, salt), idKey, ID_KEY_CONTEXT)) };
}

/** Throws `MasterKeyError` when it was wrapped with another master key. */
export function unwrapIdKey({ salt, wrapped }: ExportContents['idKey'], masterKey: Uint8Array): Uint8Array {
  const idKey = decrypt(wrappingKey(masterKey, Buffer.from(salt, 'hex')), Buffer.from(wrapped, 'hex'), ID_KEY_CONTEXT);
  if (idKey === undefined) throw new MasterKeyError('the export was made under another master key than the one that is set');
  return idKey;
}

export function encodeManifest({ heads, ...rest }: ExportContents): string {
  const contents = {
    ...rest,
    heads: heads.map(({ shard, lastSequence, hash, idCounter }) => ({ shard, lastSequence, hash: hexOf(hash), idCounter })),
  };
  const text = JSON.stringify(contents);
  return `${JSON.stringify({ format: 'tenor export', version: EXPORT_VERSION, checksum: checksumOf(text), contents }, null, 1)}\n`;
}

/** The contents, or what is wrong with the text. */
export function decodeManifest(text: string): ExportContents | string {
  const manifest = fieldsOf(parsed(text));
  if (manifest['format'] !== 'tenor export') return 'it is not the description of an export';
  const version = manifest['version'];
  if (version !== EXPORT_VERSION) return `it is of format ${String(version)}, and this version reads ${EXPORT_VERSION}`;
  if (manifest['contents'] === undefined) return 'its checksum fails';
  const contentsText = JSON.stringify(manifest['contents']);
  if (checksumOf(contentsText) !== manifest['checksum']) return 'its checksum fails';
  const contents = ownJson<EncodedContents>(contentsText); // the checksum is that of `encodeManifest`
  return { ...contents, heads: contents.heads.map(({ hash, ...head }) => ({ ...head, hash: hashOfHex(hash) ?? new Uint8Array() })) };
}

/** The contents as `encodeManifest` writes them. */
interface EncodedContents extends Omit<ExportContents, 'heads'> {
  readonly heads: readonly (Omit<ExportedHead, 'hash'> & { readonly hash: string })[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
