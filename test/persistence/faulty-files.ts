import { basename, dirname } from 'node:path';
import type { FileLayer, OpenFile } from '../../persistence/index.js';
import type { FaultyDisk } from './faulty-disk.js';
import { endOfContent } from '../../persistence/files/zeros.js';
import { asBuffer } from '../../persistence/journal/format.js';
import { failure, ProcessEnded } from './faults.js';
import { Inode, SECTOR_BYTES } from './faulty-inode.js';

/** A faulty disk in the hands of one process. */
export class FaultyFiles implements FileLayer {
  constructor(
    private readonly disk: FaultyDisk,
    private readonly life: number,
  ) {}

  /** Whether the process still runs. */
  get isAlive(): boolean {
    return this.disk.isCurrent(this.life);
  }

  async open(path: string, mode: 'create' | 'write'): Promise<OpenFile> {
    await this.disk.begin(this.life);
    if (mode === 'create') {
      if (this.disk.names.has(path)) throw failure('EEXIST', path);
      const inode = new Inode();
      this.disk.changeNames(path, (names) => names.set(path, inode));
    }
    return new FaultyFile(path, this.disk, this.life);
  }

  read(path: string, bytesLimit = Number.POSITIVE_INFINITY): Uint8Array {
    this.disk.assertAlive(this.life);
    return Uint8Array.from(this.disk.inode(path).bytes().subarray(0, bytesLimit));
  }

  contentBytes(path: string): number {
    return endOfContent(asBuffer(this.read(path)), 0);
  }

  size(path: string): number {
    this.disk.assertAlive(this.life);
    return this.disk.inode(path).bytes().length;
  }

  freeBytes(): number {
    this.disk.assertAlive(this.life);
    return this.disk.freeBytes();
  }

  async list(folder: string): Promise<readonly string[]> {
    await this.disk.begin(this.life);
    return [...this.disk.names.keys()]
      .filter((path) => dirname(path) === folder)
      .map((path) => basename(path))
      .sort();
  }

  makeFolder(): Promise<void> {
    return this.disk.begin(this.life);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.disk.begin(this.life, 'rename', from);
    const inode = this.disk.inode(from);
    this.disk.changeNames(from, (names) => {
      names.delete(from);
      names.set(to, inode);
    });
  }

  async remove(path: string): Promise<void> {
    await this.disk.begin(this.life);
    this.disk.inode(path);
    this.disk.changeNames(path, (names) => names.delete(path));
  }

  async syncFolder(folder: string): Promise<void> {
    await this.disk.begin(this.life, 'syncFolder', folder);
    this.disk.flushNames(folder);
  }
}

class FaultyFile implements OpenFile {
  readonly #inode: Inode;

  constructor(
    readonly path: string,
    private readonly disk: FaultyDisk,
    private readonly life: number,
  ) {
    this.#inode = disk.inode(path);
  }

  size(): number {
    this.disk.assertAlive(this.life);
    return this.#inode.bytes().length;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    const copy = Buffer.from(bytes);
    try {
      await this.disk.begin(this.life, 'write', this.disk.nameOf(this.#inode));
      if (this.disk.freeBytes() < position + copy.length - this.size()) throw failure('ENOSPC', this.path);
    } catch (cause) {
      if (!(cause instanceof ProcessEnded)) this.#writeBeginning(copy, position);
      throw cause;
    }
    this.#write(copy, position);
    await this.disk.begin(this.life);
  }

  async allocate(bytes: number): Promise<void> {
    await this.disk.begin(this.life, 'allocate', this.disk.nameOf(this.#inode));
    const missing = bytes - this.size();
    if (this.disk.freeBytes() < missing) throw failure('ENOSPC', this.path);
    this.#inode.write(Buffer.alloc(missing), this.size());
    this.#inode.flush(this.#inode.unflushed());
  }

  async datasync(): Promise<void> {
    const covered = this.#inode.unflushed();
    const begun = this.disk.trace.nextIndex;
    try {
      await this.disk.begin(this.life, 'datasync', this.disk.nameOf(this.#inode));
    } catch (cause) {
      if (!(cause instanceof ProcessEnded)) this.#inode.forget(covered);
      throw cause;
    }
    this.#inode.flush(covered);
    this.disk.trace.add({ type: 'flushed', file: this.#inode.id, begun });
    await this.disk.begin(this.life);
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }

  /** A write that fails has often written its beginning, as far as to the end of a sector. */
  #writeBeginning(bytes: Buffer, position: number): void {
    const end = Math.floor((position + this.disk.random.below(bytes.length)) / SECTOR_BYTES) * SECTOR_BYTES;
    if (end > position) this.#write(bytes.subarray(0, end - position), position);
  }

  #write(bytes: Buffer, position: number): void {
    this.#inode.write(bytes, position);
    this.disk.trace.add({ type: 'written', file: this.#inode.id, path: this.disk.nameOf(this.#inode), position, bytes });
  }
}
