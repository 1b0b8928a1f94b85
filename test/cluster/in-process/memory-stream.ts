import { createHash } from 'node:crypto';
import type { Journal, ShardBlock, ShardHead, StoredBlock } from '../../../actors/index.js';

const NO_HASH = new Uint8Array(32);

/** The journal of a cluster within one process: a list of blocks a shard, written by the owner that has opened the shard last. */
export class MemoryStream {
  readonly #blocks = new Map<number, StoredBlock[]>();
  readonly #owners = new Map<number, object>();
  readonly #appended = new Set<() => void>();

  /** Previous owners of the shards can append no more. */
  open({ shards, followed }: { readonly shards: readonly number[]; readonly followed: readonly number[] }): Journal {
    const owner = {};
    for (const shard of shards) this.#owners.set(shard, owner);
    const known = [...shards, ...followed];
    const seen = new Map(known.map((shard) => [shard, this.#of(shard).length]));
    let isClosed = false;
    const blocksOf = (shard: number): readonly StoredBlock[] => this.#of(shard).slice(0, seen.get(shard) ?? 0);
    const close = async (): Promise<void> => {
      isClosed = true;
      this.#notify();
    };
    // oxlint-disable-next-line typescript/no-this-alias -- the reader is an object with a generator, which has a `this` of its own
    const stream = this;
    return {
      append: (blocks) => this.#append(blocks, owner),
      *read(after) {
        for (const shard of known) for (const block of blocksOf(shard)) if (lastOf(block) > (after.get(shard) ?? 0)) yield block;
      },
      async *follow(shard) {
        for (let at = seen.get(shard) ?? 0; !isClosed; ) {
          const block = stream.#of(shard)[at];
          if (block === undefined) await stream.#next();
          else {
            at += 1;
            yield block;
          }
        }
      },
      heads: () => new Map(known.map((shard) => [shard, headOf(blocksOf(shard).at(-1))])),
      hasRoom: () => true,
      close,
    };
  }

  /** All records, byte by byte. */
  written(): string {
    return [...this.#blocks.values()]
      .flat()
      .flatMap(({ records }) => records.map((record) => Buffer.from(record).toString('latin1')))
      .join('');
  }

  /** Durable in the next round of the event loop, later than memory, as on a disk. */
  async #append(blocks: readonly ShardBlock[], owner: object): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const { shard } of blocks)
      if (this.#owners.get(shard) !== owner) throw Object.assign(new Error(`shard ${shard} was taken over`), { code: 'journalFenced' });
    for (const { shard, firstSequence, records } of blocks) {
      const previousHash = this.#of(shard).at(-1)?.hash ?? NO_HASH;
      const hash = createHash('sha256').update(previousHash);
      for (const record of records) hash.update(record);
      this.#of(shard).push({
        shard,
        firstSequence,
        records: records.map((record) => Uint8Array.from(record)),
        previousHash,
        hash: hash.digest(),
      });
    }
    this.#notify();
  }

  #of(shard: number): StoredBlock[] {
    const known = this.#blocks.get(shard) ?? [];
    this.#blocks.set(shard, known);
    return known;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#appended.add(resolve));
  }

  #notify(): void {
    for (const resolve of this.#appended) resolve();
    this.#appended.clear();
  }
}

const lastOf = ({ firstSequence, records }: ShardBlock): number => firstSequence + records.length - 1;

const headOf = (block: StoredBlock | undefined): ShardHead =>
  block ? { lastSequence: lastOf(block), hash: block.hash } : { lastSequence: 0, hash: NO_HASH };
