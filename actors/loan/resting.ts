import { assert, cloneLine, cloneState, must } from '../../engine/index.js';
import type { ActorPart } from '../kernel/actor.js';
import { activationOf } from './context.js';
import { FactList, type PackedFacts } from './ledger/fact-list.js';
import { internSources, type PastSources } from './ledger/settings.js';
import type { LineContract, LineServicing } from './line/ledger.js';
import { type Modifications, NO_MODIFICATIONS } from './modifications/state.js';
import type { Origination } from './origination/terms.js';
import { ledgerFacts, lineFacts } from './facts.js';
import type { PurchaseRecord } from './purchases/posting.js';
import { Purchases } from './purchases/purchases.js';
import type { Contract, LoanRecord, LoanState, Servicing } from './state.js';
import type { StatementRecord } from './statements/record.js';
import { type PackedTransactions, Transactions } from './transactions/transactions.js';

/** As they lie in a snapshot beside the loan's own values; full pages lie apart. */
export interface PackedRecords<Item> {
  readonly pages: number;
  readonly rest: readonly Item[];
}

/** The page that begins with a record, as it was stored last. */
const pagesMade = new WeakMap<object, readonly object[]>();

/**
 * How a list of records that grows at its end lies in snapshots. Records are never changed, only replaced: a full page is stored
 * again when one of its records is another one, so that a snapshot of an old loan costs no more than one of a young loan.
 */
export class RecordPages<Item extends object> {
  /** `size`: less than so many are stored again with each snapshot. */
  constructor(
    private readonly name: string,
    private readonly size: number,
  ) {}

  pack(records: readonly Item[]): PackedRecords<Item> {
    const pages = this.#pagesIn(records);
    return { pages, rest: records.slice(pages * this.size) };
  }

  /** The full pages. */
  parts(records: readonly Item[]): readonly ActorPart[] {
    return Array.from({ length: this.#pagesIn(records) }, (_, page) => ({ name: this.#nameOf(page), value: this.#page(records, page) }));
  }

  unpack({ pages, rest }: PackedRecords<Item>, part: (name: string) => unknown): Item[] {
    const records: Item[] = [];
    for (let page = 0; page < pages; page += 1) {
      const stored = part(this.#nameOf(page));
      assert(Array.isArray(stored), 'a page holds records');
      pagesMade.set(must(stored[0], 'a page has records'), stored);
      for (const record of stored) records.push(record);
    }
    for (const record of rest) records.push(record);
    return records;
  }

  #pagesIn(records: readonly Item[]): number {
    return Math.floor(records.length / this.size);
  }

  #page(records: readonly Item[], page: number): readonly object[] {
    const from = page * this.size;
    const first = must(records[from], 'a page has records');
    const known = pagesMade.get(first);
    if (known?.length === this.size && known.every((record, at) => record === records[from + at])) return known;
    const made = records.slice(from, from + this.size);
    pagesMade.set(first, made);
    return made;
  }

  #nameOf(page: number): string {
    return `${this.name}-${page}`;
  }
}

/** How a loan lies down and wakes. Its ledger is not stored: it follows from the facts. */

type PackedRecord = Omit<LoanRecord, 'atOrigination'>;
type PackedServicing = Omit<Servicing, 'ledger' | 'contract' | keyof Lying> & Lying;
type PackedLine = Omit<LineServicing, 'ledger' | 'contract' | keyof Lying> & Lying;

/** What of both products grows with time. */
interface Lying {
  readonly facts: PackedFacts;
  readonly statements: PackedRecords<StatementRecord>;
}

/** What only lines of credit have: absent from all other loans. */
interface OfLine extends Pick<LoanState, 'draws' | 'disputes'> {
  readonly purchases: PackedRecords<PurchaseRecord>;
  readonly line: PackedLine | null;
}

interface Packed extends Omit<LoanState, 'record' | 'servicing' | 'transactions' | 'modifications' | 'untold' | keyof OfLine> {
  readonly record: PackedRecord | null;
  readonly servicing: PackedServicing | null;
  readonly transactions: PackedTransactions;
  /** Null: none, as with nearly all loans. */
  readonly modifications: Modifications | null;
  readonly ofLine: OfLine | null;
}

/** What was agreed is most of a new loan and hardly ever changes. */
const ORIGINATION = 'origination';
const CONTRACT = 'contract';

const PURCHASES = new RecordPages<PurchaseRecord>('purchases', 128);
/** Each has a line for all that happened in its cycle. */
const STATEMENTS = new RecordPages<StatementRecord>('statements', 6);

