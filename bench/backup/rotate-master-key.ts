import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeyOwners } from '../../actors/index.js';
import {
  assertHoldsData,
  atPath,
  eraseKeptViews,
  KEPT_VIEWS,
  lockFolder,
  type OpenedKeyStore,
  openJournal,
  openKeyStore,
  parseMasterKey,
  LocationMissing,
  readMasterKey,
} from '../../persistence/index.js';
import { showProgress } from '../cli/operation-views.js';
import type { Settings } from '../cli/settings.js';
import type { OfflineStore } from '../access.js';

const KEY_BYTES = 32;

/** Where the new key came from, or lies now. */
export interface Rotated {
  readonly masterKey: 'newFile' | 'environment';
  readonly file: string | null;
}

/** A rotation that cannot begin; the message says why. */
export class RotationRefused extends Error {}

/** Name of the variable that holds the new key, where the environment carries the key in force. */
export const NEW_KEY_VARIABLE = 'TENOR_NEW_MASTER_KEY';

/** The file of the new key while a rotation is under way. */
export const nextFileOf = (file: string): string => `${file}.next`;

/**
 * Wraps all data keys again, with a new master key. A key in a file is replaced by a random one: the new key is first written durably
 * beside the old one, then the data keys are wrapped with it, then it takes the name of the old one. Throws `RotationRefused`.
 */
export async function rotateMasterKey({ rotateKeys, masterKeyFile }: OfflineStore, environment: NodeJS.ProcessEnv): Promise<Rotated> {
  const given = environment[NEW_KEY_VARIABLE];
  if (masterKeyFile === null) {
    if (given === undefined)
      throw new RotationRefused(`The master key comes from the environment: set ${NEW_KEY_VARIABLE} to the new one.`);
    await rotateKeys(parseMasterKey(given, NEW_KEY_VARIABLE));
    return { masterKey: 'environment', file: null };
  }
  const next = nextFileOf(masterKeyFile);
  if (existsSync(next))
    throw new RotationRefused(`${next} is left from a rotation that was interrupted. The key in force opens the data, so delete it.`);
  const key = given === undefined ? randomBytes(KEY_BYTES) : parseMasterKey(given, NEW_KEY_VARIABLE);
  await writeFile(next, `${Buffer.from(key).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await syncFolder(dirname(next));
  await rotateKeys(key);
  await rename(next, masterKeyFile);
  await syncFolder(dirname(next));
  return { masterKey: 'newFile', file: masterKeyFile };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

/** Progress through the records of a journal: a bar on a terminal, else a line now and then. */
export function recordsProgress(total: number): { readonly update: (records: number) => void; stop(): void } {
  const startedAt = Date.now();
  const shown = showProgress({
    total,
    first: { records: 0, rate: 0 },
    format: '{bar} {percentage}% | {records} records | {rate}/s | {eta_formatted} left',
    line: (percent, { records }, { values, ms }) =>
      `${percent}%  ${records} records  ${Math.round(((records - values.records) * 1000) / ms)}/s`,
  });
  return {
    update: (records) => shown.update(records, { records, rate: Math.round((records * 1000) / Math.max(1, Date.now() - startedAt)) }),
    stop: () => shown.stop(),
  };
}

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
 * Finds the owners whose data keys are lost, in a data folder on which no service runs. With `isSure` it marks these keys as destroyed
 * for good: the next start treats their owners as erased instead of waiting for the keys. Money, schedules and events stay. A missing key
 * file is created. Throws `LocationMissing`, `MasterKeyError`, `JournalDamaged`, `KeyFileDamaged`, `FolderLocked`.
 */
export async function giveUpLostKeys(
  { dataFolder, masterKey: text, masterKeyFile }: Pick<Settings, 'dataFolder' | 'masterKey' | 'masterKeyFile'>,
  isSure: boolean,
): Promise<LostKeys> {
  assertHoldsData(dataFolder);
  const [journalFolder, keysFolder] = [join(dataFolder, 'journal'), join(dataFolder, 'keys')];
  // Opening a missing journal would begin a new one.
  const segments = atPath('the journal', journalFolder, () => readdirSync(journalFolder)).filter((name) => name.startsWith('journal-'));
  if (segments.length === 0)
    throw new LocationMissing(`There is no journal in ${journalFolder}. Put it back first: cp -r BACKUP/journal ${dataFolder}/`);
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
          throw new LocationMissing(`The data keys in ${keysFolder} are of another journal. Put the right ones there, or move them away.`);
        const lost = (ids: Iterable<string>): readonly string[] => [...ids].filter((id) => store?.knows(id) !== true);
        const found = { persons: lost(owners.persons), others: lost(owners.others) };
        if (isSure) eraseKeptViews(join(dataFolder, KEPT_VIEWS));
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
