import { assert, cloneLine, cloneState, must } from '../../engine/index.js';
import { partOf } from '../kernel/erased.js';
import { type ActorPart, type ReadPart, partInMemory } from '../kernel/actor.js';
import { activationOf } from './context.js';
import { FactList, type PackedFacts } from './ledger/fact-list.js';
import { internSources, type PastSources } from './ledger/settings.js';
import { type CreditRecord, type CreditReporting, NO_CREDIT_REPORTING } from './credit-reporting/types.js';
import { type LoanCard, NO_CARDS } from './cards/types.js';
import type { LineContract, LineServicing } from './line/ledger.js';
import { type Modifications, NO_MODIFICATIONS } from './modifications/state.js';
import { type LoanParties, NO_PARTIES } from './parties.js';
import type { MerchantDiscountKept } from './payouts/merchant-discount.js';
import { NO_PAYOUTS, type PayoutMove } from './payouts/facts.js';
import type { Origination } from './origination/terms.js';
import { ledgerFacts, lineFacts } from './facts.js';
import type { PurchaseRecord } from './purchases/posting.js';
import { Purchases } from './purchases/purchases.js';
import type { Contract, LoanRecord, LoanState, Servicing } from './state.js';
import type { StatementRecord } from './statements/record.js';
import type { PackedTransactions } from './transactions/store.js';
import { Transactions } from './transactions/transactions.js';

/** The records in a snapshot: those that fill no page; full pages are stored separately. */
export interface PackedRecords<Item> {
  readonly pages: number;
  readonly rest: readonly Item[];
}

/** The page that begins with a record, as it was packed last. */
const pagesMade = new WeakMap<object, readonly object[]>();

/**
 * Packs a list of records that grows at its end. Records are never changed, only replaced. A full page is packed again only if one of its
 * records was replaced, so that a snapshot of an old loan costs no more than one of a young loan.
 */
