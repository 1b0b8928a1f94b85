import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from './files/path-unusable.js';
import type { Mailbox } from './ports.js';

/**
 * A folder of mails in the form that mail servers share (Maildir): a server moves each mail into `new` as a whole. What was dealt with is
 * removed; what only people can deal with is moved to `cur`, as a mail reader does with a mail that it has shown.
 */
export class Maildir implements Mailbox {
  constructor(private readonly folder: string) {}

  async waiting(most: number): Promise<readonly string[]> {
    const names = await readdir(join(this.folder, 'new')).catch(noneIfAbsent);
    return names
      .filter((name) => !name.startsWith('.'))
      .sort()
      .slice(0, most);
  }

  async read(name: string, most: number): Promise<Uint8Array | null> {
    const file = await open(this.#at(name), 'r').catch(nullIfAbsent);
    if (file === null) return null;
    try {
      const bytes = Buffer.alloc(Math.min(most, (await file.stat()).size));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#at(name), { force: true });
  }

  async setAside(name: string): Promise<void> {
    await mkdir(join(this.folder, 'cur'), { recursive: true, mode: 0o700 });
    await rename(this.#at(name), join(this.folder, 'cur', `${name}:2,`)).catch(nullIfAbsent);
  }

  #at(name: string): string {
    return join(this.folder, 'new', name);
  }
}

const isAbsent = (cause: unknown): boolean => isSystemError(cause) && cause.code === 'ENOENT';

/** The mail server makes the folder with its first mail. */
function noneIfAbsent(cause: unknown): readonly string[] {
  if (!isAbsent(cause)) throw cause;
  return [];
}

/** Another process has taken the mail. */
function nullIfAbsent(cause: unknown): null {
  if (!isAbsent(cause)) throw cause;
  return null;
}
