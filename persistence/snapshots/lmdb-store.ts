import { open, type RootDatabase } from 'lmdb';
import { stat, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { assert, fieldsOf } from '../../engine/basics/index.js';
import { describe, PersistenceError } from '../errors.js';
import { freeBytes } from '../files/path-unusable.js';
import { limits } from '../limits.js';
import type { KeyValue } from '../ports.js';

/**
 * Memory outside of the heap for the entries of one transaction, reused by the next. Allocating it entry by entry would make the garbage
 * collector believe that memory runs out: it would then stop the thread at almost every allocation, in sum for a tenth of a second.
 */
class Arena {
  readonly #pieces: Buffer[] = [];
  #piece = 0;
  #used = 0;

  /** A buffer of so many bytes, valid until `reuse`. */
  take(length: number): Buffer {
    if (length > limits.arenaPieceBytes) return Buffer.allocUnsafeSlow(length);
    if (this.#used + length > limits.arenaPieceBytes) {
      this.#piece += 1;
      this.#used = 0;
    }
    const piece = (this.#pieces[this.#piece] ??= Buffer.allocUnsafeSlow(limits.arenaPieceBytes));
    const taken = piece.subarray(this.#used, this.#used + length);
    this.#used += length;
    return taken;
  }

  /** The bytes of a text of `limits.snapshotKeyBytes` characters at most. */
  text(text: string): Buffer {
    const room = this.take(text.length * MOST_BYTES);
    const bytes = room.subarray(0, room.write(text, 'utf8'));
    this.#used -= room.length - bytes.length;
    return bytes;
  }

  /** Makes all buffers free again. */
  reuse(): void {
    this.#pieces.length = Math.min(this.#pieces.length, limits.arenaPieces);
    this.#piece = 0;
    this.#used = 0;
  }
}

/** Most bytes of a UTF-16 unit of a text, in UTF-8. */
const MOST_BYTES = 3;

/**
 * A record or page of an environment differs from what was written: the environment must be rebuilt from the journal. The kernel recognizes
 * the error by its `environment`.
 */
export class DamagedRecord extends PersistenceError {
  readonly code = 'snapshotDamaged';
  readonly helps = 'reopen';

  constructor(
    readonly environment: string,
    readonly key: string,
    cause?: unknown,
  ) {
    super(`environment ${environment} is damaged at ${key}${cause === undefined ? '' : `: ${describe(cause)}`}`, { cause });
  }
}

/** A transaction could not be made durable, mostly because the disk is full. Nothing of it is stored; a later one may succeed. */
export class SnapshotWriteFailed extends PersistenceError {
  readonly code = 'snapshotWriteFailed';
  readonly helps = 'later';

  constructor(
    readonly store: string,
    cause: unknown,
  ) {
    super(`environment ${store} cannot be written: ${describe(cause)}`, { cause });
  }
}

/** Key and value as LMDB stores them. */
type Entry = readonly [key: Buffer, stored: Buffer | null];

interface Write {
  readonly entries: readonly (readonly [string, Uint8Array | null])[];
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

const CHECKSUM_BYTES = 4;

const KEY_LENGTH = `a key has 1 to ${limits.snapshotKeyBytes} bytes`;

/** One LMDB environment. Each value carries a checksum over key and value, since LMDB has none. */
export class LmdbStore implements KeyValue {
  readonly #database: RootDatabase<Buffer, Buffer>;
  /** Writes that wait for the transaction under way: the next one takes them all. */
  #waiting: Write[] = [];
  #writing: Promise<void> | null = null;
  /** Memory of the transaction that is being prepared or under way: there is one at a time. */
  #arena = new Arena();
  #isClosed = false;
  /** Damage that another process has found; null while none is known. */
  #damage: string | null = null;

  /** The file at the path must be inspected before: LMDB ends the process on a foreign file. */
  constructor(
    private readonly name: string,
    private readonly path: string,
  ) {
    this.#database = open<Buffer, Buffer>({
      path,
      noSubdir: true,
      encoding: 'binary',
      keyEncoding: 'binary',
      compression: false,
      pageSize: 4096,
      mapSize: limits.snapshotMapBytes,
      // A commit includes its flush. Without it a power cut could lose acknowledged writes.
      overlappingSync: false,
      // With batching by turns a failed commit rejects promises that nobody holds, which ends the process.
      eventTurnBatching: false,
    });
    this.#database.readerCheck();
  }

  /** From now on each read throws `DamagedRecord`, after which the environment is rebuilt. */
  condemn(damage: string): void {
    this.#damage = damage;
  }

  get(key: string): Uint8Array | undefined {
    assert(!this.#isClosed, `${this.name} is open`);
    const bytes = Buffer.from(key);
    const stored = this.#guard(key, () => this.#database.get(bytes));
    return stored === undefined ? undefined : this.#checked(bytes, stored);
  }

  look<Made>(key: string, read: (value: Uint8Array) => Made): Made | undefined {
    assert(!this.#isClosed, `${this.name} is open`);
    const bytes = Buffer.from(key);
    const stored = this.#guard(key, () => this.#database.getBinaryFast(bytes));
    // The library reads all values into one buffer.
    return stored === undefined ? undefined : read(this.#checked(bytes, stored));
  }

  *range({
    start,
    end,
    reverse = false,
    limit,
  }: {
    start: string;
    end: string;
    reverse?: boolean;
    limit?: number;
  }): Iterable<readonly [string, Uint8Array]> {
    assert(!this.#isClosed, `${this.name} is open`);
    if (limit !== undefined && limit <= 0) return; // LMDB reads 0 as no limit
    const [first, last] = [Buffer.from(start), Buffer.from(end)];
    // lmdb-js expects the bounds in the direction of the walk.
    const bounds = reverse ? { start: last, exclusiveStart: true, end: first, inclusiveEnd: true, reverse } : { start: first, end: last };
    // Without a snapshot a slow walk does not keep old pages from being reused.
    const options = { ...bounds, snapshot: false, ...(limit === undefined ? {} : { limit }) };
    const entries = this.#guard(start, () => this.#database.getRange(options)[Symbol.iterator]());
    try {
      for (;;) {
        const step = this.#guard(start, () => entries.next());
        if (step.done === true) return;
        yield [step.value.key.toString(), this.#checked(step.value.key, step.value.value)];
      }
    } finally {
      entries.return?.();
    }
  }

  /** Writes that arrive while a transaction is under way share the next one. Values must not change until it resolves. */
  write(entries: Iterable<readonly [string, Uint8Array | null]>): Promise<void> {
    assert(!this.#isClosed, `${this.name} is open`);
    const taken = [...entries];
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ entries: taken, resolve, reject });
    });
    this.#writing ??= this.#writeAll();
    return written;
  }

  /** A copy of all that is durable, made on another thread while this goes on. */
  async copyTo(path: string): Promise<void> {
    assert(!this.#isClosed, `${this.name} is open`);
    await this.#database.backup(path, true);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writing;
    await this.#database.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const taken = this.#waiting;
      this.#waiting = [];
      await this.#writeTogether(taken);
    }
    this.#writing = null;
  }

  async #writeTogether(writes: readonly Write[]): Promise<void> {
    const prepared: Entry[] = [];
    const sound: Write[] = [];
    for (const write of writes) {
      try {
        // All entries are prepared and checked first: an error within the transaction would commit its beginning.
        for (const entry of await prepareInSteps(write.entries, this.#arena)) prepared.push(entry);
        sound.push(write);
      } catch (cause) {
        write.reject(cause);
      }
    }
    try {
      await this.#commit(prepared);
      this.#arena.reuse();
      for (const { resolve } of sound) resolve();
    } catch (cause) {
      this.#arena = new Arena(); // the library may still read it
      for (const { reject } of sound) reject(cause);
    }
  }

  async #commit(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    try {
      await this.#assertRoom(entries);
      await this.#database.batch(() => {
        for (const [key, stored] of entries) void (stored === null ? this.#database.remove(key) : this.#database.put(key, stored));
      });
      await this.#database.flushed;
      await this.#lengthen();
    } catch (cause) {
      throw new SnapshotWriteFailed(this.name, await reasonOf(cause));
    }
  }

  /**
   * Refuses a transaction that the disk may have no room for, before LMDB begins it: where a page cannot be written, lmdb-js 3.5 writes its
   * message past the end of a buffer of 100 bytes, which can end the process.
   */
  async #assertRoom(entries: readonly Entry[]): Promise<void> {
    const bytes = entries.reduce((sum, [key, stored]) => sum + key.length + (stored?.length ?? 0), 0);
    const neededBytes = bytes * limits.snapshotRoomFactor + limits.snapshotRoomBytes;
    const free = await freeBytes(dirname(this.path));
    if (free < neededBytes) throw new Error(`no space left on the disk: ${free} bytes are free, a snapshot needs ${neededBytes}`);
  }

  /**
   * LMDB counts pages that a transaction has allocated and freed, and does not write those at the end of the file. So the file is grown to
   * the length of the meta page, and a shorter file is known to be cut. No other transaction is under way meanwhile, and the thread does
   * not wait for a busy file system.
   */
  async #lengthen(): Promise<void> {
    const { lastPageNumber, pageSize } = fieldsOf(this.#database.getStats());
    assert(typeof lastPageNumber === 'number' && typeof pageSize === 'number', 'LMDB says how many pages it has, and their size');
    const bytes = (lastPageNumber + 1) * pageSize;
    if ((await stat(this.path)).size < bytes) await truncate(this.path, bytes);
  }

  #checked(key: Buffer, stored: Buffer): Uint8Array {
    const { length } = stored; // of a buffer of the library its `length` is that of the value
    if (length < CHECKSUM_BYTES) throw new DamagedRecord(this.name, key.toString());
    const whole = Buffer.from(stored.buffer, stored.byteOffset, length); // of a long value it gives no `Buffer`
    const value = whole.subarray(CHECKSUM_BYTES);
    if (whole.readUInt32LE(0) !== checksumOf(key, value)) throw new DamagedRecord(this.name, key.toString());
    return value;
  }

  /** An error of LMDB on reading an open environment means that a page is damaged. */
  #guard<T>(key: string, read: () => T): T {
    if (this.#damage !== null) throw new DamagedRecord(this.name, key, new Error(this.#damage));
    try {
      return read();
    } catch (cause) {
      throw new DamagedRecord(this.name, key, cause);
    }
  }
}

