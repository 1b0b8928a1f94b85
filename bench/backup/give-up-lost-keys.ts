import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { KeyOwners } from '../../actors/index.js';
import {
  assertHoldsData,
  atPath,
  lockFolder,
  openJournal,
  openKeyStore,
  type OpenedKeyStore,
  PlaceMissing,
  readMasterKey,
} from '../../persistence/index.js';
import type { Settings } from '../cli/settings.js';

/** Marks that become durable together. */
const TOGETHER = 1_000;

export interface LostKeys {
  /** Borrowers whose personal data can never be read again. */
  readonly persons: readonly string[];
  /** What else may have had a secret: companies, webhooks, messages of unknown senders. */
  readonly others: readonly string[];
  /** Whether it is done; otherwise nothing was written. */
  readonly isGivenUp: boolean;
}

/**
 * Finds out whose data keys are lost of a data folder on which no service runs, and where it `isSure` marks them as destroyed, for good: a
 * start takes their owners for erased then instead of waiting for the keys. Money, schedules and events stay. A key file that is missing is
 * made. Throws `PlaceMissing`, `MasterKeyError`, `JournalDamaged`, `KeyFileDamaged`, `FolderLocked`.
 */
export async function giveUpLostKeys(
  { dataFolder, masterKey: text, masterKeyFile }: Pick<Settings, 'dataFolder' | 'masterKey' | 'masterKeyFile'>,
  isSure: boolean,
): Promise<LostKeys> {
  assertHoldsData(dataFolder);
  const [journalFolder, keysFolder] = [join(dataFolder, 'journal'), join(dataFolder, 'keys')];
  // Opening a journal that is not there would begin another one.
  const segments = atPath('the journal', journalFolder, () => readdirSync(journalFolder)).filter((name) => name.startsWith('journal-'));
  if (segments.length === 0)
    throw new PlaceMissing(`There is no journal in ${journalFolder}. Put it back first: cp -r BACKUP/journal ${dataFolder}/`);
  const lock = await lockFolder(dataFolder);
  try {
    const masterKey = readMasterKey({ text, file: masterKeyFile ?? join(dataFolder, 'master.key') });
    const journal = await openJournal({ folder: journalFolder });
    try {
      const owners = new KeyOwners();
      for (const block of journal.read(new Map())) owners.add(block);
      const isThere = existsSync(join(keysFolder, 'data-keys'));
      const store = isThere || isSure ? await openKeyStore({ folder: keysFolder, masterKey, journalId: journal.id }) : null;
      try {
        if (store?.journalId != null && !store.journalId.equals(journal.id))
          throw new PlaceMissing(`The data keys in ${keysFolder} are of another journal. Put the right ones there, or move them away.`);
        const lost = (ids: Iterable<string>): readonly string[] => [...ids].filter((id) => store?.knows(id) !== true);
        const found = { persons: lost(owners.persons), others: lost(owners.others) };
        if (isSure && store !== null) await markDestroyed(store, [...found.persons, ...found.others]);
        return { ...found, isGivenUp: isSure };
      } finally {
        await store?.close();
      }
    } finally {
      await journal.close();
    }
  } finally {
    await lock.release();
  }
}

async function markDestroyed(store: OpenedKeyStore, owners: readonly string[]): Promise<void> {
  for (const [at, owner] of owners.entries()) {
    store.adopt({ owner, key: null });
    if (at % TOGETHER === TOGETHER - 1) await store.flush();
  }
  await store.flush();
}
