import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from './compare/postgres.js';
import type { Benchmark } from './benchmark.js';
import { latenciesOf, median } from './statistics.js';

const REPEATS = 3;
const SECONDS = 10;
const CLIENTS = 32;
const SCALE = '10';

/** What PostgreSQL does on this machine: TPC-B as pgbench has it, durable. */
export const postgresBenchmark: Benchmark = {
  name: 'postgres',
  title: 'PostgreSQL: pgbench, TPC-B, durable, 32 clients',
  size: null,
  async run({ folder, tell }) {
    const postgres = await startPostgres(join(folder, 'postgres'));
    try {
      tell(postgres.version);
      const pgbench = (...more: readonly string[]): string =>
        execFileSync(
          join(postgres.programs, 'pgbench'),
          ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'bench', ...more, 'postgres'],
          { encoding: 'utf8', cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
        );
      pgbench('-i', '-q', '-s', SCALE);
      const rates: number[] = [];
      const latencies: number[] = [];
      for (let run = 1; run <= REPEATS; run++) {
        const logs = join(folder, `log-${run}`);
        mkdirSync(logs);
        const said = pgbench(
          '-c',
          String(CLIENTS),
          '-j',
          '2',
          '-T',
          String(SECONDS),
          '-M',
          'prepared',
          '-l',
          `--log-prefix=${join(logs, 'run')}`,
        );
        rates.push(Math.round(Number(/tps = ([\d.]+)/.exec(said)?.[1] ?? 0)));
        for (const name of readdirSync(logs)) {
          for (const line of readFileSync(join(logs, name), 'utf8').split('\n'))
            if (line !== '') latencies.push(Number(line.split(' ')[2]) / 1000);
        }
        tell(`pgbench: ${rates.at(-1) ?? 0} transactions/s`);
      }
      const { p50Ms, p99Ms, p999Ms } = latenciesOf(latencies);
      return [
        { name: 'pgbench TPC-B', value: median(rates), unit: '/s' },
        { name: 'pgbench p50', value: p50Ms, unit: 'ms' },
        { name: 'pgbench p99', value: p99Ms, unit: 'ms' },
        { name: 'pgbench p99.9', value: p999Ms, unit: 'ms' },
      ];
    } finally {
      await postgres.stop();
    }
  },
};
