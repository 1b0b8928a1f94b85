import { closeSync, fstatSync, openSync, readSync, statfsSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { limits } from '../limits.js';
import type { FileLayer, OpenFile } from './file-layer.js';
import { endOfContent } from './zeros.js';

/** Size of the buffer that is used for each read: memory that is touched for the first time costs more than all else. */
const looked = Buffer.alloc(limits.allocationStepBytes);
const lastStep = (bytes: number): number => Math.floor(Math.max(bytes - 1, 0) / looked.length) * looked.length;

const zeros = new Uint8Array(limits.allocationStepBytes);

/** The file system of the machine. */
export const nodeFiles: FileLayer = {
  async open(path, mode) {
    return new NodeFile(path, await open(path, mode === 'create' ? 'wx+' : 'r+'));
  },
  read: readFile,
  contentBytes,
  size: (path) => statSync(path).size,
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
  list: async (folder) => (await readdir(folder)).sort(),
  async makeFolder(folder) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  },
  rename,
  remove: (path) => rm(path),
  async syncFolder(folder) {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

class NodeFile implements OpenFile {
  constructor(
    readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  size(): number {
    return fstatSync(this.handle.fd).size;
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const step = await this.handle.write(bytes, written, bytes.length - written, position + written);
      written += step.bytesWritten;
    }
  }

  /** Node has no `fallocate`, and a hole would be refused only when it is filled. So the zeros are written. */
  async allocate(bytes: number): Promise<void> {
    for (let at = this.size(); at < bytes; at += zeros.length) {
      await this.write(zeros.subarray(0, Math.min(zeros.length, bytes - at)), at);
      await this.handle.datasync();
    }
  }

  async datasync(): Promise<void> {
    await this.handle.datasync();
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

function contentBytes(path: string): number {
  const descriptor = openSync(path, 'r');
  try {
    for (let from = lastStep(fstatSync(descriptor).size); from >= 0; from -= looked.length) {
      const read = readSync(descriptor, looked, 0, looked.length, from);
      const end = endOfContent(looked.subarray(0, read), 0);
      if (end > 0) return from + end;
    }
    return 0;
  } finally {
    closeSync(descriptor);
  }
}

function readFile(path: string, bytesLimit = Number.POSITIVE_INFINITY): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafeSlow(Math.min(fstatSync(descriptor).size, bytesLimit));
    let filled = 0;
    while (filled < bytes.length) {
      const step = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
      if (step === 0) break;
      filled += step;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}
