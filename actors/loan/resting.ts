import { cloneState } from '../../engine/index.js';
import { internSources } from './ledger-settings.js';
import type { LoanState, Servicing } from './state.js';
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
    transactions: new Map(transactions.map((transaction) => [transaction.id, unpackTransaction(transaction)])),
  };
}

/** Records are never changed, so that only the ledger, which moves in place, is copied. */
export function cloneLoan(state: LoanState): LoanState {
  const { servicing } = state;
  return { ...state, servicing: servicing && { ...servicing, ledger: servicing.ledger && cloneState(servicing.ledger) } };
}
