import type { KeyStore } from '../ports.js';
import { DataKeys, type KeyEntry } from './data-keys.js';

/** Data keys that were read elsewhere, to open with: nothing is changed where they lie. */
export class ReadKeys implements KeyStore {
  readonly #entries = new Map<string, KeyEntry['key']>();
  readonly #keys = new DataKeys((owner) => (this.#entries.get(owner) === null ? 'destroyed' : (this.#entries.get(owner) ?? undefined)));

  static async of(entries: AsyncIterable<KeyEntry> | Iterable<KeyEntry>): Promise<ReadKeys> {
    const read = new ReadKeys();
    for await (const { owner, key } of entries) read.#entries.set(owner, key);
    return read;
  }

  private constructor() {}

  has(owner: string): boolean {
    return this.#entries.get(owner) != null;
  }

  knows(owner: string): boolean {
    return this.#entries.has(owner);
  }

  get durableOwners(): number {
    return this.#entries.size;
  }

  hasRoom(): boolean {
    return false;
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    return this.#keys.seal(owner, plain, context);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    return this.#keys.open(owner, sealed, context);
  }

  /** Nothing is durable of it: none is made for what is only read. */
  create(owner: string): void {
    throw new Error(`no data key is made for ${owner} here`);
  }

  async flush(): Promise<void> {}

  async destroy(owner: string): Promise<void> {
    this.#entries.set(owner, null);
    this.#keys.forget(owner);
  }

  rotate(): Promise<void> {
    return Promise.reject(new Error('keys that are only read have no master key'));
  }

  async close(): Promise<void> {
    this.#entries.clear();
    this.#keys.forgetAll();
  }
}
