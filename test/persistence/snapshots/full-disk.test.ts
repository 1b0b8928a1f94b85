import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { test } from 'tap';
import { openSnapshots, SnapshotWriteFailed } from '../../../persistence/index.js';

const mayMount = getuid?.() === 0;

test('a full disk refuses a write as a whole, keeps what was there, and takes writes again', {
  skip: mayMount ? false : 'not run: mounting a small tmpfs needs root',
}, async (t) => {
  const mount = mkdtempSync(join(tmpdir(), 'tenor-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', mount]);
  t.teardown(() => {
    execFileSync('umount', [mount]);
    rmSync(mount, { recursive: true });
  });
  const stores = openSnapshots({ folder: join(mount, 'snapshots') });
  const entries = (round: number): [string, Uint8Array][] =>
    Array.from({ length: 20 }, (_, n) => [`${round}/${n}`, Buffer.alloc(3_000, round)]);
  let rounds = 0;
  let failure: unknown;
  while (failure === undefined && rounds < 200) {
    await stores.actors.write(entries(rounds)).then(
      () => (rounds += 1),
      (cause: unknown) => (failure = cause),
    );
  }
  t.type(failure, SnapshotWriteFailed);
  // LMDB's own failed write can end the process.
  t.match(failure, { message: /no space left on the disk/ }, 'refused before LMDB begins to write');
  t.ok(rounds > 5, `${rounds} rounds fit`);
  t.same([...stores.actors.range({ start: `${rounds}/`, end: `${rounds}0` })], [], 'nothing half-written');
  t.equal(stores.actors.get(`${rounds - 1}/19`)?.length, 3_000, 'reads go on');

  execFileSync('mount', ['-o', 'remount,size=8m', mount]);
  await stores.actors.write(entries(rounds));
  t.equal(stores.actors.get(`${rounds}/19`)?.length, 3_000, 'once there is room');
  await stores.close();
});
