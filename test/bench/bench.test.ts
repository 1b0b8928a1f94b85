import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'tap';

const FRONT_DOOR = resolve(import.meta.dirname, '../../tenor.js');

function tenor(...parameters: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [FRONT_DOOR, ...parameters], (error, out, err) => done({ code: error === null ? 0 : Number(error.code), out, err }));
  });
}

test('bench lists what it measures and refuses what it does not know', async (t) => {
  const listed = await tenor('bench', 'list', '--json');
  t.same(JSON.parse(listed.out), ['replay', 'shard', 'import', 'memory', 'history', 'recovery', 'mass', 'cluster', 'postgres', 'rest', 'streams']);
  const unknown = await tenor('bench', 'nothing');
  t.equal(unknown.code, 2);
  t.match(unknown.err, /There is no benchmark nothing/);
  t.equal((await tenor('bench', 'shard', '--size', 'many')).code, 2);
  t.equal((await tenor('bench', 'mass', '--workers', 'two')).code, 2);
});

test('every subcommand explains itself', async (t) => {
  for (const name of ['serve', 'import', 'demo', 'bench', 'verify', 'check-config']) {
    t.match(await tenor(name, '--help'), { code: 0, out: /Usage: tenor/ }, name);
  }
});
