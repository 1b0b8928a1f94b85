import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '../../engine/index.js';
import type { FileLayer, OpenFile } from '../files/file-layer.js';
import { nodeFiles } from '../files/node-files.js';
import { endOfContent } from '../files/zeros.js';
import { asBuffer } from '../journal/format.js';
import { limits } from '../limits.js';
import { FILE_NAME, KeyFileDamaged } from './errors.js';
import {
  decodeHeader,
  decodeSlot,
  encodeHeader,
  encodeSlot,
  HEADER_BYTES,
  type KeyHeader,
  OWNER_AT,
  OWNER_LENGTH_AT,
  type Slot,
  SLOT_BYTES,
  slotType,
  type StoredKeyHeader,
} from './key-slots.js';
import type { OwnerBytes } from './owner-index.js';

/** A crash in the very first flush may leave some of the first slots out. */
const FIRST_SLOTS = 1_024;

const NEXT_NAME = `${FILE_NAME}.next`;

/** The header of a key file, and whether it is in use. */
export interface KeyFileMark {
  readonly journalId: Buffer | null;
  /** Whether it has ever held a key. */
  readonly isUsed: boolean;
}

/** Null where there is none. Changes nothing. Throws `KeyFileDamaged`. */
export async function readKeyFileMark(folder: string, files: FileLayer = nodeFiles): Promise<KeyFileMark | null> {
  const path = join(folder, FILE_NAME);
  if (!existsSync(folder) || !(await files.list(folder)).includes(FILE_NAME)) return null;
  const bytes = asBuffer(files.read(path, HEADER_BYTES + FIRST_SLOTS * SLOT_BYTES));
  const header = decodeHeader(bytes);
  if (typeof header === 'string') throw new KeyFileDamaged(path, 0, header);
  return { journalId: header.journalId, isUsed: usedSlots(bytes) > 0 };
}

/** The file of slots with its image in memory, off the heap: 128 MB for a million persons. */
export class KeyFile implements OwnerBytes {
  readonly path: string;
  #image: Buffer;
  #slotCount: number;
  /** Slots that may not be on the disk yet. */
  #unflushed = new Set<number>();
  #isNameDurable = false;
  /** Number of slots that are allocated on the disk, used or free. */
  #placedSlots: number;
  #growing: Promise<void> | null = null;
  #growthFault: unknown = null;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #header: StoredKeyHeader;
  #headerWritten: Promise<void> = Promise.resolve();

  private constructor(
    private readonly files: FileLayer,
    private readonly folder: string,
    private readonly file: OpenFile,
    header: StoredKeyHeader,
    image: Buffer,
    private readonly slotsAhead: number,
  ) {
    this.path = join(folder, FILE_NAME);
    this.#image = image;
    this.#header = header;
    this.#placedSlots = Math.floor((file.size() - HEADER_BYTES) / SLOT_BYTES);
    this.#slotCount = usedSlots(image);
  }

  get header(): KeyHeader {
    return this.#header;
  }

  /** Opens the folder's file; undefined when there is none yet. Throws `KeyFileDamaged`. */
  static async open(files: FileLayer, folder: string, slotsAhead: number): Promise<KeyFile | undefined> {
    await shredUnfinished(files, folder);
    if (!(await files.list(folder)).includes(FILE_NAME)) return undefined;
    const path = join(folder, FILE_NAME);
    const bytes = asBuffer(files.read(path));
    const header = decodeHeader(bytes);
    if (typeof header === 'string') throw new KeyFileDamaged(path, 0, header);
    if (bytes.length < header.grownBytes)
      throw new KeyFileDamaged(path, bytes.length, `the file was cut: it had ${header.grownBytes} bytes, and ends`);
    return new KeyFile(files, folder, await files.open(path, 'write'), header, wholeSlots(bytes), slotsAhead);
  }

