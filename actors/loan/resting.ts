import { cloneState } from '../../engine/index.js';
import { internSources } from './ledger-settings.js';
import type { LoanState, Servicing } from './state.js';
import { Transactions } from './transactions/transactions.js';
import { packTransaction, type StoredTransaction, unpackTransaction } from './transactions/details.js';

/** How a loan lies down and wakes. Its ledger is not stored: it follows from the facts. */

interface Packed extends Omit<LoanState, 'servicing' | 'transactions'> {
  readonly servicing: Omit<Servicing, 'ledger'> | null;
  readonly transactions: readonly StoredTransaction[];
}

export function packLoan(state: LoanState): unknown {
  const { servicing, transactions, ...rest } = state;
  const packed: Packed = { ...rest, servicing: servicing && layDown(servicing), transactions: [...transactions.values()].map(packTransaction) };
  return packed;
}

function layDown({ ledger: _derived, ...stored }: Servicing): Omit<Servicing, 'ledger'> {
  return stored;
}

export function unpackLoan(value: unknown): LoanState {
  const { servicing, transactions, ...rest } = value as Packed;
  return {
    ...rest,
    servicing: servicing && { ...servicing, sources: internSources(servicing.sources), ledger: null },
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
