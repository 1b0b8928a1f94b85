import type { Day } from '../calendar/index.js';
import { type Cents, cents, ZERO } from '../money/index.js';
import { type Bai2Record, bai2Records, type Bai2Value } from './bai2-records.js';
import { shortDay } from './dates.js';
import {
  balanceFollows,
  type BankStatement,
  MAX_STATEMENT_ENTRIES,
  minorUnits,
  type StatementEntry,
  StatementFaults,
  type StatementReading,
  statementReferences,
  statementText,
} from './statement.js';

/*
 * BAI2 (Bank Administration Institute, Cash Management Balance Reporting, version 2): a file of groups of accounts.
 *
 *   01 file ─► 02 group ─► 03 account ─► 16 detail ─► 49 ─► 98 ─► 99
 *                                        (88 goes on with the record before)
 */

interface Bai2Transaction {
  readonly line: number;
  readonly type: string;
  readonly amountCents: Cents;
  readonly funds: Bai2Funds | null;
  readonly bankReference: string;
  readonly customerReference: string;
  readonly text: readonly string[];
}

interface Bai2Funds {
  readonly type: string;
  /** Of a value-dated amount. */
  readonly valueDay: Day | null;
}

interface Bai2Summary {
  readonly type: string;
  readonly amountCents: Cents | null;
  readonly items: number | null;
}

interface Bai2Account {
  readonly line: number;
  readonly account: string;
  readonly currency: string;
  readonly summaries: readonly Bai2Summary[];
  readonly transactions: readonly Bai2Transaction[];
  /** Of its records, as the trailer should state them. */
  readonly totalCents: Cents;
  readonly records: number;
}

interface Bai2Group {
  readonly line: number;
  readonly originator: string;
  readonly status: string;
  readonly asOfDay: Day | null;
  readonly currency: string;
  readonly accounts: readonly Bai2Account[];
}

interface Bai2Reading extends StatementReading {
  readonly groups: readonly Bai2Group[];
  /** Of the whole file. */
  readonly records: number;
}

type Open<Of> = { -readonly [Name in keyof Of]: Of[Name] extends readonly (infer Each)[] ? Each[] : Of[Name] } & { isClosed: boolean };
type OpenGroup = Open<Bai2Group> & { writtenCents: number; firstRecord: number };
type OpenAccount = Open<Bai2Account> & { sumCents: number; firstRecord: number };

class Bai2Reader {
  readonly faults = new StatementFaults();
  readonly groups: OpenGroup[] = [];
  #account: OpenAccount | null = null;
  #hasHeader = false;
  #hasTrailer = false;
  #writtenCents = 0;
  #transactions = 0;

