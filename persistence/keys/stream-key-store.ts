import { setImmediate as othersTurn } from 'node:timers/promises';
import type { KeyStore } from '../ports.js';
import { must } from '../../engine/index.js';
import { KeyValueConflict } from '../errors.js';
import { limits } from '../limits.js';
import type { ClusterIdentity, KeyRing } from './cluster-identity.js';
import { type DataKey, DataKeys, decrypt, encrypt, type KeyEntry, wrapContext } from './data-keys.js';
import { DataKeyBroken, KeyFlushFailed, MasterKeyError } from './errors.js';
import { type BucketEntry, KeyBucket, type KeyBucketOptions, type KeyImage, KeyImages, KeyImageWriter } from './key-bucket.js';
import { encodeKey, type WrappedKey, WrappedKeys } from './wrapped-keys.js';

export interface StreamKeyStoreOptions extends KeyBucketOptions {
  /** Bucket of an image of the keys, which a takeover reads in their place; absent: none is kept. */
  readonly imageBucket?: string;
  /** The identity whose key ring wraps the data keys. */
  readonly identity: Pick<ClusterIdentity, 'ring' | 'rotate'>;
}

/** The data keys of one worker's units, for as long as it owns them. */
export interface StreamKeyStore extends KeyStore {
  readonly report: { readonly keys: number; readonly destroyed: number };
  /** Keys that the last `load` has read one by one. */
  readonly readSingly: number;
  /**
   * Reads all keys, and forgets those that were not flushed. Call it before anything else, and after each opening of the journal: that has
   * fenced the former owner of the shards, so that nothing durable depends on keys which it may still write.
   */
  load(): Promise<void>;
  /** Whether the next `load` would read so many keys one by one that an image should be stored. */
  readonly needsImage: boolean;
  /** Stores an image of the keys, for the next `load`. */
  storeImage(): Promise<void>;
  /** Takes a key over from another store; durable once `flush` resolves. What was destroyed in one of the two stays destroyed. */
  adopt(entry: KeyEntry): void;
}

/**
 * Opens the bucket of some data keys; `load` reads them. A key that another worker has written under the same owner is never overwritten:
 * the flush fails, and a worker that still owns the shards opens and loads again.
 * Throws `KeyValueUnavailable`.
 */
export async function openStreamKeyStore(options: StreamKeyStoreOptions): Promise<StreamKeyStore> {
  const { imageBucket } = options;
  const images = imageBucket === undefined ? null : await KeyImages.open({ ...options, bucket: imageBucket });
  return new BucketKeyStore(await KeyBucket.open(options), images, options.identity);
}

/** All keys of a bucket, unwrapped; nothing is changed there. */
export async function* readStreamKeys(options: KeyBucketOptions, ring: KeyRing): AsyncGenerator<KeyEntry> {
  const read = new WrappedKeys();
  for await (const { owner, value } of (await KeyBucket.open(options)).all()) {
    if (value === null) read.destroy(owner);
    else read.put(owner, value);
  }
  for (const owner of read.owners()) {
    const key = read.get(owner);
    yield { owner, key: key === undefined || key === 'destroyed' ? null : { id: key.id, bytes: unwrapped(ring, owner, key) } };
  }
}

class BucketKeyStore implements StreamKeyStore {
  #wrapped = new WrappedKeys();
  /** Keys that are not known to be in the bucket. */
  readonly #pending = new Map<string, Uint8Array>();
  /** Owners whose keys are to be destroyed, with the sequence of the key where it is marked already. */
  readonly #doomed = new Map<string, number | null>();
  readonly #keys = new DataKeys((owner) => this.#find(owner));
  #busy: Promise<unknown> = Promise.resolve();
  #imaging: Promise<void> | null = null;

  /** Counts flushes that erase: an image that was being stored meanwhile must be erased, too. */
  #erasures = 0;
  /** Somebody else has written a key: the image lacks it. */
  #isImageWrong = false;
  readSingly = 0;
  /** Keys that the image lacks. */
  #unimaged = 0;
  /** The newest entry of the bucket that was read or written here: the image holds everything up to it. */
  #through = 0;

  constructor(
    private readonly bucket: KeyBucket,
    private readonly images: KeyImages | null,
    private readonly identity: Pick<ClusterIdentity, 'ring' | 'rotate'>,
  ) {}

  get report(): StreamKeyStore['report'] {
    return this.#wrapped.counts;
  }

  load(): Promise<void> {
    return this.#inTurn(() => this.#load());
  }

  create(owner: string): void {
    if (this.has(owner)) return; // created for a command that was dropped and sent again: nothing depends on the key yet
    const value = this.#wrap(owner, this.#keys.make(owner));
    this.#wrapped.put(owner, value);
    this.#pending.set(owner, value);
  }

