import { VIEWS } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { Client, HttpFailure, type Json } from '../cli/service-client.js';
import { type Benchmark, type Measure, needsNats } from './benchmark.js';
import { PAYMENT } from './make-portfolio.js';
import { measuresOfReads, type ReadsBeside, readsBeside } from './reads-beside.js';
import { listed, measureEach, type ServedPortfolio } from './served-portfolio.js';

const CONNECTIONS = 32;
/** Loans on the list of the campaign, if the portfolio has as many. */
const LISTED = 100_000;
/** Milliseconds between two looks at a run. */
const LOOK_MS = 100;
/** Longest wait for views and runs, in milliseconds. */
const LONGEST_MS = 3_600_000;

/** From SQL to a screened list of contacts, and what it takes before and beside. */
export const campaignsBenchmark: Benchmark = {
  name: 'campaigns',
  title: 'Views of a portfolio filled, a question about it, and a campaign that screens 100,000 contacts, with reads served meanwhile',
  size: { standard: 20_000, unit: 'loans' },
  needs: needsNats,
  run: (context) => measureEach(context, context.size ?? 20_000, { months: 0, isReachable: true }, measured),
};

async function measured(served: ServedPortfolio, report: (line: string) => void): Promise<readonly Measure[]> {
  const client = new Client(served.port, served.testKey, CONNECTIONS);
  const count = served.portfolio.loans.length;
  const name = (what: string): string => `${served.name}: ${what}`;
  try {
    await listed(client);
    const filled = await readsBeside(client, served, () => asked(client, ALL));
    report(name(`the views of borrowers, loans, cases and messages were filled in ${filled.seconds.toFixed(1)} s`));
    const named = await readsBeside(client, served, () => asked(client, PERSONAL));
    report(name(`names and contacts of borrowers were filled in ${named.seconds.toFixed(1)} s`));
    const seen = await secondsUntilSeen(client, served);
    const top = Math.min(count, LISTED);
    const list = `SELECT person_id AS id, loan_id AS "loanId" FROM v_loans ORDER BY outstanding_amount DESC LIMIT ${top}`;
    const question = await readsBeside(client, served, () => asked(client, list));
    report(name(`the list was asked for in ${question.seconds.toFixed(2)} s`));
    const run = await readsBeside(client, served, () => screened(client, served, list));
    report(name(`the campaign took ${run.seconds.toFixed(1)} s: ${JSON.stringify(run.result)}`));
    // What the campaign has changed is followed.
    await asked(client, ALL);
    const again = served.processes.length === 1 ? await startedAgain(served, report) : [];
    return [
      ...measuresOfViews(name('cold start of all views'), filled),
      ...measuresOfViews(name('cold start of names and contacts'), named),
      { name: name('a payment until a question shows it'), value: rounded(seen), unit: 's', budget: { atMost: 5 } },
      { name: name('the list by a question'), value: rounded(question.seconds), unit: 's', budget: { atMost: 3, forLoans: 1_000_000 } },
      { name: name('rows of the list'), value: Number(run.result['rowCount']), unit: '' },
      { name: name('contacts let through by the guard'), value: Number(run.result['exportedCount']), unit: '' },
      {
        name: name('the run, from its order to the file'),
        value: rounded(run.seconds),
        unit: 's',
        budget: { atMost: 33 },
      },
      ...measuresOfReads(name('the run'), run),
      ...again,
    ];
  } finally {
    client.close();
  }
}

/** Views that are filled for questions about them alone: with many rows of each loan, or seldom asked. */
const SELDOM: ReadonlySet<string> = new Set([
  'v_periods',
  'v_ledger_entries',
  'v_replays',
  'v_balances_daily',
  'v_expected_payments',
  'v_fees',
  'v_rates',
  'v_statements',
  'v_autopay',
  'v_do_not_interact',
]);

/** All other views but that of events. */
const OF_ACTORS = VIEWS.filter(({ kind, name }) => kind !== 'event' && !SELDOM.has(name)).map((view) => view.name);

const ALL = `SELECT ${OF_ACTORS.map((view) => `(SELECT count(*) FROM ${view}) AS ${view}`).join(', ')}`;

/** Of borrowers with all that is sealed. */
const PERSONAL = 'SELECT count(first_name) AS names, count(value) AS contacts FROM v_people JOIN v_contacts USING (person_id)';

