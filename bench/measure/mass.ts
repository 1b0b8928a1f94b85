import typia from 'typia';
import type { OperationView } from '../../actors/index.js';
import { Client, HttpFailure } from '../cli/service-client.js';
import { answered, listed, measureEach, sampleOf, type ServedPortfolio, stored, unitsPlaced } from './served-portfolio.js';
import { type Benchmark, type Measure, needsNats } from './benchmark.js';
import { INDEX } from './portfolio.js';
import { monthsAgo } from './make-portfolio.js';
import { memoryOf, takeover } from './members.js';
import { measuresOfReads, type ReadsBeside, readsBeside } from './reads-beside.js';

/** Months of history; half of them are replayed. */
const MONTHS = 12;
const CONNECTIONS = 32;
/** Milliseconds between two looks at the operation. */
const LOOK_MS = 100;
const DAY_MS = 86_400_000;
/** Enough days that each loan has a due date among them. */
const DAYS = 35;

interface Watched extends Omit<ReadsBeside<never>, 'result'> {
  readonly operation: OperationView;
}

/** An index rate that replays a whole portfolio, then the closing of days, with reads served meanwhile. */
export const massBenchmark: Benchmark = {
  name: 'mass',
  title: 'Mass index-rate replay and closing of days, durable, with reads served meanwhile',
  size: { standard: 100_000, unit: 'loans' },
  needs: needsNats,
  run: (context) => {
    const { months, days } = { months: context.months ?? MONTHS, days: context.days ?? DAYS };
    return measureEach(context, context.size ?? 100_000, { months, index: INDEX }, (served, report) =>
      measured(served, { since: monthsAgo(Math.floor(months / 2)), days }, report),
    );
  },
};

interface Ordered {
  /** The day from which the other index counts. */
  readonly since: string;
  /** Of business that are closed. */
  readonly days: number;
}

async function measured(served: ServedPortfolio, { since, days }: Ordered, report: (line: string) => void): Promise<readonly Measure[]> {
  const client = new Client(served.port, served.testKey, CONNECTIONS);
  const { loanTypeId } = served.portfolio;
  try {
    const sample = sampleOf(served.portfolio.loans);
    const started = performance.now();
    await answered(client, sample, () => undefined);
    const startSeconds = served.startSeconds + (performance.now() - started) / 1000;
    report(`${served.name}: all of a sample answered ${startSeconds.toFixed(1)} s after the start`);
    await unitsPlaced();
    await listed(client);
    const listSeconds = served.startSeconds + (performance.now() - started) / 1000;
    report(`${served.name}: the first list ${listSeconds.toFixed(1)} s after the start`);
    const rate = await watched(client, served, () =>
      client.data('POST', `/loan-types/${loanTypeId}/index-rates`, { annualRate: 0.05, startDate: since }),
    );
    report(`${served.name}: the index rate took ${rate.seconds.toFixed(1)} s: ${JSON.stringify(rate.operation.counts)}`);
    const ofRate = reported(measuresOf('index rate into the past', rate, served), report);
    const closed = await closeDays(client, served, days);
    const what = days === 1 ? 'one day closed' : `${days} days closed`;
    report(`${served.name}: ${what} in ${closed.seconds.toFixed(1)} s`);
    const ofDays = reported([...measuresOf(what, closed, served), ...memoryOf(served)], report);
    await stored(client);
    return [
      {
        name: `${served.name}: start, to the first answers of all units`,
        value: Math.round(startSeconds * 100) / 100,
        unit: 's',
        budget: { atMost: 5, forLoans: 1_000_000 },
      },
      { name: `${served.name}: start, to the first list`, value: Math.round(listSeconds * 100) / 100, unit: 's' },
      ...ofRate,
      ...ofDays,
      ...(await takeover(served, client, sample, report)),
    ];
  } finally {
    client.close();
  }
}

/** Reports figures as they come: a million loans take an hour, and a later failure must not lose them. */
function reported(measures: readonly Measure[], report: (line: string) => void): readonly Measure[] {
  for (const { name, value, unit } of measures) report(`  ${name}: ${value} ${unit}`);
  return measures;
}

async function closeDays(client: Client, served: ServedPortfolio, days: number): Promise<Watched> {
  const { id, now } = await client.data('POST', '/test-clocks', {});
  const to = new Date(Date.parse(String(now)) + days * DAY_MS).toISOString();
  return watched(client, served, () => client.data('POST', `/test-clocks/${String(id)}/advance`, { to }));
}

function measuresOf(
  work: string,
  { operation, seconds, processorSeconds: taken, latenciesMs, refused }: Watched,
  { name, portfolio, processes }: ServedPortfolio,
): readonly Measure[] {
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  const aMillion = (cpuSeconds: number): number => Math.round((cpuSeconds * 1_000_000) / portfolio.loans.length);
  const isIndex = operation.kind.startsWith('indexRate');
  const what = `${name}: ${work}`;
  return [
    { name: what, value: rounded(seconds), unit: 's', budget: { atMost: isIndex ? 30 : 20, forLoans: 1_000_000 } },
    { name: `${what}: loans a second`, value: Math.round(portfolio.loans.length / seconds), unit: '1/s' },
    { name: `${what}: processor, a million loans`, value: aMillion(taken.reduce((sum, each) => sum + each, 0)), unit: 's' },
    ...(processes.length === 1
      ? []
      : processes.map((process, at) => ({ name: `${what}: of that ${process.name}`, value: aMillion(taken[at] ?? 0), unit: 's' }))),
    ...measuresOfReads(what, { latenciesMs, refused }),
  ];
}

/** Measures from the order to the end of its operation, with reads at a fixed rate meanwhile. */
export async function watched(
  client: Client,
  served: ServedPortfolio,
  order: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<Watched> {
  const { result: operation, ...figures } = await readsBeside(client, served, async () =>
    ended(client, String((await order())['operationId'])),
  );
  if (operation.status !== 'succeeded') throw new Error(`Not all went well: ${JSON.stringify(operation)}`);
  return { operation, ...figures };
}

const assertOperation = typia.createAssert<OperationView>();

async function ended(client: Client, operationId: string): Promise<OperationView> {
  for (;;) {
    try {
      const operation = assertOperation(await client.data('GET', `/operations/${operationId}`));
      if (operation.status !== 'running') return operation;
    } catch (cause) {
      if (!(cause instanceof HttpFailure) || cause.status !== 503) throw cause;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
