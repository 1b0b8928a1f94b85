import type { Day } from '../calendar/index.js';
import { type Cents, cents } from '../money/index.js';
import { isoDay } from './dates.js';
import {
  balanceFollows,
  type BankStatement,
  decimalCents,
  MAX_STATEMENT_ENTRIES,
  type StatementEntry,
  StatementFaults,
  type StatementReading,
  statementReferences,
  statementText,
} from './statement.js';
import { readElements, textAt, valuesAt, type XmlElement } from './xml.js';

/*
 * camt.053 (ISO 20022, bank to customer statement), by the names of elements: versions differ in little that matters here. Entries are
 * collected one by one while the file is read, so that a large file needs little memory.
 */

interface Written {
  readonly entry: StatementEntry;
  readonly isReversal: boolean;
}

class CamtReader {
  readonly faults = new StatementFaults();
  readonly warnings = new StatementFaults();
  readonly statements: BankStatement[] = [];
  #entries: Written[] = [];
  #count = 0;
  hasEnvelope = false;

  /** Whether the element is done with, and needs no place in its parent. */
  take(element: XmlElement, path: readonly string[]): boolean {
    const parent = path.at(-1);
    if (element.name === 'BkToCstmrStmt') this.hasEnvelope = true;
    if (element.name === 'Ntry' && parent === 'Stmt') {
      this.#entry(element);
      return true;
    }
    if (element.name !== 'Stmt' || parent !== 'BkToCstmrStmt') return false;
    this.#statement(element);
    return true;
  }

  #entry(element: XmlElement): void {
    const { line } = element;
    this.#count += 1;
    if (this.#count > MAX_STATEMENT_ENTRIES) {
      if (this.#count === MAX_STATEMENT_ENTRIES + 1) this.faults.add('too-many-entries', line);
      return;
    }
    const amountCents = this.#amount(element, line);
    const direction = textAt(element, 'CdtDbtInd');
    if (direction !== 'CRDT' && direction !== 'DBIT') this.faults.add('entry-without-indicator', line);
    const status = textAt(element, 'Sts', 'Cd') ?? textAt(element, 'Sts');
    if (status !== null && status !== 'BOOK') {
      this.warnings.add('entry-not-booked', line);
      return;
    }
    const isReversal = textAt(element, 'RvslInd') === 'true' || textAt(element, 'RvslInd') === '1';
    this.#entries.push({
      isReversal,
      entry: {
        line,
        amountCents: signed(amountCents, direction),
        bookingDay: this.#day(element, 'BookgDt'),
        valueDay: this.#day(element, 'ValDt'),
        code: codeOf(element),
        references: referencesOf(element),
        text: textOf(element),
        isReversal,
        currency: currencyOf(element),
      },
    });
  }

  #statement(element: XmlElement): void {
    const balances = element.children.filter(({ name }) => name === 'Bal').map((each) => this.#balance(each));
    const ofCode = (...codes: readonly string[]) => codes.flatMap((code) => balances.filter((each) => each.code === code))[0] ?? null;
    const [opening, closing, available] = [ofCode('OPBD', 'PRCD'), ofCode('CLBD'), ofCode('CLAV')];
    const account =
      textAt(element, 'Acct', 'Id', 'IBAN') ??
      textAt(element, 'Acct', 'Id', 'Othr', 'Id') ??
      textAt(element, 'Acct', 'Id', 'PrtryAcct', 'Id');
    const made = {
      line: element.line,
      reference: textAt(element, 'Id'),
      account,
      currency: textAt(element, 'Acct', 'Ccy') ?? closing?.currency ?? opening?.currency ?? null,
      asOfDay: closing?.day ?? opening?.day ?? null,
      openingCents: opening?.amountCents ?? null,
      closingCents: closing?.amountCents ?? null,
      availableCents: available?.amountCents ?? null,
    };
    this.#checkSummary(element);
    const asWritten: BankStatement = { ...made, entries: this.#entries.map(({ entry }) => entry) };
    const isMixed = opening !== null && closing !== null && opening.currency !== closing.currency;
    const follows = isMixed ? false : balanceFollows(asWritten);
    // Some banks keep the direction of the original on a reversal: the closing balance decides.
    const turned: BankStatement = {
      ...made,
      entries: this.#entries.map(({ entry, isReversal }) => (isReversal ? { ...entry, amountCents: negated(entry.amountCents) } : entry)),
    };
    const hasOriginal = follows === false && !isMixed && balanceFollows(turned) === true;
    if (follows === false && !hasOriginal) this.warnings.add('balance-does-not-follow', element.line);
    this.statements.push(hasOriginal ? turned : asWritten);
    this.#entries = [];
  }

  #balance(element: XmlElement): {
    readonly code: string;
    readonly amountCents: Cents;
    readonly currency: string | null;
    readonly day: Day | null;
  } {
    const direction = textAt(element, 'CdtDbtInd');
    if (direction === null) this.warnings.add('balance-without-indicator', element.line);
    return {
      code: textAt(element, 'Tp', 'CdOrPrtry', 'Cd') ?? '',
      amountCents: signed(this.#amount(element, element.line), direction),
      currency: currencyOf(element),
      day: this.#day(element, 'Dt'),
    };
  }

  #checkSummary(element: XmlElement): void {
    const summary = element.children.find(({ name }) => name === 'TxsSummry');
    if (summary === undefined) return;
    for (const [part, isOfPart] of SUMMARIES) {
      const found = this.#entries.filter(({ entry }) => isOfPart(entry.amountCents));
      const count = textAt(summary, part, 'NbOfNtries');
      if (count !== null && Number(count) !== found.length) {
        this.warnings.add('summary-count-differs', summary.line);
        return;
      }
    }
  }

  #amount(element: XmlElement, line: number): Cents {
    const text = textAt(element, 'Amt');
    const amount = text === null ? 'entry-without-amount' : decimalCents(text);
    if (typeof amount === 'number') return amount;
    this.faults.add(amount, line);
    return cents(0);
  }

  #day(element: XmlElement, name: string): Day | null {
    const text = textAt(element, name, 'Dt') ?? textAt(element, name, 'DtTm');
    const day = text === null ? null : isoDay(text);
    if (day === undefined) this.faults.add('date-not-valid', element.line);
    return day ?? null;
  }
}

