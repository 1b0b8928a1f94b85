import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { assert } from '../../engine/index.js';
import { JournalFailed } from '../errors.js';
import type { FileLayer, OpenFile } from '../files/file-layer.js';
import { nodeFiles } from '../files/node-files.js';
import { atPath } from '../files/path-unusable.js';
import { limits } from '../limits.js';
import type { Journal, ShardBlock, ShardHead, StoredBlock } from '../ports.js';
import { BatchEncoder, encodeEndMark, END_MARK_BYTES } from './batch-encoder.js';
import { PREPARED_NAME, segmentName } from './format.js';
import { Preparer } from './preparer.js';
import { readBlocks } from './read.js';
import { type OpenReport, recover, type Recovered } from './recover.js';
import { encodeHeader, headerBytesFor, positionOf, type Segment } from './segments.js';

export interface JournalOptions {
  readonly folder: string;
  readonly files?: FileLayer;
  /** Size of new segments. */
  readonly segmentBytes?: number;
}

export interface OpenedJournal extends Journal {
  readonly report: OpenReport;
  /** Random id of the journal; all that belongs to the journal names it. */
  readonly id: Buffer;
  read(after: ReadonlyMap<number, number>): Iterable<StoredBlock>;
}

/**
 * Opens the journal in the folder, or begins one there. Throws `JournalDamaged` for anything that a crash cannot leave behind. The caller
 * holds the folder's lock.
 */
export const openJournal = (options: JournalOptions): Promise<OpenedJournal> =>
  atPath('the journal', options.folder, () => opened(options));

async function opened(options: JournalOptions): Promise<OpenedJournal> {
  const { folder, files = nodeFiles, segmentBytes = limits.segmentBytes } = options;
  assert(segmentBytes >= limits.smallestSegmentBytes, 'a segment has room for its header and batches');
  await files.makeFolder(folder);
  await files.syncFolder(dirname(folder));
  const recovered = await recover(files, folder);
  const preparer = new Preparer(files, folder, segmentBytes);
  const journal = new FileJournal(files, folder, segmentBytes, preparer, recovered);
  try {
    const removed = await preparer.adopt(recovered.preparations);
    for (const file of removed) {
      const name = file === PREPARED_NAME ? 'usedPreparation' : 'unfinishedPreparation';
      journal.report.notes.push(positionOf(folder, { name, file, offset: 0 }));
    }
    await journal.begin();
  } catch (cause) {
    await journal.close();
    throw cause;
  }
  return journal;
}

class FileJournal implements OpenedJournal {
  readonly report;
  readonly #segments: Segment[];
  readonly #heads: Map<number, ShardHead>;
  readonly #journalId: Buffer;
  readonly #encoder: BatchEncoder;
  #file: OpenFile | undefined;
  #fileBytes: number;
  /** Offset of the next batch in the last segment. */
  #offset: number;
  #nextBatch: number;
  #appending: Promise<void> | undefined;
  #failure: JournalFailed | undefined;
  /** The prepared file is becoming the segment in use: for a moment no other one is prepared. */
  #isStartingSegment = false;
  /** Bytes for batches in the file that is becoming the segment in use; zero before it is there. */
  #startingBytes = 0;
  #isClosed = false;

  constructor(
    private readonly files: FileLayer,
    private readonly folder: string,
    private readonly segmentBytes: number,
    private readonly preparer: Preparer,
    recovered: Recovered,
  ) {
    this.report = { ...recovered.report, notes: [...recovered.report.notes] };
    this.#segments = [...recovered.segments];
    this.#heads = new Map(recovered.heads);
    this.#nextBatch = recovered.nextBatch;
    this.#file = recovered.last?.file;
    this.#fileBytes = recovered.last?.file.size() ?? 0;
    this.#offset = recovered.last?.offset ?? 0;
    this.#journalId = recovered.last?.segment.header.journalId ?? randomBytes(16);
    this.#encoder = new BatchEncoder(this.#journalId);
  }

  get id(): Buffer {
    return this.#journalId;
  }

