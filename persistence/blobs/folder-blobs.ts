import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurableFile } from '../files/durable-file.js';
import type { Blobs } from '../ports.js';
import { checkedName } from './blob-name.js';

/** Contents as files, in 256 folders by the first letters of their names. */
export class FolderBlobs implements Blobs {
  constructor(private readonly folder: string) {}

  async put(name: string, content: Uint8Array): Promise<void> {
    await writeDurableFile(this.#pathOf(name), content);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#pathOf(name));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw cause;
    }
  }

  async delete(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true });
  }

  #pathOf(name: string): string {
    return join(this.folder, checkedName(name).slice(0, 2), name);
  }
}
