import { crc32 } from 'node:zlib';
import { assert } from '../../engine/index.js';
import { isZero } from '../files/zeros.js';
import { JOURNAL_ID_BYTES, readNumber, writeNumber } from '../journal/format.js';
import { SEALED_KEY_BYTES } from './data-keys.js';

/**
 * The key file: a header and slots of one size.
 *
 *   header   magic 8 | version 4 | slot size 4 | salt 16 | probe 60 | journal id 16 | 4 | bytes 8 | zeros |
 *            CRC-32 of all before 4                                                                       = 512
 *   slot     kind 1 | owner length 1 | 2 | key id 4 | owner 48 | wrapped key 60 | zeros 8 | CRC-32 4      = 128
 *
 * Slots never cross a sector, the smallest unit that a disk writes: after a power cut each holds its former bytes or
 * its new ones. So a key is destroyed in its place, at once and alone, and no other key moves.
 *
 * Free slots lie ready behind the used ones, so that a full disk shows before a key is made. The header says up to where
 * the file was grown: one that is shorter was cut. Files of earlier releases have zeros there, and for the journal's id.
 */
export const HEADER_BYTES = 512;
export const SLOT_BYTES = 128;
export const OWNER_BYTES_LIMIT = 48;
export const SALT_BYTES = 16;

const MAGIC = Buffer.from('TENORKEY', 'latin1');
const VERSION = 1;
const SALT_AT = 16;
const PROBE_AT = 32;
const JOURNAL_ID_AT = PROBE_AT + SEALED_KEY_BYTES;
const GROWN_AT = JOURNAL_ID_AT + JOURNAL_ID_BYTES + 4;
const HEADER_CHECKSUM_AT = HEADER_BYTES - 4;

const KINDS = { key: 1, destroyed: 2 } as const;
export const OWNER_LENGTH_AT = 1;
export const OWNER_AT = 8;
const WRAPPED_AT = OWNER_AT + OWNER_BYTES_LIMIT;
const CHECKSUM_AT = SLOT_BYTES - 4;

export interface KeyHeader {
  /** Mixed into the wrapping key: a new one each time that the whole file is written again. */
  readonly salt: Buffer;
  /** Sealed with the wrapping key: shows whether a master key is the right one. */
  readonly probe: Buffer;
  /** The journal whose persons have their keys here; null for keys of an earlier release or of an export. */
  readonly journalId: Buffer | null;
}

/** A header as it lies on the disk. */
export interface StoredKeyHeader extends KeyHeader {
  /** Size of the file in bytes when it was last grown; 0 for a file of an earlier release. */
  readonly grownBytes: number;
}

export type Slot =
  /** Never used, or a write that a crash left out. */
  | { readonly type: 'free' }
  | { readonly type: 'key'; readonly owner: string; readonly keyId: number; readonly wrapped: Buffer }
  | { readonly type: 'destroyed'; readonly owner: string; readonly keyId: number }
  /** Begins or ends with zeros: a disk with smaller sectors has torn it. */
  | { readonly type: 'torn' }
  | { readonly type: 'damaged' };

export function encodeHeader({ salt, probe, journalId, grownBytes }: StoredKeyHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(VERSION, 8);
  bytes.writeUInt32LE(SLOT_BYTES, 12);
  salt.copy(bytes, SALT_AT);
  probe.copy(bytes, PROBE_AT);
  journalId?.copy(bytes, JOURNAL_ID_AT);
  writeNumber(bytes, grownBytes, GROWN_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_CHECKSUM_AT)), HEADER_CHECKSUM_AT);
  return bytes;
}

/** The header, or what is wrong with it. */
export function decodeHeader(bytes: Buffer): StoredKeyHeader | string {
  if (bytes.length < HEADER_BYTES) return 'the file ends inside its header';
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return 'not a key file';
  if (bytes.readUInt32LE(8) !== VERSION) return 'written by another version of the program';
  const isWhole = bytes.readUInt32LE(HEADER_CHECKSUM_AT) === crc32(bytes.subarray(0, HEADER_CHECKSUM_AT));
  if (!isWhole || bytes.readUInt32LE(12) !== SLOT_BYTES) return "the header's checksum fails";
  const journalId = Buffer.from(bytes.subarray(JOURNAL_ID_AT, JOURNAL_ID_AT + JOURNAL_ID_BYTES));
  return {
    journalId: isZero(journalId) ? null : journalId,
    grownBytes: readNumber(bytes, GROWN_AT),
    salt: Buffer.from(bytes.subarray(SALT_AT, SALT_AT + SALT_BYTES)),
    probe: Buffer.from(bytes.subarray(PROBE_AT, PROBE_AT + SEALED_KEY_BYTES)),
  };
}

/** Writes the slot into `into`, which is exactly one slot. */
export function encodeSlot(into: Buffer, slot: Extract<Slot, { readonly owner: string }>): void {
  const owner = Buffer.from(slot.owner);
  assert(owner.length > 0 && owner.length <= OWNER_BYTES_LIMIT, `an owner of keys has 1 to ${OWNER_BYTES_LIMIT} bytes`);
  into.fill(0);
  into[0] = KINDS[slot.type];
  into[OWNER_LENGTH_AT] = owner.length;
  into.writeUInt32LE(slot.keyId, 4);
  owner.copy(into, OWNER_AT);
  if (slot.type === 'key') slot.wrapped.copy(into, WRAPPED_AT);
  into.writeUInt32LE(crc32(into.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
}

/** Decodes a slot and checks its checksum; `bytes` is exactly one slot. */
export function slotType(bytes: Buffer): Slot['type'] {
  const checksum = bytes.readUInt32LE(CHECKSUM_AT);
  if (checksum === 0 || bytes[0] === 0) return isZero(bytes) ? 'free' : 'torn';
  if (checksum !== crc32(bytes.subarray(0, CHECKSUM_AT))) return 'damaged';
  return bytes[0] === KINDS.destroyed ? 'destroyed' : 'key';
}

/** A wrapped key is a view of `bytes`. */
export function decodeSlot(bytes: Buffer): Slot {
  const type = slotType(bytes);
  if (type !== 'key' && type !== 'destroyed') return { type };
  const owner = bytes.toString('utf8', OWNER_AT, OWNER_AT + (bytes[OWNER_LENGTH_AT] ?? 0));
  const keyId = bytes.readUInt32LE(4);
  return type === 'destroyed'
    ? { type, owner, keyId }
    : { type, owner, keyId, wrapped: bytes.subarray(WRAPPED_AT, WRAPPED_AT + SEALED_KEY_BYTES) };
}
