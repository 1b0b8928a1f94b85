/**
 * The file system as the journal and the key store use it. Production uses `nodeFiles`; tests use a layer that forgets what was not
 * flushed, tears writes and fails on demand.
 */
export interface FileLayer {
  /** `create` fails when the file exists, the others when it does not. */
  open(path: string, mode: 'create' | 'write'): Promise<OpenFile>;
  /** Reads synchronously, so that the journal can be iterated: the whole file, or at most its first bytes. */
  read(path: string, bytesLimit?: number): Uint8Array;
  /** Offset behind the last byte that is not zero. Takes no memory of the file's size. */
  contentBytes(path: string): number;
  /** Size in bytes. */
  size(path: string): number;
  /** Bytes that the file system of the folder has left for this process. */
  freeBytes(folder: string): number;
  /** Names in the folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  makeFolder(folder: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in the folder durable. */
  syncFolder(folder: string): Promise<void>;
}

export interface OpenFile {
  readonly path: string;
  size(): number;
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Grows the file to the size with zeros that are allocated on the disk now, not when they are overwritten. */
  allocate(bytes: number): Promise<void>;
  /** Resolves when all that was written is on the disk. After a failure nothing about the data is known. */
  datasync(): Promise<void>;
  close(): Promise<void>;
}
