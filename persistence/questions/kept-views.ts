import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fieldOf, ownJson } from '../../engine/basics/index.js';
import { decrypt, encrypt, wrappingKey } from '../keys/data-keys.js';
import type { KeptGroup } from '../ports.js';

/** Where the process of the views keeps tables, and the key that encrypts them. */
export interface EncryptedFiles {
  readonly folder: string;
  readonly key: Uint8Array;
}

export interface KeptViewsOptions {
  /** Of nobody else. */
  readonly folder: string;
  readonly masterKey: Uint8Array;
}

/** In the data folder of a process. */
export const KEPT_VIEWS = 'kept-views';
/** Views that were kept so long ago are erased by the next start, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;

const SALT = 'salt';
const SALT_BYTES = 32;
/** Says which views they are. */
const ABOUT = 'about';
/** Ends the names of folders that are still being written. */
const UNFINISHED = '.new';

/** What could not be read or removed. */
type ReportFault = (message: string, cause: unknown) => void;

/**
 * Groups of views, encrypted, for the next start: a folder each. The key of a folder comes of the master key and a salt that lies in it
 * alone. Overwriting the salt erases all of it, whatever a disk still has of the other files.
 */
export class KeptViews {
  constructor(
    private readonly options: KeptViewsOptions,
    private readonly report: ReportFault,
  ) {}

  /** All that can be read and is not old. The rest is erased, with what a killed service has not finished. */
  all(): readonly KeptGroup[] {
    return (this.#tried(() => foldersIn(this.options.folder)) ?? []).flatMap((path) => {
      const about = this.#tried(() => this.#about(path)) ?? null;
      if (about === null) this.#erase(path);
      return about ?? [];
    });
  }

  /** An empty folder, of which nothing is found before it is finished. Throws what the disk says. */
  begin(database: string, group: string): EncryptedFiles {
    const folder = `${this.#folderOf(database, group)}${UNFINISHED}`;
    eraseFolder(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const salt = randomBytes(SALT_BYTES);
    writeFileSync(join(folder, SALT), salt, { mode: 0o600 });
    return { folder, key: wrappingKey(this.options.masterKey, salt) };
  }

  /** In place of what was kept of the group before. Throws what the disk says. */
  finish({ folder, key }: EncryptedFiles, about: KeptGroup): void {
    writeFileSync(join(folder, ABOUT), encrypt(key, Buffer.from(JSON.stringify(about)), ABOUT), { mode: 0o600 });
    eraseFolder(this.#folderOf(about.database, about.group));
    renameSync(folder, this.#folderOf(about.database, about.group));
  }

  /** Null where it is not kept any more. */
  find(database: string, group: string): EncryptedFiles | null {
    const folder = this.#folderOf(database, group);
    return this.#tried(() => (existsSync(folder) ? { folder, key: this.#keyOf(folder) } : null)) ?? null;
  }

  /** What cannot be removed is reported, and tried again at the next start. */
  erase(database: string, group: string): void {
    this.#erase(this.#folderOf(database, group));
  }

  /** The same of what was begun. */
  discard({ folder }: EncryptedFiles): void {
    this.#erase(folder);
  }

  #about(folder: string): KeptGroup | null {
    if (folder.endsWith(UNFINISHED) || Date.now() - statSync(folder).mtimeMs > KEPT_MS) return null;
    const about = decrypt(this.#keyOf(folder), readFileSync(join(folder, ABOUT)), ABOUT);
    return about === undefined ? null : ownJson<KeptGroup>(about.toString());
  }

  #keyOf(folder: string): Uint8Array {
    return wrappingKey(this.options.masterKey, readFileSync(join(folder, SALT)));
  }

  #folderOf(database: string, group: string): string {
    return join(this.options.folder, createHash('sha256').update(`${database} ${group}`).digest('hex'));
  }

  #erase(folder: string): void {
    this.#tried(() => eraseFolder(folder));
  }

  #tried<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (cause) {
      this.report('Views that were kept cannot be read or erased.', cause);
      return undefined;
    }
  }
}

/** Erases all that is kept there, of a running service or of one that is stopped. Throws where something could not be erased. */
export function eraseKeptViews(folder: string): void {
  const failed: unknown[] = [];
  for (const path of foldersIn(folder))
    try {
      eraseFolder(path);
    } catch (cause) {
      failed.push(cause);
    }
  if (failed.length > 0) throw new Error(`${failed.length} of the views that were kept could not be erased.`, { cause: failed[0] });
}

/** Whether views are being written there. */
export const areBeingKept = (folder: string): boolean => foldersIn(folder).some((path) => path.endsWith(UNFINISHED));

const foldersIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);

/** The salt first: after that nothing in the folder can be read. Throws what the disk says. */
function eraseFolder(folder: string): void {
  const salt = join(folder, SALT);
  if (existsSync(salt)) {
    const file = openSync(salt, 'r+');
    try {
      writeFileSync(file, Buffer.alloc(SALT_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (cause) {
    // The process of the views is still writing there: the next start removes what is left.
    if (fieldOf(cause, 'code') !== 'ENOTEMPTY') throw cause;
  }
}