  take(record: Bai2Record): void {
    switch (record.code) {
      case '01':
        if (this.#hasHeader) this.faults.add('record-out-of-place', record.line);
        this.#hasHeader = true;
        return;
      case '02':
        return this.#group(record);
      case '03':
        return this.#summary(record);
      case '16':
        return this.#detail(record);
      case '49':
        return this.#endAccount(record);
      case '98':
        return this.#endGroup(record);
      case '99':
        return this.#endFile(record);
      default:
        this.faults.add(record.code === '88' ? 'record-out-of-place' : 'unknown-record', record.line);
    }
  }

  end(): void {
    if (!this.#hasHeader) this.faults.add('no-file-header');
    this.#unclosed();
    if (!this.#hasTrailer) this.faults.add('no-file-trailer');
  }

  #unclosed(): void {
    if (this.#account !== null) this.faults.add('no-account-trailer', this.#account.line);
    this.#account = null;
    const group = this.groups.at(-1);
    if (group?.isClosed === false) this.faults.add('no-group-trailer', group.line);
  }

  #group({ line, at, values }: Bai2Record): void {
    this.#unclosed();
    const [, originator = '', status = '', asOf = '', , currency = ''] = texts(values);
    // 1 update, 2 deletion, 3 correction, 4 test.
    if (status === '2' || status === '4') this.faults.add('group-status', line);
    const asOfDay = shortDay(asOf);
    if (asOf !== '' && asOfDay === undefined) this.faults.add('date-not-valid', line);
    const common = { line, firstRecord: at, isClosed: false, writtenCents: 0, accounts: [] };
    this.groups.push({ ...common, originator, status, asOfDay: asOfDay ?? null, currency });
  }

  #summary({ line, at, values }: Bai2Record): void {
    const group = this.groups.at(-1);
    if (this.#account !== null) this.faults.add('no-account-trailer', this.#account.line);
    if (group === undefined || group.isClosed) return this.faults.add('record-out-of-place', line);
    const [account = '', currency = ''] = texts(values);
    const made = { line, account, currency, summaries: [], transactions: [], totalCents: ZERO, records: 0 };
    this.#account = { ...made, sumCents: 0, firstRecord: at, isClosed: false };
    for (const summary of this.#summaries(values.slice(2), line)) {
      this.#account.summaries.push(summary);
      this.#account.sumCents += summary.amountCents ?? 0;
    }
    group.accounts.push(this.#account);
  }

  /** Type code, amount, count of items, funds: banks leave empty fields away at the end of a record. */
  *#summaries(values: readonly Bai2Value[], line: number): Generator<Bai2Summary> {
    let at = 0;
    while (at < values.length) {
      const type = values[at]?.text ?? '';
      at += 1;
      if (type === '') continue;
      if (!/^\d{3}$/.test(type)) return this.faults.add('summary-not-readable', line);
      const amountCents = this.#amount(values[at]?.text ?? '', line);
      at += 1;
      const next = values[at];
      const isItems = next !== undefined && /^\d*$/.test(next.text) && !(next.isFirst && next.text.length === 3);
      const items = isItems && next.text !== '' ? Number(next.text) : null;
      if (isItems) at += 1;
      if (isItems && FUNDS.has(values[at]?.text ?? '-')) at += this.#funds(values, at, line).fields;
      yield { type, amountCents, items };
    }
  }

  #detail({ line, values }: Bai2Record): void {
    const account = this.#account;
    if (account === null) return this.faults.add('record-out-of-place', line);
    this.#transactions += 1;
    if (this.#transactions > MAX_STATEMENT_ENTRIES) {
      if (this.#transactions === MAX_STATEMENT_ENTRIES + 1) this.faults.add('too-many-entries', line);
      return;
    }
    const [type = '', amount = ''] = texts(values);
    const amountCents = this.#amount(amount, line) ?? ZERO;
    if (!FUNDS.has(values[2]?.text ?? '')) this.faults.add('funds-type', line);
    const { funds, fields } = this.#funds(values, 2, line);
    const [bank, customer, ...text] = values.slice(2 + fields);
    account.sumCents += amountCents;
    const references = { bankReference: bank?.text ?? '', customerReference: customer?.text ?? '' };
    account.transactions.push({ line, type, amountCents, funds, ...references, text: textLines(text) });
  }

  /** What follows an amount, and how many fields it has. */
  #funds(values: readonly Bai2Value[], at: number, line: number): { readonly funds: Bai2Funds | null; readonly fields: number } {
    const type = values[at]?.text ?? '';
    const text = (offset: number): string => values[at + offset]?.text ?? '';
    switch (type) {
      case 'V': {
        const valueDay = text(1) === '' ? null : shortDay(text(1));
        if (valueDay === undefined) this.faults.add('date-not-valid', line);
        return { funds: { type, valueDay: valueDay ?? null }, fields: 3 };
      }
      case 'S':
        for (const offset of [1, 2, 3]) this.#amount(text(offset), line);
        return { funds: { type, valueDay: null }, fields: 4 };
      case 'D': {
        const pairs = /^\d{1,2}$/.test(text(1)) ? Number(text(1)) : 0;
        for (let pair = 0; pair < pairs; pair += 1) this.#amount(text(3 + 2 * pair), line);
        return { funds: { type, valueDay: null }, fields: 2 + 2 * pairs };
      }
      default:
        return { funds: type === '' ? null : { type, valueDay: null }, fields: 1 };
    }
  }

  #endAccount({ line, values, through }: Bai2Record): void {
    const account = this.#account;
    const group = this.groups.at(-1);
    if (account === null || group === undefined) return this.faults.add('record-out-of-place', line);
    this.#account = null;
    account.isClosed = true;
    account.totalCents = cents(account.sumCents);
    account.records = through - account.firstRecord + 1;
    const [total = '', records = ''] = texts(values);
    const written = this.#amount(total, line) ?? ZERO;
    group.writtenCents += written;
    if (written !== account.totalCents) this.faults.add('account-total', line);
    if (records !== '' && Number(records) !== account.records) this.faults.add('account-records', line);
  }

  #endGroup({ line, values, through }: Bai2Record): void {
    const group = this.groups.at(-1);
    if (group === undefined || group.isClosed) return this.faults.add('record-out-of-place', line);
    if (this.#account !== null) this.faults.add('no-account-trailer', this.#account.line);
    this.#account = null;
    group.isClosed = true;
    const [total = '', accounts = '', records = ''] = texts(values);
    const written = this.#amount(total, line) ?? ZERO;
    this.#writtenCents += written;
    if (written !== group.writtenCents) this.faults.add('group-total', line);
    if (accounts !== '' && Number(accounts) !== group.accounts.length) this.faults.add('group-accounts', line);
    if (records !== '' && Number(records) !== through - group.firstRecord + 1) this.faults.add('group-records', line);
  }

