import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOnSignal } from '../cli/children.js';
import { textTable } from '../cli/loan-views.js';
import { ageBenchmark } from './age.js';
import { authorizationsBenchmark } from './authorizations.js';
import { type BenchContext, type Benchmark, budgetText, type Measure } from './benchmark.js';
import { campaignsBenchmark } from './campaigns.js';
import { clusterBenchmark, postgresBenchmark } from './cluster.js';
import { generalLedgerBenchmark } from './general-ledger.js';
import { hostileBenchmark } from './hostile.js';
import { importBenchmark } from './import-rate.js';
import { machine, type Machine } from './machine.js';
import { massBenchmark } from './mass.js';
import { historyBenchmark, memoryBenchmark } from './memory.js';
import { metro2Benchmark } from './metro2.js';
import { portfolioBenchmark } from './portfolio.js';
import { recoveryBenchmark } from './recovery.js';
import { replayBenchmark } from './replay.js';
import { restBenchmark } from './rest.js';
import { shardBenchmark } from './shard.js';
import { soakBenchmark } from './soak.js';
import { statementsBenchmark } from './statements.js';
import { streamsBenchmark } from './streams.js';
import { takeoverBenchmark } from './takeover.js';
import { tapesBenchmark } from './tapes.js';

export const BENCHMARKS: readonly Benchmark[] = [
  replayBenchmark,
  metro2Benchmark,
  shardBenchmark,
  ageBenchmark,
  authorizationsBenchmark,
  importBenchmark,
  memoryBenchmark,
  historyBenchmark,
  recoveryBenchmark,
  portfolioBenchmark,
  massBenchmark,
  statementsBenchmark,
  generalLedgerBenchmark,
  campaignsBenchmark,
  tapesBenchmark,
  clusterBenchmark,
  takeoverBenchmark,
  postgresBenchmark,
  restBenchmark,
  streamsBenchmark,
  hostileBenchmark,
  soakBenchmark,
];

export interface BenchReport {
  readonly name: string;
  readonly title: string;
  readonly command: string;
  readonly date: string;
  readonly machine: Machine;
  readonly size: number | null;
  readonly measures: readonly Measure[];
  readonly seconds: number;
}

/** Runs one benchmark in a folder of its own and keeps its figures as JSON in the folder `results`. */
export async function runBenchmark(benchmark: Benchmark, context: Omit<BenchContext, 'folder'>, results: string): Promise<BenchReport> {
  const { size, keptIn } = context;
  const folder = await mkdtemp(join(keptIn === null ? tmpdir() : await madeFolder(keptIn), `tenor-bench-${benchmark.name}-`));
  const stay = endOnSignal(() => rmSync(folder, { recursive: true, force: true }));
  const about = machine();
  const begun = performance.now();
  try {
    const measures = await benchmark.run({ ...context, folder });
    const report: BenchReport = {
      name: benchmark.name,
      title: benchmark.title,
      command: `npm run bench -- ${[benchmark.name, ...flagsOf(context)].join(' ')}`,
      date: new Date().toISOString().slice(0, 10),
      machine: about,
      size: size ?? benchmark.size?.standard ?? null,
      measures,
      seconds: Math.round((performance.now() - begun) / 1000),
    };
    mkdirSync(results, { recursive: true });
    writeFileSync(join(results, `${benchmark.name}.json`), `${JSON.stringify(report, null, 2)}\n`);
    return report;
  } finally {
    await rm(folder, { recursive: true, force: true });
    stay();
  }
}

/** The flags as they were given, without the folder of the portfolio, which changes no figure. */
const flagsOf = ({ size, months, days, minutes, workers }: Omit<BenchContext, 'folder'>): readonly string[] => [
  ...(size === null ? [] : [`--size ${size}`]),
  ...(months === null ? [] : [`--months ${months}`]),
  ...(days === null ? [] : [`--days ${days}`]),
  ...(minutes === null ? [] : [`--minutes ${minutes}`]),
  ...(workers.join() === '0' ? [] : [`--workers ${workers.join()}`]),
];

async function madeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  return path;
}

export function textOfReport({ title, command, date, machine: on, measures, seconds }: BenchReport): string {
  return [
    '',
    title,
    `  ${command}, ${date}, ${seconds} s`,
    `  ${on.processors} x ${on.processor}, ${on.memoryGB} GB, ${on.system}, Node ${on.node}, ` +
      `revision ${on.commit ?? 'unknown'}, load before ${on.loadBefore}`,
    '',
    textTable(
      ['measure', 'value', 'unit', 'budget'],
      measures.map((measure) => [measure.name, measure.value, measure.unit, budgetText(measure)]),
    ),
    '',
  ].join('\n');
}
