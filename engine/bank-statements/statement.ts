import type { Day } from '../calendar/index.js';
import { type Cents, cents } from '../money/index.js';

export type StatementFormat = 'bai2' | 'camt053' | 'mt940' | 'csv';

/** A movement of an account as its bank has booked it. */
export interface StatementEntry {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  /** Above zero: the account has more. */
  readonly amountCents: Cents;
  readonly bookingDay: Day | null;
  readonly valueDay: Day | null;
  /** The bank's own kind of movement. */
  readonly code: string;
  /** Of the bank, of the customer, of the payment: each once, in the order of the file. */
  readonly references: readonly string[];
  readonly text: string;
  /** The bank takes an earlier entry back. */
  readonly isReversal: boolean;
  /** Null: that of the account. */
  readonly currency: string | null;
}

/** One account over one span, usually a day. */
export interface BankStatement {
  readonly line: number;
  /** The bank's name of the statement. */
  readonly reference: string | null;
  readonly account: string | null;
  readonly currency: string | null;
  /** The day of the closing balance. */
  readonly asOfDay: Day | null;
  readonly openingCents: Cents | null;
  readonly closingCents: Cents | null;
  readonly availableCents: Cents | null;
  readonly entries: readonly StatementEntry[];
}

/** What a file breaks. `line` is null where it is a matter of the whole file. */
export interface StatementFault {
  readonly code: StatementFaultCode;
  readonly line: number | null;
}

export interface StatementReading {
  readonly format: StatementFormat;
  readonly statements: readonly BankStatement[];
  /** A file with errors is not to be used. */
  readonly errors: readonly StatementFault[];
  readonly warnings: readonly StatementFault[];
}

/** What each fault means. A text never shows what the file holds: that is a matter of the account holder. */
export const STATEMENT_FAULTS = {
  'too-many-characters': 'the file is too long',
  'too-many-entries': 'the file has too many entries',
  'line-too-long': 'the line is too long',
  'not-text': 'the bytes are not text of the declared encoding',
  'no-statement': 'there is no statement in the file',
  'too-many-faults': 'the file has further faults',

  'unknown-record': 'the record has a code that BAI2 does not have',
  'no-file-header': 'there is no file header (01)',
  'no-file-trailer': 'there is no file trailer (99)',
  'no-group-trailer': 'the group has no trailer (98)',
  'no-account-trailer': 'the account has no trailer (49)',
  'record-out-of-place': 'the record cannot stand here',
  'group-status': 'the group is a deletion or a test',
  'funds-type': 'the funds type is not one of Z, 0, 1, 2, V, S, D',
  'summary-not-readable': 'the summary of the account cannot be read',
  'direction-unknown': 'the type code says neither credit nor debit',
  'account-total': 'the control total of the account is another one',
  'account-records': 'the account has another number of records',
  'group-total': 'the control total of the group is another one',
  'group-accounts': 'the group has another number of accounts',
  'group-records': 'the group has another number of records',
  'file-total': 'the control total of the file is another one',
  'file-groups': 'the file has another number of groups',
  'file-records': 'the file has another number of records',

  'xml-not-well-formed': 'the XML is not well formed',
  doctype: 'a document type declaration is not accepted',
  'too-deep': 'the elements are nested too deeply',
  'no-BkToCstmrStmt': 'there is no element BkToCstmrStmt',
  'entry-without-indicator': 'the entry has no CdtDbtInd of CRDT or DBIT',
  'entry-without-amount': 'the entry has no amount',
  'entry-not-booked': 'the entry is not booked, and is left aside',
  'balance-without-indicator': 'the balance has no CdtDbtInd, and counts as a credit',
  'summary-count-differs': 'the summary states another number of entries',
  'summary-sum-differs': 'the summary states another sum of entries',

  'no-opening-balance': 'the statement has no opening balance',
  'no-closing-balance': 'the statement has no closing balance',
  'balance-not-readable': 'the balance cannot be read',
  'statement-line-not-readable': 'the statement line cannot be read',
  'tag-20-inside-entries': 'tag 20 stands inside the entries',
  'tag-21-inside-entries': 'tag 21 stands inside the entries',
  'tag-25-inside-entries': 'tag 25 stands inside the entries',
  'tag-28-inside-entries': 'tag 28 stands inside the entries',

  'row-not-readable': 'the row cannot be read',
  'column-missing': 'the header lacks a column that the mapping names',
  'row-without-amount': 'the row has no amount',
  'direction-not-readable': 'the direction of the row is not one that the mapping names',

  'amount-not-a-number': 'the amount is not a number',
  'amount-not-in-cents': 'the amount is finer than a cent',
  'amount-too-large': 'the amount is too large',
  'date-not-valid': 'the date is not a date of the calendar',
  'balance-does-not-follow': 'the opening balance and the entries do not give the closing balance',
} as const;

