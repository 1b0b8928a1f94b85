import { execFileSync } from 'node:child_process';
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

test('objects of code whose objects have outlived collections begin among the young all the same', (t) => {
  const module = new URL('../../wiring/garbage-collection.js', import.meta.url).href;
  const text = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', keepsThenPasses(module)], {
    encoding: 'utf8',
  });
  const { grown } = JSON.parse(text) as { readonly grown: number };
  t.ok(grown < 2_000_000, `the old space has grown by ${grown} bytes`);
  t.end();
});

/** Keeps many objects, then makes more of the same and keeps none: prints how much the space of old objects has grown meanwhile. */
const keepsThenPasses = (module: string): string => `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { arrangeCollection } from ${JSON.stringify(module)};
  arrangeCollection();
  const loan = (id) => ({ id, facts: [{ id }, { id }], parts: { id, name: { id } } });
  const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;
  const kept = [];
  for (let id = 0; id < 500_000; id += 1) kept.push(loan(id));
  globalThis.gc();
  const before = old();
  let facts = 0;
  for (let id = 0; id < 1_000_000; id += 1) facts += loan(id).facts.length;
  const grown = old() - before;
  console.log(JSON.stringify({ grown, kept: kept.length, facts }));
`;