/** With them full pages of what only grows, which are most of an old one. As of the last `packLoan`. */
export function loanParts(state: LoanState): readonly ActorPart[] {
  const { record, purchases, transactions } = state;
  const activation = activationOf(state);
  const parts: ActorPart[] = [];
  if (record !== null) parts.push({ name: ORIGINATION, value: record.atOrigination });
  if (activation !== null) parts.push({ name: CONTRACT, value: activation.contract });
  if (activation !== null) parts.push(...activation.facts.parts(), ...STATEMENTS.parts(activation.statements));
  parts.push(...transactions.parts(), ...PURCHASES.parts(purchases.all()));
  return parts;
}

export function packLoan(state: LoanState): Packed {
  const { record, servicing, transactions, modifications, line, draws, purchases, disputes, untold, ...rest } = state;
  assert(untold === null, `${state.id} lies down in the middle of an order`);
  const packed: Packed = {
    ofLine:
      record?.type === 'lineOfCredit' ? { line: line && layDown(line), draws, purchases: PURCHASES.pack(purchases.all()), disputes } : null,
    record: record && changed(record, { atOrigination: null }),
    servicing: servicing && layDown(servicing),
    transactions: transactions.pack(),
    modifications: modifications === NO_MODIFICATIONS ? null : modifications,
    ...rest,
  };
  return packed;
}

/** As it lies in a snapshot, with the records of pages of bytes as they are: in bytes the order of properties counts. */
export function comparableLoan(state: LoanState): unknown {
  const packed = { ...packLoan(state), transactions: [...state.transactions.values()] };
  const parts = loanParts(state).filter(({ name, value }) => !(value instanceof Uint8Array) && !name.startsWith('transactions-'));
  return [packed, parts, activationOf(state)?.facts.all() ?? []];
}

/** A copy with other values. A spread that goes on costs V8 twenty times as much, and waking and laying down are most of mass work. */
const changed = <Whole extends object, Change extends object>(whole: Whole, change: Change): Omit<Whole, keyof Change> & Change =>
  Object.assign({ ...whole }, change);

/** What is derived or stored apart leaves its place empty. */
const layDown = <Serviced extends Servicing | LineServicing>(
  servicing: Serviced,
): Omit<Serviced, 'ledger' | 'contract' | keyof Lying> & Lying =>
  changed(servicing, { ledger: null, contract: null, facts: servicing.facts.pack(), statements: STATEMENTS.pack(servicing.statements) });

/** What was read is nobody else's, and becomes the state. */
export function unpackLoan(value: unknown, part: (name: string) => unknown): LoanState {
  const { ofLine, record, servicing, transactions, modifications, ...rest } = value as Packed;
  const { line, draws, purchases, disputes } = ofLine ?? NO_LINE;
  return {
    record: record && Object.assign(record, { atOrigination: part(ORIGINATION) as Origination }),
    servicing:
      servicing &&
      Object.assign(servicing, {
        contract: part(CONTRACT) as Contract,
        sources: internSources(servicing.sources),
        sourcesBefore: servicing.sourcesBefore.map(internPast),
        facts: FactList.unpack(ledgerFacts, servicing.facts, part),
        statements: STATEMENTS.unpack(servicing.statements, part),
        ledger: null,
      }),
    line:
      line &&
      Object.assign(line, {
        contract: part(CONTRACT) as LineContract,
        sources: internSources(line.sources),
        sourcesBefore: line.sourcesBefore.map(internPast),
        facts: FactList.unpack(lineFacts, line.facts, part),
        statements: STATEMENTS.unpack(line.statements, part),
        ledger: null,
      }),
    draws,
    purchases: Purchases.of(PURCHASES.unpack(purchases, part)),
    disputes,
    transactions: Transactions.unpack(transactions, part),
    modifications: modifications ?? NO_MODIFICATIONS,
    untold: null,
    ...rest,
  };
}

const internPast = ({ until, sources }: PastSources): PastSources => ({ until, sources: internSources(sources) });

const NO_LINE: OfLine = { line: null, draws: [], purchases: { pages: 0, rest: [] }, disputes: [] };

/** Records are never changed: what moves or grows in place is copied. */
export function cloneLoan(state: LoanState): LoanState {
  const { servicing, line } = state;
  return changed(state, {
    transactions: state.transactions.copy(),
    purchases: state.purchases.copy(),
    servicing: servicing && copyOf(servicing),
    line: line && copyOfLine(line),
  });
}

const copyOf = (servicing: Servicing): Servicing =>
  changed(servicing, { facts: servicing.facts.copy(), ledger: servicing.ledger && cloneState(servicing.ledger) });

const copyOfLine = (line: LineServicing): LineServicing =>
  changed(line, { facts: line.facts.copy(), ledger: line.ledger && cloneLine(line.ledger) });
