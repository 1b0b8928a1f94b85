import { addDays, type Day } from '../../calendar/index.js';
import { type Cents, roundAccrued, ZERO, cents, accruedUnits } from '../../money/index.js';
import { type CycleDays, type CycleFlow, FLOWS, isAfterCut, OF_INTEREST } from '../core/cycle.js';
import type { EntrySource, EntryType, LedgerEntry } from '../core/entries.js';
import type { LedgerFact } from '../core/facts.js';
import { interestByDay } from '../core/interest-by-day.js';
import { inTheirOrder } from '../core/retroactive-adjustment.js';
import type { LedgerTerms } from '../core/terms.js';
import type { InterestDay } from '../core/views.js';
import { advanceTo } from './advance.js';
import { isAboutThePast, isLateChange } from './arrange.js';
import { cloneState } from './digest.js';
import { applyFact, beginPassage, canApply, foldByDay, applyThrough } from './fold.js';
import { balancesOf } from './read-balances.js';
import { computeLedger, knownArrangement, type LedgerRecorder, newRecorder } from './compute.js';
import type { LedgerState } from './state.js';

export interface CycleChange {
  readonly flow: CycleFlow;
  readonly entryType: EntryType;
  readonly day: Day;
  readonly source: EntrySource;
  /** Change of the balance, signed. */
  readonly amountCents: Cents;
}

export interface Cycle {
  /** At the cut. */
  readonly state: LedgerState;
  /** What is owed, charged off or not. The opening balance is that of the previous cut, with all adjustments since. */
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  /** The rest of the change after all others: accrued interest, with fractions of cents. */
  readonly interestCents: Cents;
  readonly changes: readonly CycleChange[];
  readonly interestDays: readonly InterestDay[];
}

/** The ledger between two cuts, with all adjustments. `day` is after the activation. */
export function cycleOf(terms: LedgerTerms, facts: readonly LedgerFact[], { after, day }: CycleDays): Cycle {
  const recorder = newRecorder();
  const isFirst = after === null || after <= terms.activation;
  const arrangement = knownArrangement(terms, facts, addDays(day, -1));
  const passage = beginPassage(terms, arrangement.orders, isFirst ? recorder : null);
  const { state } = passage;
  const first = isFirst ? 0 : applyThrough(passage, arrangement.facts, 0, addDays(after, -1));
  if (!isFirst) advanceTo(state, after);
  const openingCents = isFirst ? openingOf(terms, facts, after) : totalCents(state);
  state.watcher = recorder;
  applyThrough(passage, arrangement.facts, first, addDays(day, -1));
  advanceTo(state, addDays(day, -1));
  closeCycle(state, recorder, day);
  return cycleBetween(openingCents, state, { recorder, after });
}

/**
 * The same from a saved ledger of the previous cut or earlier, and the facts that were recorded since. Null if one of them
 * changes the past of that ledger: then everything must be computed.
 */
export function cycleFrom(
  checkpoint: LedgerState,
  since: readonly LedgerFact[],
  { after, day }: { readonly after: Day; readonly day: Day },
): Cycle | null {
  if (checkpoint.day > after || checkpoint.lastFactDay >= after) return null;
  const facts = inTheirOrder(since);
  if (facts.some((fact) => isAboutThePast(fact) || isLateChange(fact))) return null;
  const state = cloneState(checkpoint);
  if (!takeInAll(state, facts, addDays(after, -1))) return null;
  advanceTo(state, after);
  const openingCents = totalCents(state);
  const recorder = newRecorder();
  state.watcher = recorder;
  const later = facts.filter(({ effective }) => effective.day >= after);
  if (!takeInAll(state, later, addDays(day, -1))) return null;
  closeCycle(state, recorder, day);
  return cycleBetween(openingCents, state, { recorder, after });
}

/** Applies the facts up to the end of a day; false if one of them is before the last fact of the ledger. */
function takeInAll(state: LedgerState, facts: readonly LedgerFact[], through: Day): boolean {
  for (const fact of facts) {
    if (fact.effective.day > through) break;
    if (!canApply(state, fact)) return false;
    applyFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  return true;
}

function closeCycle(state: LedgerState, recorder: LedgerRecorder, day: Day): void {
  state.watcher = recorder;
  advanceTo(state, day);
  state.watcher = null;
}

/** The cycle between the previous cut, with its balance, and the ledger at this cut. */
function cycleBetween(
  openingCents: Cents,
  state: LedgerState,
  { recorder, after }: { readonly recorder: LedgerRecorder; readonly after: Day | null },
): Cycle {
  const changes: CycleChange[] = [];
  for (const entry of recorder.entries) {
    if (!isAfterCut(entry, after)) continue;
    const change = balanceChange(entry);
    if (change !== 0n && !OF_INTEREST.has(entry.entryType)) changes.push(changeOf(entry, change));
  }
  const closingCents = totalCents(state);
  const movedCents = changes.reduce((sum, change) => sum + change.amountCents, 0);
  return {
    state,
    openingCents,
    closingCents,
    interestCents: cents(closingCents - openingCents - movedCents),
    changes,
    interestDays: interestByDay({ state, accruals: recorder.accruals }, after ?? state.terms.activation, addDays(state.day, -1)),
  };
}

/** The opening balance of the first cycle, for a loan that begins with a cut. */
function openingOf(terms: LedgerTerms, facts: readonly LedgerFact[], cut: Day | null): Cents {
  if (cut === null) return ZERO;
  const state = computeLedger(terms, facts, cut);
  advanceTo(state, cut);
  return totalCents(state);
}

function totalCents(state: LedgerState): Cents {
  const { outstanding, chargedOff } = balancesOf(state);
  return cents(outstanding.totalCents + chargedOff.totalCents);
}

/** The change of all balances by an entry: the opposite of its counter line. */
function balanceChange(entry: LedgerEntry): bigint {
  let change = 0n;
  for (const line of entry.lines) if (line.bucket !== 'counter') change += line.amount;
  return change;
}

const changeOf = ({ entryType, day, source }: LedgerEntry, change: bigint): CycleChange => ({
  flow: FLOWS[entryType] ?? 'adjustments',
  entryType,
  day,
  source,
  amountCents: roundAccrued(accruedUnits(change), 'halfUp'),
});

export interface DayRange {
  /** On or after the activation. */
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
}

/**
 * Calls `see` with the ledger at the end of each day of a range, with all facts up to the last day. It is one ledger that
 * moves forward: read figures from it, do not keep the state.
 */
export function computeByDay(terms: LedgerTerms, facts: readonly LedgerFact[], range: DayRange, see: (state: LedgerState) => void): void {
  foldByDay(terms, knownArrangement(terms, facts, range.to), range, see);
}