  adopt({ owner, key }: KeyEntry): void {
    if (key === null) {
      this.#pending.delete(owner);
      this.#wrapped.destroy(owner);
      this.#doomed.set(owner, null);
    } else if (this.#wrapped.get(owner) === undefined) {
      const value = this.#wrap(owner, key);
      this.#wrapped.put(owner, value);
      this.#pending.set(owner, value);
    }
  }

  has(owner: string): boolean {
    const key = this.#wrapped.get(owner);
    return key !== undefined && key !== 'destroyed';
  }

  knows(owner: string): boolean {
    return this.#wrapped.get(owner) !== undefined;
  }

  get durableOwners(): number {
    const { keys, destroyed } = this.#wrapped.counts;
    return keys + destroyed - this.#pending.size;
  }

  /** The bucket has no bound of its own: a write that the server refuses fails the flush. */
  hasRoom(): boolean {
    return true;
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    return this.#keys.seal(owner, plain, context);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    return this.#keys.open(owner, sealed, context);
  }

  flush(): Promise<void> {
    if (this.#pending.size + this.#doomed.size === 0) return Promise.resolve();
    return this.#inTurn(() => this.#flush());
  }

  destroy(owner: string): Promise<void> {
    this.#keys.forget(owner);
    this.#pending.delete(owner);
    this.#wrapped.destroy(owner);
    if (!this.#doomed.has(owner)) this.#doomed.set(owner, null);
    return this.flush();
  }

  rotate(masterKey: Uint8Array): Promise<void> {
    return this.#inTurn(() => this.identity.rotate(masterKey));
  }

  close(): Promise<void> {
    return this.#inTurn(async () => undefined);
  }

  get needsImage(): boolean {
    const { keys, destroyed } = this.#wrapped.counts;
    return this.images !== null && this.#unimaged > Math.max(limits.unimagedKeys, (keys + destroyed) * limits.unimagedPart);
  }

  /** One at a time. */
  storeImage(): Promise<void> {
    const stored = this.#imaging === null ? this.#storeImage() : this.#imaging.then(() => this.#storeImage());
    const ended: Promise<void> = stored
      .catch(() => undefined) // the caller gets the failure
      .finally(() => {
        if (this.#imaging === ended) this.#imaging = null;
      });
    this.#imaging = ended;
    return stored;
  }

  async #storeImage(): Promise<void> {
    const { images } = this;
    if (images === null) return;
    await this.#inTurn(async () => undefined); // erasures under way are complete
    const erasures = this.#erasures;
    const image = await this.#image();
    const isStored = await images.store(image).then(
      () => true,
      (cause: unknown) => {
        this.#lacksAll();
        if (this.#erasures === erasures) throw cause;
        return false;
      },
    );
    if (isStored && this.#erasures === erasures) return;
    await images.erase();
    this.#lacksAll();
  }

  /** One that is being stored meanwhile is erased when it is there. */
  async #eraseImage(): Promise<void> {
    this.#erasures += 1;
    await this.images?.erase();
    this.#lacksAll();
  }

  #lacksAll(): void {
    const { keys, destroyed } = this.#wrapped.counts;
    this.#unimaged = keys + destroyed;
  }

  /** All keys in the bucket, without those that are not flushed. */
  #image(): Promise<KeyImage> {
    return this.#inTurn(async () => {
      const { made } = await this.bucket.state();
      const through = this.#through;
      this.#unimaged = 0;
      const writer = new KeyImageWriter(limits.objectChunkBytes);
      let taken = 0;
      for (const owner of this.#wrapped.owners()) {
        if (!this.#pending.has(owner)) writer.add(owner, this.#wrapped.valueOf(owner));
        taken += 1;
        if (taken % limits.imageSliceKeys === 0) await othersTurn();
      }
      return { bucketMade: made, through, chunks: writer.finish() };
    });
  }

  /** The keys of the image, and the sequence up to which it has them: none and 0 where there is no image of this bucket. */
  async #fromImage(): Promise<{ readonly read: WrappedKeys; readonly through: number }> {
    if (this.#isImageWrong) await this.images?.erase();
    this.#isImageWrong = false;
    await this.images?.sweep();
    const image = await this.images?.fetch();
    const bucket = image && (await this.bucket.state());
    if (!image || bucket?.made !== image.bucketMade || bucket.through < image.through) return { read: new WrappedKeys(), through: 0 };
    const read = new WrappedKeys(image.chunks.reduce((sum, { length }) => sum + length, 0));
    for (const chunk of image.chunks) {
      read.adopt(chunk);
      await othersTurn();
    }
    return { read, through: image.through };
  }

