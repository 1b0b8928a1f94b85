import { cloneState } from '../../engine/index.js';
import { internSources } from './ledger-settings.js';
import { type PackedFact, packFact, unpackFact } from './packed-facts.js';
import type { LoanState, Servicing } from './state.js';
import { Transactions } from './transactions/transactions.js';
import { type PackedTransaction, packTransaction, unpackTransaction } from './transactions/packed.js';

/** How a loan lies down and wakes. Its ledger is not stored: it follows from the facts. */

interface Packed extends Omit<LoanState, 'servicing' | 'transactions'> {
  readonly servicing: (Omit<Servicing, 'ledger' | 'facts'> & { readonly facts: readonly PackedFact[] }) | null;
  readonly transactions: readonly PackedTransaction[];
}

export function packLoan(state: LoanState): unknown {
  const { servicing, transactions, ...rest } = state;
  const packed: Packed = { ...rest, servicing: servicing && layDown(servicing), transactions: Array.from(transactions.values(), packTransaction) };
  return packed;
}

function layDown({ ledger: _derived, facts, ...stored }: Servicing): Packed['servicing'] {
  return { ...stored, facts: facts.map(packFact) };
}

export function unpackLoan(value: unknown): LoanState {
  const { servicing, transactions, ...rest } = value as Packed;
  return {
    ...rest,
    servicing: servicing && { ...servicing, sources: internSources(servicing.sources), facts: servicing.facts.map(unpackFact), ledger: null },
    transactions: Transactions.of(transactions.map(unpackTransaction)),
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
