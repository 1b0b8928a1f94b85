import { crc32 } from 'node:zlib';
import { open, type RootDatabase } from 'lmdb';
import type { KeyValue } from '../../actors/index.js';

/** A record whose checksum does not fit its bytes: the environment is damaged and must be rebuilt. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord';
  constructor(readonly environment: string, readonly key: string) {
    super(`a record of ${environment} is damaged: ${key}`);
  }
}

const CHECKSUM_BYTES = 4;

/** One LMDB environment. Each value carries a checksum, since LMDB has none. */
export class LmdbStore implements KeyValue {
  readonly #database: RootDatabase<Buffer, Buffer>;

  constructor(private readonly name: string, path: string) {
    this.#database = open<Buffer, Buffer>({
      path, noSubdir: true, encoding: 'binary', keyEncoding: 'binary', compression: false, overlappingSync: false, pageSize: 4096,
    });
    this.#database.readerCheck();
  }

  get(key: string): Uint8Array | undefined {
    const stored = this.#database.get(Buffer.from(key));
    return stored && this.#checked(key, stored);
  }

  *range({ start, end, reverse = false, limit }: { start: string; end: string; reverse?: boolean; limit?: number }): Iterable<readonly [string, Uint8Array]> {
    // lmdb-js takes the bounds in the direction of the walk, the first included and the last excluded.
    const first = Buffer.from(start);
    const last = Buffer.from(end);
    const bounds = reverse ? { start: last, end: first, reverse: true, inclusiveEnd: true } : { start: first, end: last };
    for (const entry of this.#database.getRange({ ...bounds, snapshot: false, ...(limit === undefined ? {} : { limit: limit + 1 }) })) {
      const key = entry.key.toString();
      if (key >= end) continue;
      yield [key, this.#checked(key, entry.value)];
      if (limit !== undefined && --limit <= 0) return;
    }
  }

  async write(entries: Iterable<readonly [string, Uint8Array | null]>): Promise<void> {
    await this.#database.transaction(() => {
      for (const [key, value] of entries) {
        if (value === null) void this.#database.remove(Buffer.from(key));
        else void this.#database.put(Buffer.from(key), withChecksum(value));
      }
    });
    await this.#database.flushed;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  #checked(key: string, stored: Buffer): Uint8Array {
    const value = stored.subarray(CHECKSUM_BYTES);
    if (stored.length < CHECKSUM_BYTES || stored.readUInt32LE(0) !== crc32(value)) throw new DamagedRecord(this.name, key);
    return value;
  }
}

function withChecksum(value: Uint8Array): Buffer {
  const stored = Buffer.allocUnsafe(CHECKSUM_BYTES + value.length);
  stored.writeUInt32LE(crc32(value), 0);
  stored.set(value, CHECKSUM_BYTES);
  return stored;
}
