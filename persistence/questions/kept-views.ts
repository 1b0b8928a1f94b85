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
import { decrypt, encrypt, wrappingKey } from '../keys/data-keys.js';

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

const SALT = 'salt';
const SALT_BYTES = 32;
const MARKS = 'marks';
/** In the data folder of a process. */
export const KEPT_VIEWS = 'kept-views';
/** Views that were kept so long ago are erased by the next start, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Ends the names of folders that are still being written. */
const UNFINISHED = '.new';

/**
 * Databases of views, encrypted, for the next start: a folder each. The key of a folder comes of the master key and a salt that lies in it
 * alone. Overwriting the salt erases all of it, whatever a disk still has of the other files.
 */
export class KeptViews {
  /** Erases what a killed service has not finished, and what is old. */
  constructor(private readonly options: KeptViewsOptions) {
    for (const path of foldersIn(options.folder))
      if (path.endsWith(UNFINISHED) || Date.now() - statSync(path).mtimeMs > KEPT_MS) eraseFolder(path);
  }

  /** An empty folder, of which nothing is found before it is finished. */
  begin(database: string): EncryptedFiles {
    const folder = this.#unfinished(database);
    eraseFolder(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const salt = randomBytes(SALT_BYTES);
    writeFileSync(join(folder, SALT), salt, { mode: 0o600 });
    return { folder, key: wrappingKey(this.options.masterKey, salt) };
  }

  /** In place of what was kept of the database before. `marks`: a text that is found with it. */
  finish(database: string, { folder, key }: EncryptedFiles, marks: string): void {
    writeFileSync(join(folder, MARKS), encrypt(key, Buffer.from(marks), MARKS), { mode: 0o600 });
    eraseFolder(this.#finished(database));
    renameSync(folder, this.#finished(database));
  }

  /** Null where nothing is kept, or nothing that can be read: that is erased. */
  find(database: string): { readonly files: EncryptedFiles; readonly marks: string } | null {
    const folder = this.#finished(database);
    const [salt, sealed] = [readIf(join(folder, SALT)), readIf(join(folder, MARKS))];
    const key = salt && wrappingKey(this.options.masterKey, salt);
    const marks = key && sealed && decrypt(key, sealed, MARKS);
    if (key !== undefined && marks !== undefined) return { files: { folder, key }, marks: marks.toString() };
    eraseFolder(folder);
    return null;
  }

  erase(database: string): void {
    eraseFolder(this.#finished(database));
    eraseFolder(this.#unfinished(database));
  }

  eraseAll(): void {
    eraseKeptViews(this.options.folder);
  }

  #finished(database: string): string {
    return join(this.options.folder, createHash('sha256').update(database).digest('hex'));
  }

  #unfinished(database: string): string {
    return `${this.#finished(database)}${UNFINISHED}`;
  }
}

/** Erases all that is kept there, of a running service or of one that is stopped. */
export function eraseKeptViews(folder: string): void {
  for (const path of foldersIn(folder)) eraseFolder(path);
}

/** Whether views are being written there. */
export const areBeingKept = (folder: string): boolean => foldersIn(folder).some((path) => path.endsWith(UNFINISHED));

const foldersIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);

const readIf = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);

/** The salt first: after that nothing in the folder can be read. */
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
  rmSync(folder, { recursive: true, force: true });
}
