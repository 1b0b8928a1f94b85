import { basename } from 'node:path';
import { test } from 'tap';
import { type FileLayer, nodeFiles, openJournal } from '../../../persistence/index.js';
import { tempFolder } from '../../temp-folder.js';
import { blockOf, SMALL_SEGMENT_BYTES, textsOf } from './blocks.js';

test('what was appended is read back, by a later process as well', async (t) => {
  const folder = tempFolder(t);
  const journal = await openJournal({ folder });
  await journal.append([blockOf(0, 1, ['a', 'b']), blockOf(7, 1, ['c'])]);
  await journal.append([blockOf(0, 3, ['d'])]);
  t.same(textsOf(journal.read(new Map())), ['0:a', '0:b', '7:c', '0:d']);
  await journal.close();

  const again = await openJournal({ folder });
  t.same(textsOf(again.read(new Map())), ['0:a', '0:b', '7:c', '0:d']);
  t.same(
    [...again.heads()].map(([shard, { lastSequence }]) => [shard, lastSequence]),
    [
      [0, 3],
      [7, 1],
    ],
  );
  t.equal(again.report.cut, null);
  await again.close();
});

test('a block names the hash of the block of its shard before it', async (t) => {
  const journal = await openJournal({ folder: tempFolder(t), segmentBytes: SMALL_SEGMENT_BYTES });
  await journal.append([blockOf(0, 1, ['a'])]);
  await journal.append([blockOf(1, 1, ['x']), blockOf(0, 2, ['b'])]);
  const [first, , second] = [...journal.read(new Map())];
  t.same(first?.previousHash, new Uint8Array(32));
  t.same(second?.previousHash, first?.hash);
  t.same(journal.heads().get(0)?.hash, second?.hash);
  await journal.close();
});

test('reading after a position gives only blocks that hold something newer', async (t) => {
  const journal = await openJournal({ folder: tempFolder(t), segmentBytes: SMALL_SEGMENT_BYTES });
  await journal.append([blockOf(0, 1, ['a', 'b']), blockOf(1, 1, ['c'])]);
  await journal.append([blockOf(0, 3, ['d'])]);
  t.same(
    textsOf(
      journal.read(
        new Map([
          [0, 1],
          [1, 1],
        ]),
      ),
    ),
    ['0:a', '0:b', '0:d'],
  );
  t.same(
    textsOf(
      journal.read(
        new Map([
          [0, 3],
          [1, 1],
        ]),
      ),
    ),
    [],
  );
  await journal.close();
});

test('segments without anything wanted are not read', async (t) => {
  const folder = tempFolder(t);
  const read: string[] = [];
  const files: FileLayer = {
    ...nodeFiles,
    read(path, bytesLimit) {
      read.push(basename(path));
      return nodeFiles.read(path, bytesLimit);
    },
  };
  const journal = await openJournal({ folder, files, segmentBytes: SMALL_SEGMENT_BYTES });
  for (let sequence = 1; sequence <= 10; sequence++) await journal.append([blockOf(0, sequence, ['x'.repeat(1500)])]);
  read.length = 0;
  t.same(textsOf(journal.read(new Map([[0, 8]]))).length, 2);
  t.same(read, ['journal-000000000009.segment']);
  await journal.close();
});

test('batches that do not fit begin a new segment, however large they are', async (t) => {
  const folder = tempFolder(t);
  const journal = await openJournal({ folder, segmentBytes: SMALL_SEGMENT_BYTES });
  const expected: string[] = [];
  for (let sequence = 1; sequence <= 60; sequence++) {
    const text = String(sequence).repeat(sequence === 30 ? 20_000 : 200);
    await journal.append([blockOf(sequence % 3, Math.ceil(sequence / 3), [text])]);
    expected.push(`${sequence % 3}:${text}`);
  }
  t.same(textsOf(journal.read(new Map())), expected);
  await journal.close();

  const again = await openJournal({ folder, segmentBytes: SMALL_SEGMENT_BYTES });
  t.ok(again.report.segments > 5, `${again.report.segments} segments`);
  t.same(textsOf(again.read(new Map())), expected);
  await again.append([blockOf(0, 21, ['more'])]);
  t.equal(textsOf(again.read(new Map())).length, 61);
  await again.close();
});

test('a second append while one is in flight is a bug', async (t) => {
  const journal = await openJournal({ folder: tempFolder(t), segmentBytes: SMALL_SEGMENT_BYTES });
  const first = journal.append([blockOf(0, 1, ['a'])]);
  t.throws(() => journal.append([blockOf(0, 2, ['b'])]), /one append is in flight/);
  await first;
  t.throws(() => journal.append([blockOf(0, 5, ['b'])]), /shard 0 continues at 2, not at 5/);
  await journal.append([blockOf(0, 2, ['b'])]);
  t.same(textsOf(journal.read(new Map())), ['0:a', '0:b']);
  await journal.close();
});

test('there is room all the while a new segment is begun', async (t) => {
  const journal = await openJournal({ folder: tempFolder(t), segmentBytes: SMALL_SEGMENT_BYTES });
  let looks = 0;
  for (let sequence = 1; sequence <= 20; sequence++) {
    let isAppending = true;
    const appended = journal.append([blockOf(0, sequence, ['x'.repeat(1500)])]).finally(() => {
      isAppending = false;
    });
    while (isAppending) {
      looks += 1;
      if (!journal.hasRoom()) t.fail(`no room while the batch ${sequence} is written`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await appended;
  }
  t.ok(looks > 20);
  await journal.close();
});
