import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { textTable } from '../cli/loan-views.js';
import { newTestKey, type ServiceProcess, startService } from '../cli/service-client.js';
import type { BenchContext, Benchmark, Measure } from './benchmark.js';
import { type Portfolio, makePortfolio, PAYMENT } from './make-portfolio.js';
import { generateLoadApart } from './load/generator-process.js';
import { latenciesOf, median, wireRequest } from './machine.js';

/** A value a minute. */
interface Series {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
}

const WIDTH = 760;
const HEIGHT = 130;
const LEFT = 70;
const TOP = 28;

/** Small charts below each other, each from zero to its own highest value, as one SVG. */
function chartOf(series: readonly Series[]): string {
  const height = series.length * (HEIGHT + TOP) + TOP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + LEFT + 20}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    ...series.map((each, index) => `<g transform="translate(${LEFT} ${index * (HEIGHT + TOP) + TOP})">${plot(each)}</g>`),
    '</svg>\n',
  ].join('\n');
}

function plot({ name, unit, values }: Series): string {
  const highest = Math.max(1, ...values);
  const x = (at: number): number => Math.round((at / Math.max(1, values.length - 1)) * WIDTH);
  const y = (value: number): number => Math.round((HEIGHT - 20) * (1 - value / highest));
  const points = values.map((value, at) => `${x(at)},${y(value)}`).join(' ');
  const shown = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ${unit}`.trim();
  return [
    `<text x="0" y="-8" font-weight="bold">${name}</text>`,
    `<text x="-6" y="10" text-anchor="end">${shown(highest)}</text>`,
    `<text x="-6" y="${HEIGHT - 16}" text-anchor="end">0</text>`,
    `<path d="M0 0V${HEIGHT - 20}H${WIDTH}" fill="none" stroke="#999"/>`,
    `<polyline points="${points}" fill="none" stroke="#1f5fa8" stroke-width="2"/>`,
    `<text x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">minute ${values.length}</text>`,
  ].join('');
}

/** The load of a lender's busy hour on few loans, on which growth shows soonest. */
const WRITES_A_SECOND = 180;
const READS_A_SECOND = 220;
const CONNECTIONS = 32;
const LOANS = 120;
const STANDARD_MINUTES = 60;
/** Folder of table and chart, below the working folder; git ignores it. */
const FOLDER = resolve('bench-results', 'soak');
const MB = 1024 * 1024;

