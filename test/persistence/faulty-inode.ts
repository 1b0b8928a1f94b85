import type { Random } from '../random.js';

export const SECTOR_BYTES = 512;

interface Write {
  readonly bytes: Buffer;
  readonly position: number;
}

let inodes = 0;

/** The content of a file: what a process sees, what the disk has, and what lies between them. */
export class Inode {
  readonly id = ++inodes;
  #seen: Buffer = Buffer.alloc(0);
  #onDisk: Buffer = Buffer.alloc(0);
  #unflushed: readonly Write[] = [];

  bytes(): Buffer {
    return this.#seen;
  }

  write(bytes: Buffer, position: number): void {
    this.#seen = written(this.#seen, { bytes, position });
    this.#unflushed = [...this.#unflushed, { bytes, position }];
  }

  /** The writes that a flush which begins now covers. */
  unflushed(): readonly Write[] {
    return this.#unflushed;
  }

  flush(covered: readonly Write[]): void {
    for (const write of covered) this.#onDisk = written(this.#onDisk, write);
    this.forget(covered);
  }

  /** A failed flush: the pages count as clean and are not on the disk. */
  forget(covered: readonly Write[]): void {
    this.#unflushed = this.#unflushed.filter((write) => !covered.includes(write));
  }

  /** After a power cut: each sector of an unflushed write is the new or the old one. */
  tear(random: Random): void {
    const mood = random.below(4);
    for (const { bytes, position } of this.#unflushed) {
      const end = position + bytes.length;
      for (let at = position; at < end; ) {
        const sectorEnd = Math.min((Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES, end);
        const isNew = mood === 0 || (mood > 1 && random.below(mood) === 0);
        if (isNew) this.#onDisk = written(this.#onDisk, { bytes: bytes.subarray(at - position, sectorEnd - position), position: at });
        at = sectorEnd;
      }
    }
    this.#unflushed = [];
    this.#seen = Buffer.from(this.#onDisk);
  }

  flip(offset: number): void {
    for (const bytes of [this.#seen, this.#onDisk]) bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset);
  }

  truncate(bytes: number): void {
    this.#seen = Buffer.from(this.#seen.subarray(0, bytes));
    this.#onDisk = Buffer.from(this.#onDisk.subarray(0, bytes));
  }
}

function written(content: Buffer, { bytes, position }: Write): Buffer {
  const size = Math.max(content.length, position + bytes.length);
  const grown = size === content.length ? content : Buffer.concat([content, Buffer.alloc(size - content.length)]);
  bytes.copy(grown, position);
  return grown;
}
