import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import {
  JournalDamaged,
  type JournalPosition,
  openJournal,
  type OpenedJournal,
  recoveryCases,
  verifyJournal,
} from '../../../persistence/index.js';
import type { ParsedBatch } from '../../../persistence/journal/walk.js';
import type { RecoveryCaseName } from '../../../persistence/journal/segments.js';
import { tempFolder } from '../../temp-folder.js';
import { SMALL_SEGMENT_BYTES, textsOf } from './blocks.js';
import { appendForged, batchesOf, flip, fill, moveBatch, rewriteHeader, segmentsOf, zero, zeroSector } from './surgery.js';

/** One row of the table of cases: what is done to a closed journal, and what opening makes of it. */
interface Row {
  readonly name: RecoveryCaseName;
  readonly what: string;
  /** Records that the journal holds before; one a batch. Two to three fit in a segment. */
  readonly records?: number;
  readonly arrange: (folder: string) => void;
  /** Records that are left; all by default. */
  readonly left?: number;
  /** Damage in an earlier segment shows when it is read, not when the journal is opened. */
  readonly seenBy?: 'open' | 'read';
  readonly check?: (folder: string) => boolean;
}

const ONE_SEGMENT = 2;
const THREE_SEGMENTS = 8;

const first = (folder: string): string => segmentsOf(folder).at(0) ?? '';
const last = (folder: string): string => segmentsOf(folder).at(-1) ?? '';

const inFirst = (folder: string, index: number): ParsedBatch | undefined => batchesOf(first(folder)).at(index);
const inLast = (folder: string, index: number): ParsedBatch | undefined => batchesOf(last(folder)).at(index);