  /** Writes a file of these slots and gives it the name. A former one is to be erased after the next `flush`. */
  static async replace(files: FileLayer, folder: string, head: KeyHeader, slots: readonly Slot[], slotsAhead: number): Promise<KeyFile> {
    const image = Buffer.alloc(HEADER_BYTES + (slots.length + slotsAhead) * SLOT_BYTES);
    const header = { ...head, grownBytes: image.length };
    encodeHeader(header).copy(image);
    for (const [index, slot] of slots.entries()) if ('owner' in slot) encodeSlot(slotOf(image, index), slot);

    await shredUnfinished(files, folder);
    const file = await files.open(join(folder, NEXT_NAME), 'create');
    try {
      await file.write(image, 0);
      await file.datasync();
      await files.rename(join(folder, NEXT_NAME), join(folder, FILE_NAME));
    } catch (cause) {
      await file.close();
      throw cause;
    }
    return new KeyFile(files, folder, file, header, image, slotsAhead);
  }

  /** Whether there are allocated slots for new keys, so that a full disk cannot fail their flush. */
  hasRoom(): boolean {
    return this.#freeSlots >= Math.min(this.slotsAhead / 4, limits.keySlotsFree);
  }

  /** Records the journal of the keys, durably. */
  async belongTo(journalId: Buffer): Promise<void> {
    this.#header = { ...this.#header, journalId };
    await this.#writeHeader();
  }