/** A snapshot can hold hundreds of thousands of entries: pauses from time to time let other work run. */
async function prepareInSteps(entries: Write['entries'], arena: Arena): Promise<readonly Entry[]> {
  const prepared: Entry[] = [];
  let begun = performance.now();
  for (const [key, value] of entries) {
    prepared.push(prepare(key, value, arena));
    if (prepared.length % limits.preparedSlice === 0 && performance.now() - begun >= limits.preparedSliceMs) {
      await othersTurn();
      begun = performance.now();
    }
  }
  return prepared;
}

function prepare(key: string, value: Uint8Array | null, arena: Arena): Entry {
  assert(key.length <= limits.snapshotKeyBytes, KEY_LENGTH);
  const bytes = arena.text(key);
  assert(bytes.length > 0 && bytes.length <= limits.snapshotKeyBytes, KEY_LENGTH);
  if (value === null) return [bytes, null];
  const stored = arena.take(CHECKSUM_BYTES + value.length);
  stored.writeUInt32LE(checksumOf(bytes, value), 0);
  stored.set(value, CHECKSUM_BYTES);
  return [bytes, stored];
}

function checksumOf(key: Buffer, value: Uint8Array): number {
  return crc32(value, crc32(key));
}

/** lmdb-js reports the error of the disk as a promise that rejects; without a handler it would end the process. */
async function reasonOf(cause: unknown): Promise<unknown> {
  const commitError: unknown = cause instanceof Error && 'commitError' in cause ? cause.commitError : undefined;
  if (!(commitError instanceof Promise)) return cause;
  return commitError.then(
    () => cause,
    (reason: unknown) => reason,
  );
}

/** A store for the time of one command, in a file that does not exist yet. */
export const openScratch = (path: string): KeyValue => new LmdbStore('scratch', path);
