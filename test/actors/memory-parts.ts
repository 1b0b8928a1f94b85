import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Journal, KeyStore, KeyValue, ShardBlock, ShardHead, Snapshots, StoredBlock } from '../../actors/index.js';

/*
 * The ports of the runtime held in memory, for tests of actors that are not about durability. A world that is
 * opened again on the same parts recovers from them like from a disk.
 */

export class MemoryJournal implements Journal {
  readonly #blocks: StoredBlock[] = [];
  readonly #heads = new Map<number, ShardHead>();

  append(blocks: readonly ShardBlock[]): Promise<void> {
    for (const block of blocks) {
      const previousHash = this.#heads.get(block.shard)?.hash ?? new Uint8Array(32);
      const hash = createHash('sha256').update(previousHash);
      for (const record of block.records) hash.update(record);
      const stored = { ...block, previousHash, hash: hash.digest() };
      this.#blocks.push(stored);
      this.#heads.set(block.shard, { lastSequence: block.firstSequence + block.records.length - 1, hash: stored.hash });
    }
    return Promise.resolve();
  }

  *read(after: ReadonlyMap<number, number>): Iterable<StoredBlock> {
    for (const block of this.#blocks) {
      if (block.firstSequence + block.records.length - 1 > (after.get(block.shard) ?? 0)) yield block;
    }
  }

  heads(): ReadonlyMap<number, ShardHead> {
    return this.#heads;
  }

  hasRoom(): boolean {
    return true;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Every byte that was written, for tests that look for what must not be there. */
  text(): string {
    return this.#blocks.flatMap((block) => block.records.map((record) => Buffer.from(record).toString('latin1'))).join('\n');
  }
}

class MemoryKeyValue implements KeyValue {
  readonly #entries = new Map<string, Uint8Array>();

  get(key: string): Uint8Array | undefined {
    return this.#entries.get(key);
  }

  range(options: { start: string; end: string; reverse?: boolean; limit?: number }): Iterable<readonly [string, Uint8Array]> {
    const { start, end } = options;
    const found = [...this.#entries].filter(([key]) => key >= start && key < end).sort(([a], [b]) => (a < b ? -1 : 1));
    if (options.reverse) found.reverse();
    return found.slice(0, options.limit ?? found.length);
  }

  write(entries: Iterable<readonly [string, Uint8Array | null]>): Promise<void> {
    for (const [key, value] of entries) {
      if (value === null) this.#entries.delete(key);
      else this.#entries.set(key, value);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  text(): string {
    return [...this.#entries].map(([key, value]) => `${key} ${Buffer.from(value).toString('latin1')}`).join('\n');
  }
}

export class MemorySnapshots implements Snapshots {
  readonly actors = new MemoryKeyValue();
  readonly events = new MemoryKeyValue();
  readonly replies = new MemoryKeyValue();
  readonly rebuilt: readonly string[] = [];

  rebuild(): Promise<void> {
    return Promise.reject(new Error('memory is not damaged'));
  }

  /** Every byte that is stored. */
  text(): string {
    return [this.actors, this.events, this.replies].map((store) => store.text()).join('\n');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

export class MemoryKeys implements KeyStore {
  readonly #keys = new Map<string, Buffer>();

  create(owner: string): void {
    this.#keys.set(owner, randomBytes(32));
  }

  has(owner: string): boolean {
    return this.#keys.has(owner);
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    const key = this.#keys.get(owner);
    if (!key) throw new Error(`no key of ${owner}`);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    const key = this.#keys.get(owner);
    if (!key) return undefined;
    const bytes = Buffer.from(sealed);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  destroy(owner: string): Promise<void> {
    this.#keys.delete(owner);
    return Promise.resolve();
  }

  rotate(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
