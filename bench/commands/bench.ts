import type { Command } from 'commander';
import { type Door, EXIT } from '../house.js';
import { BENCHMARKS, runBenchmark, textOfReport } from '../figures/run.js';
import { withExample } from './running-service.js';

interface Flags {
  readonly size?: string;
  readonly workers: string;
  readonly json?: boolean;
}

/** `tenor bench`: figures of this machine. */
export function addBench(program: Command, door: Door): void {
  program
    .command('bench <name>')
    .description('Measure: a name, `all`, or `list`')
    .option('--size <number>', 'instead of the standard size of the benchmark')
    .option('--workers <numbers>', '`mass`, `streams` and `cluster`: clusters of so many workers, one after the other; 0 is one process', '0')
    .option('--json', 'print JSON alone')
    .addHelpText('after', `\nBenchmarks:\n${list()}${withExample('tenor bench replay --json', 'Exit codes: 0 done, 1 a benchmark failed, 2 wrong usage.')}`)
    .action(async (name: string, flags: Flags) => {
      process.exitCode = await run(door, name, flags);
    });
}

async function run(door: Door, name: string, flags: Flags): Promise<number> {
  if (name === 'list') {
    process.stdout.write(flags.json ? `${JSON.stringify(BENCHMARKS.map((each) => each.name))}\n` : list());
    return EXIT.done;
  }
  const chosen = BENCHMARKS.filter((benchmark) => name === 'all' || benchmark.name === name);
  const size = flags.size === undefined ? null : Number(flags.size);
  if (chosen.length === 0 || (size !== null && !(Number.isInteger(size) && size > 0))) {
    process.stderr.write(chosen.length === 0 ? `There is no benchmark ${name}:\n${list()}` : '--size must be a whole number above zero.\n');
    return EXIT.usage;
  }
  if (!/^\d{1,2}(,\d{1,2})*$/.test(flags.workers)) {
    process.stderr.write('--workers must be whole numbers with commas between: 0,1,2.\n');
    return EXIT.usage;
  }
  const workers = flags.workers.split(',').map(Number);
  const reports = [];
  for (const benchmark of chosen) {
    const report = await runBenchmark(benchmark, { door, size, workers, tell: (line) => void process.stderr.write(`  ${line}\n`) });
    if (!flags.json) process.stdout.write(textOfReport(report));
    reports.push(report);
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
  return EXIT.done;
}

function list(): string {
  return BENCHMARKS.map(({ name, title, size }) => `  ${name.padEnd(10)} ${title}${size === null ? '' : ` (${size.standard.toLocaleString('en-US')} ${size.unit})`}\n`).join('');
}
