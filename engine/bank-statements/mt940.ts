import { addDays, type Day, daysInMonth } from '../calendar/index.js';
import { type Cents, cents } from '../money/index.js';
import { calendarDay, shortDay } from './dates.js';
import {
  balanceFollows,
  type BankStatement,
  decimalCents,
  MAX_STATEMENT_CHARACTERS,
  MAX_STATEMENT_ENTRIES,
  MAX_STATEMENT_LINE,
  type StatementEntry,
  type StatementFaultCode,
  StatementFaults,
  type StatementReading,
  statementReferences,
  statementText,
} from './statement.js';

/*
 * MT940 (SWIFT customer statement): tags at the begin of lines. 20 begins a statement, 25 names the account, 60 and 62 are balances, 61 is
 * an entry, and 86 describes the entry before it.
 */

interface Tagged {
  readonly tag: string;
  readonly line: number;
  readonly lines: string[];
}

/** An entry as it is written. */
interface Mt940Line {
  readonly line: number;
  /** `YYYY-MM-DD`; 30 February occurs. */
  readonly valueDate: string;
  readonly entryDate: string | null;
  /** `RC` takes a credit back, `RD` a debit. */
  readonly mark: 'C' | 'D' | 'RC' | 'RD';
  readonly fundsCode: string | null;
  readonly amountCents: Cents;
  readonly type: string;
  readonly customerReference: string;
  readonly bankReference: string | null;
  readonly description: readonly string[];
}

interface Mt940Reading extends StatementReading {
  readonly lines: readonly (readonly Mt940Line[])[];
}

interface Balance {
  readonly amountCents: Cents;
  readonly currency: string;
  readonly day: Day;
}

interface Building {
  readonly line: number;
  readonly reference: string;
  account: string | null;
  opening: Balance | null;
  closing: Balance | null;
  available: Balance | null;
  readonly lines: (Mt940Line & { readonly description: string[] })[];
}

class Mt940Reader {
  readonly faults = new StatementFaults();
  readonly built: Building[] = [];
  #count = 0;
  #last = '';

  take({ tag, line, lines }: Tagged): void {
    const value = lines.join('\n').trim();
    if (tag === '20') {
      this.built.push({ line, reference: value, account: null, opening: null, closing: null, available: null, lines: [] });
      return;
    }
    const statement = this.built.at(-1);
    if (statement === undefined) return;
    const inside = INSIDE.get(tag);
    if (inside !== undefined && statement.opening !== null && statement.closing === null) this.faults.add(inside, line);
    else this.#field(statement, tag, { line, value, lines });
    this.#last = tag;
  }

  #field(statement: Building, tag: string, { line, value, lines }: { line: number; value: string; lines: readonly string[] }): void {
    switch (tag) {
      case '25':
        statement.account = value;
        return;
      case '60F':
      case '60M':
        statement.opening ??= this.#balance(value, line);
        return;
      case '62F':
      case '62M':
        statement.closing = this.#balance(value, line);
        return;
      case '64':
        statement.available = this.#balance(value, line);
        return;
      case '61':
        return this.#line(statement, lines, line);
      case '86':
        if (this.#last === '61') statement.lines.at(-1)?.description.push(...lines);
        return;
    }
  }

  #line(statement: Building, [first = '', ...further]: readonly string[], line: number): void {
    this.#count += 1;
    if (this.#count > MAX_STATEMENT_ENTRIES) {
      if (this.#count === MAX_STATEMENT_ENTRIES + 1) this.faults.add('too-many-entries', line);
      return;
    }
    const match = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d{1,15},\d{0,6})([A-Z][A-Z0-9]{3})(.*)$/.exec(first.trim());
    if (match === null) return this.faults.add('statement-line-not-readable', line);
    const [, valueDate = '', entryDate = null, mark = 'C', fundsCode = null, amount = '', type = '', rest = ''] = match;
    const amountCents = this.#amount(amount, line);
    if (clampedDay(valueDate) === undefined) this.faults.add('date-not-valid', line);
    const [customer = '', bank = null] = rest.split('//', 2);
    statement.lines.push({
      line,
      valueDate: `20${valueDate.slice(0, 2)}-${valueDate.slice(2, 4)}-${valueDate.slice(4)}`,
      entryDate,
      mark: MARKS.get(mark) ?? 'C',
      fundsCode,
      amountCents,
      type,
      customerReference: customer.trim(),
      bankReference: bank === null ? null : bank.trim(),
      description: further.filter((each) => each.trim() !== ''),
    });
  }

  #balance(value: string, line: number): Balance | null {
    const [, mark, date = '', currency = '', amount = ''] = /^([CD])(\d{6})([A-Z]{3})(\d{1,15},\d{0,6})$/.exec(value) ?? [];
    const day = clampedDay(date);
    if (mark === undefined || day === undefined) {
      this.faults.add('balance-not-readable', line);
      return null;
    }
    const size = this.#amount(amount, line);
    return { amountCents: cents(mark === 'D' && size !== 0 ? -size : size), currency, day };
  }

  #amount(text: string, line: number): Cents {
    const amount = decimalCents(text.replace(',', '.'));
    if (typeof amount === 'number') return amount;
    this.faults.add(amount, line);
    return cents(0);
  }

  end(): void {
    if (this.built.length === 0) this.faults.add('no-statement');
    for (const { line, opening, closing } of this.built) {
      if (opening === null) this.faults.add('no-opening-balance', line);
      if (closing === null) this.faults.add('no-closing-balance', line);
    }
  }
}

