import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blobs } from '../ports.js';
import { checkedName } from './blob-name.js';

/** Contents as files, in 256 folders by the first letters of their names. */
export class FolderBlobs implements Blobs {
  constructor(private readonly folder: string) {}

  async put(name: string, content: Uint8Array): Promise<void> {
    const path = this.#pathOf(name);
    const folder = dirname(path);
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(dirname(folder));
    const part = `${path}.part`;
    try {
      await writeDurably(part, content);
      await rename(part, path);
      await syncFolder(folder);
    } catch (cause) {
      await rm(part, { force: true });
      throw cause;
    }
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

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
