import { must } from '../../assert.js';
import { addDays, type Day, type DayCountMethod, dayUnits } from '../../calendar/index.js';
import type { Accrued, Cents } from '../../money/index.js';
import type { Accrual, Allocation, LedgerEntry, LedgerEvent, LedgerWatcher } from '../core/entries.js';
import type { LedgerFact } from '../core/facts.js';
import { accruedOf } from '../core/interest.js';
import type { LedgerTerms } from '../core/terms.js';
import type { InterestDay } from '../core/views.js';
import { advanceTo } from './advance.js';
import { type Arrangement, inTheirOrder } from './arrange.js';
import { cloneState } from './digest.js';
import { applyFact, canApply, fold } from './fold.js';
import { foldWithCaps, isBehindAmounts, lateChanges, withCaps, withIdleDays } from './growing-history.js';
import type { LedgerState } from './state.js';

/**
 * The ledger of a loan through a day: a pure function of its terms and facts. Facts may come in any order; facts that are
 * effective after `through` have no effect.
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

/** The adjusted history of a loan through a day, with caps for late changes. */
export function knownArrangement(terms: LedgerTerms, facts: readonly LedgerFact[], through: Day): Arrangement {
  const arrangement = withIdleDays(terms, facts);
  const late = lateChanges(arrangement);
  if (late.length === 0) return arrangement;
  if (isBehindAmounts(arrangement, late)) return withCaps(terms, arrangement, late);
  const knownDay = late.reduce((last, { recordedDay }) => (recordedDay > last ? recordedDay : last), through);
  return fold(terms, arrangement, knownDay, null).isCapMissing ? withCaps(terms, arrangement, late) : arrangement;
}

/** A ledger with everything that its watcher received. It is not stored, because it can be computed again. */
export interface RecordedLedger {
  readonly state: LedgerState;
  /** In effective order. */
  readonly entries: readonly LedgerEntry[];
  readonly ledgerEvents: readonly LedgerEvent[];
  readonly allocations: readonly Allocation[];
  readonly accruals: readonly Accrual[];
}

/** Collects what a ledger emits, until it is taken. */
export class Recorder implements LedgerWatcher {
  readonly entries: LedgerEntry[] = [];
  readonly ledgerEvents: LedgerEvent[] = [];
  readonly allocations: Allocation[] = [];
  readonly accruals: Accrual[] = [];

  happened(ledgerEvent: LedgerEvent): void {
    this.ledgerEvents.push(ledgerEvent);
  }

  entered(entry: LedgerEntry): void {
    this.entries.push(entry);
  }

  allocated(allocation: Allocation): void {
    keepAllocation(this.allocations, allocation);
  }

  accrued(accrual: Accrual): void {
    this.accruals.push(accrual);
  }
}

/** Adds an allocation. Overpaid money that has paid other amounts since is not overpaid any more. */
export function keepAllocation<Kept extends Allocation>(allocations: Kept[], allocation: Kept): void {
  const isOver = ({ transaction, bucket }: Kept): boolean => transaction === allocation.transaction && bucket === 'paidOver';
  const at = allocation.amountCents < 0 && allocation.bucket === 'paidOver' ? allocations.findIndex(isOver) : -1;
  const over = allocations[at];
  if (over === undefined) {
    allocations.push(allocation);
    return;
  }
  const amountCents = over.amountCents + allocation.amountCents;
  allocations.splice(at, 1);
  if (amountCents > 0) allocations.push({ ...over, amountCents });
  else if (amountCents < 0) keepAllocation(allocations, { ...allocation, amountCents });
}

/** Replays the whole history with entries, allocations and ledger events. */
export function recordLedger(terms: LedgerTerms, facts: readonly LedgerFact[], through: Day): RecordedLedger {
  const recorder = new Recorder();
  const state = computeLedger(terms, facts, through, recorder);
  return recordedBy(recorder, state);
}

