import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AchBatch,
  type AchEntry,
  type AchReading,
  addBusinessDays,
  addDays,
  cents,
  codeOf,
  type Day,
  type FoundEntry,
  formatDay,
  isUsable,
  must,
  readAch,
  RETURN_CODES,
  settlementDayOf,
  transactionCode,
  writeAch,
} from '../../engine/index.js';
import { bai2File, type BankLine, camt053File } from './written-statements.js';

export interface BankOptions {
  /** Has the folders `out`, which the service writes, and `in`, which it reads; the bank keeps its ledger in `bank.json`. */
  readonly folder: string;
  /** The same seed does the same to the same files. */
  readonly seed: number;
  /** The share of entries that come back, or change, by code: `R01`, `C01`. */
  readonly shares: ReadonlyMap<string, number>;
  /** The share of files that vanish before the bank has read them, and of confirmations that never arrive. */
  readonly losing: number;
  /** The share of files from the bank that arrive twice. */
  readonly repeating: number;
  /** The number of the originator's account on statements; absent: none are written. */
  readonly account?: string;
  /** How the account is booked: a sum for each file and direction, or each entry; absent: sums. */
  readonly booking?: 'sums' | 'entries';
}

/** An entry of a file that the bank has taken. */
export interface BankEntry {
  readonly fileName: string;
  readonly trace: string;
  /** The originator's own reference. */
  readonly reference: string;
  /** Of the originator's account: a debit of a borrower adds to it. */
  readonly cents: number;
  /** The code by which it comes back or changes; null: neither. */
  readonly code: string | null;
  readonly settlesOn: string;
  readonly answersOn: string | null;
  readonly record: FoundEntry;
  isSettled: boolean;
  isAnswered: boolean;
}

interface BankLedger {
  /** Files that were taken, by their bytes. */
  files: { name: string; sha256: string }[];
  /** Bytes of files that have vanished once. */
  lost: string[];
  entries: BankEntry[];
  /** Of the originator's account. */
  balanceCents: number;
  answers: number;
  /** What the statements show; the day is a number. */
  lines?: BankLine[];
}

const NO_LEDGER: BankLedger = { files: [], lost: [], entries: [], balanceCents: 0, answers: 0 };

/** Calendar days after which a customer says that a debit was not authorized. */
const COMPLAINT_DAYS = 30;

/** Type codes of BAI2 for entries that settle and for those that come back, by the direction of the money. */
const TYPE_CODES = { settled: { in: '165', out: '455' }, returned: { in: '257', out: '557' } } as const;

/** What a run of a day has done. */
export interface BankDayReport {
  readonly taken: readonly string[];
  readonly rejected: readonly string[];
  readonly lost: readonly string[];
  readonly returned: number;
  readonly changed: number;
}

/**
 * A bank without banks: it reads ACH files from a folder, settles their entries by the Federal Reserve calendar, and answers with
 * confirmations, returns and notifications of change. It can lose files, and send files twice. At the end of the day it writes a statement
 * of the originator's account in two formats.
 */
export class SimulatedBank {
  readonly #ledger: BankLedger;

