import { assert } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { EngineMeasure } from '../shard/engine.js';
import type { Journal, KeyStore, ShardBlock } from '../ports.js';
import { LIMITS } from '../limits.js';

/** The promise of a batch: resolved when it is durable, rejected with a `Refusal` when it never will be. */
export interface Ticket {
  readonly durable: Promise<void>;
  readonly isDurable: boolean;
}

interface Batch extends Ticket {
  isDurable: boolean;
  readonly blocks: Map<number, { firstSequence: number; records: Uint8Array[] }>;
  readonly afterwards: (() => void)[];
  resolve(): void;
  reject(cause: unknown): void;
  records: number;
  /** About how many bytes its records will take in the journal. */
  bytes: number;
}

/** Bytes that the journal keeps beside a record, including those of blocks and batches. */
const RECORD_OVERHEAD_BYTES = 64;

/**
 * Group commit. Records that arrive while a flush is running wait for the next one: a batch gathers during the flush before it. A failed
 * flush is never retried; everything that waits for it fails with it.
 */
export class Committer {
  #gathering: Batch = newBatch();
  /** The batch that is being written; null when none is. */
  #current: Batch | null = null;
  #flushing = false;
  #failed = false;

  constructor(
    private readonly journal: Journal,
    private readonly keys: KeyStore,
    private readonly onFailure: (cause: unknown) => void,
    private readonly onFlushed: EngineMeasure['flushed'] = () => undefined,
  ) {}

  /** Refuses when there is no room for more: before anything is decided, so that nothing is half done. */
  assertRoom(): void {
    if (!this.#hasRoom) throw unavailable('The service cannot write at the moment. Try again.');
    if (this.#gathering.records > LIMITS.pendingRecords) throw unavailable('Too much work is waiting. Try again in a second.');
  }

  /** Whether background work may go on: it leaves most of the waiting room to commands. */
  hasRoomInBackground(): boolean {
    return this.#hasRoom && this.#gathering.records <= LIMITS.pendingBackgroundRecords;
  }

  /** For facts, and for the data keys that they may need. */
  get #hasRoom(): boolean {
    return !this.#failed && this.journal.hasRoom(this.#gathering.bytes + (this.#current?.bytes ?? 0)) && this.keys.hasRoom();
  }

  /** Adds records of one shard to the gathering batch; `afterwards` publishes their events when they are durable, before replies. */
  add(shard: number, firstSequence: number, records: readonly Uint8Array[], afterwards?: () => void): Ticket {
    const batch = this.#gathering;
    const block = batch.blocks.get(shard);
    if (block) {
      assert(
        firstSequence === block.firstSequence + block.records.length,
        `shard ${shard}: records from ${firstSequence} are out of order`,
      );
      block.records.push(...records);
    } else batch.blocks.set(shard, { firstSequence, records: [...records] });
    batch.records += records.length;
    for (const { length } of records) batch.bytes += length + RECORD_OVERHEAD_BYTES;
    if (afterwards) batch.afterwards.push(afterwards);
    if (!this.#flushing) void this.#flushAll();
    return batch;
  }

  /** The newest batch that is not durable yet; null when everything is. */
  newest(): Ticket | null {
    if (this.#gathering.records > 0) return this.#gathering;
    return this.#flushing ? this.#current : null;
  }

  /** Resolves when everything added so far is durable; rejects when it never will be. */
  async settled(): Promise<void> {
    for (let ticket = this.newest(); ticket; ticket = this.newest()) await ticket.durable;
    if (this.#failed) throw unavailable('The journal cannot be written at the moment. Nothing was changed.');
  }

  /** Resolves when everything added up to now is durable; later additions do not prolong it. Rejects as `settled`. */
  async soFar(): Promise<void> {
    await this.newest()?.durable;
    if (this.#failed) throw unavailable('The journal cannot be written at the moment. Nothing was changed.');
  }

  /** Resolves when the batch being written has ended, successfully or not, and the gathering one is being written. */
  async passed(): Promise<void> {
    await this.#current?.durable.catch(() => undefined); // its callers get the error
  }

  /** While one batch is being written to the disk, the callers of the batch before it are answered. */
  async #flushAll(): Promise<void> {
    this.#flushing = true;
    let durable: Batch | null = null;
    for (;;) {
      const next = this.#takeGathered();
      const writing = next && (await this.#beginWrite(next));
      if (durable) complete(durable);
      if (writing) {
        durable = (await writing.isDurable) ? next : null;
      } else if (this.#gathering.records === 0 || this.#failed) {
        break;
      } else {
        durable = null;
      }
    }
    this.#flushing = false;
    this.#current = null;
  }

  #takeGathered(): Batch | null {
    if (this.#gathering.records === 0 || this.#failed) return null;
    this.#current = this.#gathering;
    this.#gathering = newBatch();
    return this.#current;
  }

  /** Resolves when the journal has accepted the batch: data keys are on the disk before it. */
  async #beginWrite(batch: Batch): Promise<{ readonly isDurable: Promise<boolean> }> {
    const blocks: ShardBlock[] = [];
    for (const [shard, block] of batch.blocks) blocks.push({ shard, ...block });
    const fail = (cause: unknown): boolean => this.#fail(batch, cause);
    try {
      await this.keys.flush();
      const begunMs = performance.now();
      const flushed = (): true => {
        this.onFlushed(batch.records, (performance.now() - begunMs) / 1000);
        return true;
      };
      return { isDurable: this.journal.append(blocks).then(flushed, fail) };
    } catch (cause) {
      return { isDurable: Promise.resolve(fail(cause)) };
    }
  }

  #fail(batch: Batch, cause: unknown): false {
    this.#failed = true;
    const refusal = new Refusal('unavailable', 'The change could not be stored and did not take effect. Try again.', {
      retryAfterSeconds: 1,
      cause,
    });
    batch.reject(refusal);
    this.#gathering.reject(refusal);
    this.onFailure(cause);
    return false;
  }
}

/** A durable batch: its events are published, then those who wait for its ticket go on. */
function complete(batch: Batch): void {
  for (const run of batch.afterwards) run();
  // Actors keep the ticket of their newest facts: it must not keep the bytes of the whole batch in memory.
  batch.blocks.clear();
  batch.afterwards.length = 0;
  batch.isDurable = true;
  batch.resolve();
}

function newBatch(): Batch {
  let resolve: () => void = () => undefined;
  let reject: (cause: unknown) => void = () => undefined;
  const durable = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  durable.catch(() => undefined); // each waiter gets the rejection; without waiters it must not end the process
  return { blocks: new Map(), afterwards: [], durable, isDurable: false, resolve, reject, records: 0, bytes: 0 };
}

export function unavailable(message: string): Refusal {
  return new Refusal('unavailable', message, { retryAfterSeconds: 1 });
}
