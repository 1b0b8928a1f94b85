import type { Day } from '../../calendar/index.js';
import type { Arrangement } from './arrange.js';
import type { LedgerFact } from '../core/facts.js';
import { fold } from './fold.js';
import { foldWithCaps, isBehindAmounts, lateChanges, withCaps, withIdleDays } from './hindsight.js';
import type { LedgerState } from './state.js';
import type { LedgerTerms } from '../core/terms.js';
import type { LedgerWatcher } from '../core/watcher.js';

/**
 * The ledger of a loan through a day: a pure function of its terms and facts. Facts may come in any order; those
 * that are effective after `through` do not count.
 */
export function computeLedger(
  terms: LedgerTerms,
  facts: readonly LedgerFact[],
  through: Day,
  watcher: LedgerWatcher | null = null,
): LedgerState {
  const arrangement = withIdleDays(terms, facts);
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

/** The history of a loan as it is known through a day, with what late changes may have raised capped. */
export function knownArrangement(terms: LedgerTerms, facts: readonly LedgerFact[], through: Day): Arrangement {
  const arrangement = withIdleDays(terms, facts);
  const late = lateChanges(arrangement);
  if (late.length === 0) return arrangement;
  if (isBehindAmounts(arrangement, late)) return withCaps(terms, arrangement, late);
  const knownDay = late.reduce((last, { recordedDay }) => (recordedDay > last ? recordedDay : last), through);
  return fold(terms, arrangement, knownDay, null).isCapMissing ? withCaps(terms, arrangement, late) : arrangement;
}
