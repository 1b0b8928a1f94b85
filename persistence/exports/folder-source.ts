import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PlaceMissing } from '../errors.js';
import { atPath } from '../files/path-unusable.js';
import { openJournal } from '../journal/journal.js';
import { openFolderIdentity } from '../keys/folder-identity.js';
import { lockFolder } from '../lock/folder-lock.js';
import type { ExportSource } from './places.js';

/** What a data folder has below it. */
export const FOLDER_PARTS = { journal: 'journal', keys: 'keys', idKey: 'id.key', masterKey: 'master.key' } as const;

/** Throws `PlaceMissing` where a folder holds no data, `PathUnusable` where it may not be read: opening it would make a new one. */
export function assertHoldsData(folder: string): void {
  const names = existsSync(folder) ? atPath('the data folder', folder, () => readdirSync(folder)) : null;
  if (names?.includes(FOLDER_PARTS.journal)) return;
  const why =
    names === null ? 'the folder does not exist, or may not be seen by the user that runs this' : `it has no ${FOLDER_PARTS.journal}`;
  throw new PlaceMissing(`There is no data in ${folder}: ${why}. Name the data folder with --data.`);
}

/** The data folder of one process, while none works on it. Throws `FolderLocked`, `PlaceMissing`, and what opening its parts throws. */
export async function openFolderSource({
  folder,
  masterKey,
  shards,
}: {
  readonly folder: string;
  readonly masterKey: Uint8Array;
  readonly shards: number;
}): Promise<ExportSource> {
  assertHoldsData(folder);
  const journalFolder = join(folder, FOLDER_PARTS.journal);
  const lock = await lockFolder(folder);
  try {
    const { idKey, keys } = await openFolderIdentity({ dataFolder: folder, masterKey, hasSnapshots: false });
    const journal = await openJournal({ folder: journalFolder });
    return {
      kind: 'folder',
      shards,
      idKey,
      masterKey,
      records: [...journal.heads().values()].reduce((sum, { lastSequence }) => sum + lastSequence, 0),
      blocks: () => journal.read(new Map()),
      keys: () => keys.entries(),
      async close() {
        await journal.close();
        await keys.close();
        await lock.release();
      },
    };
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}
