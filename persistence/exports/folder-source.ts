import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlaceMissing } from '../errors.js';
import { openJournal } from '../journal/journal.js';
import { openFolderIdentity } from '../keys/folder-identity.js';
import { lockFolder } from '../lock/folder-lock.js';
import type { ExportSource } from './places.js';

/** What a data folder has below it. */
export const FOLDER_PARTS = { journal: 'journal', keys: 'keys', idKey: 'id.key', masterKey: 'master.key' } as const;

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
  const journalFolder = join(folder, FOLDER_PARTS.journal);
  if (!existsSync(journalFolder)) throw new PlaceMissing(`${folder} is no data folder: it has no ${FOLDER_PARTS.journal}`);
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
