import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { FolderLocked, inFolderOrBeside, lockFolder } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';

test('two processes never work on one folder', async (t) => {
  const folder = tempFolder(t);
  const other = await holdInOtherProcess(folder);
  const refused: unknown = await lockFolder(folder).catch((cause: unknown) => cause);
  t.ok(refused instanceof FolderLocked);
  t.match(refused, { code: 'folderLocked', holder: String(other.pid) }, 'the error names the process');
  other.stdin.end();
  await once(other, 'exit');
  await (await lockFolder(folder)).release();
});

test('the lock of a process that was killed is free', async (t) => {
  const folder = tempFolder(t);
  const other = await holdInOtherProcess(folder);
  other.kill('SIGKILL');
  await once(other, 'exit');
  await (await lockFolder(folder)).release();
});

test('a lock file that was left behind or restored from a backup locks nothing', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'lock'), `${process.pid}\n`);
  await (await lockFolder(folder)).release();
});

test('one process does not lock a folder twice, but again after a release', async (t) => {
  const folder = join(tempFolder(t), 'made', 'on', 'the', 'way');
  const lock = await lockFolder(folder);
  await t.rejects(lockFolder(folder), FolderLocked);
  await lock.release();
  await (await lockFolder(folder)).release();
});

test('of many that want a folder at once, one gets it', async (t) => {
  const folder = tempFolder(t);
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  const locks = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
  t.equal(locks.length, 1);
  for (const lock of locks) await lock.release();
});

test('what could not be opened in a folder leaves it free for the next try, and what was opened holds it', async (t) => {
  const wanted = join(tempFolder(t), 'unit');
  for (let tried = 0; tried < 3; tried += 1) {
    await t.rejects(
      inFolderOrBeside(wanted, 'me', (folder) => Promise.reject(new Error(folder))),
      { message: wanted },
    );
  }
  const open = () => inFolderOrBeside(wanted, 'me', async (folder, unlock) => ({ folder, unlock }));
  const [first, beside] = [await open(), await open()];
  t.same([first.folder, beside.folder], [wanted, `${wanted}.me`]);
  await t.rejects(open(), FolderLocked);
  await first.unlock();
  const again = await open();
  t.equal(again.folder, wanted);
  await Promise.all([again.unlock(), beside.unlock()]);
});

async function holdInOtherProcess(folder: string): Promise<ChildProcessWithoutNullStreams> {
  const program = join(import.meta.dirname, 'hold-lock.js');
  const other = spawn(process.execPath, [program, folder]);
  other.stderr.pipe(process.stderr);
  await once(other.stdout, 'data');
  return other;
}
