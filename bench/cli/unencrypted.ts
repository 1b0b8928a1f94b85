import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from '../../actors/index.js';
import { removeLetters, removeMessages, removeSetAside } from '../../persistence/index.js';
import type { Settings } from './settings.js';

interface Borrower {
  readonly company: string;
  readonly mode: Mode;
  readonly personId: string;
}

/**
 * Deletes what lies unencrypted about a borrower on this machine: messages that no provider has fetched, letters, and snapshots that were
 * set aside, which may be of an earlier release.
 */
export async function removeUnencrypted({ dataFolder, messages, lettersFolder }: Settings, borrower: Borrower): Promise<void> {
  removeMessages(messages ?? join(dataFolder, 'messages'), borrower);
  await removeLetters(lettersFolder ?? join(dataFolder, 'letters'), borrower);
  for (const folder of snapshotFolders(dataFolder)) removeSetAside(folder);
}

/** Of one process, or of the units that a worker has had. */
function snapshotFolders(dataFolder: string): readonly string[] {
  const units = join(dataFolder, 'units');
  const owned = existsSync(units) ? readdirSync(units).map((unit) => join(units, unit)) : [];
  return [dataFolder, ...owned].map((folder) => join(folder, 'snapshots')).filter((folder) => existsSync(folder));
}
