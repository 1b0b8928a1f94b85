import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { type Test, test } from 'tap';
import type { KeptGroup, TableGroup } from '../../../actors/index.js';
import { eraseKeptViews, QuestionStore } from '../../../persistence/index.js';
import { piece } from '../../actors/questions/rows-piece.js';
import { tempFolder } from '../../temp-folder.js';

const PEOPLE: TableGroup = { name: 'people', tables: [{ name: 'v_people', columns: [{ name: 'first_name', type: 'VARCHAR' }] }] };
const DATABASE = 'CP-ONE/live';
const KEPT: KeptGroup = { database: DATABASE, group: 'people', marks: 'marks' };
const BOUNDS = { mostRows: 1_000, limitMs: 20_000 };
const TOGETHER = 5_000;

interface Opened {
  readonly store: QuestionStore;
  readonly folder: string;
  /** Of the processes of the views. */
  readonly pids: readonly number[];
  readonly reports: readonly string[];
}

function openStore(t: Test, folder = tempFolder(t)): Opened {
  const [pids, reports]: [number[], string[]] = [[], []];
  const store = new QuestionStore({
    folder: join(folder, 'questions'),
    kept: { folder: join(folder, 'kept'), masterKey: new Uint8Array(32).fill(7) },
    report: (_level, message, details) => {
      reports.push(message);
      if (typeof details['process'] === 'number') pids.push(details['process']);
    },
  });
  t.teardown(() => store.close());
  return { store, folder, pids, reports };
}

async function put({ store }: Opened, from: number, count: number, replaces = false): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => [`BO-${from + at}`, [[[`Annabel ${(from + at) ** 3}`]]]] as const);
  await store.put(DATABASE, { group: 'people', replaces, hasMore: false, watermark: 1_700_000_000_000, pieces: [piece(rows)] });
}

async function filled(t: Test, count: number): Promise<Opened> {
  const opened = openStore(t);
  await opened.store.open(DATABASE);
  await opened.store.add(DATABASE, PEOPLE);
  for (let from = 0; from < count; from += TOGETHER) await put(opened, from, Math.min(TOGETHER, count - from));
  return opened;
}

const counted = async ({ store }: Opened): Promise<unknown> =>
  (await store.ask(DATABASE, 'SELECT count(*)::INTEGER, count(DISTINCT first_name)::INTEGER FROM v_people', BOUNDS)).rows;

test('rows in many portions are restored as they were kept, without gaps where rows were replaced', async (t) => {
  const before = await filled(t, 260_000);
  await put(before, 1_000, 2_000, true);
  const keeping = before.store.keep(KEPT, 0);
  await put(before, 300_000, 1); // it is not in it
  t.equal(await keeping, true);
  t.same(await counted(before), [[260_001, 260_001]]);
  await before.store.close();
  const after = openStore(t, before.folder);
  t.same(after.store.allKept(), [KEPT]);
  await after.store.open(DATABASE);
  t.equal(await after.store.restore(DATABASE, 'people'), true);
  t.same(await counted(after), [[260_000, 260_000]]);
  t.equal(await after.store.count(DATABASE, 'people'), 260_000);
  await put(after, 0, 1, true);
  t.same(await counted(after), [[260_000, 260_000]]);
});

test('what was kept before stays where it cannot be kept again, and where the service stops meanwhile', async (t) => {
  const opened = await filled(t, 1);
  const { store, folder } = opened;
  await store.keep(KEPT, 0);
  t.equal(await store.keep({ ...KEPT, database: 'CP-TWO/live' }, 0), true);
  t.match(opened.reports.at(-1), /could not be kept/);
  const keeping = store.keep({ ...KEPT, marks: 'newer' }, 0);
  await store.close();
  await keeping;
  const after = openStore(t, folder);
  t.same(after.store.allKept(), [KEPT]);
  await after.store.open(DATABASE);
  const restoring = after.store.restore(DATABASE, 'people');
  await after.store.close();
  t.equal(await restoring, false);
  t.same(openStore(t, folder).store.allKept(), [KEPT]);
});

test('a process of the views that is killed leaves no rows in clear', async (t) => {
  const { store, folder, pids } = await filled(t, 120_000);
  const inClear = (): boolean =>
    readdirSync(join(folder, 'questions'), { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.parquet'));
  let wasSeen = false;
  for (let tries = 0; !wasSeen && tries < 100; tries += 1) {
    let isOver = false;
    const keeping = store.keep(KEPT, 0).finally(() => (isOver = true));
    while (!wasSeen && !isOver) {
      await nextRound();
      wasSeen = inClear();
    }
    if (wasSeen) process.kill(pids.at(-1) ?? 0, 'SIGKILL');
    t.equal(await keeping, true);
  }
  t.ok(wasSeen, 'rows are in clear while they are written');
  t.notOk(inClear());
  await store.open(DATABASE);
  t.notOk(inClear());
});

test('a folder that cannot be written rejects nothing', async (t) => {
  const { store, folder, reports } = await filled(t, 1);
  writeFileSync(join(folder, 'kept'), '');
  t.equal(await store.keep(KEPT, 0), true);
  t.match(reports.at(-1), /could not be kept/);
  t.same(store.allKept(), []);
});

test('what is erased while it is kept, or was read before an erasure, is not kept', async (t) => {
  const { store } = await filled(t, 20_000);
  const keeping = store.keep(KEPT, 0);
  store.eraseKept();
  t.equal(await keeping, false);
  t.equal(await store.keep(KEPT, 0), false);
  t.same(store.allKept(), []);
  t.equal(await store.keep(KEPT, store.erasures), true);
  t.same(store.allKept(), [KEPT]);
});

test('views are erased while another process writes beside them', async (t) => {
  const kept = tempFolder(t);
  const folder = join(kept, 'people.new');
  const script = `let at = 0; for (;;) require('fs').writeFileSync(process.argv[1] + '/portion-' + at++, 'x');`; // until the folder is gone
  for (let tries = 0; tries < 10; tries += 1) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'salt'), Buffer.alloc(32, 1));
    const child = spawn(process.execPath, ['-e', script, folder]);
    const ended = once(child, 'exit');
    while (!existsSync(join(folder, 'portion-50'))) await nextRound();
    eraseKeptViews(kept);
    child.kill('SIGKILL');
    await ended;
    t.notOk(existsSync(join(folder, 'salt')));
    rmSync(folder, { recursive: true, force: true });
  }
});
