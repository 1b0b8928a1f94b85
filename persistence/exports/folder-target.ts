import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PlaceTaken } from '../errors.js';
import { nodeFiles } from '../files/node-files.js';
import { atPath } from '../files/path-unusable.js';
import { openJournal } from '../journal/journal.js';
import { writeIdKey } from '../keys/id-key.js';
import { openKeyStore } from '../keys/key-store.js';
import { lockFolder } from '../lock/folder-lock.js';
import { limits } from '../limits.js';
import { FOLDER_PARTS } from './folder-source.js';
import type { RestoreTarget } from './places.js';

/** What is being restored, until it is whole. */
const UNFINISHED = 'restoring';
/** What may lie in the folder before: the key that is to open it, and the lock. */
const ALLOWED: ReadonlySet<string> = new Set([FOLDER_PARTS.masterKey, 'lock']);

/**
 * A data folder to be. All is written beside its place first and gets its names at the end, that of the key of ids last:
 * without it no service starts on a journal. Throws `PlaceTaken`, `FolderLocked`.
 */
export async function openFolderTarget({
  folder,
  masterKey,
  shards,
}: {
  readonly folder: string;
  readonly masterKey: Uint8Array;
  readonly shards: number;
}): Promise<RestoreTarget> {
  const names = await atPath('the data folder', folder, () => (existsSync(folder) ? readdir(folder) : []));
  const found = names.filter((name) => !ALLOWED.has(name));
  if (found.length > 0)
    throw new PlaceTaken(
      `${folder} is not empty (${found.slice(0, 3).join(', ')}): restore into a folder that holds at most ${FOLDER_PARTS.masterKey}`,
    );
  const unfinished = join(folder, UNFINISHED);
  await atPath('the data folder', folder, () => mkdir(unfinished, { recursive: true, mode: 0o700 }));
  const lock = await lockFolder(folder);
  const journal = await openJournal({ folder: join(unfinished, FOLDER_PARTS.journal) });
  const keys = await openKeyStore({ folder: join(unfinished, FOLDER_PARTS.keys), masterKey, journalId: journal.id });
  let waiting = 0;
  const close = async (): Promise<void> => {
    await journal.close();
    await keys.close();
  };
  return {
    kind: 'folder',
    shards,
    masterKey,
    begin: (idKey) => writeIdKey(join(unfinished, FOLDER_PARTS.idKey), idKey, journal.id),
    append: (blocks) => journal.append(blocks),
    heads: () => journal.heads(),
    async adopt(entry) {
      keys.adopt(entry);
      waiting += 1;
      if (waiting % limits.adoptedKeys === 0) await keys.flush();
    },
    keyCounts: () => keys.counts(),
    async finish() {
      await keys.flush();
      await close();
      for (const part of [FOLDER_PARTS.keys, FOLDER_PARTS.journal, FOLDER_PARTS.idKey]) {
        await rename(join(unfinished, part), join(folder, part));
        await nodeFiles.syncFolder(folder);
      }
      await rm(unfinished, { recursive: true });
      await lock.release();
    },
    async abandon() {
      await close();
      await rm(unfinished, { recursive: true, force: true });
      await lock.release();
    },
  };
}
