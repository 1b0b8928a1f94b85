import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { type Ended, ENTRY_POINT } from './tenor.js';
import { tenorHere } from './tenor-here.js';

const tenor = (...parameters: readonly string[]): Promise<Ended> => tenorHere({}, ...parameters);

test('bench lists what it measures and refuses what it does not know', async (t) => {
  const listed = await tenor('bench', 'list', '--json');
  t.same(JSON.parse(listed.out), [
    'replay',
    'metro2',
    'shard',
    'age',
    'authorizations',
    'import',
    'memory',
    'history',
    'recovery',
    'book',
    'mass',
    'statements',
    'general-ledger',
    'campaigns',
    'tapes',
    'cluster',
    'takeover',
    'postgres',
    'rest',
    'streams',
    'hostile',
    'soak',
  ]);
  const unknown = await tenor('bench', 'nothing');
  t.equal(unknown.code, 2);
  t.match(unknown.error, /There is no benchmark nothing/);
  t.equal((await tenor('bench', 'shard', '--size', 'many')).code, 2);
  t.equal((await tenor('bench', 'mass', '--workers', 'two')).code, 2);
  t.equal((await tenor('bench', 'book', '--months', '61')).code, 2);
  t.equal((await tenor('bench', 'mass', '--days', '0')).code, 2);
});

test('a benchmark that is ended by a signal leaves no process and no data behind', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenor-ended-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const bench = spawn(process.execPath, [ENTRY_POINT, 'bench', 'cluster', '--size', '100000', '--workers', '1', '--results', folder], {
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const started = (): readonly string[] => commandsThat((command) => command.includes(folder));
  while (!started().some((command) => command.includes('nats-server'))) await pause(50);
  bench.kill('SIGTERM');
  const [code] = (await once(bench, 'exit')) as [number];
  t.equal(code, 143);
  while (started().length > 0) await pause(50); // the kernel ends them a moment later
  t.strictSame(readdirSync(folder), []);
});

/** Command lines of the running processes, from `/proc`. */
function commandsThat(isMeant: (command: string) => boolean): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((name) => {
      try {
        return [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return []; // it has ended meanwhile
      }
    })
    .filter(isMeant);
}

test('every subcommand explains itself', async (t) => {
  for (const name of ['serve', 'import', 'demo', 'bench', 'verify', 'check-config']) {
    t.match(await tenor(name, '--help'), { code: 0, out: /Usage: tenor/ }, name);
  }
});
