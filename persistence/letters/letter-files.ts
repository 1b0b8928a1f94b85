import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldOf, ownJson } from '../../engine/index.js';
import { writeDurableFile } from '../files/durable-file.js';

/** A file of a letter, as the manifest names it. */
export interface LetterFile {
  readonly file: string;
  readonly pages: number;
  readonly sha256: string;
}

/** A letter that waits for its batch, or is in one. */
export interface Letter {
  readonly interactionId: string;
  readonly company: string;
  readonly mode: string;
  readonly personId: string;
  readonly isCertified: boolean;
  /** The lines of the address block. */
  readonly address: readonly string[];
  readonly letter: LetterFile;
  readonly enclosures: readonly LetterFile[];
  /** Milliseconds. */
  readonly takenAt: number;
}

/** Which letters a batch has, and how far it has come. Nothing of it is personal. */
export interface BatchRecord {
  readonly name: string;
  readonly company: string;
  readonly mode: string;
  readonly createdAt: string;
  /** SHA-256 of the ids and digests of its letters: the same name never means two contents. */
  readonly digest: string;
  readonly letters: readonly { readonly interactionId: string; readonly personId: string }[];
  /** Null until the target has all of it. */
  readonly sentAt: string | null;
}

type Owned = Pick<Letter, 'company' | 'mode' | 'personId'>;

/**
 * The durable side of letters, in a folder:
 *
 *   letters/<mode>/<company>/<person>/IN-….json, IN-….pdf   each letter, and what is sent with it
 *   batches/<name>.json                                      each batch, written before anything of it leaves
 *   again/<name>                                             a batch that an operator wants to be sent again
 */
export class LetterFolder {
  constructor(private readonly folder: string) {}

  async put(letter: Letter, files: readonly { readonly file: string; readonly content: Uint8Array }[]): Promise<void> {
    for (const { file, content } of files) await this.#write(join(this.#pathOf(letter), file), content);
    await this.#write(join(this.#pathOf(letter), `${letter.interactionId}.json`), Buffer.from(JSON.stringify(letter)));
  }

  /** Undefined once its borrower was erased. */
  async letter(owned: Owned, interactionId: string): Promise<Letter | undefined> {
    const text = await readOrNothing(join(this.#pathOf(owned), `${interactionId}.json`));
    return text === undefined ? undefined : ownJson<Letter>(text.toString('utf8'));
  }

  async contentOf(owned: Owned, { file, sha256 }: LetterFile): Promise<Buffer> {
    const content = await readFile(join(this.#pathOf(owned), file));
    if (digestOf(content) !== sha256) throw new Error(`the file ${file} of a letter is damaged`);
    return content;
  }

  async letters(): Promise<readonly Letter[]> {
    const found = await readdir(join(this.folder, 'letters'), { recursive: true, withFileTypes: true }).catch(absent);
    const paths = found
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = await Promise.all(paths.map(readOrNothing));
    return texts.flatMap((text) => (text === undefined ? [] : [ownJson<Letter>(text.toString('utf8'))]));
  }

  async drop({ letter, enclosures, ...owned }: Letter): Promise<void> {
    const names = [`${owned.interactionId}.json`, letter.file, ...enclosures.map(({ file }) => file)];
    for (const name of names) await rm(join(this.#pathOf(owned), name), { force: true });
  }

  async record(batch: BatchRecord): Promise<void> {
    await this.#write(join(this.folder, 'batches', `${batch.name}.json`), Buffer.from(`${JSON.stringify(batch, null, 2)}\n`));
  }

  /** The oldest first. */
  async batches(): Promise<readonly BatchRecord[]> {
    const names = (await readdir(join(this.folder, 'batches')).catch(absent)).filter((name) => name.endsWith('.json')).sort();
    const texts = await Promise.all(names.map((name) => readOrNothing(join(this.folder, 'batches', name))));
    return texts.flatMap((text) => (text === undefined ? [] : [ownJson<BatchRecord>(text.toString('utf8'))]));
  }

  dropBatch({ name }: BatchRecord): Promise<void> {
    return rm(join(this.folder, 'batches', `${name}.json`), { force: true });
  }

  /** Names of batches that are to be sent again; asking takes them. */
  async takeAgain(): Promise<readonly string[]> {
    const names = await readdir(join(this.folder, 'again')).catch(absent);
    return names.filter((name) => !name.endsWith('.part'));
  }

  async sendAgain(name: string): Promise<void> {
    await this.#write(join(this.folder, 'again', name), Buffer.alloc(0));
  }

  doneAgain(name: string): Promise<void> {
    return rm(join(this.folder, 'again', name), { force: true });
  }

  /** What a crash has left of a file is written over. */
  async #write(path: string, content: Uint8Array): Promise<void> {
    await rm(`${path}.part`, { force: true });
    await writeDurableFile(path, content);
  }

  #pathOf({ mode, company, personId }: Owned): string {
    return join(this.folder, 'letters', mode, company, personId);
  }
}

/** Takes away every letter to a borrower that lies there in clear. */
export const removeLetters = (folder: string, { mode, company, personId }: Owned): Promise<void> =>
  rm(join(folder, 'letters', mode, company, personId), { recursive: true, force: true });

export const digestOf = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

const absent = (cause: NodeJS.ErrnoException): never[] => {
  if (cause.code === 'ENOENT') return [];
  throw cause;
};

export async function readOrNothing(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (fieldOf(cause, 'code') === 'ENOENT') return undefined;
    throw cause;
  }
}