  #endFile({ line, values, through }: Bai2Record): void {
    this.#unclosed();
    if (this.#hasTrailer) this.faults.add('record-out-of-place', line);
    this.#hasTrailer = true;
    const [total = '', groups = '', records = ''] = texts(values);
    if ((this.#amount(total, line) ?? ZERO) !== this.#writtenCents) this.faults.add('file-total', line);
    if (groups !== '' && Number(groups) !== this.groups.length) this.faults.add('file-groups', line);
    if (records !== '' && Number(records) !== through) this.faults.add('file-records', line);
  }

  #amount(text: string, line: number): Cents | null {
    if (text === '') return null;
    const amount = minorUnits(text);
    if (amount === undefined) this.faults.add('amount-not-a-number', line);
    return amount ?? null;
  }
}

const FUNDS: ReadonlySet<string> = new Set(['', 'Z', '0', '1', '2', 'V', 'S', 'D']);

const texts = (values: readonly Bai2Value[]): readonly string[] => values.map(({ text }) => text);

/** Commas belong to a text; each record of it is a line of its own. */
function textLines(values: readonly Bai2Value[]): readonly string[] {
  const lines: string[] = [];
  for (const { written, isFirst } of values) {
    if (isFirst || lines.length === 0) lines.push(written);
    else lines.push(`${lines.pop() ?? ''},${written}`);
  }
  return lines.map((each) => each.trim()).filter((each) => each !== '');
}

/** Reads a file of any bank. The statements are those of its accounts. */
export function readBai2(text: string): Bai2Reading {
  const reader = new Bai2Reader();
  const { records, count } = bai2Records(text, reader.faults);
  for (const record of records) reader.take(record);
  reader.end();
  const warnings = new StatementFaults();
  const statements = reader.groups.flatMap((group) =>
    group.accounts.map((account) => statementOf(group, account, { faults: reader.faults, warnings })),
  );
  return { format: 'bai2', groups: reader.groups, records: count, statements, errors: reader.faults.all, warnings: warnings.all };
}

/** Type codes of balances. */
const [OPENING_LEDGER, CLOSING_LEDGER, CLOSING_AVAILABLE] = ['010', '015', '045'];

function statementOf(
  { originator, asOfDay, currency: common }: Bai2Group,
  account: Bai2Account,
  { faults, warnings }: { readonly faults: StatementFaults; readonly warnings: StatementFaults },
): BankStatement {
  const balance = (wanted: string | undefined): Cents | null => account.summaries.find(({ type }) => type === wanted)?.amountCents ?? null;
  const statement: BankStatement = {
    line: account.line,
    reference: originator === '' ? null : originator,
    account: account.account === '' ? null : account.account,
    currency: account.currency || common || null,
    asOfDay,
    openingCents: balance(OPENING_LEDGER),
    closingCents: balance(CLOSING_LEDGER),
    availableCents: balance(CLOSING_AVAILABLE),
    entries: account.transactions.map((transaction) => entryOf(transaction, asOfDay, faults)),
  };
  if (balanceFollows(statement) === false) warnings.add('balance-does-not-follow', statement.line);
  return statement;
}

function entryOf(
  { line, type, amountCents, funds, ...written }: Bai2Transaction,
  asOfDay: Day | null,
  faults: StatementFaults,
): StatementEntry {
  const direction = directionOf(type);
  if (direction === null && amountCents !== 0) faults.add('direction-unknown', line);
  return {
    line,
    amountCents: cents(direction === 'debit' && amountCents !== 0 ? -amountCents : amountCents),
    bookingDay: asOfDay,
    valueDay: funds?.valueDay ?? asOfDay,
    code: type,
    references: statementReferences([written.bankReference, written.customerReference]),
    text: statementText(written.text),
    isReversal: REVERSALS.has(type),
    currency: null,
  };
}

/** By the ranges of type codes; those of a bank's own are 920 to 999. */
function directionOf(type: string): 'credit' | 'debit' | null {
  const code = /^\d{3}$/.test(type) ? Number(type) : 0;
  if ((code >= 100 && code <= 399) || (code >= 920 && code <= 959)) return 'credit';
  return (code >= 400 && code <= 699) || (code >= 960 && code <= 999) ? 'debit' : null;
}

/** Returned and reversed items: ACH, checks, wires, corrections. */
const REVERSALS: ReadonlySet<string> = new Set(['252', '255', '257', '258', '261', '266', '552', '555', '557', '558', '561', '566']);
