import { must } from '../../engine/index.js';
import { Client, inParallel, type Json } from '../cli/service-client.js';
import type { Benchmark, Measure } from './benchmark.js';
import { PAYMENT } from './make-portfolio.js';
import { measuresOfReads, readsBeside } from './reads-beside.js';
import { listed, measureEach, type ServedPortfolio } from './served-portfolio.js';

const CONNECTIONS = 32;
const DAY_MS = 86_400_000;
const NOON_MS = DAY_MS / 2;
/** Days on which the loans only accrue. */
const PLAIN_DAYS = 7;
/** Milliseconds between two looks for a sealed day, and the longest wait for it. */
const LOOK_MS = 100;
const SEALED_MS = 3_600_000;

/**
 * Days of the general ledger: closed, and sealed behind that, with a fact of each loan and without any. A day is sealed while the next ones
 * are closed, so that both are measured together.
 */
export const generalLedgerBenchmark: Benchmark = {
  name: 'general-ledger',
  title: 'Closing and sealing of days of the general ledger, on both bases, with reads served meanwhile',
  size: { standard: 10_000, unit: 'loans' },
  run: (context) => measureEach(context, context.size ?? 10_000, { months: context.months ?? 0 }, measured),
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
    const days = async (what: string, toClose: number): Promise<readonly Measure[]> => {
      const found = await readsBeside(client, served, () => ledger.sealed(toClose));
      const { count, behindMs } = found.result;
      const taken = found.processorSeconds.reduce((sum, each) => sum + each, 0);
      const name = `${served.name}: ${what}`;
      report(`${name}: ${count} closed and sealed in ${found.seconds.toFixed(1)} s`);
      return [
        { name: `${name}: closed and sealed, for each day`, value: rounded(found.seconds / count), unit: 's' },
        { name: `${name}: of that sealed behind the last close`, value: rounded(behindMs / 1000), unit: 's' },
        { name: `${name}: loans and days a second`, value: Math.round((loans.length * count) / found.seconds), unit: '/s' },
        { name: `${name}: processor, for each loan and day`, value: Math.round((taken * 1_000_000) / (loans.length * count)), unit: 'us' },
        ...measuresOfReads(name, found),
      ];
    };
    const activated = await days('from the day of activation on', 1);
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

/** What closing some days has brought. */
interface SealedDays {
  /** Days that were sealed. */
  readonly count: number;
  /** From the end of the last close until the last day was sealed. */
  readonly behindMs: number;
}

/** The days of a lender, and its clock. */
class LedgerDays {
  #sealed = 0;

  constructor(
    private readonly client: Client,
    private readonly company: string,
    private readonly clock: Clock,
  ) {}

  /** Closes days of all loans, and waits until the last one is sealed. */
  async sealed(days: number): Promise<SealedDays> {
    // Noon in Greenwich is the same date in the zone of the lender.
    this.clock.now = Math.floor(this.clock.now / DAY_MS) * DAY_MS + days * DAY_MS + NOON_MS;
    const to = new Date(this.clock.now).toISOString();
    const { operationId } = await this.client.data('POST', `/test-clocks/${this.clock.id}/advance`, { to });
    const last = new Date(this.clock.now - DAY_MS).toISOString().slice(0, 10);
    let closedAt: number | null = null;
    for (const begun = performance.now(); ; ) {
      const { status } = closedAt === null ? await this.client.data('GET', `/operations/${String(operationId)}`) : { status: null };
      if (status !== null && status !== 'running') closedAt = performance.now();
      const batches = await listOf(this.client, `/companies/${this.company}/general-ledger/batches?basis=accrual&limit=100`);
      if (closedAt !== null && batches.at(-1)?.['accountingDate'] === last) {
        const count = batches.length - this.#sealed;
        this.#sealed = batches.length;
        return { count, behindMs: performance.now() - closedAt };
      }
      if (performance.now() - begun > SEALED_MS) throw new Error(`The day ${last} is not sealed after an hour.`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}
