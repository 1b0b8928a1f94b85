import { join } from 'node:path';
import { inParallel } from '../cli/service-client.js';
import type { Benchmark } from './benchmark.js';
import { latenciesOf, median } from './machine.js';
import { type Lender, makePortfolio, PAYMENT } from './make-portfolio.js';

const REPEATS = 3;
const IN_FLIGHT = 2_048;
const LOANS = 2_000;

/** Commands through the engine without HTTP: decided, applied, journaled with their events, flushed, answered. */
export const shardBenchmark: Benchmark = {
  name: 'shard',
  title: 'Commands a second through the shards of one process, durable, without HTTP',
  size: { standard: 20_000, unit: 'commands a repeat' },
  async run({ access, folder, size, report }) {
    const service = await access.open({ dataFolder: join(folder, 'data'), logLevel: 'warn' });
    try {
      const lender = await makePortfolio(service, LOANS, report);
      const commands = size ?? 20_000;
      const update = await repeat(lender, commands, 'loan.update', (index) => ({ nickname: `n${index}` }), report);
      const payment = await repeat(lender, commands, 'transaction.create', () => PAYMENT, report);
      return [
        { name: 'loan updates', value: update.perSecond, unit: '/s', budget: { atLeast: 100_000 } },
        { name: 'payments', value: payment.perSecond, unit: '/s', budget: { atLeast: 100_000 } },
        { name: 'payments, p50 with 2,048 in flight', value: payment.p50Ms, unit: 'ms' },
        { name: 'payments, p99 with 2,048 in flight', value: payment.p99Ms, unit: 'ms' },
      ];
    } finally {
      await service.close();
    }
  },
};

async function repeat(
  { loans, execute }: Lender,
  commands: number,
  type: string,
  bodyOf: (index: number) => object,
  report: (line: string) => void,
) {
  const rates: number[] = [];
  const latencies: number[] = [];
  for (let run = 1; run <= REPEATS; run++) {
    const begun = performance.now();
    await inParallel(
      Array.from({ length: commands }, (_, index) => index),
      IN_FLIGHT,
      async (index) => {
        const loan = loans[index % loans.length];
        const asked = performance.now();
        await execute(type, loan?.loanId ?? '', bodyOf(index), { personId: loan?.personId ?? '' });
        latencies.push(performance.now() - asked);
      },
    );
    rates.push(Math.round((commands * 1000) / (performance.now() - begun)));
    report(`${type}: ${rates.at(-1) ?? 0}/s`);
  }
  return { perSecond: median(rates), ...latenciesOf(latencies) };
}
