import { CsvError, parse } from 'csv-parse/sync';
import type { Day } from '../calendar/index.js';
import { type Cents, cents, parseCents } from '../money/index.js';
import { calendarDay } from './dates.js';
import type { StatementEncoding } from './decode.js';
import {
  MAX_STATEMENT_CHARACTERS,
  MAX_STATEMENT_ENTRIES,
  MAX_STATEMENT_LINE,
  type BankStatement,
  type StatementEntry,
  StatementFaults,
  type StatementReading,
  statementReferences,
  statementText,
} from './statement.js';

/** What the columns of a bank's CSV file are. Columns are named by the header. */
export interface StatementCsvMapping {
  /** Default a comma. */
  readonly delimiter?: ',' | ';' | '\t' | '|';
  /** Default UTF-8, or what a byte order mark says. */
  readonly encoding?: StatementEncoding;
  readonly dateFormat: 'YYYY-MM-DD' | 'YYYYMMDD' | 'MM/DD/YYYY' | 'MM/DD/YY' | 'DD/MM/YYYY' | 'DD.MM.YYYY' | 'DD.MM.YY';
  /** Default a point. */
  readonly decimalMark?: '.' | ',';
  /** Lines before the header; default none. */
  readonly skipLines?: number;
  /** Whether an amount above zero is money into the account; default it is. */
  readonly sign?: 'creditPositive' | 'debitPositive';
  /** Texts of the column `direction` that mean money into the account; all others mean money out. */
  readonly creditTexts?: readonly string[];
  readonly columns: {
    readonly bookingDate: string;
    readonly valueDate?: string;
    /** A signed amount, or one without sign beside `direction`. */
    readonly amount?: string;
    readonly direction?: string;
    /** In place of `amount`: two columns without sign. */
    readonly credit?: string;
    readonly debit?: string;
    readonly code?: string;
    readonly references?: readonly string[];
    readonly text?: readonly string[];
    /** The balance behind each entry. */
    readonly balance?: string;
  };
}

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

class CsvReader {
  readonly faults = new StatementFaults();
  readonly warnings = new StatementFaults();
  readonly entries: StatementEntry[] = [];
  readonly balances: (Cents | null)[] = [];

  constructor(
    private readonly mapping: StatementCsvMapping,
    private readonly header: readonly string[],
    headerLine: number,
  ) {
    const { references = [], text = [], ...single } = mapping.columns;
    const wanted = [...Object.values(single).filter((each) => typeof each === 'string'), ...references, ...text];
    for (const name of wanted) if (!this.header.includes(name)) this.faults.add('column-missing', headerLine);
  }

  take({ line, cells }: Row): void {
    if (cells.every((each) => each.trim() === '')) return;
    if (cells.length !== this.header.length) return this.faults.add('row-not-readable', line);
    const { columns, dateFormat } = this.mapping;
    const cell = (name: string | undefined): string => (name === undefined ? '' : (cells[this.header.indexOf(name)] ?? '').trim());
    const amountCents = this.#amountOf(cell, line);
    const bookingDay = dayIn(dateFormat, cell(columns.bookingDate));
    const valueText = cell(columns.valueDate);
    const valueDay = valueText === '' ? bookingDay : dayIn(dateFormat, valueText);
    if (bookingDay === undefined || valueDay === undefined) this.faults.add('date-not-valid', line);
    const balanceText = cell(columns.balance);
    const balance = balanceText === '' ? null : this.#number(balanceText, line);
    if (amountCents === null || bookingDay === undefined || valueDay === undefined) return;
    this.balances.push(balance);
    this.entries.push({
      line,
      amountCents,
      bookingDay,
      valueDay,
      code: cell(columns.code).slice(0, 40),
      references: statementReferences((columns.references ?? []).map(cell)),
      text: statementText((columns.text ?? []).map(cell)),
      isReversal: false,
      currency: null,
    });
  }

