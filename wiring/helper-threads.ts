import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Below that of the thread that answers: where there are fewer processors than threads, it gets three times as much of them. */
const NICE = 5;
const LEAST = 19;

let areBehind = false;

/**
 * The threads with which V8 collects garbage and libuv writes files go behind the one that answers: on two processors a full collection
 * with four threads would hold it up for a quarter of a second. On Linux a nice value belongs to a thread, not to its process
 * (setpriority(2)); on other systems nothing changes. Once for a process, before it has threads of its own.
 */
export function putHelpersBehind(): void {
  if (areBehind || process.platform !== 'linux') return;
  areBehind = true;
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
