import type { ObligationLedger } from '../core/entries.js';
import { closeObligation, meet, type MetBy } from '../core/obligations.js';
import { holds, settingsOf } from '../core/rules.js';
import type { ObligationState } from '../core/state.js';
import type { LedgerState } from './state.js';

/**
 * Assigns money that paid due or overdue balances to obligations, the oldest unfulfilled first. A payment comes in parts,
 * bucket by bucket; `closeFulfilled` ends it. Returns the part that no obligation lacked.
 */
export function fulfil(state: LedgerState, amountCents: number, money: MetBy): number {
  const { obligations } = state;
  let leftCents = amountCents;
  for (let at = state.firstOpenObligation; at < obligations.length && leftCents > 0; at += 1) {
    const obligation = obligations[at];
    if (obligation !== undefined && !obligation.isFulfilled) leftCents -= meet(obligation, leftCents, money);
  }
  if (leftCents > 0) leftCents = fulfilRests(obligations, leftCents, money);
  if (leftCents > 0) money.onPart?.(null, leftCents);
  return leftCents;
}

/** Amounts within the tolerance are still in the buckets, and get money last. */
function fulfilRests(obligations: readonly ObligationState[], amountCents: number, money: MetBy): number {
  let leftCents = amountCents;
  for (const obligation of obligations) {
    if (leftCents === 0) break;
    if (obligation.isFulfilled && obligation.remainingCents > 0) leftCents -= meet(obligation, leftCents, money);
  }
  return leftCents;
}

/** Closes obligations that a whole payment has fulfilled. */
export function closeFulfilled(state: ObligationLedger): void {
  const toleranceCents = settingsOf(state).overdueToleranceCents;
  for (let at = state.firstOpenObligation; at < state.obligations.length; at += 1) {
    const obligation = state.obligations[at];
    if (obligation === undefined || (obligation.isFulfilled && holds(state, 'closedPastTolerated'))) continue;
    if (obligation.remainingCents > toleranceCents) return;
    if (!obligation.isFulfilled) closeObligation(state, obligation);
  }
}
