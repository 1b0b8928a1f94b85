import { must } from '../../engine/index.js';
import { Client, inParallel } from '../cli/service-client.js';
import {
  answered,
  cents,
  type Loan,
  measureEach,
  sampleOf,
  type ServedPortfolio,
  shardsOf,
  stored,
  unitsPlaced,
} from './served-portfolio.js';
import { type BenchContext, type Benchmark, type Measure, needsNats } from './benchmark.js';
import { PAYMENT } from './make-portfolio.js';

const CONNECTIONS = 32;
const TAKEOVERS = 10;
/** Milliseconds between two requests for the owners of the units. */
const LOOK_MS = 25;
/** Longest wait for all units to be served again, in milliseconds. */
const SERVED_MS = 120_000;

/** The phases of one takeover, in seconds since the kill. */
interface Phases {
  /** Each unit of the dead worker has another owner. */
  readonly owned: number;
  /** And these units are served. */
  readonly served: number;
  /** All loans of a sample are answered, the first worker's among them. */
  readonly answered: number;
}

/** Ten times a worker of a cluster is killed and another one joins. */
export const takeoverBenchmark: Benchmark = {
  name: 'takeover',
  title: 'Takeover of a killed worker, ten times: until its units have an owner, are served, and answer',
  size: { standard: 2_000, unit: 'loans' },
  needs: needsNats,
  run: (context) =>
    measureEach(
      { ...context, workers: context.workers.filter((workers) => workers > 1) },
      context.size ?? 2_000,
      { months: context.months ?? 1 },
      measured,
    ),
};

async function measured(served: ServedPortfolio, report: BenchContext['report']): Promise<readonly Measure[]> {
  const client = new Client(served.port, served.testKey, CONNECTIONS);
  try {
    const sample = sampleOf(served.portfolio.loans);
    const workers = served.processes.filter(({ name }) => name.startsWith('worker'));
    const runs: Phases[] = [];
    for (let run = 1; run <= TAKEOVERS; run += 1) {
      await answered(client, sample, () => undefined);
      await unitsPlaced();
      await stored(client);
      const victim = must(workers.shift(), 'a worker');
      runs.push(await one(client, sample, victim));
      const { owned, served: all, answered: last } = must(runs.at(-1), 'a run');
      report(
        `takeover ${run}: owned after ${owned.toFixed(2)} s, served after ${all.toFixed(2)} s, all answered after ${last.toFixed(2)} s`,
      );
      workers.push(await served.addWorker(`heir-${run}`));
    }
    return figuresOf(served.name, runs);
  } finally {
    client.close();
  }
}

async function one(client: Client, sample: readonly Loan[], victim: { readonly name: string; readonly pid: number }): Promise<Phases> {
  const before: number[] = [];
  await answered(client, sample, (paidCents, at) => void (before[at] = paidCents));
  await inParallel(sample, CONNECTIONS, ({ personId, loanId }) =>
    client.data('POST', `/people/${personId}/loans/${loanId}/transactions`, PAYMENT),
  );
  const killedMs = performance.now();
  process.kill(victim.pid, 'SIGKILL');
  const [waits, units] = await Promise.all([
    answered(client, sample, (paidCents, at) => {
      if (paidCents !== (before[at] ?? 0) + cents(PAYMENT.amount))
        throw new Error(`${sample[at]?.loanId ?? ''} has lost an acknowledged payment.`);
    }),
    unitsBack(client, victim.name, killedMs),
  ]);
  return { ...units, answered: Math.max(...waits) / 1000 };
}

async function unitsBack(client: Client, victim: string, killedMs: number): Promise<Pick<Phases, 'owned' | 'served'>> {
  const since = (): number => (performance.now() - killedMs) / 1000;
  let owned: number | null = null;
  while (performance.now() - killedMs < SERVED_MS) {
    const { units } = await shardsOf(client);
    if (owned === null && units.every(({ owner }) => owner !== null && owner !== victim)) owned = since();
    if (owned !== null && units.every(({ state }) => state === 'serving')) return { owned, served: since() };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`Not all units were served ${SERVED_MS} ms after the kill of ${victim}.`);
}

function figuresOf(name: string, runs: readonly Phases[]): readonly Measure[] {
  return (['owned', 'served', 'answered'] as const).flatMap((phase) => {
    const sorted = runs.map((run) => run[phase]).toSorted((a, b) => a - b);
    const [median, longest] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted.at(-1) ?? 0];
    const budget = phase === 'answered' ? { budget: { atMost: 5, forLoans: 1_000_000 } } : {};
    return [
      { name: `${name}: all units ${phase}, median of ${runs.length}`, value: rounded(median), unit: 's' },
      { name: `${name}: all units ${phase}, longest of ${runs.length}`, value: rounded(longest), unit: 's', ...budget },
    ];
  });
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