const rows: readonly Row[] = [
  { name: 'noSegment', what: 'an empty folder', records: 0, arrange: (folder) => rmSync(last(folder)) },
  {
    name: 'unfinishedPreparation',
    what: 'a half-filled next segment',
    arrange: (folder) => writeFileSync(join(folder, 'next.segment.unfinished'), Buffer.alloc(1000)),
    check: (folder) => !existsSync(join(folder, 'next.segment.unfinished')),
  },
  {
    name: 'preparation',
    what: 'a next segment',
    arrange: () => undefined,
    check: (folder) => existsSync(join(folder, 'next.segment')),
  },
  {
    name: 'usedPreparation',
    what: 'a next segment with a header',
    arrange: (folder) => cpSync(first(folder), join(folder, 'next.segment')),
  },
  {
    name: 'usedPreparation',
    what: 'a next segment of another size',
    arrange: (folder) => truncateSync(join(folder, 'next.segment'), 1000),
  },
  {
    name: 'strayFile',
    what: 'a file of somebody else',
    arrange: (folder) => writeFileSync(join(folder, 'notes.txt'), 'notes'),
    check: (folder) => existsSync(join(folder, 'notes.txt')),
  },
  { name: 'whole', what: 'batches', arrange: () => undefined },
  { name: 'zeroTail', what: 'no batches', records: 0, arrange: () => undefined },
  {
    name: 'zeroTail',
    what: 'a new segment whose first batch never came',
    records: THREE_SEGMENTS + 1,
    left: THREE_SEGMENTS,
    arrange: (folder) => zero(last(folder), inLast(folder, 0)),
  },
  {
    name: 'tornTail',
    what: 'the end of the last write',
    left: 1,
    arrange: (folder) => zero(last(folder), inLast(folder, 1), 600),
  },
  {
    name: 'tornTail',
    what: 'the beginning of the last write',
    left: 1,
    arrange: (folder) => zero(last(folder), inLast(folder, 1), 0, 600),
  },
  {
    name: 'tornTail',
    what: 'a sector within the last write',
    left: 1,
    arrange: (folder) => zeroSector(last(folder), inLast(folder, 1)),
  },
  {
    name: 'trimmedTail',
    what: 'zeros cut off',
    arrange: (folder) => truncateSync(last(folder), SMALL_SEGMENT_BYTES - 500),
    check: (folder) => statSync(last(folder)).size === SMALL_SEGMENT_BYTES,
  },
  { name: 'damagedInside', what: 'a byte of a frame', arrange: (folder) => flip(last(folder), inLast(folder, 0), 9) },
  {
    name: 'damagedInside',
    what: 'a frame of an earlier segment',
    records: THREE_SEGMENTS,
    seenBy: 'read',
    arrange: (folder) => flip(first(folder), inFirst(folder, 0), 9),
  },
  { name: 'damagedEnd', what: 'a byte of a record', arrange: (folder) => flip(last(folder), inLast(folder, 1), 300) },
  { name: 'damagedEnd', what: 'the first byte', arrange: (folder) => flip(last(folder), inLast(folder, 1), 0) },
  {
    name: 'damagedEnd',
    what: 'the last batch of an earlier segment',
    records: THREE_SEGMENTS,
    seenBy: 'read',
    arrange: (folder) => fill(first(folder), inFirst(folder, -1), 0),
  },
  {
    name: 'cutFile',
    what: 'a file that ends in a batch',
    arrange: (folder) => truncateSync(last(folder), (inLast(folder, 1)?.offset ?? 0) + 400),
  },
  {
    name: 'cutFile',
    what: 'an earlier file that ends in a batch',
    records: THREE_SEGMENTS,
    seenBy: 'read',
    arrange: (folder) => truncateSync(first(folder), (inFirst(folder, -1)?.offset ?? 0) + 400),
  },
  { name: 'missingSegment', what: 'the first', records: THREE_SEGMENTS, arrange: (folder) => rmSync(first(folder)) },
  {
    name: 'missingSegment',
    what: 'one between',
    records: THREE_SEGMENTS,
    arrange: (folder) => rmSync(segmentsOf(folder)[1] ?? ''),
  },
  { name: 'missingSegment', what: 'the last', records: THREE_SEGMENTS, arrange: (folder) => rmSync(last(folder)) },
  { name: 'batchGap', what: 'a batch in the place of the one before', arrange: (folder) => moveBatch(last(folder), 1, 0) },
  {
    name: 'sequenceGap',
    what: 'a batch that skips a record',
    arrange: (folder) => appendForged(last(folder), { skippedRecords: 1 }),
  },
  {
    name: 'chainMismatch',
    what: 'a batch that stands on another past',
    arrange: (folder) => appendForged(last(folder), { otherPast: true }),
  },
  {
    name: 'headsMismatch',
    what: 'a header with other heads',
    records: THREE_SEGMENTS + 1,
    seenBy: 'read',
    arrange(folder) {
      zero(last(folder), inLast(folder, 0));
      rewriteHeader(last(folder), { heads: new Map([[0, { lastSequence: 3, hash: new Uint8Array(32) }]]) });
    },
  },
  { name: 'damagedBlock', what: 'a byte of a record', arrange: (folder) => flip(last(folder), inLast(folder, 0), 300) },
  {
    name: 'damagedBlock',
    what: 'a byte of a record in an earlier segment',
    records: THREE_SEGMENTS,
    seenBy: 'read',
    arrange: (folder) => flip(first(folder), inFirst(folder, 0), 300),
  },
  { name: 'emptyFile', what: 'no bytes', arrange: (folder) => truncateSync(last(folder), 0) },
  {
    name: 'emptyFile',
    what: 'no bytes in an earlier file',
    records: THREE_SEGMENTS,
    arrange: (folder) => truncateSync(first(folder), 0),
  },
  { name: 'shortFile', what: 'half a header', arrange: (folder) => truncateSync(last(folder), 2000) },
  { name: 'shortFile', what: 'a few bytes', arrange: (folder) => truncateSync(last(folder), 20) },
  { name: 'foreignFile', what: 'a picture', arrange: (folder) => fill(last(folder), { offset: 0, length: 8 }, 0x89) },
  {
    name: 'otherVersion',
    what: 'the version of the future',
    arrange: (folder) => fill(last(folder), { offset: 8, length: 1 }, 2),
  },
  {
    name: 'unreadableHeader',
    what: 'a byte of the header',
    arrange: (folder) => flip(last(folder), { offset: 0, length: 100 }, 40),
  },
  {
    name: 'unreadableHeader',
    what: 'an impossible count of heads',
    arrange: (folder) => flip(last(folder), { offset: 0, length: 100 }, 59),
  },
  {
    name: 'otherJournal',
    what: 'a segment of another journal',
    records: THREE_SEGMENTS,
    arrange: (folder) => rewriteHeader(last(folder), { journalId: Buffer.alloc(16, 7) }),
  },
  {
    name: 'misnamedSegment',
    what: 'another name',
    records: THREE_SEGMENTS,
    arrange: (folder) => renameSync(last(folder), join(folder, 'journal-000000000999.segment')),
  },
];

