import { join } from 'node:path';
import { must } from '../../engine/index.js';
import { Client, HttpFailure, inParallel } from '../service/client.js';
import { newTestKey, startService } from '../service/service-process.js';
import type { Benchmark } from './benchmark.js';
import { bookLoans, PAYMENT } from './book-loans.js';
import { median } from './statistics.js';

const REPEATS = 3;
/** Payments right before each kill, so that the journal has a tail that no snapshot holds. */
const PAYMENTS = 500;
const CONNECTIONS = 16;

/** Lives shorter than this, three in a row, look like a damaged store, which a start then checks whole; in milliseconds. */
const LONG_LIFE_MS = 6_000;

/** From the start of a process that was killed to its first correct answer, over REST. */
export const recoveryBenchmark: Benchmark = {
  name: 'recovery',
  title: 'Start after kill -9, to the first correct answer',
  size: { standard: 100_000, unit: 'loans' },
  async run({ door, folder, size, tell }) {
    const dataFolder = join(folder, 'data');
    const testKey = newTestKey();
    const house = await door.open({ dataFolder, testKey, logLevel: 'warn' });
    const { loans } = await bookLoans(house, size ?? 100_000, tell);
    await house.close();
    const pathOf = (index: number): string => {
      const { personId, loanId } = must(loans[index % loans.length], 'a loan');
      return `/people/${personId}/loans/${loanId}`;
    };
    const starts: number[] = [];
    const lists: number[] = [];
    for (let start = 0; start <= REPEATS; start++) {
      const begun = performance.now();
      const service = await startService({ dataFolder, testKey });
      const client = new Client(service.port, testKey, CONNECTIONS);
      const { paidBalances } = await client.data('GET', `${pathOf(start * PAYMENTS - 1 + (start === 0 ? 1 : 0))}/balances`);
      const took = performance.now() - begun;
      const paid = Number((paidBalances as Record<string, unknown>)['paidTotalAmount']);
      if (paid !== (start === 0 ? 0 : PAYMENT.amount)) throw new Error(`The first answer after start ${start} is wrong: ${paid} paid.`);
      await firstList(client);
      const listed = performance.now() - begun;
      tell(`${start === 0 ? 'start after a clean end' : 'start after kill -9'}: ${Math.round(took)} ms, the first list after ${Math.round(listed)} ms`);
      if (start > 0) {
        starts.push(took);
        lists.push(listed);
      }
      await inParallel(Array.from({ length: PAYMENTS }, (_, index) => start * PAYMENTS + index), CONNECTIONS, (index) => client.data('POST', `${pathOf(index)}/transactions`, PAYMENT));
      client.close();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, LONG_LIFE_MS - (performance.now() - begun))));
      await service.kill();
    }
    const name = `${loans.length.toLocaleString('en-US')} loans`;
    return [
      { name, value: Math.round(median(starts)), unit: 'ms', budget: '1,000,000 loans <= 5 s' },
      { name: `${name}, to the first list`, value: Math.round(median(lists)), unit: 'ms' },
    ];
  },
};

/** A list is answered 503 when the list index is not read in time; whoever retries gets it. */
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
