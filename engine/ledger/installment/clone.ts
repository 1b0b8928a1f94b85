import { copyFee, copyObligation, copyState, copyTotals } from './copies.js';
import { type LedgerState } from './state.js';
import { ACCELERATION_ORDINAL, type ObligationState } from '../core/state.js';

/**
 * A copy to try things on. What is never written any more is shared: terms, rates, rows, payments, and the obligations
 * that nothing can reach. Nobody watches the copy.
 */
export function cloneState(state: LedgerState): LedgerState {
  const copy = copyState(state);
  copy.watcher = null;
  copy.fees = state.fees.map(copyFee);
  copy.obligations = copyObligations(state);
  copy.payments = state.payments.slice();
  copy.unknownRates = state.unknownRates === null ? null : { ...state.unknownRates };
  copy.totals = copyTotals(state.totals);
  return copy;
}

function copyObligations(state: LedgerState): ObligationState[] {
  const copies = state.obligations.slice();
  for (let at = settledObligations(state); at < copies.length; at += 1) {
    const obligation = copies[at];
    if (obligation !== undefined) copies[at] = copyObligation(obligation);
  }
  return copies;
}

/**
 * How many obligations at the front are settled for good: fulfilled to the last cent, and not the one of an acceleration,
 * which later fees join. Nothing writes to them, so that copies share them and digests need not read them again.
 */
export function settledObligations({ obligations, firstOpenObligation, digestedObligations }: LedgerState): number {
  let { count } = digestedObligations;
  for (; count < firstOpenObligation; count += 1) {
    const obligation = obligations[count];
    if (obligation === undefined || obligation.remainingCents > 0 || obligation.ordinal === ACCELERATION_ORDINAL) break;
  }
  return count;
}
