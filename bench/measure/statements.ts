import { must, recordsIn } from '../../engine/index.js';
import { Client, inParallel } from '../cli/service-client.js';
import { type Benchmark, type Measure, needsNats } from './benchmark.js';
import { latenciesOf } from './machine.js';
import { watched } from './mass.js';
import { measuresOfReads, readsBeside } from './reads-beside.js';
import { listed, measureEach, sampleOf, type ServedPortfolio } from './served-portfolio.js';

const CONNECTIONS = 32;
/** Documents that are read at the same time, and for how long, in milliseconds. */
const DOCUMENTS_AT_ONCE = 8;
const DOCUMENTS_MS = 20_000;
const DAY_MS = 86_400_000;

/** A day on which each loan has a statement: issued, written about to the borrower by e-mail, and read as PDF. */
export const statementsBenchmark: Benchmark = {
  name: 'statements',
  title: 'Statements of a whole portfolio on one day, each with its e-mail, then their documents as PDF, with reads served meanwhile',
  size: { standard: 20_000, unit: 'loans' },
  needs: needsNats,
  run: (context) => measureEach(context, context.size ?? 20_000, { months: 0, isReachable: true }, measured),
};

async function measured(served: ServedPortfolio, report: (line: string) => void): Promise<readonly Measure[]> {
  const client = new Client(served.port, served.testKey, CONNECTIONS);
  const { loans } = served.portfolio;
  try {
    await listed(client);
    const clock = await client.data('POST', '/test-clocks', {});
    const path = `/test-clocks/${String(clock['id'])}/advance`;
    const due = Date.parse(`${await firstDueDate(client, served)}T12:00:00Z`);
    await watched(client, served, () => client.data('POST', path, { to: new Date(due - DAY_MS).toISOString() }));
    const day = await watched(client, served, () => client.data('POST', path, { to: new Date(due).toISOString() }));
    const a = (count: number, seconds: number): number => Math.round(count / seconds);
    report(`${served.name}: ${loans.length} statements, and an e-mail about each, in ${day.seconds.toFixed(1)} s`);
    const documents = await documentsOf(client, served);
    const read = await readsBeside(client, served, () => readDocuments(client, documents));
    report(`${served.name}: ${read.result.length} documents in ${read.seconds.toFixed(1)} s`);
    const { p50Ms, p99Ms } = latenciesOf(read.result);
    const issued = `${served.name}: statements issued and written about`;
    const rendered = `${served.name}: documents rendered as PDF`;
    return [
      { name: `${issued}, a second`, value: a(loans.length, day.seconds), unit: '/s' },
      ...measuresOfReads(issued, day),
      { name: `${rendered}, a second`, value: a(read.result.length, read.seconds), unit: '/s' },
      { name: `${rendered}: p50`, value: p50Ms, unit: 'ms' },
      { name: `${rendered}: p99`, value: p99Ms, unit: 'ms' },
      ...measuresOfReads(rendered, read),
    ];
  } finally {
    client.close();
  }
}

/** Of all loans, which were activated on one day. */
async function firstDueDate(client: Client, { portfolio: { loans } }: ServedPortfolio): Promise<string> {
  const { personId, loanId } = must(loans[0], 'a portfolio has loans');
  const [obligation] = recordsIn(await client.data('GET', `/people/${personId}/loans/${loanId}/obligations`), 'obligations');
  return String(must(obligation, 'a loan has an obligation')['dueDate']);
}

/** Paths of the documents of a sample of the portfolio. */
function documentsOf(client: Client, { portfolio: { loans } }: ServedPortfolio): Promise<readonly string[]> {
  return inParallel(sampleOf(loans), CONNECTIONS, async ({ personId, loanId }) => {
    const [newest] = await client.list(`/people/${personId}/loans/${loanId}/statements`);
    const statement = must(newest, `the loan ${loanId} has a statement`);
    return `/api/people/${personId}/documents/${String(statement['documentDescriptorId'])}/content`;
  });
}

/** Reads documents one after the other for a while; returns how long each took, in milliseconds. */
async function readDocuments(client: Client, paths: readonly string[]): Promise<readonly number[]> {
  const took: number[] = [];
  const until = performance.now() + DOCUMENTS_MS;
  let next = 0;
  const reader = async (): Promise<void> => {
    while (performance.now() < until) {
      const begun = performance.now();
      const text = await client.text('GET', must(paths[next++ % paths.length], 'a document'));
      if (!text.startsWith('%PDF')) throw new Error('A document is no PDF.');
      took.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: DOCUMENTS_AT_ONCE }, reader));
  return took;
}
