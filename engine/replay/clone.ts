import type { LedgerState } from './state.js';

/** A copy to try things on. Terms, rates and rows are shared: they are never written. Nobody watches the copy. */
export function cloneState(state: LedgerState): LedgerState {
  return {
    ...state,
    watcher: null,
    fees: state.fees.map((fee) => ({ ...fee })),
    obligations: state.obligations.map((obligation) => ({ ...obligation })),
    payments: state.payments.map((payment) => ({ ...payment })),
    unknownRates: state.unknownRates === null ? null : { ...state.unknownRates },
    totals: { ...state.totals },
  };
}
