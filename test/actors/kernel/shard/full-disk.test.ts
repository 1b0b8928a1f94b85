import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { LIMITS } from '../../../../actors/kernel/limits.js';
import { TroubledFiles } from '../../../persistence/troubled-files.js';
import { tempFolder } from '../../../temp-folder.js';
import { openTestEngine } from './open-engine.js';
import { command, query } from './tally.js';

/** Longer than the journal retries an essential append on a full disk. */
const LONG_MS = 8_000;

const TROUBLE = /flush of the journal failed|computed again|cannot be opened/;
const SEGMENT_BYTES = 256 * 1024;

let round = 0;

/** So many commands at once, with so many bytes each; for each whether it was stored, or why not. */
function manyAtOnce({ engine }: Awaited<ReturnType<typeof openTestEngine>>, count: number, bytes: number): Promise<readonly string[]> {
  round += 1;
  return Promise.all(
    Array.from({ length: count }, (_, number) =>
      engine.execute(command('tally.create', null, { externalId: `${round}-${number}-${'x'.repeat(bytes)}` })).then(
        () => 'stored',
        (cause: unknown) => (cause as { errorType?: string }).errorType ?? String(cause),
      ),
    ),
  );
}

test('commands that hold more than a segment at once are stored on a disk with room, and on a full one as many as fit', async (t) => {
  const disk = new TroubledFiles();
  const opened = await openTestEngine({ files: disk, segmentBytes: SEGMENT_BYTES });
  const { engine, reports } = opened;
  t.same([...new Set(await manyAtOnce(opened, 500, 1_500))], ['stored'], 'three segments of them');
  await pause(200); // the next segment is ready
  disk.isFull = true;
  const outcomes = await manyAtOnce(opened, 500, 1_500);
  t.same([...new Set(outcomes)].sort(), ['stored', 'unavailable']);
  t.same(
    reports.filter((report) => TROUBLE.test(report)),
    [],
  );
  await pause(LONG_MS);
  t.same(
    reports.filter((report) => TROUBLE.test(report)),
    [],
    'nor later',
  );
  disk.isFull = false;
  await engine.close();
});

test('so do they on a file system that is full', { skip: process.getuid?.() === 0 ? false : 'mounting needs root' }, async (t) => {
  const mount = join(tempFolder(t), 'small');
  mkdirSync(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', mount], { stdio: 'pipe' });
  } catch (cause) {
    return t.pass('so do they on a file system that is full', { skip: `no file system can be mounted here: ${String(cause)}` });
  }
  try {
    const opened = await openTestEngine({ folder: mount, segmentBytes: SEGMENT_BYTES });
    const { engine, reports } = opened;
    t.same([...new Set(await manyAtOnce(opened, 20, 100))], ['stored']);
    await pause(200);
    writeFileSync(join(mount, 'ballast'), Buffer.alloc(statfsSync(mount).bavail * statfsSync(mount).bsize));
    t.same([...new Set(await manyAtOnce(opened, 500, 1_500))].sort(), ['stored', 'unavailable']);
    await pause(LONG_MS);
    t.same(
      reports.filter((report) => TROUBLE.test(report)),
      [],
    );
    rmSync(join(mount, 'ballast'));
    await engine.close();
  } finally {
    execFileSync('umount', ['--lazy', mount]);
  }
  return undefined;
});

test('on a full disk large commands at once are stored or refused, and none of them makes memory drop what it has', async (t) => {
  const disk = new TroubledFiles();
  const { engine, reports } = await openTestEngine({ files: disk });
  await engine.execute(command('tally.create', null, {}));
  disk.isFull = true;
  const outcomes: string[] = [];
  const create = async (number: number): Promise<void> => {
    const externalId = `${number}-${'x'.repeat(1_500)}`;
    await engine.execute(command('tally.create', null, { externalId })).then(
      () => outcomes.push('stored'),
      (cause: unknown) => outcomes.push((cause as { errorType?: string }).errorType ?? String(cause)),
    );
  };
  // Together fewer bytes than a segment: commands accepted before the disk is known to be full fit into the one in use.
  for (let round = 0; round < 40; round += 1) await Promise.all(Array.from({ length: 10 }, (_, number) => create(round * 10 + number)));
  t.same([...new Set(outcomes)].sort(), ['stored', 'unavailable']);
  await pause(LONG_MS);
  t.same(
    reports.filter((report) => TROUBLE.test(report)),
    [],
  );
  const listed = (await engine.query(query('tally.list', null))) as readonly string[];
  t.ok(listed.length > 1);
  disk.isFull = false;
  while (
    !(await engine.execute(command('tally.create', null, {})).then(
      () => true,
      () => false,
    ))
  )
    await pause(LIMITS.roomRetryMs);
  await engine.close();
});
