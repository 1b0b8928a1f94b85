import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { test } from 'tap';
import type { ImportSummary } from '../../bench/index.js';
import { csv, EXAMPLE_MAPPING, rowOf } from './import-setting.js';

const ENTRY_POINT = resolve(import.meta.dirname, '../../tenor.js');
const ROWS = 600;

test('an import that is killed continues where the journal ends, and books nothing twice', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenor-import-kill-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'loans.csv');
  const data = join(folder, 'data');
  await writeFile(file, csv(...Array.from({ length: ROWS }, (_, index) => rowOf(`L-${index}`))));
  const parameters = [
    ENTRY_POINT,
    'import',
    file,
    '--mapping',
    EXAMPLE_MAPPING,
    '--activate',
    '--as-of',
    '2018-02-15',
    '--data',
    data,
    '--json',
  ];

  const killed = spawn(process.execPath, parameters, { stdio: 'ignore' });
  const exited = once(killed, 'exit');
  while (!existsSync(join(data, 'keys')) && killed.exitCode === null) await pause(20);
  await pause(400); // whatever the moment is, the sums below must hold
  killed.kill('SIGKILL');
  await exited;

  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  const second = JSON.parse(stdout) as ImportSummary;
  t.comment(`${second.alreadyBooked} of ${ROWS} rows were booked before the kill`);
  t.match(second, { rows: ROWS, refused: 0, isComplete: true });
  t.equal(second.booked + second.alreadyBooked, ROWS);
  const verified = JSON.parse((await promisify(execFile)(process.execPath, [ENTRY_POINT, 'verify', '--data', data, '--json'])).stdout) as {
    loans: number;
    replayed: number;
  };
  t.match(verified, { loans: ROWS, replayed: ROWS });
});