  constructor(private readonly options: BankOptions) {
    for (const name of ['out', 'in', 'taken', 'statements']) mkdirSync(this.#path(name), { recursive: true });
    const text = existsSync(this.#path('bank.json')) ? readFileSync(this.#path('bank.json'), 'utf8') : null;
    const ledger: BankLedger = text === null ? structuredClone(NO_LEDGER) : JSON.parse(text);
    this.#ledger = ledger;
  }

  /** Cents of the originator's account at the bank. */
  get balanceCents(): number {
    return this.#ledger.balanceCents;
  }

  get entries(): readonly BankEntry[] {
    return this.#ledger.entries;
  }

  /** Whether the bank has read a file. */
  has(name: string): boolean {
    return this.#ledger.files.some((file) => file.name === name);
  }

  /** Says again that it has a file. */
  confirm(name: string): void {
    this.#give(`CONF_${name.replace('.ach', '')}_${this.#ledger.answers}.txt`, `${name} ACCEPTED\n`);
  }

  /** Books money that comes or goes without a file: a check, a wire, a fee. It is on the statement of the day. */
  book(day: Day, { cents: moved, reference, text }: { readonly cents: number; readonly reference: string; readonly text: string }): void {
    this.#ledger.balanceCents += moved;
    this.#line(day, { cents: moved, code: moved < 0 ? '495' : '195', customerReference: reference, text });
  }

  /** Takes the files of a day, settles what is due, and answers. */
  run(day: Day): BankDayReport {
    const report = { taken: [] as string[], rejected: [] as string[], lost: [] as string[] };
    for (const name of readdirSync(this.#path('out')).sort()) {
      if (!name.endsWith('.part')) report[this.#take(name, day)].push(name);
    }
    this.#settle(day);
    const { returned, changed } = this.#answer(day);
    this.#writeStatements(day);
    writeFileSync(this.#path('bank.json'), JSON.stringify(this.#ledger));
    return { ...report, returned, changed };
  }

  #take(name: string, day: Day): 'taken' | 'rejected' | 'lost' {
    const path = this.#path('out', name);
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (!this.#ledger.lost.includes(sha256) && this.#happens('lose', sha256, this.options.losing)) {
      this.#ledger.lost.push(sha256);
      rmSync(path);
      return 'lost';
    }
    renameSync(path, this.#path('taken', `${this.#ledger.files.length}_${name}`));
    const reading = readAch(bytes.toString('latin1'));
    if (!isUsable(reading)) {
      this.#give(`CONF_${name.replace('.ach', '')}.txt`, `${name} REJECTED\n`);
      return 'rejected';
    }
    // The same bytes again: the bank has them, and does nothing twice.
    const isKnown = this.#ledger.files.some((file) => file.sha256 === sha256);
    if (!isKnown) this.#enter(name, sha256, reading, day);
    if (isKnown || !this.#happens('unconfirmed', sha256, this.options.losing)) this.confirm(name);
    return 'taken';
  }

  #enter(name: string, sha256: string, { batches }: AchReading, day: Day): void {
    this.#ledger.files.push({ name, sha256 });
    for (const { header, entries } of batches) {
      for (const record of entries) {
        const settlesOn = settlementDayOf(header.effectiveEntryDate, day);
        const known = transactionCode(record.transactionCode);
        const code = this.#codeFor(`${name}/${record.trace}`, known?.use === 'prenote');
        const isDebit = known?.direction === 'debit';
        this.#ledger.entries.push({
          fileName: name,
          trace: record.trace,
          reference: record.individualId,
          cents: isDebit ? record.amountCents : -record.amountCents,
          code,
          settlesOn: formatDay(settlesOn),
          answersOn: code === null ? null : formatDay(answerDay(code, settlesOn)),
          record,
          isSettled: false,
          isAnswered: false,
        });
      }
    }
  }

  /** The first code whose share an entry falls into. No account lacks the funds for a prenote. */
  #codeFor(key: string, isPrenote: boolean): string | null {
    let drawn = this.#draw('code', key);
    for (const [code, share] of this.options.shares) {
      if (isPrenote && RETURN_CODES.get(code)?.class === 'funds') continue;
      if (drawn < share) return code;
      drawn -= share;
    }
    return null;
  }

  #settle(day: Day): void {
    const due = this.#ledger.entries.filter(({ isSettled, settlesOn }) => !isSettled && settlesOn <= formatDay(day));
    for (const entry of due) {
      entry.isSettled = true;
      this.#ledger.balanceCents += entry.cents;
    }
    for (const [name, entries] of byFile(due)) this.#bookEntries(day, entries, { name, type: 'settled' });
  }

  /** One line for each direction, or for each entry. */
  #bookEntries(
    day: Day,
    entries: readonly BankEntry[],
    { name, type }: { readonly name: string; readonly type: keyof typeof TYPE_CODES },
  ): void {
    const sign = type === 'settled' ? 1 : -1;
    for (const direction of [1, -1]) {
      const own = entries.filter((entry) => Math.sign(entry.cents) * sign === direction);
      const code = TYPE_CODES[type][direction > 0 ? 'in' : 'out'];
      if (this.options.booking === 'entries') {
        for (const { cents: moved, trace, reference } of own)
          this.#line(day, { cents: moved * sign, code, customerReference: trace, text: `ACH ${reference}` });
      } else if (own.length > 0) {
        const moved = own.reduce((sum, entry) => sum + entry.cents * sign, 0);
        this.#line(day, { cents: moved, code, customerReference: name, text: `ACH ${own.length} ENTRIES` });
      }
    }
  }

  #line(day: Day, line: Omit<BankLine, 'day' | 'bankReference'>): void {
    const lines = (this.#ledger.lines ??= []);
    lines.push({ ...line, day, bankReference: `SB${String(lines.length + 1).padStart(10, '0')}` });
  }

