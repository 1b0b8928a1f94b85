import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { Refusal } from '../../../../actors/errors.js';
import type { Engine } from '../../../../actors/index.js';
import { verifyJournal } from '../../../../persistence/index.js';
import { FaultyDisk } from '../../../persistence/faulty-disk.js';
import { isProcessEnded } from '../../../persistence/faults.js';
import { Random } from '../../../random.js';
import { SEED } from '../../../seed.js';
import { copyLiveFolder, tempFolder } from '../../../temp-folder.js';
import { openTestEngine } from './open-engine.js';
import { command, query, type Tally } from './tally.js';

/** Histories of one run; `TENOR_ENGINE_HISTORIES=200` for the long one. The simulator ends the same engine in more ways, without LMDB. */
const HISTORIES = Number(process.env['TENOR_ENGINE_HISTORIES'] ?? 8);
const LIVES = 4;
const CLIENTS = 6;
const SEGMENT_BYTES = 16 * 1024;

/** What clients know: an answered command counts once, one without an answer may be sent again under its key. */
interface Sent {
  readonly key: string;
  readonly amount: number;
  isAnswered: boolean;
}

void test('whatever ends a process, each answered command is there and each repeated one counts once', async (t) => {
  t.comment(`seed ${SEED}`);
  let answered = 0;
  let unanswered = 0;
  for (let number = 0; number < HISTORIES; number++) {
    const seed = (SEED + number) & 0x7fff_ffff;
    const { fault, sent } = await runHistory(seed, tempFolder(t));
    if (fault !== undefined) return t.fail(`seed ${seed}: ${fault}`);
    for (const { isAnswered } of sent) {
      if (isAnswered) answered += 1;
      else unanswered += 1;
    }
  }
  t.pass(`${answered} commands were answered, ${unanswered} were not`);
  t.ok(answered > 0 && unanswered > 0, 'there were both');
  return undefined;
});

void test('an engine whose last flush fails gives all of its parts back', async (t) => {
  const folder = tempFolder(t);
  const disk = new FaultyDisk(new Random(SEED));
  const { engine, reports } = await openTestEngine({ folder, files: disk.start() });
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  const refused = t.rejects(engine.execute(command('tally.count', id, { amount: 3 })), Refusal);
  disk.faults.push({ operation: 'datasync', code: 'EIO' });
  await engine.close();
  await refused;
  disk.faults.length = 0;
  t.ok(
    reports.some((report) => report.includes('A snapshot could not be stored')),
    reports.join(),
  );
  const again = await openTestEngine({ folder, files: disk.start() });
  t.equal(((await again.engine.query(query('tally.get', id))) as Tally).id, id);
  await again.engine.close();
});

void test('a journal that ends before the snapshots were taken is not served', async (t) => {
  const folder = tempFolder(t);
  const { engine } = await openTestEngine({ folder });
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  copyLiveFolder(join(folder, 'journal'), join(folder, 'older'));
  await engine.execute(command('tally.count', id, { amount: 3 }));
  await engine.close();
  rmSync(join(folder, 'journal'), { recursive: true });
  cpSync(join(folder, 'older'), join(folder, 'journal'), { recursive: true });
  const refused: unknown = await openTestEngine({ folder }).catch((cause: unknown) => cause);
  t.match(refused, { code: 'journalShortened', helps: 'operator' });

  rmSync(join(folder, 'snapshots'), { recursive: true });
  const again = await openTestEngine({ folder });
  t.equal(((await again.engine.query(query('tally.get', id))) as Tally).count, 0, 'the operator has decided to serve the older state');
  await again.engine.close();
});

