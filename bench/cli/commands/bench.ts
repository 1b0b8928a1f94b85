import { resolve } from 'node:path';
import type { Command } from 'commander';
import { LONGEST } from '../../measure/make-portfolio.js';
import type { Access } from '../../access.js';
import { EXIT } from '../exit-codes.js';
import { type Benchmark, isMissed } from '../../measure/benchmark.js';
import { isThere } from '../nats-server.js';
import { BENCHMARKS, runBenchmark, textOfReport } from '../../measure/run.js';
import { withExample } from './running-service.js';

interface Flags {
  readonly size?: string;
  readonly workers: string;
  readonly months?: string;
  readonly days?: string;
  readonly minutes?: string;
  readonly book?: string;
  readonly json?: boolean;
  readonly check?: boolean;
  readonly results: string;
}

/** `tenor bench`: figures of this machine. */
export function addBench(program: Command, access: Access, benchmarks: readonly Benchmark[] = BENCHMARKS): void {
  program
    .command('bench <name>')
    .description('Measure: a name, `all`, or `list`')
    .option('--size <number>', 'instead of the standard size of the benchmark')
    .option(
      '--workers <numbers>',
      '`mass`, `statements`, `campaigns`, `streams`, `cluster` and `takeover`: ' +
        'clusters of so many workers, one after the other; 0 is one process',
      '0',
    )
    .option('--months <number>', '`book`, `mass` and `cluster`: months of payments that each loan has behind it')
    .option('--days <number>', '`mass`: days of business to close')
    .option('--minutes <number>', '`soak`: how long the load lasts')
    .option(
      '--book <folder>',
      '`book`, `mass`, `statements`, `campaigns` and `cluster`: ' +
        'book the portfolio there, or what it lacks, keep it, and measure copies of it',
    )
    .option('--results <folder>', 'where the figures are kept as JSON', 'bench-results')
    .option('--check', 'end with 1 where a budget is missed')
    .option('--json', 'print JSON alone')
    .addHelpText(
      'after',
      `\nBenchmarks:\n${list(benchmarks)}${withExample(
        'tenor bench replay --json',
        'Exit codes: 0 done, 1 a benchmark failed or, with --check, missed a budget, 2 wrong usage.',
      )}`,
    )
    .action(async (name: string, flags: Flags) => {
      process.exitCode = await run({ access, benchmarks }, name, flags);
    });
}

interface Measuring {
  readonly access: Access;
  readonly benchmarks: readonly Benchmark[];
}

async function run({ access, benchmarks }: Measuring, name: string, flags: Flags): Promise<number> {
  if (name === 'list') {
    process.stdout.write(flags.json ? `${JSON.stringify(benchmarks.map((each) => each.name))}\n` : list(benchmarks));
    return EXIT.done;
  }
  const chosen = benchmarks.filter((benchmark) => name === 'all' || benchmark.name === name);
  const fault = chosen.length === 0 ? `There is no benchmark ${name}:\n${list(benchmarks)}` : faultOf(flags);
  if (fault !== null) {
    process.stderr.write(fault);
    return EXIT.usage;
  }
  const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
  const context = {
    access,
    size: numberOf(flags.size),
    months: numberOf(flags.months),
    days: numberOf(flags.days),
    minutes: numberOf(flags.minutes),
    keptIn: flags.book === undefined ? null : resolve(flags.book),
    workers: flags.workers.split(',').map(Number),
    report: (line: string) => void process.stderr.write(`  ${line}\n`),
  };
  const missing = [...new Set(chosen.flatMap((benchmark) => benchmark.needs?.(context) ?? []))].filter((program) => !isThere(program));
  if (missing.length > 0) {
    process.stderr.write(
      `${missing.join(', ')} is not on this machine: "npm run servers" fetches it below .servers/, without installing it.\n`,
    );
    return EXIT.usage;
  }
  const reports = [];
  for (const benchmark of chosen) {
    const report = await runBenchmark(benchmark, context, resolve(flags.results));
    if (!flags.json) process.stdout.write(textOfReport(report));
    reports.push(report);
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
  const isOver = reports.some(({ measures }) => measures.some(isMissed));
  return flags.check && isOver ? EXIT.finding : EXIT.done;
}

function faultOf({ size, workers, months, days, minutes }: Flags): string | null {
  if (size !== undefined && !/^[1-9]\d{0,8}$/.test(size)) return '--size must be a whole number above zero.\n';
  if (!/^\d{1,2}(,\d{1,2})*$/.test(workers)) return '--workers must be whole numbers with commas between: 0,1,2.\n';
  if (months !== undefined && !(/^\d{1,2}$/.test(months) && Number(months) <= LONGEST))
    return `--months must be a whole number up to ${LONGEST}.\n`;
  if (days !== undefined && !/^[1-9]\d?$/.test(days)) return '--days must be a whole number from 1 to 99.\n';
  if (minutes !== undefined && !/^[1-9]\d{0,3}$/.test(minutes)) return '--minutes must be a whole number from 1 to 9999.\n';
  return null;
}

function list(benchmarks: readonly Benchmark[]): string {
  return benchmarks
    .map(
      ({ name, title, size }) =>
        `  ${name.padEnd(11)} ${title}${size === null ? '' : ` (${size.standard.toLocaleString('en-US')} ${size.unit})`}\n`,
    )
    .join('');
}
