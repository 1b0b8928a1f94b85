import { fieldOf } from '../../engine/basics/index.js';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nodeFiles } from '../files/node-files.js';
import { atPath } from '../files/path-unusable.js';
import type { KeyStore } from '../ports.js';
import { KEY_BYTES } from './data-keys.js';
import { IdKeyDamaged, MasterKeyError } from './errors.js';

/**
 * The master key from the text of a setting, else from the file. The first start creates the file, readable only by its owner, and durable
 * before anything is wrapped with the key.
 */
export function loadMasterKey(source: { readonly text: string | null; readonly file: string }): Uint8Array {
  if (source.text !== null) return parseMasterKey(source.text, 'the setting of the master key');
  const { file } = source;
  const text = atPath('the master key', file, () => {
    if (!existsSync(file)) makeKeyFile(file);
    return readFileSync(file, 'utf8');
  });
  return parseMasterKey(text, file);
}

/** The same, but never creates a key, since a new one could not open what was wrapped before. Throws `MasterKeyError`. */
export function readMasterKey(source: { readonly text: string | null; readonly file: string }): Uint8Array {
  if (source.text === null && !existsSync(source.file))
    throw new MasterKeyError(
      `there is no master key in ${source.file}: put the one there that the data was written under, or set TENOR_MASTER_KEY`,
    );
  return loadMasterKey(source);
}

const HEXADECIMAL = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;

export const isMasterKey = (text: string): boolean => HEXADECIMAL.test(text.trim()) || BASE64.test(text.trim());

/** 32 bytes as 64 hexadecimal digits or as base64. Throws `MasterKeyError`. */
export function parseMasterKey(text: string, origin: string): Uint8Array {
  const trimmed = text.trim();
  if (HEXADECIMAL.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (BASE64.test(trimmed)) return Buffer.from(trimmed, 'base64');
  throw new MasterKeyError(`${origin} does not hold ${KEY_BYTES} bytes as hexadecimal or base64`);
}

/**
 * Written under another name first: a crash leaves a whole key or none, and of processes that start together one creates the key for all.
 */
function makeKeyFile(path: string): void {
  const unfinished = `${path}.${process.pid}.unfinished`;
  writeFileSync(unfinished, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, path);
  } catch (cause) {
    if (fieldOf(cause, 'code') !== 'EEXIST') throw cause;
  } finally {
    rmSync(unfinished);
  }
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * The key of the permutation of ids, as old as the data, in a file of three lines:
 *
 *   64 hexadecimal digits          the key
 *   journal 32 hexadecimal digits  the journal whose ids it makes
 *   sha256 64 hexadecimal digits   of both lines above
 *
 * A file of an earlier release has the first line alone.
 */
export interface StoredIdKey {
  readonly key: Uint8Array;
  /** Null in a file of an earlier release. */
  readonly journalId: Buffer | null;
}

const MARKED = /^([0-9a-f]{64})\njournal ([0-9a-f]{32})\nsha256 ([0-9a-f]{64})\n$/;

/** Undefined where there is none. Throws `IdKeyDamaged`. */
export function readIdKey(file: string): StoredIdKey | undefined {
  if (!existsSync(file)) return undefined;
  const text = atPath('the key of ids', file, () => readFileSync(file, 'utf8'));
  if (isMasterKey(text)) return { key: parseMasterKey(text, file), journalId: null };
  const [, key = '', journal = '', digest] = MARKED.exec(text) ?? [];
  if (digest === undefined || digest !== digestOf(key, journal)) throw new IdKeyDamaged(file);
  return { key: Buffer.from(key, 'hex'), journalId: Buffer.from(journal, 'hex') };
}

/** Writes the file atomically and durably. Replaces a former one. */
export async function writeIdKey(file: string, key: Uint8Array, journalId: Uint8Array): Promise<void> {
  const [keyText, journalText] = [key, journalId].map((bytes) => Buffer.from(bytes).toString('hex'));
  const unfinished = `${file}.unfinished`;
  const text = `${keyText}\njournal ${journalText}\nsha256 ${digestOf(String(keyText), String(journalText))}\n`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await nodeFiles.rename(unfinished, file);
  await nodeFiles.syncFolder(dirname(file));
}

const digestOf = (key: string, journal: string): string => createHash('sha256').update(`${key}\njournal ${journal}\n`).digest('hex');

export interface KeyFault {
  readonly owner: string;
  readonly message: string;
}

/** Persons that cannot be read with these keys, and keys that are broken. */
export function keyFaultsOf(
  persons: Iterable<string>,
  keys: Pick<KeyStore, 'knows'> & { brokenOwners?(): Iterable<string> },
): readonly KeyFault[] {
  const faults: KeyFault[] = [];
  for (const owner of persons)
    if (!keys.knows(owner)) faults.push({ owner, message: 'has no data key: the key store is an older copy, or a part of it is lost' });
  for (const owner of keys.brokenOwners?.() ?? [])
    faults.push({ owner, message: 'has a data key that cannot be unwrapped: it was put there from another key store' });
  return faults;
}
