import { createHash } from 'node:crypto';
import { asBuffer } from '../journal/format.js';
import { KeyBucket, type KeyBucketOptions } from './key-bucket.js';

/** What an image says of itself. */
interface Description {
  readonly generation: number;
  readonly chunks: number;
  readonly sha256: string;
  /** When the bucket of the keys was made: another one is another bucket. */
  readonly bucketMade: string;
  /** Changes of the bucket up to there are in it. */
  readonly through: number;
}

export type KeyImage = Pick<Description, 'bucketMade' | 'through'> & { readonly chunks: readonly Buffer[] };

const DESCRIPTION = 'image';
const chunkName = (generation: number, chunk: number): string => `c${generation}-${chunk}`;

/**
 * The image of a bucket of data keys, in a bucket of its own: whoever takes a unit over reads it in large pieces instead of key by key.
 * Its pieces are never left to the server to remove: each is overwritten where it was stored, like a key that is destroyed.
 */
export class KeyImages {
  static async open(options: KeyBucketOptions): Promise<KeyImages> {
    return new KeyImages(await KeyBucket.open(options));
  }

  private constructor(private readonly bucket: KeyBucket) {}

  /** Stores an image beside the former one, which is overwritten when the new one is there. */
  async store({ chunks, bucketMade, through }: KeyImage): Promise<void> {
    const former = await this.#description();
    await this.#eraseAllBut(former?.description.generation ?? null);
    const generation = (former?.description.generation ?? 0) + 1;
    const hash = createHash('sha256');
    for (const [at, chunk] of chunks.entries()) {
      hash.update(chunk);
      await this.bucket.put(chunkName(generation, at), chunk, 0);
    }
    const description: Description = { generation, chunks: chunks.length, sha256: hash.digest('hex'), bucketMade, through };
    await this.bucket.put(DESCRIPTION, Buffer.from(JSON.stringify(description)), former?.sequence ?? 0);
    await this.#eraseAllBut(generation);
  }

  /** Null where there is none that is whole. */
  async fetch(): Promise<KeyImage | null> {
    const found = await this.#description();
    if (found === null) return null;
    const { generation, chunks: count, sha256, bucketMade, through } = found.description;
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    for (let at = 0; at < count; at += 1) {
      const chunk = (await this.bucket.last(chunkName(generation, at)))?.value;
      if (chunk == null) return null;
      hash.update(chunk);
      chunks.push(asBuffer(chunk));
    }
    return hash.digest('hex') === sha256 ? { chunks, bucketMade, through } : null;
  }

  /** Overwrites what was left by somebody who was killed while he stored one. */
  async sweep(): Promise<void> {
    await this.#eraseAllBut((await this.#description())?.description.generation ?? null);
  }

  /** Overwrites all that is there. */
  erase(): Promise<void> {
    return this.#eraseAllBut(null);
  }

  async #eraseAllBut(generation: number | null): Promise<void> {
    const kept = generation === null ? null : `c${generation}-`;
    for (const owner of await this.bucket.owners()) {
      if (owner === DESCRIPTION ? kept !== null : kept !== null && owner.startsWith(kept)) continue;
      const last = await this.bucket.last(owner);
      if (last !== undefined) await this.bucket.erase(owner, last.sequence);
    }
  }

  async #description(): Promise<{ readonly description: Description; readonly sequence: number } | null> {
    const last = await this.bucket.last(DESCRIPTION);
    return last === undefined || last.value === null
      ? null
      : { description: JSON.parse(Buffer.from(last.value).toString()) as Description, sequence: last.sequence };
  }
}
