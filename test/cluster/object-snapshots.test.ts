import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { jetstreamManager } from '@nats-io/jetstream';
import { test } from 'tap';
import { natsServer } from '../nats.js';
import { patient } from '../service/patience.js';
import { askAt, LIVE_KEY, TEST_KEY } from '../service/service.js';
import { tempFolder } from '../temp-folder.js';
import { answersOf, type Ask, makeMovedPortfolio } from '../moves/portfolio.js';

const ENTRY_POINT = resolve(import.meta.dirname, '../../tenor.js');
const WAIT_MS = 120_000;

interface LogLine {
  readonly msg: string;
  readonly unit?: string;
  readonly records?: number;
  readonly environment?: string;
  readonly reason?: string;
}

test('a new owner without a disk of its own reads only the end of the journal, and all of it where a snapshot is damaged', async (t) => {
  const server = await natsServer(t);
  const folder = tempFolder(t);
  const started: ReturnType<typeof start>[] = [];
  const begin = (command: string, name: string, seconds: number, ...flags: string[]): ReturnType<typeof start> => {
    const member = start(command, ['--node', name, '--data', join(folder, name), ...flags], {
      TENOR_NATS: server.url,
      TENOR_MASTER_KEY: 'ef'.repeat(32),
      TENOR_SNAPSHOT_SECONDS: String(seconds),
    });
    started.push(member);
    return member;
  };
  t.teardown(async () => {
    for (const member of started) await member.kill();
  });

  const first = begin('worker', 'first', 2);
  const gateway = begin('gateway', 'entrance', 0, '--port', '0');
  const url = await gateway.said(/Tenor serves (http:\S+)\/api/);
  const ask: Ask = patient((method, path, body, headers) => askAt(url, method, path, body, headers));
  const portfolio = await makeMovedPortfolio(ask, 4);
  const answers = await answersOf(ask, portfolio);
  const stored = (): readonly string[] =>
    first.log.flatMap(({ msg, unit }) => (msg === 'A snapshot was stored in the object store.' && unit !== undefined ? [unit] : []));
  const unitsStored = (): ReadonlySet<string> => new Set(stored());
  await until(async () => unitsStored().has('shared'));
  await quiet(async () => stored().length); // a unit without changes stores nothing
  const units = unitsStored();
  await first.kill();

  const manager = await jetstreamManager(await server.connect());
  const total = (await manager.streams.info('tenor-journal')).state.messages;
  const second = begin('worker', 'second', 0);
  t.strictSame(await answersOf(ask, portfolio), answers, 'all is answered as before');
  const taken = second.log.filter(({ msg }) => msg === 'A snapshot was taken over from the object store.');
  t.ok(taken.some(({ unit, environment }) => unit === 'shared' && environment === 'actors'));
  const read = readBy(second.log, units);
  t.ok(read < 20, `${read} records were read again, of a journal of ${total} messages`);
  await second.kill();

  for (const unit of units) await damage(unit);
  const third = begin('worker', 'third', 0);
  t.strictSame(await answersOf(ask, portfolio), answers, 'without any sound snapshot as well');
  t.ok(
    third.log.some(
      ({ msg, environment, reason }) => /not used/.test(msg) && environment === 'actors' && /missing|checksum|bytes/.test(reason ?? ''),
    ),
    'what is damaged is said',
  );
  t.ok(readBy(third.log, units) > read + 20, 'and the journal is read from its start');

  /** Removes a chunk of each object of the unit. */
  async function damage(unit: string): Promise<void> {
    const stream = `OBJ_tenor-snapshots-${unit}`;
    const { state } = await manager.streams.info(stream, { subjects_filter: '$O.*.C.>' });
    for (const subject of Object.keys(state.subjects ?? {})) await manager.streams.purge(stream, { filter: subject });
  }
});

/** Records that the openings of these units have read. */
const readBy = (log: readonly LogLine[], units: ReadonlySet<string>): number =>
  log.reduce((sum, { msg, unit = '', records = 0 }) => sum + (msg === 'Recovered.' && units.has(unit) ? records : 0), 0);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS; !(await isSo()); ) {
    if (Date.now() > end) throw new Error('it has not come');
    await new Promise((again) => setTimeout(again, 100));
  }
}

/** Resolves when the count has not changed for some seconds. */
async function quiet(count: () => Promise<number>): Promise<void> {
  for (let [last, same] = [-1, 0]; same < 16; ) {
    await new Promise((again) => setTimeout(again, 500));
    const now = await count();
    [last, same] = [now, now === last ? same + 1 : 0];
  }
}

/** A process of the cluster, with its log. */
function start(
  command: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
): {
  readonly log: readonly LogLine[];
  said(what: RegExp): Promise<string>;
  kill(): Promise<void>;
} {
  const child = spawn(process.execPath, [ENTRY_POINT, command, ...flags], {
    env: { PATH: process.env['PATH'], TENOR_TEST_KEY: TEST_KEY, TENOR_LIVE_KEY: LIVE_KEY, TENOR_LOG: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: LogLine[] = [];
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) =>
    log.push(line.startsWith('{') ? (JSON.parse(line) as LogLine) : { msg: line }),
  );
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return {
    log,
    async said(what) {
      await until(async () => lines.some((line) => what.test(line)));
      return lines.flatMap((line) => what.exec(line)?.[1] ?? [])[0] ?? '';
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