  async #load(): Promise<void> {
    const { read, through } = await this.#fromImage();
    const [sequences, left] = [new Map<string, number>(), new Map<string, number | null>()];
    this.readSingly = 0;
    this.#through = through;
    for await (const { owner, value, sequence } of this.bucket.all(through)) {
      this.readSingly += 1;
      this.#through = sequence;
      if (value === null) {
        const under = sequences.get(owner);
        if (under !== undefined) left.set(owner, under);
        else if (through > 0) left.set(owner, null); // the image may have its key, and the bucket as well
        read.destroy(owner);
      } else {
        read.put(owner, value);
        sequences.set(owner, sequence);
        left.delete(owner);
      }
    }
    this.#wrapped = read;
    this.#unimaged = this.readSingly;
    this.#pending.clear();
    this.#keys.forgetAll();
    for (const [owner, sequence] of left) this.#doomed.set(owner, sequence);
    for (const owner of this.#doomed.keys()) read.destroy(owner);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    try {
      if (this.#doomed.size > 0) await this.#eraseImage();
      await eachOf([...this.#doomed], ([owner, marked]) => this.#erase(owner, marked));
      await eachOf([...this.#pending], ([owner, value]) => this.#write(owner, value));
    } catch (cause) {
      throw new KeyFlushFailed(cause);
    }
  }

  async #write(owner: string, value: Uint8Array): Promise<void> {
    try {
      this.#wrote(await this.bucket.put(owner, value, 0));
    } catch (cause) {
      if (!(cause instanceof KeyValueConflict)) throw cause;
      const last = await this.bucket.last(owner);
      if (last === undefined) throw cause;
      if (last.value === null)
        this.#wrote(await this.bucket.put(owner, value, last.sequence)); // the former key of this owner was destroyed
      else if (Buffer.compare(last.value, value) !== 0) {
        this.#isImageWrong = true;
        throw cause;
      } else await this.#eraseImage(); // it had arrived before, perhaps before an image that was made without it
    }
    if (this.#pending.get(owner) === value) this.#pending.delete(owner);
  }

  #wrote(sequence: number): void {
    this.#through = Math.max(this.#through, sequence);
    this.#unimaged += 1;
  }

  async #erase(owner: string, marked: number | null): Promise<void> {
    let sequence = marked;
    if (sequence === null) {
      const last = await this.bucket.last(owner);
      if (last === undefined || last.value !== null) this.#wrote(await this.bucket.mark(owner, last?.sequence ?? 0));
      sequence = (await this.#sequenceBefore(owner, last)) ?? null;
      if (sequence !== null) this.#doomed.set(owner, sequence);
    }
    if (sequence !== null) await this.bucket.erase(owner, sequence);
    this.#doomed.delete(owner);
  }

  /** The sequence of the key that was marked. */
  async #sequenceBefore(owner: string, last: BucketEntry | undefined): Promise<number | undefined> {
    if (last === undefined) return undefined;
    if (last.value !== null) return last.sequence;
    const first = await this.bucket.first(owner);
    return first === undefined || first.value === null ? undefined : first.sequence;
  }

  #find(owner: string): DataKey | 'destroyed' | undefined {
    const key = this.#wrapped.get(owner);
    return key === undefined || key === 'destroyed' ? key : { id: key.id, bytes: unwrapped(this.identity.ring, owner, key) };
  }

  #wrap(owner: string, key: DataKey): Uint8Array {
    const { ring } = this.identity;
    const generation = ring.newest;
    return encodeKey({
      generation,
      id: key.id,
      wrapped: encrypt(must(ring.key(generation), 'the newest key is there'), key.bytes, wrapContext(owner, key.id)),
    });
  }

  /** One change of the bucket at a time, in the order of asking. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#busy.then(run);
    this.#busy = result.then(
      () => undefined,
      () => undefined,
    ); // the caller gets the failure
    return result;
  }
}

function unwrapped(ring: KeyRing, owner: string, { generation, id, wrapped }: WrappedKey): Uint8Array {
  const key = ring.key(generation);
  if (key === undefined)
    throw new MasterKeyError('the master key was rotated since this process has started: start it again with the new one');
  const bytes = decrypt(key, wrapped, wrapContext(owner, id));
  if (bytes === undefined) throw new DataKeyBroken(owner);
  return bytes;
}

/** Runs a bounded number at once. A failure does not stop those that run with it. */
async function eachOf<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += limits.keysInFlight) {
    const ended = await Promise.allSettled(all.slice(from, from + limits.keysInFlight).map(run));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
