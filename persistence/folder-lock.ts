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
    /** As its process wrote it down; it may have been written in another container. */
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

/** Open for as long as they lock: a file handle that nobody holds is closed by the garbage collector. */
const held = new Set<FileHandle>();

const LOCK_NAME = 'lock';
/** Exit status of `flock --nonblock` when somebody else holds the lock. */
const HELD = 1;

/**
 * Makes this process the only one that works on the folder. The kernel holds the lock for the open file and drops it when the
 * process ends, however it ends: there is no stale lock to judge, no process id that could have been given
 * away again, and it works between containers that share the folder.
 *
 * Node has no call for `flock(2)`, so the program of that name (util-linux, on every Debian) asks for it on the
 * descriptor that it inherits. A lock belongs to the open file, which is also this process's: it stays after the program's end.
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
  let status: unknown;
  try {
    [status] = (await once(program, 'close')) as [unknown];
  } catch (cause) {
    throw new LockUnavailable(folder, cause);
  }
  if (status !== 0 && status !== HELD) throw new LockUnavailable(folder, complaint.trim() || `flock ended with ${String(status)}`);
  return status === 0;
}

/**
 * Opens something in the folder, or in one beside it while a process that does not end yet holds it: for what can be computed again. The
 * folder is locked until `unlock` is called, or until the opening fails: it is tried again.
 */
export async function inFolderOrBeside<T>(
  wanted: string,
  name: string,
  open: (folder: string, unlock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { folder, lock } = await lockFolderOrBeside(wanted, name);
  try {
    return await open(folder, () => lock.release());
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
