import { assert, cloneLine, cloneState } from '../../engine/index.js';
import type { ActorPart } from '../runtime/actor.js';
import { activationOf } from './context.js';
import { internSources, type PastSources } from './ledger/settings.js';
import type { LineContract, LineServicing, StoredLineFact } from './line/state.js';
import { type PackedFact, packFact, type PackedLineFact, packLineFact, unpackFact, unpackLineFact } from './packed-facts.js';
import { type Modifications, NO_MODIFICATIONS } from './modifications/state.js';
import type { Origination } from './origination/terms.js';
import type { Contract, LoanRecord, LoanState, Servicing } from './state.js';
import { type PackedTransactions, Transactions } from './transactions/transactions.js';

/** How a loan lies down and wakes. Its ledger is not stored: it follows from the facts. */

type PackedRecord = Omit<LoanRecord, 'atOrigination'>;
type PackedServicing = Omit<Servicing, 'ledger' | 'facts' | 'contract'> & { readonly facts: readonly PackedFact[] };
type PackedLine = Omit<LineServicing, 'ledger' | 'facts' | 'contract'> & { readonly facts: readonly PackedLineFact[] };

/** What only lines of credit have: absent from all other loans. */
interface OfLine extends Pick<LoanState, 'draws' | 'purchases' | 'disputes'> {
  readonly line: PackedLine | null;
}

interface Packed extends Omit<LoanState, 'record' | 'servicing' | 'transactions' | 'modifications' | 'untold' | keyof OfLine> {
  readonly record: PackedRecord | null;
  readonly servicing: PackedServicing | null;
  readonly transactions: PackedTransactions;
  /** Null: none, as with nearly all loans. */
  readonly modifications: Modifications | null;
  readonly ofLine?: OfLine;
}

/** What was agreed is most of a loan and hardly ever changes. */
const ORIGINATION = 'origination';
const CONTRACT = 'contract';

export function loanParts(state: LoanState): readonly ActorPart[] {
  const { record } = state;
  const activation = activationOf(state);
  const parts: ActorPart[] = [];
  if (record !== null) parts.push({ name: ORIGINATION, value: record.atOrigination });
  if (activation !== null) parts.push({ name: CONTRACT, value: activation.contract });
  return parts;
}

export function packLoan(state: LoanState): unknown {
  const { record, servicing, transactions, modifications, line, draws, purchases, disputes, untold, ...rest } = state;
  assert(untold === null, `${state.id} lies down in the middle of an order`);
  const packed: Packed = {
    ...rest,
    record: record && recordAlone(record),
    servicing: servicing && layDown(servicing),
    transactions: transactions.pack(),
    modifications: modifications === NO_MODIFICATIONS ? null : modifications,
    ...(record?.type === 'lineOfCredit' ? { ofLine: { line: line && layLineDown(line), draws, purchases, disputes } } : {}),
  };
  return packed;
}

function recordAlone({ atOrigination: _part, ...stored }: LoanRecord): PackedRecord {
  return stored;
}

function layDown({ ledger: _derived, contract: _part, facts, ...stored }: Servicing): PackedServicing {
  return { ...stored, facts: facts.map(packFact) };
}

function layLineDown({ ledger: _derived, contract: _part, facts, ...stored }: LineServicing): PackedLine {
  return { ...stored, facts: facts.map(packLineFact) };
}

export function unpackLoan(value: unknown, part: (name: string) => unknown): LoanState {
  const { record, servicing, transactions, modifications, ofLine = NO_LINE, ...rest } = value as Packed;
  const { line, draws, purchases, disputes } = ofLine;
  return {
    ...rest,
    record: record && { ...record, atOrigination: part(ORIGINATION) as Origination },
    servicing: servicing && {
      ...servicing,
      contract: part(CONTRACT) as Contract,
      sources: internSources(servicing.sources),
      sourcesBefore: servicing.sourcesBefore.map(internPast),
      facts: servicing.facts.map(unpackFact),
      ledger: null,
    },
    line: line && {
      ...line,
      contract: part(CONTRACT) as LineContract,
      sources: internSources(line.sources),
      sourcesBefore: line.sourcesBefore.map(internPast),
      facts: line.facts.map((packed, index): StoredLineFact => unpackLineFact(packed, index)),
      ledger: null,
    },
    draws,
    purchases,
    disputes,
    transactions: Transactions.unpack(transactions),
    modifications: modifications ?? NO_MODIFICATIONS,
    untold: null,
  };
}

const internPast = ({ until, sources }: PastSources): PastSources => ({ until, sources: internSources(sources) });

const NO_LINE: OfLine = { line: null, draws: [], purchases: [], disputes: [] };

/** Records are never changed: what moves or grows in place is copied. */
export function cloneLoan(state: LoanState): LoanState {
  const { servicing, line } = state;
  return { ...state, transactions: state.transactions.copy(), servicing: servicing && copyOf(servicing), line: line && copyOfLine(line) };
}

const copyOf = (servicing: Servicing): Servicing => ({
  ...servicing,
  facts: [...servicing.facts],
  ledger: servicing.ledger && cloneState(servicing.ledger),
});

const copyOfLine = (line: LineServicing): LineServicing => ({
  ...line,
  facts: [...line.facts],
  ledger: line.ledger && cloneLine(line.ledger),
});
