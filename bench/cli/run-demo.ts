import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Json, startService } from './service-client.js';
import { BACKDATED, type BookedLoan, DemoLender, demoPortfolio, type PortfolioTotals } from './demo-lender.js';

/** The size of the demo; a year of it takes seconds. */
const LOANS = 120;
const SEED = 2025;
const YEAR = 2025;
const CONNECTIONS = 16;

/** The month after which some borrowers stop paying, and the month whose check is found late. */
const STOPPED_AFTER = 6;
const BACKDATED_MONTH = 6;

interface DemoMonth {
  readonly dueDate: string;
  readonly paidOnTime: number;
  readonly paidLate: number;
  readonly overdueLoans: number;
  readonly outstanding: number;
  readonly milliseconds: number;
}

/** One loan before and after its payment was moved to the day on which the check came. */
export interface Backdating {
  readonly loan: BookedLoan;
  readonly paidOn: string;
  readonly effectiveDate: string;
  readonly before: Json;
  readonly after: Json;
  readonly milliseconds: number;
}

export interface DemoResult {
  readonly loans: number;
  readonly seed: number;
  readonly before: PortfolioTotals;
  readonly after: PortfolioTotals;
  readonly months: readonly DemoMonth[];
  readonly backdating: Backdating;
  readonly requests: number;
  readonly timings: Readonly<Record<'start' | 'book' | 'year' | 'stop' | 'total', number>>;
  readonly exitCode: number | null;
}

export interface DemoOptions {
  /** How many loans, each of another borrower; at least ten; default: 120. */
  readonly loans?: number;
  /** Keeps the data in this folder, and the service running until `whenSeen` resolves; absent: a temporary folder that is removed. */
  readonly keep?: { readonly folder: string; whenSeen(service: { readonly url: string; readonly testKey: string }): Promise<void> };
}

/** Starts a service, runs through a year over REST, and stops it. */
export async function runDemo(report: (line: string) => void, { loans = LOANS, keep }: DemoOptions = {}): Promise<DemoResult> {
  const begun = performance.now();
  const folder = keep?.folder ?? (await mkdtemp(join(tmpdir(), 'tenor-demo-')));
  try {
    const service = await startService({ dataFolder: folder });
    const started = performance.now();
    report(`The service is up at ${service.url}/api after ${Math.round(started - begun)} ms.`);
    const client = new Client(service.port, service.testKey, CONNECTIONS);
    const lived = await liveAYear(client, loans, report).finally(() => client.close());
    const lasted = performance.now();
    await keep?.whenSeen(service);
    const stopping = performance.now();
    const exitCode = await service.stop();
    const { booked, ...rest } = lived;
    const timings = {
      start: started - begun,
      book: booked - started,
      year: lasted - booked,
      stop: performance.now() - stopping,
      total: lasted - begun + performance.now() - stopping,
    };
    return { loans, seed: SEED, ...rest, requests: client.requests, timings, exitCode };
  } finally {
    if (keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function liveAYear(
  client: Client,
  loans: number,
  report: (line: string) => void,
): Promise<Pick<DemoResult, 'before' | 'after' | 'months' | 'backdating'> & { booked: number }> {
  const lender = new DemoLender(client);
  const loanTypeId = await lender.prepare(`${YEAR}-01-02`);
  await lender.book(demoPortfolio(loans, SEED), loanTypeId);
  const booked = performance.now();
  report(`${loans} borrowers with a loan each are booked and active on ${lender.today}.`);
  const before = await lender.totals();
  const months: DemoMonth[] = [];
  let backdating: Backdating | null = null;
  for (let month = 1; month <= 12; month++) {
    const begun = performance.now();
    const isPaying = ({ habit }: BookedLoan): boolean => habit !== 'stops' || month <= STOPPED_AFTER;
    const isLate = ({ number, habit }: BookedLoan): boolean => habit === 'late' || (month === BACKDATED_MONTH && number === BACKDATED + 1);
    await lender.advanceTo(dateOf(month, 15));
    const paidOnTime = await lender.collect(lender.loans.filter((loan) => isPaying(loan) && !isLate(loan)));
    await lender.advanceTo(dateOf(month + 1, 5));
    const found = lender.loans[BACKDATED];
    if (month === BACKDATED_MONTH && found) backdating = await backdate(lender, found, dateOf(month, 15));
    const paidLate = await lender.collect(lender.loans.filter((loan) => isPaying(loan) && isLate(loan)));
    const { overdueLoans, outstandingTotal } = await lender.totals();
    months.push({
      dueDate: dateOf(month, 15),
      paidOnTime,
      paidLate,
      overdueLoans,
      outstanding: outstandingTotal,
      milliseconds: performance.now() - begun,
    });
  }
  if (backdating === null) throw new Error('The demo has no loan to backdate.');
  return { before, after: await lender.totals(), months, backdating, booked };
}

/** The installment is booked on the day it is found; then it is moved to the day on which it was due. */
async function backdate(lender: DemoLender, loan: BookedLoan, effectiveDate: string): Promise<Backdating> {
  const transactionId = await lender.pay(loan, loan.installment);
  const before = await lender.balances(loan);
  const begun = performance.now();
  await lender.backdate(loan, transactionId, effectiveDate);
  const milliseconds = performance.now() - begun;
  return { loan, paidOn: lender.today, effectiveDate, before, after: await lender.balances(loan), milliseconds };
}

/** Months above 12 are those of the next year. */
function dateOf(month: number, day: number): string {
  const [year, inYear] = month > 12 ? [YEAR + 1, month - 12] : [YEAR, month];
  return `${year}-${String(inYear).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
