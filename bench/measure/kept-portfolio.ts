import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { cp, link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ownJson } from '../../engine/index.js';
import { newTestKey } from '../cli/service-client.js';
import { UsageError } from '../cli/lookups.js';
import type { BenchContext } from './benchmark.js';
import { makePortfolio, type Portfolio, type PortfolioOptions, type Product } from './make-portfolio.js';

/** A portfolio in the data folder of one process that has ended. */
export interface KeptPortfolio {
  readonly dataFolder: string;
  readonly testKey: string;
  readonly portfolio: Portfolio;
}

/** The first line of a list of loans: what is the same for all of them. */
interface Head extends Product {
  readonly testKey: string;
  readonly months: number;
  /** Absent in lists of borrowers without contacts. */
  readonly isReachable?: boolean;
}

interface Listed {
  readonly head: Head;
  readonly loans: Portfolio['loans'];
}

/** Loans that are listed together. */
const LISTED_TOGETHER = 1_000;

/**
 * Makes the loans that a folder lacks of `count`, and keeps them: `data` is a data folder, `loans.ndjson` lists its loans. A run that was
 * interrupted continues where its list ends. Throws `UsageError` when the folder holds other loans.
 */
export async function keepPortfolio(
  { access, report }: Pick<BenchContext, 'access' | 'report'>,
  folder: string,
  count: number,
  options: PortfolioOptions,
): Promise<KeptPortfolio> {
  const dataFolder = join(folder, 'data');
  const listed = listedIn(folder, options);
  const { months = 0, isReachable = false } = options;
  const loans = listed?.loans ?? [];
  const testKey = listed?.head.testKey ?? newTestKey();
  mkdirSync(folder, { recursive: true });
  const list = new LoanList(join(folder, 'loans.ndjson'));
  // Also where no loan is missing: snapshots of another format are rebuilt once here, and not in each copy.
  const service = await access.open({ dataFolder, testKey, logLevel: 'warn' });
  try {
    if (listed && loans.length >= count) return { dataFolder, ...portfolioOf(listed, count) };
    const more = await makePortfolio(service, count - loans.length, report, {
      ...options,
      product: listed?.head,
      seed: loans.length,
      onProduct: (product) => list.begin({ ...product, testKey, months, isReachable }),
      onBooked: (loan) => list.add(loan),
    });
    return { dataFolder, testKey, portfolio: { ...more, loans: [...loans, ...more.loans] } };
  } finally {
    list.write();
    await service.close();
  }
}

/**
 * The kept portfolio as it is listed, without opening it; null where it has too few loans. Throws `UsageError` when the folder holds other
 * loans.
 */
export function keptPortfolio(
  folder: string,
  count: number,
  options: PortfolioOptions,
): Pick<KeptPortfolio, 'testKey' | 'portfolio'> | null {
  const listed = listedIn(folder, options);
  return listed && listed.loans.length >= count ? portfolioOf(listed, count) : null;
}

const portfolioOf = ({ head, loans }: Listed, count: number): Pick<KeptPortfolio, 'testKey' | 'portfolio'> => ({
  testKey: head.testKey,
  portfolio: { ...head, loans: loans.slice(0, count) },
});

function listedIn(folder: string, { months = 0, isReachable = false }: PortfolioOptions): Listed | null {
  const listed = readList(join(folder, 'loans.ndjson'));
  if (listed && listed.head.months !== months)
    throw new UsageError(`The loans in ${folder} have ${listed.head.months} months: --months must say so.`);
  if (listed && isReachable && listed.head.isReachable !== true)
    throw new UsageError(`The borrowers in ${folder} have no contacts, which this benchmark needs: name another folder.`);
  return listed;
}

/** Lists loans some time after they were made: a listed loan exists, even when the process is killed. */
class LoanList {
  #waiting: string[] = [];

  constructor(private readonly file: string) {}

  begin(head: Head): void {
    if (!existsSync(this.file)) appendFileSync(this.file, `${JSON.stringify(head)}\n`);
  }

  add(loan: Portfolio['loans'][number]): void {
    if (this.#waiting.push(`${JSON.stringify(loan)}\n`) >= LISTED_TOGETHER) this.write();
  }

  write(): void {
    appendFileSync(this.file, this.#waiting.join(''));
    this.#waiting = [];
  }
}

/** Null where there is no list. An incomplete last line, of a process that was killed while it wrote, is cut off. */
function readList(file: string): Listed | null {
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf('\n') + 1;
  truncateSync(file, end);
  const [head, ...loans] = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  return head === undefined ? null : { head: ownJson<Head>(head), loans: loans.map((line) => ownJson<Portfolio['loans'][number]>(line)) };
}

/** Copies a data folder. Segments of the journal that are no longer written are linked, not copied. */
export async function copyDataFolder(from: string, to: string): Promise<void> {
  const journal = join(from, 'journal');
  const ended = (await readdir(journal))
    .filter((name) => name.startsWith('journal-'))
    .sort()
    .slice(0, -1);
  const shared = new Set(ended.map((name) => join(journal, name)));
  await cp(from, to, { recursive: true, filter: (source) => !shared.has(source) });
  for (const name of ended) await link(join(journal, name), join(to, 'journal', name));
}