  append(blocks: readonly ShardBlock[]): Promise<void> {
    assert(!this.#isClosed, 'a closed journal takes no appends');
    assert(this.#appending === undefined, 'one append is in flight at a time');
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const batch = this.#encoder.encode(this.#nextBatch, blocks, this.#heads);
    this.#appending = this.#write(batch.bytes)
      .then(
        () => {
          for (const [shard, head] of batch.heads) this.#heads.set(shard, head);
        },
        (cause: unknown) => {
          this.#failure = new JournalFailed(cause);
          throw this.#failure;
        },
      )
      .finally(() => {
        this.#appending = undefined;
      });
    return this.#appending;
  }

  read(after: ReadonlyMap<number, number>): Iterable<StoredBlock> {
    const { files, folder } = this;
    return readBlocks({ files, folder, segments: [...this.#segments], end: { offset: this.#offset, nextBatch: this.#nextBatch }, after });
  }

  heads(): ReadonlyMap<number, ShardHead> {
    return this.#heads;
  }

  /**
   * A batch is written to one segment as a whole, so all that waits must fit into the segment in use or into the prepared one; a part of a
   * segment is reserved for what is decided next. Where a file must still be made or grown for it, the disk must have the bytes.
   */
  hasRoom(waitingBytes = 0): boolean {
    if (this.#failure !== undefined || this.#isClosed) return false;
    const neededBytes = waitingBytes + this.segmentBytes * limits.roomWhilePreparing;
    const aheadBytes = this.#isStartingSegment ? this.#startingBytes : this.preparer.isReady ? this.#newSegmentBytes : 0;
    if (neededBytes <= Math.max(this.#freeBytes(), aheadBytes)) return true;
    if (aheadBytes === 0 && !this.#isComing) return false;
    const missingBytes = aheadBytes > 0 ? neededBytes : Math.max(this.segmentBytes, neededBytes);
    return missingBytes <= this.files.freeBytes(this.folder);
  }

  /** A file is being made without a failure so far: an append that needs it waits a moment for it. */
  get #isComing(): boolean {
    return this.preparer.isOnItsWay || (this.#isStartingSegment && !this.preparer.hasFailed);
  }

  /** Bytes for batches in a segment of the usual size. */
  get #newSegmentBytes(): number {
    return this.segmentBytes - headerBytesFor(this.#heads.size) - END_MARK_BYTES;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#appending?.catch(() => undefined); // `append` has reported the failure
    await this.preparer.close();
    await this.#file?.close();
    this.#file = undefined;
  }

  /** The last steps of opening: from here on there is a segment to write to, and one ahead is being prepared. */
  async begin(): Promise<void> {
    if (this.#segments.length === 0) await this.#startSegment(0);
    // Flushes a rename that an earlier process did not flush, before anything depends on it.
    await this.files.syncFolder(this.folder);
    this.preparer.begin();
    if (this.#freeBytes() < this.segmentBytes * limits.roomWhilePreparing) await this.preparer.settled();
  }

  async #write(batch: Buffer): Promise<void> {
    if (batch.length > this.#freeBytes()) await this.#makeRoom(batch.length);
    const file = this.#current();
    await file.write(batch, this.#offset);
    await file.datasync();
    this.#offset += batch.length;
    this.#nextBatch += 1;
  }

  async #makeRoom(batchBytes: number): Promise<void> {
    const last = this.#segments.at(-1);
    if (last?.header.firstBatch !== this.#nextBatch) return this.#startSegment(batchBytes);
    // A segment without batches cannot have a successor, which would bear its name: it grows. A crash after its header
    // was made for a smaller batch has left it so.
    this.#fileBytes = this.#offset + batchBytes + END_MARK_BYTES;
    return this.#current().allocate(this.#fileBytes);
  }

  /**
   * Appends the prepared file as the last segment. It gets its name only after its header is on the disk, and the former segment gets its
   * end mark only after that name is on the disk: so a crash between any two steps leaves a state of the recovery table.
   */
  async #startSegment(batchBytes: number): Promise<void> {
    this.#isStartingSegment = true;
    try {
      await this.#useNextSegment(batchBytes);
    } finally {
      this.#isStartingSegment = false;
      this.#startingBytes = 0;
    }
    this.preparer.begin();
  }

  async #useNextSegment(batchBytes: number): Promise<void> {
    const headerBytes = headerBytesFor(this.#heads.size);
    const file = await this.preparer.take(headerBytes + batchBytes + END_MARK_BYTES);
    this.#startingBytes = file.size() - headerBytes - END_MARK_BYTES;
    const name = segmentName(this.#nextBatch);
    const header = {
      index: this.#segments.length + 1,
      firstBatch: this.#nextBatch,
      segmentBytes: file.size(),
      journalId: this.#journalId,
      heads: new Map(this.#heads),
    };
    try {
      await file.write(encodeHeader(header), 0);
      await file.datasync();
      await this.files.rename(join(this.folder, PREPARED_NAME), join(this.folder, name));
      await this.files.syncFolder(this.folder);
      await this.#endSegment();
    } catch (cause) {
      await file.close();
      throw cause;
    }
    this.#file = file;
    this.#fileBytes = header.segmentBytes;
    this.#offset = headerBytes;
    this.#segments.push({ name, header: { ...header, headerBytes } });
  }

  async #endSegment(): Promise<void> {
    const former = this.#file;
    if (former === undefined) return;
    await former.write(encodeEndMark(this.#nextBatch, this.#journalId), this.#offset);
    await former.datasync();
    await former.close();
  }

  /** Bytes that batches may still take in the last segment. */
  #freeBytes(): number {
    return this.#fileBytes - END_MARK_BYTES - this.#offset;
  }

  #current(): OpenFile {
    assert(this.#file !== undefined, 'an open journal has a segment to write to');
    return this.#file;
  }
}