  #amountOf(cell: (name: string | undefined) => string, line: number): Cents | null {
    const { columns, sign = 'creditPositive', creditTexts = [] } = this.mapping;
    if (columns.amount === undefined) {
      const [credit, debit] = [cell(columns.credit), cell(columns.debit)].map((text) => (text === '' ? null : this.#number(text, line)));
      if (credit == null && debit == null) this.faults.add('row-without-amount', line);
      // A debit column may have a sign of its own.
      return credit == null && debit == null ? null : cents((credit ?? 0) - Math.abs(debit ?? 0) || 0);
    }
    const text = cell(columns.amount);
    if (text === '') {
      this.faults.add('row-without-amount', line);
      return null;
    }
    const amount = this.#number(text, line);
    if (amount === null) return null;
    if (columns.direction === undefined) return cents(sign === 'debitPositive' && amount !== 0 ? -amount : amount);
    const direction = cell(columns.direction).toLowerCase();
    if (direction === '') {
      this.faults.add('direction-not-readable', line);
      return null;
    }
    const isCredit = creditTexts.some((each) => each.toLowerCase() === direction);
    return cents((isCredit ? Math.abs(amount) : -Math.abs(amount)) || 0);
  }

  /** `1,234.56`, `$12.00`, `-5.00`, `5.00-`, `(5.00)`. */
  #number(text: string, line: number): Cents | null {
    const isPoint = (this.mapping.decimalMark ?? '.') === '.';
    const plain = text.replaceAll(/[\s$\u00a0]/g, '');
    const [, open = '', before = '', digits = '', after = '', close = ''] = /^(\()?([+-])?([\d.,']{1,30})([+-])?(\))?$/.exec(plain) ?? [];
    const grouped = digits.replaceAll(isPoint ? /[,']/g : /[.']/g, '').replace(',', '.');
    const amount = parseCents(grouped);
    if (amount === undefined || (open === '') !== (close === '')) {
      this.faults.add('amount-not-a-number', line);
      return null;
    }
    return cents([open, before, after].some((each) => each === '(' || each === '-') && amount !== 0 ? -amount : amount);
  }
}

function dayIn(format: StatementCsvMapping['dateFormat'], text: string): Day | undefined {
  const pattern = format.replaceAll('.', '\\.').replace('YYYY', '(?<y>\\d{4})').replace('YY', '(?<s>\\d{2})');
  const found = new RegExp(`^${pattern.replace('MM', '(?<m>\\d{1,2})').replace('DD', '(?<d>\\d{1,2})')}$`).exec(text)?.groups;
  if (found === undefined) return undefined;
  const year = found['y'] === undefined ? 2000 + Number(found['s']) : Number(found['y']);
  return calendarDay(year, Number(found['m']), Number(found['d']));
}

/** Reads a file as its mapping says. There is no account in it: it is that of the caller. */
export function readStatementCsv(text: string, mapping: StatementCsvMapping): StatementReading {
  const early = new StatementFaults();
  const rows = rowsOf(text, mapping, early);
  const [header, ...data] = rows;
  if (header === undefined && early.all.length === 0) early.add('no-statement');
  if (header === undefined || early.all.length > 0) return { format: 'csv', statements: [], errors: early.all, warnings: [] };
  const reader = new CsvReader(
    mapping,
    header.cells.map((each) => each.trim()),
    header.line,
  );
  if (reader.faults.all.length === 0) {
    if (data.length > MAX_STATEMENT_ENTRIES) reader.faults.add('too-many-entries', data[MAX_STATEMENT_ENTRIES]?.line ?? null);
    else for (const row of data) reader.take(row);
  }
  const statement = statementOf(reader);
  return { format: 'csv', statements: [statement], errors: reader.faults.all, warnings: reader.warnings.all };
}

function rowsOf(text: string, { delimiter = ',', skipLines = 0 }: StatementCsvMapping, faults: StatementFaults): readonly Row[] {
  if (text.length > MAX_STATEMENT_CHARACTERS) {
    faults.add('too-many-characters');
    return [];
  }
  const rows: Row[] = [];
  try {
    parse(text, {
      delimiter,
      from_line: skipLines + 1,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_STATEMENT_LINE,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line: lines, cells });
        return null;
      },
    });
    return rows;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    faults.add(
      cause.code === 'CSV_MAX_RECORD_SIZE' ? 'line-too-long' : 'row-not-readable',
      typeof cause['lines'] === 'number' ? cause['lines'] : null,
    );
    return [];
  }
}

/** Balances behind the entries give those of the statement, whether the file has the oldest entry first or the newest. */
function statementOf({ entries, balances, warnings }: CsvReader): BankStatement {
  const days = entries.flatMap(({ bookingDay }) => (bookingDay === null ? [] : [bookingDay]));
  const asOfDay = days.length === 0 ? null : days.reduce((latest, day) => (day > latest ? day : latest));
  const made = { line: 1, reference: null, account: null, currency: null, asOfDay, availableCents: null };
  const amounts = entries.map(({ amountCents }) => amountCents);
  const first = balances[0] ?? null;
  const last = balances.at(-1) ?? null;
  if (first === null || last === null || balances.includes(null)) return { ...made, openingCents: null, closingCents: null, entries };
  const known = balances.filter((each) => each !== null);
  const isRising = known.every((balance, at) => at === 0 || (known[at - 1] ?? 0) + (amounts[at] ?? 0) === balance);
  const isFalling = known.every((balance, at) => at === 0 || balance + (amounts[at - 1] ?? 0) === known[at - 1]);
  if (!isRising && !isFalling) {
    warnings.add('balance-does-not-follow', entries[0]?.line ?? null);
    return { ...made, openingCents: null, closingCents: null, entries };
  }
  if (isRising) return { ...made, openingCents: cents(first - (amounts[0] ?? 0)), closingCents: last, entries };
  return { ...made, openingCents: cents(last - (amounts.at(-1) ?? 0)), closingCents: first, entries: entries.toReversed() };
}
