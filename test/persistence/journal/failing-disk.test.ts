import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'tap';
import { JournalFailed, openJournal, type OpenedJournal } from '../../../persistence/index.js';
import { Random } from '../../random.js';
import { tempFolder } from '../../temp-folder.js';
import { type Fault, FaultyDisk } from '../faulty-disk.js';
import { blockOf, SMALL_SEGMENT_BYTES, textsOf } from './blocks.js';

const folder = '/journal';

const faults: readonly Fault[] = [
  { operation: 'write', code: 'EIO', path: '0001.segment' },
  { operation: 'write', code: 'ENOSPC', path: '0001.segment' },
  { operation: 'datasync', code: 'EIO', path: '0001.segment' },
];

for (const fault of faults) {
  void test(`a ${fault.operation} that fails with ${fault.code} fails the append and all later ones`, async (t) => {
    const disk = new FaultyDisk(new Random(1));
    const journal = await openJournal({ folder, files: disk.start(), segmentBytes: SMALL_SEGMENT_BYTES });
    await journal.append([blockOf(0, 1, ['a'])]);
    disk.faults.push({ ...fault, times: 1 });
    await t.rejects(journal.append([blockOf(0, 2, ['b'])]), JournalFailed);
    t.equal(journal.hasRoom(), false);
    await t.rejects(journal.append([blockOf(0, 2, ['c'])]), { code: 'journalFailed', helps: 'reopen', cause: { code: fault.code } });
    t.same(textsOf(journal.read(new Map())), ['0:a'], 'what failed is not read');
    await journal.close();

    const again = await openJournal({ folder, files: disk.start(), segmentBytes: SMALL_SEGMENT_BYTES });
    const texts = textsOf(again.read(new Map()));
    t.ok(texts.length === 1 || texts[1] === '0:b', 'what failed is there as a whole or not at all');
    await again.append([blockOf(0, texts.length + 1, ['d'])]);
    t.equal(textsOf(again.read(new Map())).at(-1), '0:d');
    await again.close();
  });
}

void test('what a failed flush left in the page cache is flushed before it is shown', async (t) => {
  const disk = new FaultyDisk(new Random(1));
  const journal = await openJournal({ folder, files: disk.start(), segmentBytes: SMALL_SEGMENT_BYTES });
  disk.faults.push({ operation: 'datasync', code: 'EIO', path: '.segment', times: 1 });
  await t.rejects(journal.append([blockOf(0, 1, ['kept'])]), JournalFailed);
  await journal.close();

  const again = await openJournal({ folder, files: disk.start(), segmentBytes: SMALL_SEGMENT_BYTES });
  t.same(textsOf(again.read(new Map())), ['0:kept']);
  disk.cutPower();
  const last = await openJournal({ folder, files: disk.start(), segmentBytes: SMALL_SEGMENT_BYTES });
  t.same(textsOf(last.read(new Map())), ['0:kept']);
  await last.close();
});

void test('a full disk is noticed before an append needs the room, and appends work again once there is room', async (t) => {
  const disk = new FaultyDisk(new Random(1));
  disk.capacityBytes = SMALL_SEGMENT_BYTES + 1000;
  const journal = await openJournal({ folder, files: disk.start(), segmentBytes: SMALL_SEGMENT_BYTES });
  const count = await appendWhileRoom(journal);
  t.ok(count > 0, `${count} batches fitted`);
  t.same(textsOf(journal.read(new Map())).length, count, 'reads go on');
  t.same(await disk.start().list(folder), ['journal-000000000001.segment'], 'what was tried is given back');

  disk.capacityBytes = Number.POSITIVE_INFINITY;
  while (!journal.hasRoom()) await pause(50);
  await journal.append([blockOf(0, count + 1, ['again'])]);
  t.equal(textsOf(journal.read(new Map())).at(-1), '0:again');
  await journal.close();
});

void test('a full file system', { skip: process.getuid?.() === 0 ? false : 'mounting a small file system needs root' }, async (t) => {
  const mount = join(tempFolder(t), 'small');
  mkdirSync(mount);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', mount], { stdio: 'pipe' });
  } catch (cause) {
    return t.pass('a full file system', { skip: `no file system can be mounted here: ${String(cause)}` });
  }
  try {
    writeFileSync(join(mount, 'ballast'), Buffer.alloc(128 * 1024));
    const journal = await openJournal({ folder: join(mount, 'journal'), segmentBytes: 48 * 1024 });
    const count = await appendWhileRoom(journal);
    t.ok(count > 60, `${count} batches fitted`);
    t.ok(statfsSync(mount).bavail > 0, 'the journal does not take the last bytes of the disk');
    t.equal(textsOf(journal.read(new Map())).length, count, 'reads go on');
    await journal.close();

    const again = await openJournal({ folder: join(mount, 'journal'), segmentBytes: 48 * 1024 });
    t.equal(textsOf(again.read(new Map())).length, count, 'nothing is half-written');
    t.equal(again.hasRoom(), false);
    rmSync(join(mount, 'ballast'));
    while (!again.hasRoom()) await pause(50);
    await again.append([blockOf(0, count + 1, ['again'])]);
    await again.close();
  } finally {
    execFileSync('umount', ['--lazy', mount]);
  }
  return undefined;
});

/** One record of about a kilobyte at a time; gives the count. */
async function appendWhileRoom(journal: OpenedJournal): Promise<number> {
  let count = 0;
  for (; journal.hasRoom(); count++) {
    await journal.append([blockOf(0, count + 1, ['x'.repeat(1000)])]);
    await pause(1);
  }
  return count;
}
