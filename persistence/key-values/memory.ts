import { once } from 'node:events';
import { KeyValueConflict } from '../errors.js';
import type { SharedChange, SharedEntry, SharedKeyValue } from '../ports.js';
import { assertKey, isBelow } from './keys.js';

/** The shared key-value store of one process: gone with it. */
export class MemoryKeyValue implements SharedKeyValue {
  /** The last change of each key, in the order of revisions. */
  readonly #changes = new Map<string, SharedChange>();
  #revision = 0;
  readonly #written = new EventTarget();

  async get(key: string): Promise<SharedEntry | undefined> {
    assertKey(key);
    return entryOf(this.#changes.get(key));
  }

  create(key: string, value: Uint8Array): Promise<number> {
    return this.#write(key, value, 0);
  }

  update(key: string, value: Uint8Array, revision: number): Promise<number> {
    return this.#write(key, value, revision);
  }

  async delete(key: string, revision: number): Promise<void> {
    await this.#write(key, null, revision);
  }

  async list(prefix: string): Promise<readonly SharedEntry[]> {
    return [...this.#changes.values()].flatMap((change) => (isBelow(prefix, change.key) ? (entryOf(change) ?? []) : []));
  }

  async *watch(prefix: string, signal: AbortSignal): AsyncGenerator<SharedChange> {
    for (let after = 0; !signal.aborted; ) {
      const news = [...this.#changes.values()].filter(({ key, revision }) => revision > after && isBelow(prefix, key));
      after = this.#revision;
      if (news.length === 0) await once(this.#written, 'written', { signal }).catch(() => undefined); // rejects at the signal alone
      yield* news;
    }
  }

  async #write(key: string, value: Uint8Array | null, seen: number): Promise<number> {
    assertKey(key);
    if ((entryOf(this.#changes.get(key))?.revision ?? 0) !== seen) throw new KeyValueConflict(key);
    this.#revision += 1;
    this.#changes.delete(key);
    this.#changes.set(key, { key, value: value === null ? null : Uint8Array.from(value), revision: this.#revision });
    this.#written.dispatchEvent(new Event('written'));
    return this.#revision;
  }
}

function entryOf(change: SharedChange | undefined): SharedEntry | undefined {
  return change === undefined || change.value === null ? undefined : { ...change, value: change.value };
}
