import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, PersistenceError } from './errors.js';
import { atPath } from './files/path-unusable.js';

/** Another process works on the folder. */
export class FolderLocked extends PersistenceError {
  readonly code = 'folderLocked';
  readonly helps = 'operator';

  constructor(
    readonly folder: string,
    /** Process id that the holder wrote into the file; it may belong to another container. */
    readonly holder: string,
  ) {
    super(`the data folder ${folder} is in use by the process ${holder}: stop it, or give this one a folder of its own`);
  }
}

/** The folder cannot be locked at all: no `flock` program, or a file system without locks. */
class LockUnavailable extends PersistenceError {
  readonly code = 'lockUnavailable';
  readonly helps = 'operator';

  constructor(folder: string, cause: unknown) {
    super(`the data folder ${folder} cannot be locked: ${describe(cause)}`, { cause });
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

/** Keeps the handles of locks referenced: the garbage collector closes a handle that nothing references. */
const held = new Set<FileHandle>();

const LOCK_NAME = 'lock';
/** Exit status of `flock --nonblock` when somebody else holds the lock. */
const HELD = 1;

/**
 * Makes this process the only one that works on the folder. The kernel holds the lock for the open file and drops it when the process ends,
 * in whatever way. So there are no stale locks and no reused process ids to consider, and it works between containers that share the
 * folder.
 *
 * Node has no call for `flock(2)`, so the program of that name (util-linux, on every Debian) takes the lock on a descriptor that it
 * inherits. The lock belongs to the open file, which this process keeps open, so it stays after the program's end.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = await atPath('the data folder', folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return open(join(folder, LOCK_NAME), 'a+', 0o600);
  });
  try {
    if (!(await tryLock(file, folder))) throw new FolderLocked(folder, (await file.readFile('latin1')).trim() || 'unknown');
    await file.truncate(0);
    await file.write(`${process.pid}\n`);
  } catch (cause) {
    await file.close();
    throw cause;
  }
  held.add(file);
  return {
    async release() {
      held.delete(file);
      await file.close();
    },
  };
}

async function tryLock(file: FileHandle, folder: string): Promise<boolean> {
  const program = spawn('flock', ['--exclusive', '--nonblock', '3'], { stdio: ['ignore', 'ignore', 'pipe', file.fd] });
  let complaint = '';
  program.stderr?.on('data', (text: Buffer) => (complaint += text.toString()));
  let ended: readonly unknown[];
  try {
    ended = await once(program, 'close');
  } catch (cause) {
    throw new LockUnavailable(folder, cause);
  }
  const [status] = ended;
  if (status !== 0 && status !== HELD) throw new LockUnavailable(folder, complaint.trim() || `flock ended with ${String(status)}`);
  return status === 0;
}

/**
 * Opens something in the folder, or in one beside it while a process that has not ended yet holds the folder: for data that can be computed
 * again. The folder is locked until `unlock` is called, or until the opening fails.
 */
export async function inFolderOrBeside<T>(
  wanted: string,
  name: string,
  openIn: (folder: string, unlock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { folder, lock } = await lockFolderOrBeside(wanted, name);
  try {
    return await openIn(folder, () => lock.release());
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}

async function lockFolderOrBeside(wanted: string, name: string): Promise<{ readonly folder: string; readonly lock: FolderLock }> {
  try {
    return { folder: wanted, lock: await lockFolder(wanted) };
  } catch (cause) {
    if (!(cause instanceof FolderLocked)) throw cause;
    const folder = `${wanted}.${name}`;
    return { folder, lock: await lockFolder(folder) };
  }
}
