import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { StartLog } from '../../../persistence/snapshots/start-log.js';
import { limits } from '../../../persistence/limits.js';
import { DamagedRecord, openSnapshots, openSnapshotsBeside, type OpenedSnapshots } from '../../../persistence/index.js';

const PAGE_BYTES = 4096;
const RECORDS = 400;

const marker = (n: number): string => `marker-${String(n).padStart(4, '0')}`;
const pathIn = (folder: string): string => join(folder, 'actors.lmdb');

/** An environment of many pages, and an other one that must stay untouched. */
async function fill(folder: string): Promise<void> {
  const stores = openSnapshots({ folder });
  for (let first = 0; first < RECORDS; first += 100) {
    await stores.actors.write(
      Array.from({ length: 100 }, (_, n) => [marker(first + n), Buffer.from(`value of ${marker(first + n)} `.repeat(5))]),
    );
  }
  await stores.events.write([['event', Buffer.from('kept')]]);
  await stores.close();
}

/** Sound or set aside before, it holds one damaged record afterwards. */
async function refill(folder: string): Promise<void> {
  truncateSync(pathIn(folder), 0);
  await fill(folder);
  change(pathIn(folder), (bytes) => flip(bytes, bytes.indexOf(`value of ${marker(123)}`) + 30));
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

function flip(bytes: Buffer, offset: number): void {
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 0x10, offset);
}

/** Whether something has come to be so within half a minute. */
async function comes(isSo: () => boolean): Promise<boolean> {
  for (const untilMs = performance.now() + 30_000; performance.now() < untilMs; ) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

function isDamaged(stores: OpenedSnapshots, key: string): boolean {
  try {
    stores.actors.get(key);
    return false;
  } catch (cause) {
    if (!(cause instanceof DamagedRecord)) throw cause;
    return true;
  }
}

/** Processes of this machine that were started with a path below the folder. */
const childrenReading = (folder: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`check-environment.js\0${folder}`);
    } catch {
      return false; // it has just ended
    }
  });

function firstOf(stores: OpenedSnapshots): string | undefined {
  for (const [key] of stores.actors.range({ start: '', end: '~' })) return key;
  return undefined;
}

