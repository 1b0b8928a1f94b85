import { join } from 'node:path';
import { must, fieldOf } from '../../engine/index.js';
import { Client, HttpFailure, inParallel, newTestKey, startService } from '../cli/service-client.js';
import type { BenchContext, Benchmark } from './benchmark.js';
import { INDEX } from './portfolio.js';
import { type Portfolio, makePortfolio, PAYMENT } from './make-portfolio.js';
import { copyDataFolder, keepPortfolio } from './kept-portfolio.js';
import { median } from './machine.js';

const REPEATS = 3;
/** Payments right before each kill, so that the journal has a tail that no snapshot holds. */
const PAYMENTS = 500;
const CONNECTIONS = 16;

/** After three runs shorter than this, a start checks the whole store for damage; in milliseconds. */
const LONG_LIFE_MS = 6_000;

/** From the start of a process that was killed to its first correct answer, over REST. */
export const recoveryBenchmark: Benchmark = {
  name: 'recovery',
  title: 'Start after kill -9, to the first correct answer',
  size: { standard: 100_000, unit: 'loans' },
  async run(context) {
    const { report } = context;
    const { dataFolder, testKey, loans } = await portfolioOf(context);
    const pathOf = (index: number): string => {
      const { personId, loanId } = must(loans[index % loans.length], 'a loan');
      return `/people/${personId}/loans/${loanId}`;
    };
    const starts: number[] = [];
    const lists: number[] = [];
    let expected: number | null = null;
    for (let start = 0; start <= REPEATS; start++) {
      const begun = performance.now();
      const service = await startService({ dataFolder, testKey });
      const client = new Client(service.port, testKey, CONNECTIONS);
      const lastPaid = pathOf(Math.max(0, start * PAYMENTS - 1));
      const paid = await paidOn(client, lastPaid);
      const took = performance.now() - begun;
      if (expected !== null && paid !== expected)
        throw new Error(`The first answer after start ${start} is wrong: ${paid} paid and not ${expected}.`);
      await firstList(client);
      const listed = performance.now() - begun;
      report(
        `${start === 0 ? 'start after a clean end' : 'start after kill -9'}: ${Math.round(took)} ms, ` +
          `the first list after ${Math.round(listed)} ms`,
      );
      if (start > 0) {
        starts.push(took);
        lists.push(listed);
      }
      const toPay = Array.from({ length: PAYMENTS }, (_, index) => start * PAYMENTS + index);
      expected = cents((await paidOn(client, pathOf(toPay.at(-1) ?? 0))) + PAYMENT.amount);
      await inParallel(toPay, CONNECTIONS, (index) => client.data('POST', `${pathOf(index)}/transactions`, PAYMENT));
      client.close();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, LONG_LIFE_MS - (performance.now() - begun))));
      await service.kill();
    }
    const name = `${loans.length.toLocaleString('en-US')} loans`;
    return [
      { name, value: Math.round(median(starts)), unit: 'ms', budget: { atMost: 5_000, forLoans: 1_000_000 } },
      { name: `${name}, to the first list`, value: Math.round(median(lists)), unit: 'ms' },
    ];
  },
};

/** A portfolio of its own, or a copy of the one that is kept. */
async function portfolioOf(
  context: BenchContext,
): Promise<{ readonly dataFolder: string; readonly testKey: string; readonly loans: Portfolio['loans'] }> {
  const { access, folder, keptIn, months, report } = context;
  const count = context.size ?? 100_000;
  const dataFolder = join(folder, 'data');
  if (keptIn !== null) {
    const { portfolio, testKey, dataFolder: kept } = await keepPortfolio(context, keptIn, count, { months: months ?? 0, index: INDEX });
    await copyDataFolder(kept, dataFolder);
    return { dataFolder, testKey, loans: portfolio.loans };
  }
  const testKey = newTestKey();
  const service = await access.open({ dataFolder, testKey, logLevel: 'warn' });
  const { loans } = await makePortfolio(service, count, report);
  await service.close();
  return { dataFolder, testKey, loans };
}

/** Total paid on a loan. */
async function paidOn(client: Client, path: string): Promise<number> {
  const { paidBalances } = await client.data('GET', `${path}/balances`);
  return Number(fieldOf(paidBalances, 'paidTotalAmount'));
}

const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** A list is answered 503 when the list index is not read in time; a later try succeeds. */
async function firstList(client: Client): Promise<void> {
  for (;;) {
    try {
      await client.ask('GET', '/loans?limit=1');
      return;
    } catch (cause) {
      if (!(cause instanceof HttpFailure) || cause.status !== 503) throw cause;
    }
  }
}
