import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { PersistenceError } from '../errors.js';

interface Trouble {
  /** What is wrong with the path; follows its name in the message. */
  readonly is: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Meanings of the system's error codes, for the user who named the path. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  ENOENT: { is: 'does not exist', remedy: 'Check the path' },
  EISDIR: { is: 'is a folder, not a file', remedy: 'Name a file, or move the folder away' },
  ENOTDIR: { is: 'leads through a file, where a folder should be', remedy: 'Name another path, or move that file away' },
  EEXIST: { is: 'is there already and is no folder', remedy: 'Name another path, or move it away' },
  ENOTEMPTY: { is: 'is a folder that is not empty', remedy: 'Name another path, or empty the folder' },
  EACCES: {
    is: 'may not be used by the user that runs this',
    remedy: 'Give that user the right to read and write it, with chown or chmod',
  },
  EPERM: { is: 'may not be used by the user that runs this', remedy: 'Give that user the right to read and write it, with chown or chmod' },
  EROFS: { is: 'lies on a file system that is mounted for reading alone', remedy: 'Mount it for writing, or name another path' },
  ENOSPC: { is: 'lies on a disk that is full', remedy: 'Free some of the disk' },
  EDQUOT: { is: 'lies on a disk of which this user may use no more', remedy: 'Raise the quota, or free some of the disk' },
  EMFILE: { is: 'cannot be opened, since this process has too many files open', remedy: 'Raise the limit: ulimit -n' },
  ENFILE: { is: 'cannot be opened, since the machine has too many files open', remedy: 'Raise the limit: sysctl fs.file-max' },
  ELOOP: { is: 'is a link that leads back to itself', remedy: 'Mend the link, or name another path' },
  ENAMETOOLONG: { is: 'is longer than the file system allows', remedy: 'Name a shorter path' },
  EBUSY: { is: 'is in use by the system', remedy: 'Name another path' },
  EIO: { is: 'cannot be read or written: the disk reports an error', remedy: 'Look at the log of the kernel, and at the disk' },
};

/** A file or folder cannot be used. The message says what it is for, its path, what is wrong with it, and what to do. */
export class PathUnusable extends PersistenceError {
  readonly code = 'pathUnusable';
  readonly helps = 'operator';

  constructor(
    /** What the path is for: `the master key`. */
    what: string,
    readonly path: string,
    cause: NodeJS.ErrnoException,
  ) {
    const { is, remedy } = TROUBLES[cause.code ?? ''] ?? { is: `cannot be used (${cause.code ?? 'no code'})`, remedy: 'Check the path' };
    super(`${what} cannot be opened: ${path} ${is}. ${remedy}.`, { cause });
  }
}

/** Faults of reading and writing that the system reports without a path. */
const WITHOUT_PATH: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** What a code of the system says of a file that it does not name, and what to do about it; null where it says nothing of files. */
export function troubleWithoutPath(code: string): string | null {
  const trouble = WITHOUT_PATH.has(code) ? TROUBLES[code] : undefined;
  return trouble === undefined ? null : `A file that the command uses ${trouble.is}. ${trouble.remedy}.`;
}

/** Whether it is an error of a system call on a file: it has a call and a code. */
export const isSystemError = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && 'syscall' in cause && 'errno' in cause && 'code' in cause && typeof cause.code === 'string';

/** Throws `PathUnusable` where there is no file to read. */
export function assertReadable(what: string, path: string): void {
  atPath(what, path, () => {
    const file = openSync(path, 'r');
    try {
      readSync(file, Buffer.alloc(1), 0, 1, 0); // a folder can be opened, and not be read
    } finally {
      closeSync(file);
    }
  });
}

/** Throws `PathUnusable` where a file cannot be written. Call it before the work whose result goes there. */
export function assertWritable(what: string, path: string): void {
  atPath(what, path, () => {
    const isNew = !existsSync(path);
    closeSync(openSync(path, 'a'));
    if (isNew) rmSync(path);
  });
}

/**
 * Runs a function that opens, reads or writes a file or folder. Where the operating system refuses it, the error names `what`, the path and
 * the fault. A path in the system's own error is more exact and replaces `path`. Throws `PathUnusable`, and all else that `run` throws.
 */
export function atPath<T>(what: string, path: string, run: () => Promise<T>): Promise<T>;
export function atPath<T>(what: string, path: string, run: () => T): T;
export function atPath(what: string, path: string, run: () => unknown): unknown {
  const refused = (cause: unknown): never => {
    throw isSystemError(cause) ? new PathUnusable(what, cause.path ?? path, cause) : cause;
  };
  try {
    const result = run();
    return result instanceof Promise ? result.catch(refused) : result;
  } catch (cause) {
    return refused(cause);
  }
}

/** Bytes of the files of a folder, without those of folders in it; a file that is removed meanwhile does not count. */
export async function folderBytes(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return found?.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes that the file system of a folder has left for this process. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