/** A service whose views were kept, from its start until a question over all of them is answered; then one that fills one view alone. */
async function startedAgain(before: ServedPortfolio, report: (line: string) => void): Promise<readonly Measure[]> {
  const withViews = await before.startAgain('kept');
  const kept = await withClient(withViews, (client) =>
    readsBeside(client, withViews, async () => {
      await listed(client);
      await asked(client, ALL);
      await asked(client, PERSONAL);
    }),
  );
  report(`the views that were kept were there ${(withViews.startSeconds + kept.seconds).toFixed(1)} s from the start`);
  const without = await withViews.startAgain('none');
  try {
    return await withClient(without, async (client) => {
      await listed(client);
      const ofLoans = await readsBeside(client, without, () => client.data('GET', '/reports/delinquency'));
      const others = await readsBeside(client, without, () => asked(client, ALL));
      report(
        `the view of loans was filled alone in ${ofLoans.seconds.toFixed(1)} s, the others behind it in ${others.seconds.toFixed(1)} s`,
      );
      const name = (what: string): string => `${before.name}: ${what}`;
      return [
        ...measuresOfViews(name('a start until the views that were kept are there'), kept, withViews.startSeconds),
        ...measuresOfViews(name('cold start of the view of loans alone'), ofLoans),
        ...measuresOfViews(name('cold start of the others behind it'), others),
      ];
    });
  } finally {
    await without.stop();
  }
}

/** A service that was started again is at another address. */
async function withClient<Result>(served: ServedPortfolio, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(served.port, served.testKey, CONNECTIONS);
  try {
    return await use(client);
  } finally {
    client.close();
  }
}

/** How long views took, after a start if it counts, and what reads met meanwhile. */
const measuresOfViews = (name: string, reads: ReadsBeside<unknown>, startSeconds = 0): readonly Measure[] => [
  { name, value: rounded(startSeconds + reads.seconds), unit: 's', budget: { atMost: 60, forLoans: 1_000_000 } },
  ...measuresOfReads(name, reads),
];

const rounded = (seconds: number): number => Math.round(seconds * 100) / 100;

/** The answer to a question, which waits until the views are filled. */
async function asked(client: Client, sql: string): Promise<Json> {
  for (const begun = performance.now(); ; ) {
    try {
      return await client.data('POST', '/questions', { sql });
    } catch (cause) {
      const isLate = cause instanceof HttpFailure && (cause.status === 408 || cause.status === 503);
      if (!isLate || performance.now() - begun > LONGEST_MS) throw cause;
    }
  }
}

/** Posts a payment and asks until the views have it; in seconds. */
async function secondsUntilSeen(client: Client, { portfolio: { loans } }: ServedPortfolio): Promise<number> {
  const { personId, loanId } = must(loans.at(-1), 'a portfolio has loans');
  const sql = `SELECT count(*) AS payments FROM v_transactions WHERE loan_id = '${loanId}'`;
  const before = JSON.stringify((await asked(client, sql))['rows']);
  const begun = performance.now();
  await client.data('POST', `/people/${personId}/loans/${loanId}/transactions`, PAYMENT);
  while (JSON.stringify((await asked(client, sql))['rows']) === before) if (performance.now() - begun > LONGEST_MS) break;
  return (performance.now() - begun) / 1000;
}

/** A campaign with an exporter that screens the telephones of its borrowers; the run once it has ended. */
async function screened(client: Client, { portfolio }: ServedPortfolio, query: string): Promise<Json> {
  const exporter = await client.data('POST', '/campaign-workers/contact-exporters', {
    contactMatchingCriteria: { contactType: ['phone'] },
    columnSettings: [{ field: 'person.id' }, { field: 'contact.value' }, { field: 'loan.outstandingBalance' }],
    checkCompliance: { channel: 'voice', subject: 'paymentDueDateReminder', theme: 'opsServicing', isAutodialed: false },
  });
  const campaign = await client.data('POST', '/campaigns', { name: 'Highest balances', query, contactExporterId: exporter['id'] });
  const runs = `/companies/${portfolio.tenant.company}/campaigns/${String(campaign['id'])}/runs`;
  const { id } = await client.data('POST', runs);
  for (const begun = performance.now(); performance.now() - begun < LONGEST_MS; ) {
    const run = await client.data('GET', `${runs}/${String(id)}`);
    if (!UNDER_WAY.has(run['status'])) {
      if (run['status'] !== 'succeeded') throw new Error(`The run has ended otherwise: ${JSON.stringify(run)}`);
      return run;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error('The run has not ended within an hour.');
}

const UNDER_WAY: ReadonlySet<unknown> = new Set(['queued', 'querying', 'processing']);
