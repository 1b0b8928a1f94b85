import type { NatsConnection } from '@nats-io/transport-node';
import type { KeyEntry } from '../keys/data-keys.js';
import type { IdentityToBe } from '../keys/identity-to-be.js';
import { openStreamKeyStore, type StreamKeyStore } from '../keys/stream-key-store.js';
import { limits } from '../limits.js';
import { keysBucketOf } from './cluster-source.js';

/** The buckets of data keys of a cluster to be. */
export class UnitKeys {
  readonly #stores = new Map<string, StreamKeyStore>();
  #waiting = 0;

  constructor(
    private readonly connection: NatsConnection,
    private readonly cluster: string,
    private readonly identity: IdentityToBe,
  ) {}

  async adopt(unit: string, entry: KeyEntry): Promise<void> {
    const store =
      this.#stores.get(unit) ??
      (await openStreamKeyStore({ connection: this.connection, bucket: keysBucketOf(this.cluster, unit), identity: this.identity }));
    this.#stores.set(unit, store);
    store.adopt(entry);
    this.#waiting += 1;
    if (this.#waiting >= limits.adoptedKeys) await this.flush();
  }

  async flush(): Promise<void> {
    this.#waiting = 0;
    for (const store of this.#stores.values()) await store.flush();
  }

  counts(): { readonly keys: number; readonly destroyed: number } {
    const all = [...this.#stores.values()].map(({ report }) => report);
    return { keys: all.reduce((sum, { keys }) => sum + keys, 0), destroyed: all.reduce((sum, { destroyed }) => sum + destroyed, 0) };
  }
}