const damages: readonly (readonly [name: string, reason: RegExp, damage: (path: string) => void])[] = [
  ['a file of no length', /the file is empty/, (path) => truncateSync(path, 0)],
  ['a file cut inside its first page', /first meta page is cut/, (path) => truncateSync(path, 100)],
  ['a file cut behind its first page', /second meta page is cut/, (path) => truncateSync(path, PAGE_BYTES)],
  ['a file cut in half', /counts on/, (path) => truncateSync(path, PAGE_BYTES * 8)],
  ['a file without its last page', /counts on/, (path) => truncateSync(path, readFileSync(path).length - 1)],
  ['a damaged first meta page', /first meta page is not LMDB's/, (path) => change(path, (bytes) => flip(bytes, 24))],
  ['a damaged second meta page', /second meta page is not LMDB's/, (path) => change(path, (bytes) => flip(bytes, PAGE_BYTES + 26))],
  ['an unknown version', /another version/, (path) => change(path, (bytes) => flip(bytes, 28))],
  ['a page size that cannot be', /page size/, (path) => change(path, (bytes) => flip(bytes, 48))],
  ['a root behind the end', /root behind/, (path) => change(path, (bytes) => flip(bytes, 136 + 5))],
  ['another file', /not LMDB's/, (path) => writeFileSync(path, Buffer.alloc(PAGE_BYTES * 4, 'text'))],
];

for (const [name, reason, damage] of damages) {
  test(`${name} is set aside and comes back empty`, async (t) => {
    const folder = t.testdir();
    await fill(folder);
    damage(pathIn(folder));
    const stores = openSnapshots({ folder });
    t.same(stores.rebuilt, ['actors']);
    t.match(stores.setAside[0]?.reason, reason);
    t.equal(stores.setAside[0]?.movedTo, `${pathIn(folder)}.damaged-1`);
    t.equal(firstOf(stores), undefined);
    t.equal(Buffer.from(stores.events.get('event') ?? '').toString(), 'kept');
    await stores.actors.write([['again', Buffer.from('1')]]);
    await stores.close();

    const later = openSnapshots({ folder });
    t.same(later.rebuilt, []);
    t.equal(firstOf(later), 'again');
    await later.close();
  });
}

test('a file whose last pages were allocated and freed by one transaction is sound', async (t) => {
  const folder = t.testdir();
  await fill(folder);
  for (let times = 0; times < 3; times++) {
    const stores = openSnapshots({ folder });
    t.strictSame(stores.setAside, [], `start ${times}`);
    t.equal(firstOf(stores), marker(0));
    await stores.actors.write([
      ['large', Buffer.alloc(1_000_000)],
      ['large', null],
    ]);
    await stores.close();
  }
});

test('a folder in the place of an environment is set aside', async (t) => {
  const folder = t.testdir();
  mkdirSync(pathIn(folder));
  const stores = openSnapshots({ folder });
  t.same(
    stores.setAside.map((each) => each.reason),
    ['it is a folder'],
  );
  await stores.close();
});

test('a byte flipped inside a record shows when it is read, and the environment can be rebuilt while serving', async (t) => {
  const folder = t.testdir();
  await fill(folder);
  change(pathIn(folder), (bytes) => flip(bytes, bytes.indexOf(`value of ${marker(123)}`) + 30));
  const stores = openSnapshots({ folder });
  t.same(stores.rebuilt, []);
  t.ok(stores.actors.get(marker(122)));
  t.throws(() => stores.actors.get(marker(123)), { environment: 'actors', key: marker(123), code: 'snapshotDamaged' });
  t.throws(() => [...stores.actors.range({ start: '', end: '~' })], DamagedRecord);

  await stores.rebuild('actors');
  t.same(stores.rebuilt, ['actors']);
  t.equal(stores.actors.get(marker(122)), undefined);
  await stores.actors.write([[marker(123), Buffer.from('afresh')]]);
  t.equal(Buffer.from(stores.actors.get(marker(123)) ?? '').toString(), 'afresh');
  await stores.close();
});

test('a flipped byte of a key does not pass either', async (t) => {
  const folder = t.testdir();
  await fill(folder);
  change(pathIn(folder), (bytes) => {
    const value = bytes.indexOf(`value of ${marker(200)}`);
    flip(bytes, bytes.lastIndexOf(marker(200), value) + 10);
  });
  const stores = openSnapshots({ folder });
  t.throws(() => [...stores.actors.range({ start: '', end: '~' })], DamagedRecord);
  await stores.close();
});

test('the check of all records finds damage before anything is served', async (t) => {
  const folder = t.testdir();
  await fill(folder);
  await openSnapshots({ folder, checkRecords: true }).close();
  change(pathIn(folder), (bytes) => flip(bytes, bytes.indexOf(`value of ${marker(123)}`) + 30));
  const stores = openSnapshots({ folder, checkRecords: true });
  t.same(
    stores.setAside.map((each) => each.reason),
    ['a record is damaged'],
  );
  await stores.close();
});

test('another process finds pages on which LMDB ends a process', async (t) => {
  const folder = t.testdir();
  await fill(folder);
  change(pathIn(folder), (bytes) => {
    for (let page = 2 * PAGE_BYTES; page < bytes.length; page += PAGE_BYTES) bytes.fill(0xff, page + 18, page + 24);
  });
  const stores = openSnapshots({ folder, checkRecords: true });
  t.same(stores.rebuilt, ['actors']);
  t.match(stores.setAside[0]?.reason, /ends a process with|a record is damaged/);
  await stores.close();
});

test('a process that is killed now and then starts without a check, until several starts in a row end so', async (t) => {
  const folder = t.testdir();
  const nowMs = 1_800_000_000_000;
  const clock = { now: () => nowMs };
  await fill(folder);
  change(pathIn(folder), (bytes) => flip(bytes, bytes.indexOf(`value of ${marker(123)}`) + 30));
  const livesBefore = (short: number, served: number): void => {
    const lives = [...new Array<string>(served).fill('served'), ...new Array<string>(short).fill('short')];
    writeFileSync(join(folder, 'starts'), lives.map((length, n) => `${nowMs - 60_000 + n} ${length}`).join('\n'));
  };
  for (const [short, served, isChecked] of [
    [0, 9, false],
    [2, 7, false],
    [0, 10, false],
    [3, 0, true],
  ] as const) {
    if (isChecked) await refill(folder);
    livesBefore(short, served);
    const stores = openSnapshots({ folder, clock });
    t.same(stores.rebuilt, isChecked ? ['actors'] : [], `${short} short lives and ${served} that served`);
    await stores.close();
  }
});

test('after ten unclean ends of processes that had served, all records are read while the next one serves', async (t) => {
  const folder = t.testdir();
  const nowMs = 1_800_000_000_000;
  const clock = { now: () => nowMs };
  const livesBefore = (): void =>
    writeFileSync(join(folder, 'starts'), Array.from({ length: 10 }, (_, n) => `${nowMs - 60_000 + n} served`).join('\n'));
  const lives = (): number => readFileSync(join(folder, 'starts'), 'utf8').split('\n').length;
  await fill(folder);

  livesBefore();
  const sound = openSnapshots({ folder, clock });
  t.ok(sound.actors.get(marker(0)), 'it serves at once');
  t.ok(await comes(() => lives() === 1), 'what is sound ended no life: those before count no more');
  t.ok(sound.actors.get(marker(0)), 'and is served on');
  await sound.close();

  await refill(folder);
  livesBefore();
  const damaged = openSnapshots({ folder, clock });
  t.ok(damaged.actors.get(marker(0)), 'what is damaged is served until that is found');
  t.ok(await comes(() => isDamaged(damaged, marker(0))), 'and each read meets it then, wherever');
  t.equal(Buffer.from(damaged.events.get('event') ?? '').toString(), 'kept', 'others are not');
  await damaged.rebuild('actors');
  t.equal(damaged.actors.get(marker(0)), undefined, 'it can be rebuilt while serving');
  await damaged.close();
  t.notOk(readdirSync(folder).includes('starts'), 'an orderly end');
});

test('a check beside the service ends with it', async (t) => {
  const folder = t.testdir();
  await fill(folder);
  writeFileSync(join(folder, 'starts'), Array.from({ length: 10 }, (_, n) => `${Date.now() - 60_000 + n} served`).join('\n'));
  const stores = openSnapshots({ folder });
  await new Promise((resolve) => setTimeout(resolve, limits.shortLifeMs + 20)); // it has just begun
  await stores.close();
  t.notOk(readdirSync(folder).includes('starts'), 'and writes nothing any more');
  t.same(childrenReading(folder), []);
});

test('a process that serves others goes on with that while records are read before an opening', async (t) => {
  const folder = t.testdir();
  await fill(folder);
  change(pathIn(folder), (bytes) => flip(bytes, bytes.indexOf(`value of ${marker(123)}`) + 30));
  let longestMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }, 5);
  const begun = performance.now();
  const stores = await openSnapshotsBeside({ folder, checkRecords: true });
  const tookMs = performance.now() - begun;
  clearInterval(timer);
  t.same(stores.rebuilt, ['actors']);
  t.ok(longestMs < tookMs / 2, `it was held up for at most ${longestMs.toFixed(0)} of ${tookMs.toFixed(0)} ms`);
  await stores.close();
});

test('a process that has served for a while does not count as a short life', (t) => {
  const folder = t.testdir();
  const start = (nowMs: number): { readonly log: StartLog; readonly isSuspect: boolean } => {
    const log = new StartLog(folder);
    return { log, isSuspect: log.noteStart(nowMs) !== 'none' };
  };
  t.same(
    [1, 2, 3, 4].map((nowMs) => start(nowMs).isSuspect),
    [false, false, false, true],
  );
  const { log } = start(5);
  log.noteServed();
  t.same(
    [6, 7, 8, 9].map((nowMs) => start(nowMs).isSuspect),
    [false, false, false, true],
  );
  t.end();
});

test('after starts in a row that had no orderly end all records are checked', async (t) => {
  const folder = t.testdir();
  const nowMs = 1_800_000_000_000;
  const clock = { now: () => nowMs };
  await fill(folder);
  const startsBefore = (...agesMs: number[]): void => writeFileSync(join(folder, 'starts'), agesMs.map((age) => nowMs - age).join('\n'));

  startsBefore(3_000, 2_000, 1_000);
  const sound = openSnapshots({ folder, clock });
  t.same(sound.rebuilt, [], 'what is sound stays');
  await sound.close();
  t.notOk(readdirSync(folder).includes('starts'), 'an orderly end');

  change(pathIn(folder), (bytes) => flip(bytes, bytes.indexOf(`value of ${marker(123)}`) + 30));
  for (const starts of [[], [2_000, 1_000], [4_000_000, 3_900_000, 3_800_000]]) {
    startsBefore(...starts);
    const stores = openSnapshots({ folder, clock });
    t.same(stores.rebuilt, []);
    await stores.close();
  }
  startsBefore(3_000, 2_000, 1_000);
  const checked = openSnapshots({ folder, clock });
  t.same(checked.rebuilt, ['actors']);
  await checked.close();
});

test('only the newest damaged copies are kept', async (t) => {
  const folder = t.testdir();
  for (let round = 0; round < 4; round += 1) {
    await fill(folder);
    truncateSync(pathIn(folder), 0);
    await openSnapshots({ folder }).close();
  }
  const kept = readdirSync(folder).filter((name) => name.includes('damaged'));
  t.same(kept.sort(), ['actors.lmdb.damaged-3', 'actors.lmdb.damaged-4']);
});
