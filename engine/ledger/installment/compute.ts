import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import { type Compared, netDifferences } from '../core/differences.js';
import type { Accrual, Allocation, LedgerEntry, LedgerEvent, LedgerWatcher } from '../core/entries.js';
import type { LedgerFact } from '../core/facts.js';
import { type Recorded, Recorder } from '../core/recorder.js';
import type { FeeState } from '../core/state.js';
import type { LedgerTerms } from '../core/terms.js';
import { advanceTo } from './advance.js';
import { type Arrangement, arrangeSince } from './arrange.js';
import { cloneState } from './digest.js';
import { balanceTotals } from './entering.js';
import { applyFact, canApply, fold } from './fold.js';
import { foldWithCaps, isBehindAmounts, lateChanges, withCaps, arrangedWithIdleDays } from './growing-history.js';
import type { LedgerState } from './state.js';

/**
 * The ledger of a loan through a day: a pure function of its terms and facts. Facts may come in any order; facts that are
 * effective after `through` have no effect.
 *
 * Rates and advances that were recorded late must not raise due dates that had passed by then. A ledger without caps is tried first, unless
 * amounts were set between (`isBehindAmounts`). If one of those due dates might rise above what it asked for (`isCapMissing`), the caps are
 * computed (`growing-history.ts`).
 */
export function computeLedger(
  terms: LedgerTerms,
  facts: readonly LedgerFact[],
  through: Day,
  watcher: LedgerWatcher | null = null,
): LedgerState {
  const arrangement = arrangedWithIdleDays(terms, facts);
  const late = lateChanges(arrangement);
  if (late.length === 0) return fold(terms, arrangement, through, watcher);
  const capped = (): LedgerState =>
    watcher === null ? foldWithCaps(terms, arrangement, late, through) : fold(terms, withCaps(terms, arrangement, late), through, watcher);
  if (isBehindAmounts(arrangement, late)) return capped();
  const knownDay = late.reduce((last, { recordedDay }) => (recordedDay > last ? recordedDay : last), through);
  const state = fold(terms, arrangement, knownDay, null);
  if (!state.isCapMissing) return watcher === null && knownDay === through ? state : fold(terms, arrangement, through, watcher);
  return capped();
}

/** The adjusted history of a loan through a day, with caps for late changes. */
export function knownArrangement(terms: LedgerTerms, facts: readonly LedgerFact[], through: Day): Arrangement {
  const arrangement = arrangedWithIdleDays(terms, facts);
  const late = lateChanges(arrangement);
  if (late.length === 0) return arrangement;
  if (isBehindAmounts(arrangement, late)) return withCaps(terms, arrangement, late);
  const knownDay = late.reduce((last, { recordedDay }) => (recordedDay > last ? recordedDay : last), through);
  return fold(terms, arrangement, knownDay, null).isCapMissing ? withCaps(terms, arrangement, late) : arrangement;
}

/** A ledger with everything that its watcher received. */
export type RecordedLedger = Recorded<LedgerState, LedgerEntry, LedgerEvent, Allocation, Accrual>;

export type LedgerRecorder = Recorder<LedgerEntry, LedgerEvent, Allocation, Accrual>;

export const newRecorder = (): LedgerRecorder => new Recorder();

/** Replays the whole history with entries, allocations and ledger events. */
export function recordLedger(terms: LedgerTerms, facts: readonly LedgerFact[], through: Day): RecordedLedger {
  const recorder = newRecorder();
  const state = computeLedger(terms, facts, through, recorder);
  return recorder.recordOf(state);
}

/**
 * A copy of a running ledger with one more fact, through a day that is not before it, and the record of the fact and everything after
 * it, the same as in a whole replay. Only for facts for which `canApply` holds.
 */
export const recordNext = (running: LedgerState, fact: LedgerFact, through: Day): RecordedLedger =>
  must(recordSince(running, [fact], through), 'the fact comes last');

/**
 * The same from a checkpoint, with the facts that were recorded since and are effective by the day. Null if one of them is before the last
 * fact of the checkpoint, or changes what is before it.
 */
export function recordSince(checkpoint: LedgerState, since: readonly LedgerFact[], through: Day): RecordedLedger | null {
  const facts = arrangeSince(since);
  if (facts === null) return null;
  const state = cloneState(checkpoint);
  const recorder = newRecorder();
  state.watcher = recorder;
  for (const fact of facts) {
    if (fact.effective.day > through) break;
    if (!canApply(state, fact)) return null;
    applyFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  state.watcher = null;
  return recorder.recordOf(state);
}

/** The allocation of one payment or credit, in the order of the waterfall. */
export function allocationOf(ledger: RecordedLedger, transaction: number): readonly Allocation[] {
  return ledger.allocations.filter((allocation) => allocation.transaction === transaction);
}

/**
 * The net differences between a ledger and its recomputation on the same day, as events of a replay. Changes that were
 * undone and done again in the same way are not in it.
 */
export const differences = (before: LedgerState, after: LedgerState): readonly LedgerEvent[] =>
  netDifferences(comparedOf(before), comparedOf(after));

const comparedOf = (ledger: LedgerState): Compared => ({ ledger, fees: ledger.fees.filter(isNamed), balances: balanceTotals(ledger) });

/** Fees that are owed again after a chargeback have no identity of their own. */
const isNamed = ({ fee, obligation }: FeeState): boolean => fee !== null || obligation !== null;