export class RecordPages<Item extends object> {
  /** `size`: records in a page. Records after the last full page are stored again with each snapshot. */
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
    return Array.from({ length: this.#pagesIn(records) }, (_, page) => partInMemory(this.#nameOf(page), this.#page(records, page)));
  }

  unpack({ pages, rest }: PackedRecords<Item>, part: ReadPart): Item[] {
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

/* How a loan is packed for a snapshot and unpacked. Its ledger is not stored: it follows from the facts. */

type PackedRecord = Omit<LoanRecord, 'atOrigination'>;
type PackedServicing = Omit<Servicing, 'ledger' | 'contract' | keyof Growing> & Growing;
type PackedLine = Omit<LineServicing, 'ledger' | 'contract' | keyof Growing> & Growing;

/** Lists of both products that grow with time. */
interface Growing {
  readonly facts: PackedFacts;
  readonly statements: PackedRecords<StatementRecord>;
}

/** Values that only lines of credit have; not stored for other loans. */
interface OfLine extends Pick<LoanState, 'draws' | 'disputes'> {
  readonly purchases: PackedRecords<PurchaseRecord>;
  readonly line: PackedLine | null;
}

interface Packed
  extends Omit<
    LoanState,
    | 'cards'
    | 'creditReporting'
    | 'merchantDiscount'
    | 'payouts'
    | 'record'
    | 'servicing'
    | 'transactions'
    | 'modifications'
    | 'parties'
    | 'pendingMove'
    | keyof OfLine
  > {
  readonly record: PackedRecord | null;
  readonly servicing: PackedServicing | null;
  readonly transactions: PackedTransactions;
  /** Null if there are none, as for nearly all loans. */
  readonly modifications: Modifications | null;
  /** Null if there are none; absent from snapshots of earlier releases. */
  readonly parties?: LoanParties | null;
  readonly ofLine: OfLine | null;
  /** Absent from a loan that is not reported, and from snapshots of earlier releases. */
  readonly creditReporting?: PackedReporting;
  /** Absent from a loan without cards, and from snapshots of earlier releases. */
  readonly cards?: readonly LoanCard[];
  /** Absent from a loan of which no bank has reported a payout, and from snapshots of earlier releases. */
  readonly payouts?: readonly PayoutMove[];
  /** Absent from a loan without one, and from snapshots of earlier releases. */
  readonly merchantDiscount?: MerchantDiscountKept;
}

interface PackedReporting extends Omit<CreditReporting, 'records'> {
  readonly records: PackedRecords<CreditRecord>;
}

/** Names of parts that are stored separately: they are most of a new loan and hardly ever change. */
const ORIGINATION = 'origination';
const CONTRACT = 'contract';

const PURCHASES = new RecordPages<PurchaseRecord>('purchases', 128);
/** Small pages, since each statement has a line for each change in its cycle. */
const STATEMENTS = new RecordPages<StatementRecord>('statements', 6);

/** A year of records for one agency. */
const CREDIT_RECORDS = new RecordPages<CreditRecord>('creditRecords', 12);

/** These parts, and the full pages of growing lists, which are most of an old loan. As of the last `packLoan`. */
export function loanParts(state: LoanState): readonly ActorPart[] {
  const { record, purchases, transactions, creditReporting } = state;
  const activation = activationOf(state);
  const parts: ActorPart[] = [];
  if (record !== null) parts.push(partInMemory(ORIGINATION, record.atOrigination));
  if (activation !== null) parts.push(partInMemory(CONTRACT, activation.contract));
  if (activation !== null) parts.push(...activation.facts.parts(), ...STATEMENTS.parts(activation.statements));
  parts.push(...transactions.parts(), ...PURCHASES.parts(purchases.all()), ...CREDIT_RECORDS.parts(creditReporting.records));
  return parts;
}

export function packLoan(state: LoanState): Packed {
  const {
    record,
    servicing,
    transactions,
    modifications,
    parties,
    line,
    draws,
    purchases,
    disputes,
    pendingMove,
    creditReporting,
    cards,
    payouts,
    merchantDiscount,
    ...rest
  } = state;
  assert(pendingMove === null, `${state.id} is packed in the middle of an order`);
  const packed: Packed = {
    ofLine:
      record?.type === 'lineOfCredit'
        ? { line: line && packServicing(line), draws, purchases: PURCHASES.pack(purchases.all()), disputes }
        : null,
    record: record && changed(record, { atOrigination: null }),
    servicing: servicing && packServicing(servicing),
    transactions: transactions.pack(),
    modifications: modifications === NO_MODIFICATIONS ? null : modifications,
    parties: parties === NO_PARTIES ? null : parties,
    ...(creditReporting === NO_CREDIT_REPORTING
      ? {}
      : { creditReporting: changed(creditReporting, { records: CREDIT_RECORDS.pack(creditReporting.records) }) }),
    ...(cards.length === 0 ? {} : { cards }),
    ...(payouts.length === 0 ? {} : { payouts }),
    ...(merchantDiscount === null ? {} : { merchantDiscount }),
    ...rest,
  };
  return packed;
}

/** The packed loan for comparisons, with records instead of pages of bytes: bytes depend on the order of properties. */
export function comparableLoan(state: LoanState): unknown {
  const packed = { ...packLoan(state), transactions: [...state.transactions.values()] };
  const parts = loanParts(state).filter(({ evict }) => evict === undefined);
  return [packed, parts.map(({ name, value }) => [name, value]), activationOf(state)?.facts.all() ?? []];
}

/** A copy with other values. Properties after a spread cost V8 twenty times as much, and packing is a large part of mass work. */
const changed = <Whole extends object, Change extends object>(whole: Whole, change: Change): Omit<Whole, keyof Change> & Change =>
  Object.assign({ ...whole }, change);

/** The servicing without values that are derived or stored separately. */
const packServicing = <Serviced extends Servicing | LineServicing>(
  servicing: Serviced,
): Omit<Serviced, 'ledger' | 'contract' | keyof Growing> & Growing =>
  changed(servicing, { ledger: null, contract: null, facts: servicing.facts.pack(), statements: STATEMENTS.pack(servicing.statements) });

/** Unpacks a loan. The objects that were read are used as they are, without a copy. */
export function unpackLoan(value: Packed, part: ReadPart, originated = originationNow): LoanState {
  const { record, servicing, creditReporting } = value;
  const { line, draws, purchases, disputes } = value.ofLine ?? NO_LINE;
  // Each property by its name: V8 is slow to make an object of the rest of another one.
  return {
    id: value.id,
    tenant: value.tenant,
    lastUpdate: value.lastUpdate,
    record: record && originated(record, part),
    servicing:
      servicing &&
      Object.assign(servicing, {
        contract: partOf<Contract>(part, CONTRACT),
        sources: internSources(servicing.sources),
        sourcesBefore: servicing.sourcesBefore.map(internPast),
        facts: FactList.unpack(ledgerFacts, servicing.facts, part),
        statements: STATEMENTS.unpack(servicing.statements, part),
        ledger: null,
      }),
    line:
      line &&
      Object.assign(line, {
        contract: partOf<LineContract>(part, CONTRACT),
        sources: internSources(line.sources),
        sourcesBefore: line.sourcesBefore.map(internPast),
        facts: FactList.unpack(lineFacts, line.facts, part),
        statements: STATEMENTS.unpack(line.statements, part),
        ledger: null,
      }),
    draws,
    purchases: Purchases.of(PURCHASES.unpack(purchases, part)),
    disputes,
    transactions: Transactions.unpack(value.transactions, part),
    chargebacks: value.chargebacks,
    promises: value.promises,
    autopay: value.autopay,
    promoPrograms: value.promoPrograms,
    advances: value.advances,
    refunds: value.refunds,
    migration: value.migration,
    statusHistory: value.statusHistory,
    modifications: value.modifications ?? NO_MODIFICATIONS,
    parties: value.parties ?? NO_PARTIES,
    creditReporting:
      creditReporting === undefined
        ? NO_CREDIT_REPORTING
        : { ...creditReporting, records: CREDIT_RECORDS.unpack(creditReporting.records, part) },
    cards: value.cards ?? NO_CARDS,
    payouts: value.payouts ?? NO_PAYOUTS,
    merchantDiscount: value.merchantDiscount ?? null,
    pendingMove: null,
  };
}

/** The same for a loan that is read now and not kept: what it began with is read when somebody asks for it, as few do. */
export const unpackLoanInPassing = (value: Packed, part: ReadPart): LoanState => unpackLoan(value, part, originationLater);

const originationNow = (record: PackedRecord, part: ReadPart): LoanRecord =>
  Object.assign(record, { atOrigination: partOf<Origination>(part, ORIGINATION) });

const READ_PART = Symbol('reads the parts of a loan');

function originationLater(record: PackedRecord, part: ReadPart): LoanRecord {
  const whole: PackedRecord = Object.defineProperty(Object.defineProperty(record, READ_PART, { value: part }), 'atOrigination', READ_LATER);
  assert(isWhole(whole), 'the property is there');
  return whole;
}

const isWhole = (record: PackedRecord): record is LoanRecord => 'atOrigination' in record;

/** One for all records: with a function for each, V8 finds properties slowly, and keeps the functions until it collects the whole heap. */
const READ_LATER: PropertyDescriptor = {
  enumerable: true,
  configurable: true,
  get(this: { readonly [READ_PART]: ReadPart }): Origination {
    const value = partOf<Origination>(this[READ_PART], ORIGINATION);
    Object.defineProperty(this, 'atOrigination', { value, enumerable: true, configurable: true, writable: true });
    return value;
  },
};

const internPast = ({ until, sources }: PastSources): PastSources => ({ until, sources: internSources(sources) });

const NO_LINE: OfLine = { line: null, draws: [], purchases: { pages: 0, rest: [] }, disputes: [] };

/** A copy for a preview or a pending query. Records are never changed, so only what moves or grows in place is copied. */
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
