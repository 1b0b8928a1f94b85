import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'tap';
import { tempFolder } from '../temp-folder.js';
import { Service } from './service.js';

test('threads that collect garbage go behind the one that answers', { skip: process.platform !== 'linux' && 'of Linux' }, async (t) => {
  const service = await Service.start(tempFolder(t));
  t.teardown(() => service.stop());
  const threads = readdirSync(`/proc/${service.pid}/task`).map(Number);
  const behind = threads.filter((thread) => niceOf(service.pid, thread) > niceOf(service.pid, service.pid));
  t.ok(behind.length >= 4, `${behind.length} of ${threads.length} threads are behind`);
});

/** The 19th field of `/proc/PID/stat`; the second, the name, may hold anything. */
function niceOf(pid: number, thread: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}
