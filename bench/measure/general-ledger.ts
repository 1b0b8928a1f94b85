import { must } from '../../engine/index.js';
import { Client, inParallel, type Json } from '../cli/service-client.js';
import type { Benchmark, Measure } from './benchmark.js';
import { PAYMENT } from './make-portfolio.js';
import { watched } from './mass.js';
import { measuresOfReads, readsBeside } from './reads-beside.js';
import { listed, measureEach, type ServedPortfolio } from './served-portfolio.js';

const CONNECTIONS = 32;
const DAY_MS = 86_400_000;
/** Days on which the loans only accrue. */
const PLAIN_DAYS = 7;
/** Milliseconds between two looks for a sealed day, and the longest wait for it. */
const LOOK_MS = 100;
const SEALED_MS = 3_600_000;

/** Days of the books that are sealed: with a fact of each loan, and without any. Days are closed before, and not timed. */
export const generalLedgerBenchmark: Benchmark = {
  name: 'general-ledger',
  title: 'Sealing of days of the general ledger, on both bases, with reads served meanwhile',
  size: { standard: 10_000, unit: 'loans' },
  run: (context) => measureEach(context, context.size ?? 10_000, { months: 0 }, measured),
};

async function measured(served: ServedPortfolio, report: (line: string) => void): Promise<readonly Measure[]> {
  const client = new Client(served.port, served.testKey, CONNECTIONS);
  const { loans } = served.portfolio;
  try {
    await listed(client);
    const [lender] = await listOf(client, '/companies?limit=1');
    const company = String(must(lender, 'a lender')['id']);
    const clock = await client.data('POST', '/test-clocks', {});
    const ledger = new LedgerDays(client, company, { id: String(clock['id']), now: Date.parse(String(clock['now'])) });
    const days = async (what: string, count: number): Promise<readonly Measure[]> => {
      await ledger.close(served, count);
      const sealed = await readsBeside(client, served, () => ledger.sealed());
      const taken = sealed.processorSeconds.reduce((sum, each) => sum + each, 0);
      const name = `${served.name}: ${what}`;
      report(`${name}: ${count} in ${sealed.seconds.toFixed(1)} s`);
      return [
        { name: `${name}: sealed, for each day`, value: rounded(sealed.seconds / count), unit: 's' },
        { name: `${name}: loans and days a second`, value: Math.round((loans.length * count) / sealed.seconds), unit: '/s' },
        { name: `${name}: processor, for each loan and day`, value: Math.round((taken * 1_000_000) / (loans.length * count)), unit: 'us' },
        ...measuresOfReads(name, sealed),
      ];
    };
    const activated = await days('the day on which all loans were activated', 1);
    const plain = await days('days on which the loans only accrue', PLAIN_DAYS);
    await inParallel(loans, CONNECTIONS, ({ personId, loanId }) =>
      client.data('POST', `/people/${personId}/loans/${loanId}/transactions`, PAYMENT),
    );
    const paid = await days('a day on which each loan is paid', 1);
    return [...activated, ...plain, ...paid];
  } finally {
    client.close();
  }
}

async function listOf(client: Client, path: string): Promise<readonly Json[]> {
  const { data }: { readonly data: readonly Json[] } = JSON.parse(await client.text('GET', `/api${path}`));
  return data;
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

interface Clock {
  readonly id: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** The books of the lender, and its clock. */
class LedgerDays {
  constructor(
    private readonly client: Client,
    private readonly company: string,
    private readonly clock: Clock,
  ) {}

  /** Closes days of all loans; their books are sealed behind that. */
  async close(served: ServedPortfolio, days: number): Promise<void> {
    this.clock.now += days * DAY_MS;
    const to = new Date(this.clock.now).toISOString();
    await watched(this.client, served, () => this.client.data('POST', `/test-clocks/${this.clock.id}/advance`, { to }));
  }

  /** Resolves when the last day that is over is sealed on both bases. */
  async sealed(): Promise<void> {
    const last = new Date(this.clock.now - DAY_MS).toISOString().slice(0, 10);
    for (const begun = performance.now(); ; ) {
      const sealed = await listOf(this.client, `/companies/${this.company}/general-ledger/batches?basis=accrual&fromDate=${last}`);
      if (sealed.length > 0) return;
      if (performance.now() - begun > SEALED_MS) throw new Error(`The books of ${last} are not sealed after an hour.`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
