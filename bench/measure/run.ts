import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textTable } from '../cli/text-table.js';
import { ageBenchmark } from './age.js';
import { type BenchContext, type Benchmark, budgetText, type Measure } from './benchmark.js';
import { bookBenchmark } from './book.js';
import { clusterBenchmark } from './cluster.js';
import { takeoverBenchmark } from './takeover.js';
import { hostileBenchmark } from './hostile.js';
import { importBenchmark } from './import-rate.js';
import { type Machine, machine } from './machine.js';
import { massBenchmark } from './mass.js';
import { historyBenchmark, memoryBenchmark } from './memory.js';
import { postgresBenchmark } from './postgres.js';
import { recoveryBenchmark } from './recovery.js';
import { replayBenchmark } from './replay.js';
import { restBenchmark } from './rest.js';
import { shardBenchmark } from './shard.js';
import { soakBenchmark } from './soak.js';
import { streamsBenchmark } from './streams.js';

export const BENCHMARKS: readonly Benchmark[] = [
  replayBenchmark,
  shardBenchmark,
  ageBenchmark,
  importBenchmark,
  memoryBenchmark,
  historyBenchmark,
  recoveryBenchmark,
  bookBenchmark,
  massBenchmark,
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
  }
}

/** As they were given; where the portfolio lies changes no figure. */
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
    `  ${on.processors} x ${on.processor}, ${on.memoryGB} GB, ${on.system}, Node ${on.node}, revision ${on.commit ?? 'unknown'}, load before ${on.loadBefore}`,
    '',
    textTable(
      ['measure', 'value', 'unit', 'budget'],
      measures.map((measure) => [measure.name, measure.value, measure.unit, budgetText(measure)]),
    ),
    '',
  ].join('\n');
}