void test('a journal that lost its end and was written on is not served with the snapshots of what it has lost', async (t) => {
  const folder = tempFolder(t);
  const [journal, snapshots] = [join(folder, 'journal'), join(folder, 'snapshots')];
  const { engine } = await openTestEngine({ folder });
  const { id } = (await engine.execute(command('tally.create', null, {}))).data as Tally;
  copyLiveFolder(journal, join(folder, 'older'));
  await engine.execute(command('tally.count', id, { amount: 3 }));
  await engine.close();
  rmSync(journal, { recursive: true });
  cpSync(join(folder, 'older'), journal, { recursive: true });
  renameSync(snapshots, join(folder, 'of-the-lost'));
  for (const amount of [1, 1]) {
    const { engine: heir } = await openTestEngine({ folder });
    await heir.execute(command('tally.count', id, { amount }));
    await heir.close();
  }
  renameSync(snapshots, join(folder, 'of-the-heir'));
  renameSync(join(folder, 'of-the-lost'), snapshots);
  const refused: unknown = await openTestEngine({ folder }).catch((cause: unknown) => cause);
  t.match(refused, { code: 'journalDiverged', helps: 'operator', message: /record \d+ of shard \d+ differs/ });

  rmSync(snapshots, { recursive: true });
  renameSync(join(folder, 'of-the-heir'), snapshots);
  const again = await openTestEngine({ folder });
  t.equal(((await again.engine.query(query('tally.get', id))) as Tally).count, 2);
  await again.engine.close();
});

async function runHistory(seed: number, folder: string): Promise<{ readonly fault?: string; readonly sent: readonly Sent[] }> {
  const random = new Random(seed);
  const disk = new FaultyDisk(random);
  const open = (files = disk.start()): Promise<{ readonly engine: Engine }> =>
    openTestEngine({ folder, files, segmentBytes: SEGMENT_BYTES });
  const { engine: first } = await open();
  const { id } = (await first.execute(command('tally.create', null, {}))).data as Tally;
  await first.close();

  const sent: Sent[] = [];
  for (let life = 1; life <= LIVES; life++) {
    disk.operationsUntilEnd = 1 + random.below(300);
    disk.end = random.below(2) === 0 ? 'kill' : 'powerCut';
    const files = disk.start();
    try {
      const { engine } = await open(files);
      try {
        await Promise.all(Array.from({ length: CLIENTS }, () => sendUntilEnd(engine, id, disk, sent)));
      } finally {
        await engine.close(); // stops its retries: the disk refuses every write
      }
    } catch (cause) {
      if (files.isAlive || !isProcessEnded(cause)) return { fault: `life ${life}: ${String(cause)}`, sent };
    }
  }

  disk.cutPower();
  const { engine } = await open();
  for (const { key, amount, isAnswered } of sent) {
    const { replayed } = await engine.execute(command('tally.count', id, { amount }, key));
    if (isAnswered && !replayed) return { fault: `the answered command ${key} is unknown`, sent };
  }
  const { count } = (await engine.query(query('tally.get', id))) as Tally;
  await engine.close();
  const expected = sent.reduce((sum, { amount }) => sum + amount, 0);
  if (count !== expected) return { fault: `${count} were counted instead of ${expected}`, sent };
  const { findings } = await verifyJournal(join(folder, 'journal'), disk.start());
  if (findings.length > 0) return { fault: `verify finds ${findings.map((each) => each.case.name).join()}`, sent };
  const broken = disk.trace.brokenPromises();
  return broken.length > 0 ? { fault: `answered before the flush: ${broken.join()}`, sent } : { sent };
}

/** One client: a command after the other, and a snapshot now and then, until no command is answered any more. */
async function sendUntilEnd(engine: Engine, id: string, disk: FaultyDisk, sent: Sent[]): Promise<void> {
  for (;;) {
    const one: Sent = { key: `key-${String(sent.length).padStart(6, '0')}`, amount: 1 + disk.random.below(9), isAnswered: false };
    sent.push(one);
    try {
      await engine.execute(command('tally.count', id, { amount: one.amount }, one.key));
      disk.trace.promise(one.key);
      one.isAnswered = true;
      if (disk.random.below(25) === 0) await engine.snapshot();
    } catch (cause) {
      if (cause instanceof Refusal && cause.errorType === 'unavailable') return;
      throw cause;
    }
  }
}
