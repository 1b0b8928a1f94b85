import { cloneState } from '../../engine/index.js';
import type { ActorPart } from '../runtime/actor.js';
import { internSources } from './ledger-settings.js';
import { type PackedFact, packFact, unpackFact } from './packed-facts.js';
import { type Modifications, NO_MODIFICATIONS } from './modifications/state.js';
import type { Origination } from './origination.js';
import type { Contract, LoanRecord, LoanState, Servicing } from './state.js';
import { Transactions } from './transactions/transactions.js';
import { type PackedTransaction, packTransaction, unpackTransaction } from './transactions/packed.js';

/** How a loan lies down and wakes. Its ledger is not stored: it follows from the facts. */

type PackedRecord = Omit<LoanRecord, 'atOrigination'>;
type PackedServicing = Omit<Servicing, 'ledger' | 'facts' | 'contract'> & { readonly facts: readonly PackedFact[] };

interface Packed extends Omit<LoanState, 'record' | 'servicing' | 'transactions' | 'modifications'> {
  readonly record: PackedRecord | null;
  readonly servicing: PackedServicing | null;
  readonly transactions: readonly PackedTransaction[];
  /** Null: none, as with nearly all loans. */
  readonly modifications: Modifications | null;
}

/** What was agreed is most of a loan and hardly ever changes. */
const ORIGINATION = 'origination';
const CONTRACT = 'contract';

export function loanParts({ record, servicing }: LoanState): readonly ActorPart[] {
  const parts: ActorPart[] = [];
  if (record !== null) parts.push({ name: ORIGINATION, value: record.atOrigination });
  if (servicing !== null) parts.push({ name: CONTRACT, value: servicing.contract });
  return parts;
}

export function packLoan(state: LoanState): unknown {
  const { record, servicing, transactions, modifications, ...rest } = state;
  const packed: Packed = {
    ...rest,
    record: record && recordAlone(record),
    servicing: servicing && layDown(servicing),
    transactions: Array.from(transactions.values(), packTransaction),
    modifications: modifications === NO_MODIFICATIONS ? null : modifications,
  };
  return packed;
}

function recordAlone({ atOrigination: _part, ...stored }: LoanRecord): PackedRecord {
  return stored;
}

function layDown({ ledger: _derived, contract: _part, facts, ...stored }: Servicing): PackedServicing {
  return { ...stored, facts: facts.map(packFact) };
}

export function unpackLoan(value: unknown, part: (name: string) => unknown): LoanState {
  const { record, servicing, transactions, modifications, ...rest } = value as Packed;
  return {
    ...rest,
    record: record && { ...record, atOrigination: part(ORIGINATION) as Origination },
    servicing: servicing && {
      ...servicing,
      contract: part(CONTRACT) as Contract,
      sources: internSources(servicing.sources),
      facts: servicing.facts.map(unpackFact),
      ledger: null,
    },
    transactions: Transactions.of(transactions.map(unpackTransaction)),
    modifications: modifications ?? NO_MODIFICATIONS,
  };
}

/** Records are never changed: what moves or grows in place is copied. */
export function cloneLoan(state: LoanState): LoanState {
  const { servicing } = state;
  return { ...state, transactions: state.transactions.copy(), servicing: servicing && copyOf(servicing) };
}

const copyOf = (servicing: Servicing): Servicing => ({
  ...servicing,
  facts: [...servicing.facts],
  ledger: servicing.ledger && cloneState(servicing.ledger),
});
