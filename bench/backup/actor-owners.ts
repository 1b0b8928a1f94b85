import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActorOwners, KeyValue } from '../../actors/index.js';
import { openScratch } from '../../persistence/index.js';

/** Owners that memory keeps before they go to the disk. */
const IN_MEMORY = 50_000;

/**
 * The owners of all objects of a journal, on the disk, since there may be more than memory should hold. They are only needed while the
 * journal is read.
 */
export class StoredOwners implements ActorOwners {
  readonly #recent = new Map<string, string>();

  static async begin(folder: string): Promise<StoredOwners> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new StoredOwners(folder, openScratch(join(folder, 'owners.lmdb')));
  }

  private constructor(
    private readonly folder: string,
    private readonly store: KeyValue,
  ) {}

  get(id: string): string | undefined {
    const recent = this.#recent.get(id);
    if (recent !== undefined) return recent;
    const stored = this.store.get(id);
    return stored === undefined ? undefined : Buffer.from(stored).toString();
  }

  set(id: string, owner: string): void {
    this.#recent.set(id, owner);
  }

  /** To be called between blocks. */
  async settle(): Promise<void> {
    if (this.#recent.size < IN_MEMORY) return;
    await this.store.write([...this.#recent].map(([id, owner]) => [id, Buffer.from(owner)] as const));
    this.#recent.clear();
  }

  async close(): Promise<void> {
    await this.store.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
