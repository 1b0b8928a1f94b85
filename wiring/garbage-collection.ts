import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** Below that of the thread that answers: where there are fewer processors than threads, it gets three times as much of them. */
const NICE = 5;
const LEAST = 19;

let isArranged = false;

/**
 * How V8 collects garbage. The threads with which it does, and with which libuv writes files, mark the heap and go behind the thread that
 * answers. Once for a process, before it has threads of its own.
 */
export function arrangeCollection(): void {
  if (isArranged) return;
  isArranged = true;
  beginYoung();
  leaveMarkingToHelpers();
  putHelpersBehind();
}

/**
 * Where objects outlived two collections, as those of loans that are kept do, V8 would allocate later ones among the old. Those of loans
 * that are read in passing then stay until it collects the whole heap, with all that they refer to: a third of what a read allocates.
 */
const beginYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');

/**
 * The thread that answers marks a part of the heap when something is allocated, and no longer between its tasks as well: with the heap of a
 * million loans that was step behind step of 20 ms, for two seconds.
 */
const leaveMarkingToHelpers = (): void => setFlagsFromString('--no-incremental-marking-task');

/**
 * On two processors a full collection with four threads would hold up the one that answers for a quarter of a second. On Linux a nice value
 * belongs to a thread, not to its process (setpriority(2)); on other systems nothing changes.
 */
function putHelpersBehind(): void {
  if (process.platform !== 'linux') return;
  // Not where this is not mounted, or shows the ids of another container.
  if (!existsSync('/proc/self/task') || readlinkSync('/proc/self') !== String(process.pid)) return;
  const nice = Math.min(getPriority(process.pid) + NICE, LEAST);
  for (const thread of readdirSync('/proc/self/task')) if (Number(thread) !== process.pid) setNice(Number(thread), nice);
}

function setNice(thread: number, nice: number): void {
  try {
    setPriority(thread, nice);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_SYSTEM_ERROR')) throw cause;
    // It has ended meanwhile, or the system does not allow it: then it stays as it is.
  }
}
