import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'tap';
import { natsServer } from '../nats.js';
import { isRefusedInTime, Load, serves, until } from './load.js';
import { testCluster } from './test-cluster.js';

const skip = process.getuid?.() === 0 ? false : 'not run: mounting a small tmpfs needs root';

const BLOCK = Buffer.alloc(4_096);

/**
 * A nats-server with a full disk turns JetStream off, and with it the leases: no worker may answer then. A limit of the stream below the
 * size of the disk prevents that.
 */
test('a server whose disk is really full: requests are refused within bounds, and with room and a new start of it nothing is lost', {
  skip,
  timeout: 580_000,
}, async (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'tenor-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', disk]);
  t.teardown(() => {
    execFileSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true });
  });
  const server = await natsServer(t, { within: disk });
  const cluster = await testCluster(t, { workers: 2, nats: server.url });
  t.ok(await until(serves(cluster)));
  const load = await Load.underWay(t, cluster);
  t.teardown(() => load.stop());

  const ballast = join(disk, 'ballast');
  fill(ballast);
  t.ok(await load.isRefused(), 'writes are refused');
  await isRefusedInTime(t, cluster, load);

  rmSync(ballast);
  await server.restart();
  await cluster.addWorker('worker-3'); // workers that were without leases for too long have ended
  t.ok(await until(serves(cluster)), 'it is served again');
  t.ok(await load.goesOn());
  await load.nothingIsLost(t);
});

/** Fills the disk to the last block, even if others write to it. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, BLOCK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOSPC') throw cause;
  } finally {
    closeSync(file);
  }
}