const MARKS: ReadonlyMap<string, Mt940Line['mark']> = new Map([
  ['C', 'C'],
  ['D', 'D'],
  ['RC', 'RC'],
  ['RD', 'RD'],
]);

/** What belongs before the entries. */
const INSIDE: ReadonlyMap<string, StatementFaultCode> = new Map([
  ['21', 'tag-21-inside-entries'],
  ['25', 'tag-25-inside-entries'],
  ['28', 'tag-28-inside-entries'],
  ['28C', 'tag-28-inside-entries'],
]);

/** YYMMDD. Banks that count months of thirty days write 30 February: it is the last day of that month. */
function clampedDay(text: string): Day | undefined {
  const day = shortDay(text);
  const [, yy, mm, dd] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (day !== undefined || mm !== '02' || (dd !== '29' && dd !== '30')) return day;
  return calendarDay(2000 + Number(yy), 2, daysInMonth(2000 + Number(yy), 2));
}

const HALF_YEAR = 183;

/** MMDD of the year that brings it nearest to the value date. */
function entryDay(text: string | null, valueDay: Day, valueYear: number): Day | null {
  if (text === null) return null;
  const [month, day] = [Number(text.slice(0, 2)), Number(text.slice(2))];
  const near = [-1, 0, 1]
    .map((offset) => calendarDay(valueYear + offset, month, day))
    .find((each) => each !== undefined && each > addDays(valueDay, -HALF_YEAR) && each < addDays(valueDay, HALF_YEAR));
  return near ?? null;
}

/** Reads the statements of a file, with or without the blocks of a SWIFT message. */
export function readMt940(text: string): Mt940Reading {
  const reader = new Mt940Reader();
  const warnings = new StatementFaults();
  if (text.length > MAX_STATEMENT_CHARACTERS) reader.faults.add('too-many-characters');
  else for (const tagged of taggedOf(text, reader.faults)) reader.take(tagged);
  if (text.length <= MAX_STATEMENT_CHARACTERS) reader.end();
  const statements = reader.built.map((built) => statementOf(built, warnings));
  return { format: 'mt940', statements, lines: reader.built.map(({ lines }) => lines), errors: reader.faults.all, warnings: warnings.all };
}

function* taggedOf(text: string, faults: StatementFaults): Generator<Tagged> {
  let current: Tagged | null = null;
  let line = 0;
  for (const written of text.split(/\r\n|\n|\r/)) {
    line += 1;
    if (written.length > MAX_STATEMENT_LINE) {
      faults.add('line-too-long', line);
      continue;
    }
    const [, tag, rest = ''] = /^(?:\{4:)?:(\d\d[A-Z]?):(.*)$/.exec(written) ?? [];
    const isEnd = /^(?:-\}?|\{1:.*)$/.test(written.trim());
    if (tag === undefined && !isEnd) {
      current?.lines.push(written);
      continue;
    }
    if (current !== null) yield current;
    current = tag === undefined ? null : { tag, line, lines: [rest] };
  }
  if (current !== null) yield current;
}

function statementOf({ line, reference, account, opening, closing, available, lines }: Building, warnings: StatementFaults): BankStatement {
  const statement: BankStatement = {
    line,
    reference,
    account,
    currency: closing?.currency ?? opening?.currency ?? null,
    asOfDay: closing?.day ?? opening?.day ?? null,
    openingCents: opening?.amountCents ?? null,
    closingCents: closing?.amountCents ?? null,
    availableCents: available?.amountCents ?? null,
    entries: lines.flatMap((each) => entryOf(each)),
  };
  if (balanceFollows(statement) === false) warnings.add('balance-does-not-follow', line);
  return statement;
}

function entryOf(written: Mt940Line): readonly StatementEntry[] {
  const { line, valueDate, mark, amountCents, type, customerReference, bankReference, description } = written;
  const valueDay = clampedDay(valueDate.slice(2).replaceAll('-', ''));
  if (valueDay === undefined) return [];
  const isOut = mark === 'D' || mark === 'RC';
  const bookingDay = entryDay(written.entryDate, valueDay, Number(valueDate.slice(0, 4)));
  return [
    {
      line,
      amountCents: cents(isOut && amountCents !== 0 ? -amountCents : amountCents),
      bookingDay: bookingDay ?? valueDay,
      valueDay,
      code: type,
      references: statementReferences([customerReference, bankReference]),
      text: statementText(description),
      isReversal: mark.startsWith('R'),
      currency: null,
    },
  ];
}
