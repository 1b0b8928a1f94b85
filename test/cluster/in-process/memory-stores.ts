import type { KeyValue, Snapshots } from '../../../actors/index.js';
import { lookedAt } from '../../looked-at.js';

/** The snapshots of one engine in memory: a cluster within one process has seventeen of them. They outlive the engine. */
export class MemoryStores implements Snapshots {
  readonly actors = new MemoryKeyValue();
  readonly events = new MemoryKeyValue();
  readonly replies = new MemoryKeyValue();
  readonly rebuilt: readonly string[] = [];

  async rebuild(environment: string): Promise<void> {
    for (const name of ['actors', 'events', 'replies'] as const) if (name === environment) this[name].clear();
  }

  /** All entries, byte by byte. */
  written(): string {
    return [this.actors, this.events, this.replies].map((store) => store.written()).join('');
  }

  async close(): Promise<void> {}
}

class MemoryKeyValue implements KeyValue {
  readonly #values = new Map<string, Uint8Array>();
  #sorted: readonly string[] | null = [];

  get(key: string): Uint8Array | undefined {
    return this.#values.get(key);
  }

  look<Made>(key: string, read: (value: Uint8Array) => Made): Made | undefined {
    const value = this.#values.get(key);
    return value === undefined ? undefined : lookedAt(value, read);
  }

  *range({
    start,
    end,
    reverse = false,
    limit = Infinity,
  }: {
    start: string;
    end: string;
    reverse?: boolean;
    limit?: number;
  }): Iterable<readonly [string, Uint8Array]> {
    this.#sorted ??= [...this.#values.keys()].sort();
    const found = this.#sorted.filter((key) => key >= start && key < end);
    for (const key of (reverse ? found.reverse() : found).slice(0, limit)) {
      const value = this.#values.get(key);
      if (value) yield [key, value];
    }
  }

  async write(entries: Iterable<readonly [string, Uint8Array | null]>): Promise<void> {
    for (const [key, value] of entries) {
      if (value === null) this.#values.delete(key);
      else this.#values.set(key, Uint8Array.from(value));
    }
    this.#sorted = null;
  }

  written(): string {
    return [...this.#values].map(([key, value]) => key + Buffer.from(value).toString('latin1')).join('');
  }

  clear(): void {
    this.#values.clear();
    this.#sorted = [];
  }

  async close(): Promise<void> {}
}