const SUMMARIES: readonly (readonly [string, (amountCents: Cents) => boolean])[] = [
  ['TtlNtries', () => true],
  ['TtlCdtNtries', (amountCents) => amountCents > 0],
  ['TtlDbtNtries', (amountCents) => amountCents < 0],
];

const negated = (amountCents: Cents): Cents => cents(amountCents === 0 ? 0 : -amountCents);

const signed = (amountCents: Cents, direction: string | null): Cents => (direction === 'DBIT' ? negated(amountCents) : amountCents);

const currencyOf = (element: XmlElement): string | null => element.children.find(({ name }) => name === 'Amt')?.attributes['Ccy'] ?? null;

/** Domain, family and sub-family; else the bank's own code. */
function codeOf(element: XmlElement): string {
  const domain = [
    textAt(element, 'BkTxCd', 'Domn', 'Cd'),
    textAt(element, 'BkTxCd', 'Domn', 'Fmly', 'Cd'),
    textAt(element, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd'),
  ].filter((each) => each !== null);
  return domain.length > 0 ? domain.join('/') : (textAt(element, 'BkTxCd', 'Prtry', 'Cd') ?? '');
}

const REFERENCES = [
  'EndToEndId',
  'TxId',
  'InstrId',
  'PmtInfId',
  'MsgId',
  'AcctSvcrRef',
  'ClrSysRef',
  'AcctOwnrTxId',
  'ChqNb',
  'UETR',
] as const;

function referencesOf(element: XmlElement): readonly string[] {
  const details = (...path: readonly string[]): readonly string[] => valuesAt(element, 'NtryDtls', 'TxDtls', ...path);
  return statementReferences([
    textAt(element, 'NtryRef'),
    textAt(element, 'AcctSvcrRef'),
    ...valuesAt(element, 'NtryDtls', 'Btch', 'PmtInfId'),
    ...valuesAt(element, 'NtryDtls', 'Btch', 'MsgId'),
    ...REFERENCES.flatMap((name) => details('Refs', name)),
    ...details('RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    ...details('RmtInf', 'Strd', 'CdtrRefInf', 'CdtrRef'),
  ]);
}

const textOf = (element: XmlElement): string =>
  statementText([
    ...valuesAt(element, 'NtryDtls', 'TxDtls', 'RmtInf', 'Ustrd'),
    ...valuesAt(element, 'NtryDtls', 'TxDtls', 'RtrInf', 'Rsn', 'Cd'),
    ...valuesAt(element, 'NtryDtls', 'TxDtls', 'AddtlTxInf'),
    ...valuesAt(element, 'AddtlNtryInf'),
  ]);

/** Reads a document of any version, in an envelope or not. */
export function readCamt053(text: string): StatementReading {
  const reader = new CamtReader();
  const isWhole = readElements(text, reader.faults, (element, path) => reader.take(element, path));
  if (isWhole && !reader.hasEnvelope) reader.faults.add('no-BkToCstmrStmt');
  else if (isWhole && reader.statements.length === 0) reader.faults.add('no-statement');
  return { format: 'camt053', statements: reader.statements, errors: reader.faults.all, warnings: reader.warnings.all };
}