export type StatementFaultCode = keyof typeof STATEMENT_FAULTS;

/** Characters of a statement that is read. */
export const MAX_STATEMENT_CHARACTERS = 16 * 1024 * 1024;
/** Entries of one file, and faults that are named. */
export const MAX_STATEMENT_ENTRIES = 20_000;
const MAX_NAMED_FAULTS = 200;
/** Characters of one line of BAI2 and MT940, and of one row of CSV. */
export const MAX_STATEMENT_LINE = 65_536;
/** What is kept of a text, of a reference, and how many references of one entry. */
const MAX_TEXT = 2_000;
const MAX_REFERENCE = 140;
const MAX_REFERENCES = 50;

/** The faults of a file, in their order. Beyond a bound they are counted as one. */
export class StatementFaults {
  readonly #all: StatementFault[] = [];

  get all(): readonly StatementFault[] {
    return this.#all;
  }

  add(code: StatementFaultCode, line: number | null = null): void {
    if (this.#all.length < MAX_NAMED_FAULTS) this.#all.push({ code, line });
    else if (this.#all.length === MAX_NAMED_FAULTS) this.#all.push({ code: 'too-many-faults', line: null });
  }
}

/** A text in one line, without control characters. */
export const statementText = (parts: readonly string[]): string =>
  parts
    .join(' ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT);

/** References that say something, each once. */
export const statementReferences = (found: readonly (string | null | undefined)[]): readonly string[] =>
  [...new Set(found.map((each) => statementText([each ?? '']).slice(0, MAX_REFERENCE)))]
    .filter((each) => each !== '' && !NO_REFERENCE.has(each.toUpperCase()))
    .slice(0, MAX_REFERENCES);

const NO_REFERENCE: ReadonlySet<string> = new Set(['NONREF', 'NOTPROVIDED', 'NOT PROVIDED', 'N/A']);

/** Whether the opening balance and the entries give the closing balance; null where that cannot be computed. */
export function balanceFollows({ openingCents, closingCents, currency, entries }: Omit<BankStatement, 'line'>): boolean | null {
  if (openingCents === null || closingCents === null) return null;
  if (entries.some((entry) => entry.currency !== null && entry.currency !== currency)) return null;
  return entries.reduce<number>((sum, { amountCents }) => sum + amountCents, openingCents) === closingCents;
}

/** Digits with an optional sign, in cents. Undefined: no number, or too large. */
export function minorUnits(text: string): Cents | undefined {
  if (!/^[+-]?\d{1,18}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? cents(value === 0 ? 0 : value) : undefined;
}

/** A number without sign, with a point and any decimals of zero behind the second. */
export function decimalCents(text: string): Cents | 'amount-not-a-number' | 'amount-not-in-cents' | 'amount-too-large' {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{0,20}))?$/.exec(text) ?? [];
  if (whole === undefined) return 'amount-not-a-number';
  if (/[1-9]/.test(fraction.slice(2))) return 'amount-not-in-cents';
  const value = Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`);
  return Number.isSafeInteger(value) ? cents(value) : 'amount-too-large';
}
