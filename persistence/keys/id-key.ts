import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { nodeFiles } from '../files/node-files.js';
import { atPath } from '../files/path-unusable.js';
import { IdKeyDamaged } from './errors.js';
import { isMasterKey, parseMasterKey } from './master-key.js';

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

/** Durable and whole, or not there. Takes the place of a former one. */
export async function writeIdKey(file: string, key: Uint8Array, journalId: Uint8Array): Promise<void> {
  const [keyText, journalText] = [key, journalId].map((bytes) => Buffer.from(bytes).toString('hex'));
  const unfinished = `${file}.unfinished`;
  const text = `${keyText}\njournal ${journalText}\nsha256 ${digestOf(String(keyText), String(journalText))}\n`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await nodeFiles.rename(unfinished, file);
  await nodeFiles.syncFolder(dirname(file));
}

const digestOf = (key: string, journal: string): string => createHash('sha256').update(`${key}\njournal ${journal}\n`).digest('hex');
