import { jetstream } from '@nats-io/jetstream';
import { type ObjectStore, Objm, setSha256Backend, StorageType } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assert, fieldOf } from '../engine/index.js';
import { writeDurableFile } from './files/durable-file.js';
import { makeMissing } from './jetstream/make-missing.js';
import { answered } from './key-values.js';
import { limits } from './limits.js';
import { type Blobs, type BucketLocation, signed } from './ports.js';

/** Names are random UUIDs, which need no encoding in paths and addresses. */
function checkedName(name: string): string {
  assert(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name), 'a blob is named by a UUID');
  return name;
}

/** Contents in JetStream's object store, which all processes of a cluster share. */
export class StreamBlobs implements Blobs {
  static async open(connection: NatsConnection, bucket: string): Promise<StreamBlobs> {
    setSha256Backend('native');
    const store = await answered(bucket, () =>
      makeMissing(() => new Objm(jetstream(connection, { timeout: limits.journalAckMs })).create(bucket, { storage: StorageType.File })),
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

/** Contents as files, in 256 folders by the first letters of their names. */
export class FolderBlobs implements Blobs {
  constructor(private readonly folder: string) {}

  async put(name: string, content: Uint8Array): Promise<void> {
    await writeDurableFile(this.#pathOf(name), content);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#pathOf(name));
    } catch (cause) {
      if (fieldOf(cause, 'code') === 'ENOENT') return undefined;
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

/** A bucket of a store that speaks the protocol of Amazon S3. */
export class BucketBlobs implements Blobs {
  constructor(private readonly location: BucketLocation) {}

  async put(name: string, content: Uint8Array): Promise<void> {
    await this.#ask('PUT', name, content);
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const answer = await this.#ask('GET', name);
    return answer && new Uint8Array(await answer.arrayBuffer());
  }

  async delete(name: string): Promise<void> {
    await this.#ask('DELETE', name);
  }

  /** Undefined where nothing is there. */
  async #ask(method: string, name: string, body: Uint8Array = NOTHING): Promise<Response | undefined> {
    const url = new URL(checkedName(name), this.location.address);
    const headers = signed({ method, url, body }, this.location.key, new Date());
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(limits.blobMs),
      ...(method === 'PUT' ? { body: new Uint8Array(body) } : {}),
    });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    if (answer.status === 404 && method !== 'PUT') return undefined;
    throw new Error(`the store of documents answers ${answer.status} to ${method}`);
  }
}

const NOTHING = new Uint8Array();
