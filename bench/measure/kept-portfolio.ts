import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { cp, link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newTestKey } from '../cli/service-client.js';
import { UsageError } from '../cli/lookups.js';
import type { BenchContext } from './benchmark.js';
import { bookLoans, type Booked, type Books, type Product } from './book-loans.js';

/** A portfolio in a data folder of one process, which has ended. */
export interface KeptBook {
  readonly dataFolder: string;
  readonly testKey: string;
  readonly book: Booked;
}

/** The first line of a list of loans: what all of them have in common. */
interface Head extends Product {
  readonly testKey: string;
  readonly months: number;
}

interface Listed {
  readonly head: Head;
  readonly loans: Booked['loans'];
}

/** Loans that are listed together. */
const LISTED_TOGETHER = 1_000;

/**
 * Books what a folder lacks of `count` loans, and leaves it there: `data` is a data folder, `loans.ndjson` lists what it holds. A booking
 * that was ended in the middle goes on where its list ends. Throws `UsageError` when other loans lie there.
 */
export async function keepBook(
  { door, tell }: Pick<BenchContext, 'door' | 'tell'>,
  folder: string,
  count: number,
  books: Books,
): Promise<KeptBook> {
  const dataFolder = join(folder, 'data');
  const listed = listedIn(folder, books);
  const { months = 0 } = books;
  const loans = listed?.loans ?? [];
  const testKey = listed?.head.testKey ?? newTestKey();
  mkdirSync(folder, { recursive: true });
  const list = new LoanList(join(folder, 'loans.ndjson'));
  // Also where nothing is to be booked: snapshots of another format are made anew once, and not in each copy.
  const house = await door.open({ dataFolder, testKey, logLevel: 'warn' });
  try {
    if (listed && loans.length >= count) return { dataFolder, ...bookOf(listed, count) };
    const more = await bookLoans(house, count - loans.length, tell, {
      ...books,
      product: listed?.head,
      seed: loans.length,
      onProduct: (product) => list.begin({ ...product, testKey, months }),
      onBooked: (loan) => list.add(loan),
    });
    return { dataFolder, testKey, book: { ...more, loans: [...loans, ...more.loans] } };
  } finally {
    list.write();
    await house.close();
  }
}

/**
 * What is listed of a portfolio that is kept, without opening it; null where it is not whole. Throws `UsageError` when other loans lie
 * there.
 */
export function keptBook(folder: string, count: number, books: Books): Pick<KeptBook, 'testKey' | 'book'> | null {
  const listed = listedIn(folder, books);
  return listed && listed.loans.length >= count ? bookOf(listed, count) : null;
}

const bookOf = ({ head, loans }: Listed, count: number): Pick<KeptBook, 'testKey' | 'book'> => ({
  testKey: head.testKey,
  book: { ...head, loans: loans.slice(0, count) },
});

function listedIn(folder: string, { months = 0 }: Books): Listed | null {
  const listed = readList(join(folder, 'loans.ndjson'));
  if (listed && listed.head.months !== months)
    throw new UsageError(`The loans in ${folder} have ${listed.head.months} months: --months must say so.`);
  return listed;
}

/** Lists loans some time after they were booked: what is listed is there, also when the process is killed. */
class LoanList {
  #waiting: string[] = [];

  constructor(private readonly file: string) {}

  begin(head: Head): void {
    if (!existsSync(this.file)) appendFileSync(this.file, `${JSON.stringify(head)}\n`);
  }

  add(loan: Booked['loans'][number]): void {
    if (this.#waiting.push(`${JSON.stringify(loan)}\n`) >= LISTED_TOGETHER) this.write();
  }

  write(): void {
    appendFileSync(this.file, this.#waiting.join(''));
    this.#waiting = [];
  }
}

/** Null where nothing was begun. Half of a line, of a process that was killed while it wrote, is cut off. */
function readList(file: string): Listed | null {
  if (!existsSync(file)) return null;
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf('\n') + 1;
  truncateSync(file, end);
  const [head, ...loans] = bytes
    .toString('utf8', 0, end)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
  return head === undefined ? null : { head: head as Head, loans: loans as Booked['loans'] };
}

/** Another data folder with the same in it. Segments of the journal that are written no more are shared. */
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