/** Sorts entries in effective order: the entries of one day may come in another order. */
function recordedBy({ entries, ledgerEvents, allocations, accruals }: Recorder, state: LedgerState): RecordedLedger {
  return { state, entries: [...entries].sort((a, b) => a.day - b.day || a.seconds - b.seconds), ledgerEvents, allocations, accruals };
}

/**
 * A copy of a running ledger with one more fact, through a day that is not before it, and the record of the fact and everything after
 * it, the same as in a whole replay. Only for facts for which `canApply` holds.
 */
export const recordNext = (running: LedgerState, fact: LedgerFact, through: Day): RecordedLedger =>
  must(recordSince(running, [fact], through), 'the fact comes last');

/**
 * The same from a saved ledger, with the facts that were recorded since. Null if one of them is before the last fact of the saved
 * ledger.
 */
export function recordSince(laidAside: LedgerState, since: readonly LedgerFact[], through: Day): RecordedLedger | null {
  const state = cloneState(laidAside);
  const recorder = new Recorder();
  state.watcher = recorder;
  for (const fact of inTheirOrder(since)) {
    if (!canApply(state, fact)) return null;
    applyFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  state.watcher = null;
  return recordedBy(recorder, state);
}

/** The allocation of one payment or credit, in the order of the waterfall. */
export function allocationOf(ledger: RecordedLedger, transaction: number): readonly Allocation[] {
  return ledger.allocations.filter((allocation) => allocation.transaction === transaction);
}

/** The accruals from which interest by day is read, for both kinds of ledgers. */
export interface AccruedLedger {
  readonly state: { readonly terms: { readonly dayCount: DayCountMethod } };
  readonly accruals: readonly Accrual[];
}

/** Interest by day, `from` and `to` inclusive, as far as the ledger was computed. */
export function interestByDay(ledger: AccruedLedger, from: Day, to: Day): readonly InterestDay[] {
  const days = new Map<Day, InterestDay>();
  for (const accrual of ledger.accruals) {
    if (accrual.until <= from || accrual.from > to) continue;
    for (const found of daysOf(ledger.state.terms, accrual)) {
      if (found.day < from || found.day > to) continue;
      const known = days.get(found.day);
      days.set(found.day, known === undefined ? found : addedTo(known, found));
    }
  }
  return [...days.values()].sort((a, b) => a.day - b.day);
}

/** Frozen days with retroactive accrual have two accruals: zero, and then their interest. */
function addedTo(known: InterestDay, found: InterestDay): InterestDay {
  return {
    ...found,
    interest: (known.interest + found.interest) as Accrued,
    interestBeforeDiscount: (known.interestBeforeDiscount + found.interestBeforeDiscount) as Accrued,
  };
}

/** Splits an accrual into days. If the lifetime cap stopped it, the first days have their full interest. */
function daysOf(terms: AccruedLedger['state']['terms'], accrual: Accrual): readonly InterestDay[] {
  const units = dayUnits(terms.dayCount, accrual.from, accrual.until);
  const days: InterestDay[] = [];
  const accruedBefore: bigint = accruedOf(accrual.interestBeforeDiscount);
  let leftInterest: bigint = accruedOf(accrual.interest);
  let leftBefore = accruedBefore;
  for (let day = accrual.from; day < accrual.until; ) {
    const next = addDays(day, 1);
    const isLast = next === accrual.until;
    const share = BigInt(dayUnits(terms.dayCount, day, next));
    const whole = units === 0 ? 0n : BigInt(accrual.principalCents) * BigInt(accrual.rate) * share;
    const before = units === 0 ? 0n : (accruedBefore * share) / BigInt(units);
    const interest = isLast || whole > leftInterest ? leftInterest : whole;
    const interestBefore = isLast ? leftBefore : before;
    leftInterest -= interest;
    leftBefore -= interestBefore;
    days.push({
      day,
      principalCents: accrual.principalCents as Cents,
      rate: accrual.rate,
      interest: interest as Accrued,
      interestBeforeDiscount: interestBefore as Accrued,
    });
    day = next;
  }
  return days;
}
