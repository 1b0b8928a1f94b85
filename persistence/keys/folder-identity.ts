import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { atPath } from '../files/path-unusable.js';
import { beginJournal, type JournalMark, readJournalMark } from '../journal/mark.js';
import { KEY_BYTES } from './data-keys.js';
import { DataPartMissing, FILE_NAME, ForeignKeys, IdKeyMissing } from './errors.js';
import { readIdKey, type StoredIdKey, writeIdKey } from './master-key.js';
import { type KeyFileMark, readKeyFileMark } from './key-file.js';
import { type OpenedKeyStore, openKeyStore } from './key-store.js';

export interface FolderIdentityOptions {
  readonly dataFolder: string;
  readonly masterKey: Uint8Array;
  /** Whether there are snapshots that were computed from a journal. */
  readonly hasSnapshots: boolean;
}

export interface FolderIdentity {
  /** The key of the permutation of ids. */
  readonly idKey: Uint8Array;
  readonly keys: OpenedKeyStore;
  /** The keys are of an earlier release, which did not record their journal: they must be compared with all that is recorded. */
  readonly isUnmarked: boolean;
  /** Records that the keys belong to this journal. */
  mark(): Promise<void>;
}

/**
 * Opens the keys of a data folder: the key of ids and the data keys of persons. Each holds the id of its journal, so that a key file that
 * is lost, cut or of another folder stops the start before anything is written:
 *
 *   journal     id.key           data keys             verdict
 *   none        none             none, or empty        a new folder: the journal is made first, then what names it
 *   none        unmarked         none, or empty        an earlier release was stopped in its first start: the same, with its key of ids
 *   none        anything else                          the journal is lost
 *   empty       none                                   a first start that was stopped: what is missing is made
 *   used        none                                   the key of ids is lost
 *   used                         none                  the data keys are lost
 *   any         of another, or the data keys are       foreign keys
 *   used        marked           unmarked              the data keys are older than the key of ids
 *   used        unmarked         any                   of an earlier release, or the marking was stopped: to be compared and marked
 *
 * Throws `DataPartMissing`, `IdKeyMissing`, `IdKeyDamaged`, `ForeignKeys`, `KeyFileDamaged`, `MasterKeyError`, `JournalDamaged`.
 */
export async function openFolderIdentity(options: FolderIdentityOptions): Promise<FolderIdentity> {
  const { dataFolder, masterKey } = options;
  const journalFolder = join(dataFolder, 'journal');
  const keysFolder = join(dataFolder, 'keys');
  const idFile = join(dataFolder, 'id.key');
  const idKey = readIdKey(idFile);
  const found = await atPath('the journal', journalFolder, () => readJournalMark(journalFolder));
  const keyFile = await atPath('the data keys', join(keysFolder, FILE_NAME), () => readKeyFileMark(keysFolder));
  if (found === null) assertNew(options, idKey, keyFile);
  else assertTogether(options, found, idKey, keyFile);

  const journal = found ?? (await beginJournal(journalFolder));
  const key = idKey?.key ?? randomBytes(KEY_BYTES);
  if (idKey === undefined || (!journal.isUsed && idKey.journalId === null)) await writeIdKey(idFile, key, journal.id);
  const keys = await openKeyStore({ folder: keysFolder, masterKey, journalId: journal.id });
  if (!journal.isUsed && keys.journalId === null) await keys.belongTo(journal.id);
  return {
    idKey: key,
    keys,
    isUnmarked: journal.isUsed && (idKey?.journalId === null || keys.journalId === null),
    async mark() {
      await keys.belongTo(journal.id);
      await writeIdKey(idFile, key, journal.id);
    },
  };
}

/** Without a journal there must be nothing that only a used journal leaves behind. */
function assertNew({ dataFolder, hasSnapshots }: FolderIdentityOptions, idKey: StoredIdKey | undefined, keyFile: KeyFileMark | null): void {
  const isUsed = hasSnapshots || (keyFile?.isUsed ?? false) || idKey?.journalId != null;
  if (!isUsed) return;
  const folder = join(dataFolder, 'journal');
  throw new DataPartMissing(
    existsSync(folder) ? `the journal in ${folder}` : folder,
    'keys or snapshots of it are there, and all facts are gone',
    `cp -r BACKUP/journal ${dataFolder}/, or move the rest of ${dataFolder} away to begin with nothing`,
  );
}

function assertTogether(
  { dataFolder }: FolderIdentityOptions,
  { id, isUsed }: JournalMark,
  idKey: StoredIdKey | undefined,
  keyFile: KeyFileMark | null,
): void {
  const [idFile, keyPath] = [join(dataFolder, 'id.key'), join(dataFolder, 'keys', FILE_NAME)];
  const [restoreIdKey, restoreKeys] = [`cp BACKUP/id.key ${idFile}`, `cp BACKUP/keys/${FILE_NAME} ${keyPath}`];
  if (idKey === undefined && isUsed) throw new IdKeyMissing(idFile);
  if (keyFile === null && isUsed)
    throw new DataPartMissing(keyPath, 'without it the data of no person can be read, and none of the journal can be served', restoreKeys);
  if (idKey?.journalId != null && !idKey.journalId.equals(id)) throw new ForeignKeys(idFile, 'it names another journal', restoreIdKey);
  if (keyFile?.journalId != null && !keyFile.journalId.equals(id)) throw new ForeignKeys(keyPath, 'it names another journal', restoreKeys);
  if (isUsed && idKey?.journalId != null && keyFile?.journalId === null)
    throw new ForeignKeys(keyPath, 'it names no journal, as copies do that an earlier release has made', restoreKeys);
}