  get #freeSlots(): number {
    return this.#placedSlots - this.#slotCount;
  }

  /** Grows the file in the background where few slots are left, and tries a full disk again at intervals. */
  growAhead(): void {
    if (this.#growing !== null || this.#isClosed || this.#freeSlots >= this.slotsAhead / 2) return;
    clearTimeout(this.#retry);
    this.#growing = this.#grow().then(
      () => {
        [this.#growing, this.#growthFault] = [null, null];
        this.growAhead();
      },
      (cause: unknown) => {
        [this.#growing, this.#growthFault] = [null, cause]; // a flush that needs the room throws it
        if (!this.#isClosed) this.#retry = setTimeout(() => this.growAhead(), limits.allocationRetryMs).unref();
      },
    );
  }

  /** The new slots are on the disk before the header counts on them. */
  async #grow(): Promise<void> {
    const slots = this.#slotCount + this.slotsAhead;
    const grownBytes = HEADER_BYTES + slots * SLOT_BYTES;
    await this.file.allocate(grownBytes);
    await this.file.datasync();
    this.#header = { ...this.#header, grownBytes: Math.max(grownBytes, this.#header.grownBytes) };
    await this.#writeHeader();
    this.#placedSlots = Math.max(slots, this.#placedSlots);
  }

  /** One after the other: the last to be written is the newest. */
  #writeHeader(): Promise<void> {
    const written = this.#headerWritten.then(async () => {
      await this.file.write(encodeHeader(this.#header), 0);
      await this.file.datasync();
    });
    this.#headerWritten = written.catch(() => undefined); // the returned promise reports the failure
    return written;
  }

  get slotCount(): number {
    return this.#slotCount;
  }

  get image(): Uint8Array {
    return this.#image;
  }

  slot(index: number): Slot {
    return decodeSlot(slotOf(this.#image, index));
  }

  typeOf(index: number): Slot['type'] {
    return slotType(slotOf(this.#image, index));
  }

  ownerAt(index: number): number {
    return HEADER_BYTES + index * SLOT_BYTES + OWNER_AT;
  }

  ownerLength(index: number): number {
    return this.#image[HEADER_BYTES + index * SLOT_BYTES + OWNER_LENGTH_AT] ?? 0;
  }

  /** Adds a slot behind the others; it is on the disk once `flush` has resolved. */
  add(slot: Extract<Slot, { readonly owner: string }>): number {
    const index = this.#slotCount;
    const needed = HEADER_BYTES + (index + 1) * SLOT_BYTES;
    if (this.#image.length < needed) {
      const larger = Buffer.alloc(Math.max(needed, this.#image.length * 2));
      this.#image.copy(larger);
      this.#image = larger;
    }
    this.#slotCount += 1;
    this.set(index, slot);
    this.growAhead();
    return index;
  }

  /** Copies what was changed in the former file since its slots were copied. */
  carryOver(former: KeyFile, convert: (slot: Slot) => Slot): void {
    for (const index of [...former.#unflushed].sort((a, b) => a - b)) {
      const slot = convert(former.slot(index));
      if (!('owner' in slot)) continue;
      if (index < this.#slotCount) this.set(index, slot);
      else assert(this.add(slot) === index, 'slots keep their places');
    }
  }

  set(index: number, slot: Extract<Slot, { readonly owner: string }>): void {
    encodeSlot(slotOf(this.#image, index), slot);
    this.#unflushed.add(index);
  }

  /**
   * Writes and flushes all that has changed. After a failure the next flush writes the same slots again: only flushing would not be enough,
   * since the failed flush may have dropped their pages.
   */
  async flush(): Promise<void> {
    const taken = this.#unflushed;
    this.#unflushed = new Set();
    try {
      if (taken.size > 0) {
        await this.#placeAll();
        await this.#writeSlots(taken);
      }
      if (!this.#isNameDurable) await this.files.syncFolder(this.folder);
      this.#isNameDurable = true;
    } catch (cause) {
      for (const index of taken) this.#unflushed.add(index);
      throw cause;
    }
  }

  /** Empties a slot that holds no key. */
  clear(index: number): void {
    slotOf(this.#image, index).fill(0);
    this.#unflushed.add(index);
  }

  /**
   * Makes what was found on opening durable before anything depends on it: after a kill or a failed flush the last slots may be only in the
   * page cache, so they are written once more.
   */
  async settle(): Promise<void> {
    for (let index = Math.max(0, this.#slotCount - limits.settledKeySlots); index < this.#slotCount; index += 1) this.#unflushed.add(index);
    await this.flush();
  }

  async close(): Promise<void> {
    await this.#endGrowth();
    await this.file.close();
  }

  /** Overwrites and closes a file that another one has replaced, so that its bytes are gone as far as a file system allows it. */
  async erase(): Promise<void> {
    await this.#endGrowth();
    await overwrite(this.file);
  }

  async #endGrowth(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#growing;
  }

  /** Slots that are not allocated wait until the file has grown, so that writing them cannot find the disk full. */
  async #placeAll(): Promise<void> {
    while (this.#slotCount > this.#placedSlots) {
      this.growAhead();
      await this.#growing;
      if (this.#growthFault !== null) throw this.#growthFault;
    }
  }

  async #writeSlots(indexes: ReadonlySet<number>): Promise<void> {
    for (const [first, count] of runsOf(indexes)) {
      const from = HEADER_BYTES + first * SLOT_BYTES;
      // A copy, since slots may change in memory during the write.
      await this.file.write(Buffer.from(this.#image.subarray(from, from + count * SLOT_BYTES)), from);
    }
    await this.file.datasync();
  }
}

function slotOf(image: Buffer, index: number): Buffer {
  const from = HEADER_BYTES + index * SLOT_BYTES;
  return image.subarray(from, from + SLOT_BYTES);
}

/** Index behind the last slot that was ever used. */
function usedSlots(image: Buffer): number {
  return Math.ceil((endOfContent(image, HEADER_BYTES) - HEADER_BYTES) / SLOT_BYTES);
}

/** The bytes, with an incomplete last slot filled up by zeros. */
function wholeSlots(bytes: Buffer): Buffer {
  const missing = (SLOT_BYTES - ((bytes.length - HEADER_BYTES) % SLOT_BYTES)) % SLOT_BYTES;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

/** Runs of neighbors: [first, count]. */
function runsOf(indexes: ReadonlySet<number>): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === index) last[1] += 1;
    else runs.push([index, 1]);
  }
  return runs;
}

/** Overwrites and removes the files of an interrupted replacement. */
async function shredUnfinished(files: FileLayer, folder: string): Promise<void> {
  if (!(await files.list(folder)).includes(NEXT_NAME)) return;
  await overwrite(await files.open(join(folder, NEXT_NAME), 'write'));
  await files.remove(join(folder, NEXT_NAME));
  await files.syncFolder(folder);
}

async function overwrite(file: OpenFile): Promise<void> {
  try {
    await file.write(Buffer.alloc(file.size()), 0);
    await file.datasync();
  } finally {
    await file.close();
  }
}
