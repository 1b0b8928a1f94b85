import { join } from 'node:path';
import { inParallel } from '../cli/service-client.js';
import type { Benchmark } from './benchmark.js';
import { bookLoans, type Lender, PAYMENT } from './book-loans.js';
import { latenciesOf, median } from './statistics.js';

const REPEATS = 3;
const IN_FLIGHT = 2_048;
const LOANS = 2_000;

/** Commands through the engine without HTTP: decided, applied, journaled with their events, flushed, answered. */
export const shardBenchmark: Benchmark = {
  name: 'shard',
  title: 'Commands a second through the shards of one process, durable, without HTTP',
  size: { standard: 20_000, unit: 'commands a repeat' },
  async run({ door, folder, size, tell }) {
    const house = await door.open({ dataFolder: join(folder, 'data'), logLevel: 'warn' });
    try {
      const lender = await bookLoans(house, LOANS, tell);
      const commands = size ?? 20_000;
      const update = await repeat(lender, commands, 'loan.update', (index) => ({ nickname: `n${index}` }), tell);
      const payment = await repeat(lender, commands, 'transaction.create', () => PAYMENT, tell);
      return [
        { name: 'loan updates', value: update.perSecond, unit: '/s', budget: { atLeast: 100_000 } },
        { name: 'payments', value: payment.perSecond, unit: '/s', budget: { atLeast: 100_000 } },
        { name: 'payments, p50 with 2,048 in flight', value: payment.p50Ms, unit: 'ms' },
        { name: 'payments, p99 with 2,048 in flight', value: payment.p99Ms, unit: 'ms' },
      ];
    } finally {
      await house.close();
    }
  },
};

async function repeat(
  { loans, execute }: Lender,
  commands: number,
  type: string,
  bodyOf: (index: number) => object,
  tell: (line: string) => void,
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
    tell(`${type}: ${rates.at(-1) ?? 0}/s`);
  }
  return { perSecond: median(rates), ...latenciesOf(latencies) };
}
