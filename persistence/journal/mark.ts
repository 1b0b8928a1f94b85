import { fieldOf } from '../../engine/index.js';
import type { FileLayer } from '../files/file-layer.js';
import { nodeFiles } from '../files/node-files.js';
import { join } from 'node:path';
import { isZero } from '../files/zeros.js';
import { asBuffer } from './format.js';
import { openJournal } from './journal.js';
import { damaged, recoveryCases, surveyFolder } from './segments.js';

/** The identity of the journal in a folder. */
export interface JournalMark {
  /** Random id, in every segment and batch. */
  readonly id: Buffer;
  /** Whether anything was ever appended. */
  readonly isUsed: boolean;
}

/** Bytes behind a header that are read: the first batch begins there. */
const LOOKED_AT = 64;

/** By the headers alone; null where no segment is. Changes nothing. Throws `JournalDamaged`. */
export async function readJournalMark(folder: string, files: FileLayer = nodeFiles): Promise<JournalMark | null> {
  const { segments, troubles } = await surveyFolder(files, folder).catch((cause: unknown) => {
    if (fieldOf(cause, 'code') === 'ENOENT') return { segments: [], troubles: [] };
    throw cause;
  });
  const refused = troubles.find(({ name }) => recoveryCases[name].verdict === 'refuse');
  if (refused !== undefined) throw damaged(folder, refused);
  const [first] = segments;
  if (first === undefined) return null;
  const { journalId: id, headerBytes } = first.header;
  const start = asBuffer(files.read(join(folder, first.name), headerBytes + LOOKED_AT)).subarray(headerBytes);
  return { id, isUsed: segments.length > 1 || !isZero(start) };
}

/** Makes a journal without batches. */
export async function beginJournal(folder: string): Promise<JournalMark> {
  const journal = await openJournal({ folder });
  await journal.close();
  return { id: journal.id, isUsed: false };
}
