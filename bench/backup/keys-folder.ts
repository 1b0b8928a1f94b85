import { existsSync, readdirSync } from 'node:fs';
import { atPath, type KeyEntry, openKeyStore, type OpenedKeyStore, PlaceMissing, PlaceTaken } from '../../persistence/index.js';

export interface KeyCounts {
  keys: number;
  destroyed: number;
}

/** Where the data keys of an export go, apart from it: a folder with nothing but a key file, or nowhere, where they are only counted. */
export class KeysFolder {
  readonly counts: KeyCounts = { keys: 0, destroyed: 0 };

  /** Throws `PlaceTaken`. */
  static async begin(folder: string | null, masterKey: Uint8Array): Promise<KeysFolder> {
    if (folder === null) return new KeysFolder(null);
    if (atPath('the folder of data keys', folder, () => existsSync(folder) && readdirSync(folder).length > 0))
      throw new PlaceTaken(`${folder} is not empty: data keys need a folder of their own`);
    return new KeysFolder(await openKeyStore({ folder, masterKey }));
  }

  private constructor(private readonly store: OpenedKeyStore | null) {}

  async add(entry: KeyEntry): Promise<void> {
    this.store?.adopt(entry);
    this.counts[entry.key === null ? 'destroyed' : 'keys'] += 1;
    if ((this.counts.keys + this.counts.destroyed) % FLUSHED_TOGETHER === 0) await this.store?.flush();
  }

  async close(): Promise<void> {
    await this.store?.flush();
    await this.store?.close();
  }
}

const FLUSHED_TOGETHER = 10_000;

/** Opens folders of keys, the newest first. Throws `PlaceMissing`, `MasterKeyError`. */
export async function openKeysFolders(folders: readonly string[], masterKey: Uint8Array): Promise<readonly OpenedKeyStore[]> {
  const missing = folders.find((folder) => !existsSync(folder));
  if (missing !== undefined) throw new PlaceMissing(`${missing} is missing: it should hold data keys`);
  const opened: OpenedKeyStore[] = [];
  for (const folder of folders) opened.push(await openKeyStore({ folder, masterKey }));
  return opened;
}
