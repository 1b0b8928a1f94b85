import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Objm, type ObjectInfo, type ObjectStore, setSha256Backend, StorageType } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { ObjectDamaged } from '../errors.js';
import { makeMissing } from '../jetstream/make-missing.js';
import { answered } from '../key-values.js';
import { limits } from '../limits.js';

export interface UnitObjectsOptions {
  readonly connection: NatsConnection;
  /** Made when it is not there. */
  readonly bucket: string;
  /** Copies that the servers keep; default one. */
  readonly replicas?: number;
}

/** An object as the store describes it. */
export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
  /** The description that was stored with it. */
  readonly description: string;
  readonly storedAt: string;
}

/**
 * Large files of one unit in JetStream's object store, in chunks of bounded size. A new object replaces the one of its name at once, when
 * it is complete; `fetch` checks the checksum of the whole.
 */
export class UnitObjects {
  static async open({ connection, bucket, replicas = 1 }: UnitObjectsOptions): Promise<UnitObjects> {
    setSha256Backend('native');
    return answered(bucket, async () => {
      const client = jetstream(connection, { timeout: limits.journalAckMs, checkAPI: false });
      const store = await makeMissing(() => new Objm(client).create(bucket, { storage: StorageType.File, replicas }));
      return new UnitObjects(store, await jetstreamManager(connection, { timeout: limits.journalAckMs, checkAPI: false }), bucket);
    });
  }

  private constructor(
    private readonly store: ObjectStore,
    private readonly manager: JetStreamManager,
    private readonly bucket: string,
  ) {}

  /** Stores a file. Throws when the signal ends it, and leaves what was there. */
  async put(name: string, file: string, description: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted(); // the error of a stream that ended before it is read would reach nobody, and an empty object would be stored
    const bytes = createReadStream(file, { signal, highWaterMark: limits.objectChunkBytes });
    await this.store.put(
      { name, description, options: { max_chunk_size: limits.objectChunkBytes } },
      Readable.toWeb(bytes) as ReadableStream<Uint8Array>,
    );
  }

  async describe(name: string): Promise<StoredObject | null> {
    const info = await this.#info(name);
    return info === null ? null : { name, bytes: info.size, description: info.description ?? '', storedAt: info.mtime };
  }

  /** Writes it to a file, one chunk in memory at a time. Throws `ObjectDamaged`; the file is then not to be used. */
  async fetch(name: string, file: string): Promise<void> {
    const info = await this.#info(name);
    if (info === null) throw this.#damaged(name, 'it is gone');
    const hash = createHash('sha256');
    const into = await open(file, 'w', 0o600);
    try {
      let [sequence, bytes] = [0, 0];
      for (let chunk = 0; chunk < info.chunks; chunk += 1) {
        const message = await answered(name, () =>
          this.manager.direct.getMessage(this.#stream, { seq: sequence + 1, next_by_subj: `$O.${this.bucket}.C.${info.nuid}` }),
        );
        if (message === null) throw this.#damaged(name, `chunk ${chunk + 1} of ${info.chunks} is missing`);
        hash.update(message.data);
        await into.write(message.data);
        sequence = message.seq;
        bytes += message.data.length;
      }
      if (bytes !== info.size) throw this.#damaged(name, `it has ${bytes} bytes of ${info.size}`);
      if (`SHA-256=${hash.digest('base64url')}` !== info.digest.replace(/=+$/, '')) throw this.#damaged(name, 'its checksum fails');
      await into.datasync();
    } finally {
      await into.close();
    }
  }

  drop(name: string): Promise<void> {
    return answered(name, async () => {
      await this.store.delete(name);
    });
  }

  /** Removes the chunks of objects that were never finished, since the process that stored them was killed. */
  async sweep(names: readonly string[]): Promise<void> {
    const infos = await Promise.all(names.map((name) => this.#info(name)));
    const kept = new Set(infos.map((info) => `$O.${this.bucket}.C.${info?.nuid ?? ''}`));
    const { state } = await this.manager.streams.info(this.#stream, { subjects_filter: `$O.${this.bucket}.C.>` });
    for (const subject of Object.keys(state.subjects ?? {}))
      if (!kept.has(subject)) await this.manager.streams.purge(this.#stream, { filter: subject });
  }

  /** Null where there is none. */
  #info(name: string): Promise<ObjectInfo | null> {
    return answered(name, async () => {
      const info = await this.store.info(name);
      return info === null || info.deleted ? null : info;
    });
  }

  #damaged(name: string, meaning: string): ObjectDamaged {
    return new ObjectDamaged(`${this.bucket}/${name}`, meaning);
  }

  get #stream(): string {
    return `OBJ_${this.bucket}`;
  }
}
