import { jetstream } from '@nats-io/jetstream';
import { Objm, type ObjectStore, setSha256Backend, StorageType } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { answered } from '../key-values/answered.js';
import { limits } from '../limits.js';
import type { Blobs } from '../ports.js';
import { checkedName } from './blob-name.js';

/** Contents in JetStream's object store, where all processes of a cluster find them. */
export class StreamBlobs implements Blobs {
  static async open(connection: NatsConnection, bucket: string): Promise<StreamBlobs> {
    setSha256Backend('native');
    const store = await answered(bucket, () =>
      new Objm(jetstream(connection, { timeout: limits.journalAckMs })).create(bucket, { storage: StorageType.File }),
    );
    return new StreamBlobs(store);
  }

  private constructor(private readonly store: ObjectStore) {}

  async put(name: string, content: Uint8Array): Promise<void> {
    await answered(name, () =>
      this.store.putBlob({ name: checkedName(name), options: { max_chunk_size: limits.objectChunkBytes } }, content),
    );
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return (await answered(name, () => this.store.getBlob(checkedName(name)))) ?? undefined;
  }

  async delete(name: string): Promise<void> {
    await answered(name, async () => {
      if ((await this.store.info(checkedName(name))) !== null) await this.store.delete(name);
    });
  }
}