for (const row of rows) {
  const recoveryCase = recoveryCases[row.name];
  void test(`case ${recoveryCase.letter}, ${row.name}: ${row.what}: ${recoveryCase.verdict}`, async (t) => {
    const parent = tempFolder(t);
    const folder = join(parent, 'journal');
    const backup = join(parent, 'backup');
    const texts = await writeJournal(folder, row.records ?? ONE_SEGMENT);
    cpSync(folder, backup, { recursive: true });
    row.arrange(folder);

    if (recoveryCase.verdict !== 'refuse') {
      const journal = await open(folder);
      t.same(textsOf(journal.read(new Map())), texts.slice(0, row.left));
      const isSilent = recoveryCase.verdict === 'take' && row.name !== 'noSegment';
      t.same(
        journal.report.notes.map((note) => note.case.name),
        isSilent ? [] : [row.name],
      );
      t.equal(journal.report.cut !== null, recoveryCase.verdict === 'cut');
      t.ok(row.check?.(folder) ?? true, 'the folder is as it should be');
      await appendOne(journal, (row.left ?? texts.length) + 1);
      await journal.close();
      t.same(
        (await verifyJournal(folder)).findings.filter((position) => position.case.verdict !== 'report'),
        [],
        'nothing is left to find',
      );
      return;
    }
    const error = await refusalOf(folder, row.seenBy ?? 'open');
    t.equal(error.position.case.name, row.name);
    t.match(error.message, error.position.file);
    const found = await verifyJournal(folder);
    const positionText = ({ file, offset, case: { name } }: JournalPosition): string => `${name} ${file} ${offset}`;
    t.ok(found.findings.map(positionText).includes(positionText(error.position)), 'verify finds it at the same position');

    execFileSync('sh', ['-c', error.restore.replace('BACKUP', backup)]);
    const journal = await open(folder);
    t.same(textsOf(journal.read(new Map())), texts, 'the command that the error names puts it right');
    await journal.close();
  });
}

void test('every case of the table has a test', (t) => {
  const tested = new Set(rows.map(({ name }) => name));
  t.same(
    Object.keys(recoveryCases).filter((name) => !tested.has(name as RecoveryCaseName)),
    [],
  );
  t.end();
});

void test('no two cases share a letter', (t) => {
  const letters = Object.values(recoveryCases).map(({ letter }) => letter);
  t.equal(new Set(letters).size, letters.length);
  t.end();
});

void test('a journal with damage keeps what is there: opening it writes nothing', async (t) => {
  const folder = join(tempFolder(t), 'journal');
  await writeJournal(folder, ONE_SEGMENT);
  flip(last(folder), inLast(folder, 0), 300);
  const before = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]);
  await refusalOf(folder, 'open');
  t.same(
    readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]),
    before,
  );
});

function open(folder: string): Promise<OpenedJournal> {
  return openJournal({ folder, segmentBytes: SMALL_SEGMENT_BYTES });
}

async function writeJournal(folder: string, records: number): Promise<readonly string[]> {
  const journal = await open(folder);
  for (let sequence = 1; sequence <= records; sequence++) await appendOne(journal, sequence);
  const texts = textsOf(journal.read(new Map()));
  await journal.close();
  return texts;
}

/** Batches of about 1,300 bytes without a zero among the records. */
async function appendOne(journal: OpenedJournal, sequence: number): Promise<void> {
  await journal.append([{ shard: 0, firstSequence: sequence, records: [Buffer.from(`${sequence}`.padStart(1200, '.'))] }]);
}

async function refusalOf(folder: string, seenBy: 'open' | 'read'): Promise<JournalDamaged> {
  try {
    const journal = await open(folder);
    try {
      if (seenBy === 'read') textsOf(journal.read(new Map()));
    } finally {
      await journal.close();
    }
  } catch (cause) {
    if (cause instanceof JournalDamaged) return cause;
    throw cause;
  }
  throw new Error('the journal was not refused');
}
