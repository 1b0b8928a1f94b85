import { createHash, type Hash } from 'node:crypto';
import { day, type Day, formatDay, generalLedger } from '../../../engine/index.js';

export type Entry = generalLedger.Entry;
export type Line = generalLedger.Line;
export type Basis = generalLedger.Basis;
export type Role = generalLedger.Role;
export type Dimensions = generalLedger.Dimensions;

export const { BASES } = generalLedger;

/** The version of how entries are written for their hash, and of the batch record. */
export const BATCH_FORMAT = 1;

/** What a day has booked in one role and under one set of dimensions. */
export interface RoleTotal {
  readonly role: Role;
  readonly dimensions: Dimensions;
  readonly debitCents: number;
  readonly creditCents: number;
}

/** What the entries of a day and a basis come to. */
export interface DayContent {
  /** SHA-256 of the entries in their order, hexadecimal. */
  readonly contentHash: string;
  readonly entryCount: number;
  readonly lineCount: number;
  readonly loanCount: number;
  readonly correctionCount: number;
  readonly debitCents: number;
  readonly creditCents: number;
  readonly totals: readonly RoleTotal[];
}

/** Whether an entry is that of a loan: money without one belongs to the statement of a bank. */
export const isOfLoan = (id: string): boolean => id.startsWith('LN-');

/** An entry as its hash sees it: always in the same order, and without the texts that explain it. */
function hashedText({ lines, ...entry }: Entry): string {
  return JSON.stringify([
    entry.key,
    formatDay(entry.accountingDate),
    formatDay(entry.effectiveDate),
    entry.effectiveThrough === undefined ? null : formatDay(entry.effectiveThrough),
    entry.recordedAt,
    entry.loanId,
    entry.drawId ?? null,
    entry.factId,
    entry.factType,
    entry.rule,
    entry.corrects ?? null,
    entry.priorYear,
    entry.actor ?? null,
    entry.caseId ?? null,
    lines.map(({ role, dimensions, amount, owner }) => [role, dimensionsText(dimensions), amount, owner ?? null]),
  ]);
}

/** Dimensions in the order of their names. */
export const dimensionsText = (dimensions: Dimensions): string =>
  Object.entries(dimensions)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

interface Sum {
  readonly role: Role;
  readonly dimensions: Dimensions;
  debitCents: number;
  creditCents: number;
}

/** Adds up the entries of a day and a basis, in the order in which they are booked. */
export class DaySums {
  readonly #hash: Hash = createHash('sha256');
  readonly #sums = new Map<string, Sum>();
  #entries = 0;
  #lines = 0;
  #loans = 0;
  #corrections = 0;
  #lastLoan: string | null = null;

  add(entry: Entry): void {
    this.#hash.update(hashedText(entry)).update('\n');
    this.#entries += 1;
    if (entry.corrects !== undefined) this.#corrections += 1;
    if (entry.loanId !== this.#lastLoan && isOfLoan(entry.loanId)) this.#loans += 1;
    this.#lastLoan = entry.loanId;
    let rest = 0;
    for (const { role, dimensions, amount, owner } of entry.lines) {
      const whole = owner === undefined ? dimensions : { ...dimensions, owner };
      const key = `${role} ${dimensionsText(whole)}`;
      const sum = this.#sums.get(key) ?? { role, dimensions: whole, debitCents: 0, creditCents: 0 };
      this.#sums.set(key, sum);
      if (amount > 0) sum.debitCents += amount;
      else sum.creditCents -= amount;
      this.#lines += 1;
      rest += amount;
    }
    if (rest !== 0) throw new Error(`the entry ${entry.id} of ${entry.loanId} does not balance`);
  }

  content(): DayContent {
    const totals = [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { role, dimensions, debitCents, creditCents }]): RoleTotal => ({ role, dimensions, debitCents, creditCents }));
    return {
      contentHash: this.#hash.copy().digest('hex'),
      entryCount: this.#entries,
      lineCount: this.#lines,
      loanCount: this.#loans,
      correctionCount: this.#corrections,
      debitCents: totals.reduce((sum, { debitCents }) => sum + debitCents, 0),
      creditCents: totals.reduce((sum, { creditCents }) => sum + creditCents, 0),
      totals,
    };
  }
}

export interface Chained {
  readonly company: string;
  readonly mode: string;
  readonly basis: Basis;
  readonly day: Day;
  readonly sequence: number;
  readonly previousHash: string | null;
}

/** The hash of a batch: of what it says of itself, its entries, and the hash of the batch before. */
export function batchHash({ company, mode, basis, day: its, sequence, previousHash }: Chained, content: DayContent): string {
  const { totals, ...figures } = content;
  const text = JSON.stringify([
    BATCH_FORMAT,
    company,
    mode,
    basis,
    formatDay(its),
    sequence,
    previousHash,
    figures.contentHash,
    figures.entryCount,
    figures.lineCount,
    figures.loanCount,
    figures.correctionCount,
    figures.debitCents,
    figures.creditCents,
    totals.map(({ role, dimensions, debitCents, creditCents }) => [role, dimensionsText(dimensions), debitCents, creditCents]),
  ]);
  return createHash('sha256').update(text).digest('hex');
}

const DAY_DIGITS = 4;

/**
 * The id of an entry as the interface shows it: it names the loan, or the statement of money without a loan, and the day, so that the
 * entry is found without a search, and ends with the hash of the entry's key. Computing the entry again gives the same.
 */
export const entryIdOf = ({ id, loanId, accountingDate, basis }: Pick<Entry, 'id' | 'loanId' | 'accountingDate' | 'basis'>): string =>
  `GE-${loanId.replaceAll(/^LN-|-/g, '')}${dayText(accountingDate)}${basis === 'cash' ? 'C' : 'A'}-${hashPart(id)}`;

const dayText = (value: Day): string => value.toString(36).toUpperCase().padStart(DAY_DIGITS, '0');

const hashPart = (id: string): string => id.replaceAll(/^GE-|[^A-Za-z0-9]/g, '').toUpperCase();

export interface EntryAddress {
  readonly loanId: string;
  readonly day: Day;
  readonly basis: Basis;
}

/** Where an entry is found; null for what is no id of an entry. */
export function addressOfEntry(entryId: string): EntryAddress | null {
  const found = /^GE-(BS)?([0-9A-Z]{4})([0-9A-Z]{4})([0-9A-Z]{4})([AC])-[0-9A-Z]+$/.exec(entryId);
  if (found === null) return null;
  const [, kind = 'LN', first, second, days = '', basis] = found;
  return { loanId: `${kind}-${first}-${second}`, day: day(Number.parseInt(days, 36)), basis: basis === 'C' ? 'cash' : 'accrual' };
}