  #writeStatements(day: Day): void {
    const { account } = this.options;
    if (account === undefined) return;
    const all = this.#ledger.lines ?? [];
    const openingCents = all.filter((line) => line.day < day).reduce((sum, line) => sum + line.cents, 0);
    const statement = { account, day, openingCents, lines: all.filter((line) => line.day === day) };
    const name = `STMT_${formatDay(day).replaceAll('-', '')}`;
    writeFileSync(this.#path('statements', `${name}.bai2`), bai2File(statement));
    writeFileSync(this.#path('statements', `${name}.xml`), camt053File(statement));
  }

  #answer(day: Day): { readonly returned: number; readonly changed: number } {
    const due = this.#ledger.entries.filter(
      ({ isAnswered, answersOn }) => !isAnswered && answersOn !== null && answersOn <= formatDay(day),
    );
    if (due.length === 0) return { returned: 0, changed: 0 };
    for (const entry of due) {
      entry.isAnswered = true;
      if (entry.code?.startsWith('R') === true) this.#ledger.balanceCents -= entry.cents;
    }
    this.#ledger.answers += 1;
    const name = `RET_${formatDay(day).replaceAll('-', '')}_${this.#ledger.answers}.ach`;
    const content = answerFile(due, day);
    this.#bookEntries(
      day,
      due.filter(({ code }) => code?.startsWith('R') === true),
      { name, type: 'returned' },
    );
    this.#give(name, content);
    if (this.#happens('repeat', name, this.options.repeating)) this.#give(`RET_0_${name.slice(4)}`, content);
    const changed = due.filter(({ code }) => code?.startsWith('C') === true).length;
    return { returned: due.length - changed, changed };
  }

  #give(name: string, content: string): void {
    writeFileSync(this.#path('in', `.${name}`), content);
    renameSync(this.#path('in', `.${name}`), this.#path('in', name));
  }

  #happens(what: string, key: string, share: number): boolean {
    return this.#draw(what, key) < share;
  }

  /** A number from 0 to below 1 that follows from the seed and the key. */
  #draw(what: string, key: string): number {
    return createHash('sha256').update(`${this.options.seed}/${what}/${key}`).digest().readUInt32BE() / 0x1_0000_0000;
  }

  #path(...parts: readonly string[]): string {
    return join(this.options.folder, ...parts);
  }
}

function byFile(entries: readonly BankEntry[]): ReadonlyMap<string, readonly BankEntry[]> {
  const files = new Map<string, BankEntry[]>();
  for (const entry of entries) {
    const known = files.get(entry.fileName);
    if (known === undefined) files.set(entry.fileName, [entry]);
    else known.push(entry);
  }
  return files;
}

/** Two banking days after settlement; a month for what a customer has to notice; a notification of change on the next banking day. */
function answerDay(code: string, settled: Day): Day {
  if (code.startsWith('C')) return addBusinessDays(settled, 1);
  const window = RETURN_CODES.get(code)?.window ?? 'agreed';
  return window !== 'agreed' && 'calendarDays' in window
    ? addBusinessDays(addDays(settled, COMPLAINT_DAYS), 0)
    : addBusinessDays(settled, 2);
}

const HEADER = {
  priority: '01',
  recordSize: '094',
  blockingFactor: '10',
  formatCode: '1',
  immediateDestination: '1234567890',
  immediateOrigin: '021000021',
  creationTime: '0600',
  destinationName: 'ORIGINATOR',
  originName: 'SIMULATED BANK',
  reference: '',
};

function answerFile(due: readonly BankEntry[], day: Day): string {
  const entries = due.map(({ record, code, trace: originalTrace }, at): AchEntry => {
    const { line: _line, addendaLines: _lines, ...own } = record;
    const known = must(transactionCode(record.transactionCode), 'a known transaction code');
    const trace = `02100002${String(at + 1).padStart(7, '0')}`;
    const common = { code: code ?? '', originalTrace, originalReceivingBank: record.routingNumber.slice(0, 8), trace };
    const isChange = common.code.startsWith('C');
    return {
      ...own,
      transactionCode: must(codeOf({ ...known, use: 'returned' }), 'a code of returns'),
      amountCents: isChange ? cents(0) : record.amountCents,
      trace,
      addendaIndicator: '1',
      addenda: [
        isChange
          ? { ...common, type: 'change', correctedData: correctedData(common.code, record) }
          : { ...common, type: 'return', dateOfDeath: null, information: '' },
      ],
    };
  });
  const batch: AchBatch = {
    header: {
      serviceClass: '200',
      companyName: 'RETURNS',
      discretionaryData: '',
      companyId: '1234567890',
      sec: 'PPD',
      entryDescription: 'RETURN',
      descriptiveDate: '',
      effectiveEntryDate: day,
      settlementDay: '',
      originatorStatus: '1',
      odfi: '02100002',
      batchNumber: 1,
    },
    entries,
  };
  return writeAch({ header: { ...HEADER, creationDate: day, fileIdModifier: 'A' }, batches: [batch] });
}

/** Another account at the same bank, another bank, or the other kind of account. */
function correctedData(code: string, { accountNumber, transactionCode: known }: FoundEntry): string {
  switch (code) {
    case 'C02':
      return '076401251';
    case 'C05':
      return known.startsWith('2') ? `3${known.slice(1)}` : `2${known.slice(1)}`;
    default:
      return `9${accountNumber}`.slice(0, 17);
  }
}
