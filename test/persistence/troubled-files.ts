import { nodeFiles, type FileLayer, type OpenFile } from '../../persistence/index.js';
import { failure } from './faults.js';

/** The machine's file system on a disk that can be slow or full. */
export class TroubledFiles implements FileLayer {
  /** What a flush takes more than it does, in milliseconds. */
  flushMs = 0;
  /** Flushes that were begun. */
  flushes = 0;
  #hanging: Promise<void> | null = null;
  /** While true nothing that is new finds a place. */
  isFull = false;

  readonly read = nodeFiles.read;
  readonly contentBytes = nodeFiles.contentBytes;
  readonly size = nodeFiles.size;
  readonly list = nodeFiles.list;
  readonly makeFolder = nodeFiles.makeFolder;
  readonly rename = nodeFiles.rename;
  readonly remove = nodeFiles.remove;
  readonly syncFolder = nodeFiles.syncFolder;

  freeBytes(folder: string): number {
    return this.isFull ? 0 : nodeFiles.freeBytes(folder);
  }

  /** No flush ends from now on until the answer is called. */
  hang(): () => void {
    let release: () => void = () => undefined;
    this.#hanging = new Promise((resolve) => (release = resolve));
    return () => {
      this.#hanging = null;
      release();
    };
  }

  async open(path: string, mode: 'create' | 'write'): Promise<OpenFile> {
    const file = await nodeFiles.open(path, mode);
    return {
      path,
      size: () => file.size(),
      write: (bytes, position) => file.write(bytes, position),
      allocate: async (bytes) => {
        if (this.isFull) throw failure('ENOSPC', path);
        await file.allocate(bytes);
      },
      datasync: async () => {
        this.flushes += 1;
        await this.#hanging;
        if (this.flushMs > 0) await new Promise((resolve) => setTimeout(resolve, this.flushMs));
        await file.datasync();
      },
      close: () => file.close(),
    };
  }
}