/** Figures of one minute of the service. */
export interface Minute {
  readonly minute: number;
  readonly heapMB: number;
  readonly externalMB: number;
  readonly rssMB: number;
  /** The part of it that is not mapped from files. */
  readonly anonymousMB: number;
  readonly descriptors: number;
  readonly snapshotLag: number;
  readonly answered: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A steady load on one process, with its memory and latencies minute by minute. */
export const soakBenchmark: Benchmark = {
  name: 'soak',
  title: `Memory and latency by minute under ${WRITES_A_SECOND} writes and ${READS_A_SECOND} reads a second`,
  size: { standard: LOANS, unit: 'loans' },
  async run(context) {
    const { access, folder, size, minutes, report } = context;
    const dataFolder = join(folder, 'data');
    const testKey = newTestKey();
    const local = await access.open({ dataFolder, testKey, logLevel: 'warn' });
    const portfolio = await makePortfolio(local, size ?? LOANS, report);
    await local.close();
    const service = await startService({ dataFolder, testKey, nodeOptions: ['--max-semi-space-size=64'] });
    try {
      const rows = await soak(service, portfolio, minutes ?? STANDARD_MINUTES, report);
      keep(rows, report);
      return measuresOf(rows);
    } finally {
      await service.stop();
    }
  },
};

async function soak(
  service: ServiceProcess,
  portfolio: Portfolio,
  minutes: number,
  report: BenchContext['report'],
): Promise<readonly Minute[]> {
  const requests = requestsOf(portfolio, service.testKey);
  const rows: Minute[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const { answered, failed, firstFailure, latenciesMs } = await generateLoadApart({
      port: service.port,
      connections: CONNECTIONS,
      ratePerSecond: WRITES_A_SECOND + READS_A_SECOND,
      seconds: 60,
      requests,
    });
    const { p50Ms, p99Ms } = latenciesOf(latenciesMs);
    const row: Minute = { minute, ...(await held(service)), answered, failed, p50Ms, p99Ms };
    rows.push(row);
    report(lineOf(row));
    if (failed > 0) report(`${failed} failed: ${firstFailure ?? ''}`);
  }
  return rows;
}

/** Reads and writes, mixed in their proportion, over all loans. */
function requestsOf({ loans }: Portfolio, testKey: string): readonly string[] {
  const headers = { Authorization: `Bearer ${testKey}` };
  const requests: string[] = [];
  const total = loans.length * (WRITES_A_SECOND + READS_A_SECOND);
  for (let at = 0; at < total; at += 1) {
    const { personId, loanId } = loans[at % loans.length] ?? { personId: '', loanId: '' };
    const path = `/api/people/${personId}/loans/${loanId}`;
    const isWrite = ((at + 1) * WRITES_A_SECOND) % (WRITES_A_SECOND + READS_A_SECOND) < WRITES_A_SECOND;
    if (isWrite) requests.push(wireRequest('POST', `${path}/transactions`, headers, { ...PAYMENT, amount: 0.01 }));
    else requests.push(readRequest(`${path}/${at % 2 === 0 ? 'balances' : 'transactions?limit=10'}`, testKey));
  }
  return requests;
}

const readRequest = (path: string, testKey: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${testKey}\r\n\r\n`;

type Held = Pick<Minute, 'heapMB' | 'externalMB' | 'rssMB' | 'anonymousMB' | 'descriptors' | 'snapshotLag'>;

/** From the service's metrics and from `/proc`. */
async function held({ url, pid }: ServiceProcess): Promise<Held> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const metric = (name: string): number =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    heapMB: Math.round(metric('nodejs_heap_size_used_bytes') / MB),
    externalMB: Math.round(metric('nodejs_external_memory_bytes') / MB),
    rssMB: Math.round(kilobytes('VmRSS') / 1024),
    anonymousMB: Math.round(kilobytes('RssAnon') / 1024),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    snapshotLag: metric('tenor_unit_unstored_records'),
  };
}

const lineOf = ({ minute, heapMB, externalMB, rssMB, anonymousMB, descriptors, snapshotLag, p50Ms, p99Ms }: Minute): string =>
  `minute ${minute}: heap ${heapMB}, external ${externalMB}, RSS ${rssMB}, anonymous ${anonymousMB} MB, ${descriptors} descriptors, ` +
  `${snapshotLag} records behind the snapshot, p50 ${p50Ms} ms, p99 ${p99Ms} ms`;

/** Writes the table as text and JSON, and the chart. */
function keep(rows: readonly Minute[], report: BenchContext['report']): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'minutes.json'), `${JSON.stringify(rows, null, 2)}\n`);
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => Object.values(row));
  writeFileSync(join(FOLDER, 'minutes.txt'), `${textTable(columns, cells, '')}\n`);
  const series = (name: string, unit: string, of: (row: Minute) => number): Series => ({ name, unit, values: rows.map(of) });
  const chart = chartOf([
    series('heap', 'MB', ({ heapMB }) => heapMB),
    series('external', 'MB', ({ externalMB }) => externalMB),
    series('RSS', 'MB', ({ rssMB }) => rssMB),
    series('RSS without what is mapped from files', 'MB', ({ anonymousMB }) => anonymousMB),
    series('descriptors', '', ({ descriptors }) => descriptors),
    series('records behind the snapshot', '', ({ snapshotLag }) => snapshotLag),
    series('p99', 'ms', ({ p99Ms }) => p99Ms),
  ]);
  writeFileSync(join(FOLDER, 'soak.svg'), chart);
  report(`the table and the chart are in ${FOLDER}`);
}

/** What a payment may leave in memory, in bytes: its loan keeps about 40 of them. */
const LEFT_BYTES = { heap: 64, external: 64, anonymous: 128 } as const;
/** How much slower the last third may be than the one before it. */
const MOST_SLOWER = 1.5;

/** The last third of a run beside the one before it, by their medians: in the first third caches fill. */
export function measuresOf(rows: readonly Minute[]): readonly Measure[] {
  const third = Math.floor(rows.length / 3);
  if (third === 0) return [];
  const [middle, last] = [rows.slice(-2 * third, -third), rows.slice(-third)];
  const medians = (of: (row: Minute) => number): readonly [number, number] => [median(middle.map(of)), median(last.map(of))];
  const payments = third * 60 * WRITES_A_SECOND;
  const both = (name: string, unit: string, of: (row: Minute) => number): readonly Measure[] => {
    const [before, after] = medians(of);
    return [
      { name: `${name}, second third`, value: before, unit },
      { name: `${name}, last third`, value: after, unit },
    ];
  };
  const memory = (name: keyof typeof LEFT_BYTES, of: (row: Minute) => number): readonly Measure[] => {
    const [before, after] = medians(of);
    const value = Math.round(((after - before) * MB) / payments);
    return [...both(name, 'MB', of), { name: `${name} that a payment leaves`, value, unit: 'bytes', budget: { atMost: LEFT_BYTES[name] } }];
  };
  const [slowBefore, slowAfter] = medians(({ p99Ms }) => p99Ms);
  const [openBefore, openAfter] = medians(({ descriptors }) => descriptors);
  const slower = Number((slowAfter / Math.max(1, slowBefore)).toFixed(2));
  return [
    ...memory('heap', ({ heapMB }) => heapMB),
    ...memory('external', ({ externalMB }) => externalMB),
    ...memory('anonymous', ({ anonymousMB }) => anonymousMB),
    ...both('RSS', 'MB', ({ rssMB }) => rssMB),
    ...both('p99', 'ms', ({ p99Ms }) => p99Ms),
    { name: 'p99, last third by the second', value: slower, unit: '', budget: { atMost: MOST_SLOWER } },
    { name: 'descriptors that are opened and not closed', value: openAfter - openBefore, unit: '', budget: { atMost: 0 } },
    { name: 'failed', value: rows.reduce((sum, { failed }) => sum + failed, 0), unit: '', budget: { atMost: 0 } },
  ];
}
