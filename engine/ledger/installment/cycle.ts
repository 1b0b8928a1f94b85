import { addDays, type Day } from '../../calendar/index.js';
import { type Accrued, type Cents, roundAccrued, ZERO } from '../../money/index.js';
import type { EntrySource, EntryType, LedgerEntry } from '../core/entries.js';
import type { LedgerFact } from '../core/facts.js';
import type { LedgerTerms } from '../core/terms.js';
import type { InterestDay } from '../core/views.js';
import { advanceTo } from './advance.js';
import { inTheirOrder, isAboutThePast, isLateChange } from './arrange.js';
import { cloneState } from './digest.js';
import { applyFact, begin, canApply, foldByDay, passAll } from './fold.js';
import { balancesOf } from './read-balances.js';
import { computeLedger, interestByDay, knownArrangement, Recorder } from './record.js';
import type { LedgerState } from './state.js';

/**
 * What moved a balance between two cuts. A cut is a day's daily job: what people do on that day comes after it.
 *
 *     after                                   day
 *     |  facts of the day, ... , facts of day-1  |  facts of the day
 *     job                                     job
 */
export interface CycleDays {
  /** The cut before; null: from the activation on. */
  readonly after: Day | null;
  readonly day: Day;
}

/** In which total of a statement an entry counts. */
export type CycleFlow = 'advances' | 'fees' | 'payments' | 'credits' | 'chargebacks' | 'refunds' | 'adjustments';

export interface CycleChange {
  readonly flow: CycleFlow;
  readonly entryType: EntryType;
  readonly day: Day;
  readonly source: EntrySource;
  /** Of the balance, signed. */
  readonly amountCents: Cents;
}

export interface Cycle {
  /** At the cut. */
  readonly state: LedgerState;
  /** What is owed, charged off or not. The opening balance is the one of the cut before as it is known now. */
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  /** What the other changes leave: accrual, with every fraction of a cent. */
  readonly interestCents: Cents;
  readonly changes: readonly CycleChange[];
  readonly interestDays: readonly InterestDay[];
}

/** Entries that only accrue interest, round it, or give balances another place. */
const OF_INTEREST: ReadonlySet<EntryType> = new Set([
  'interestAccrual',
  'retroactiveInterest',
  'interestCapitalization',
  'movedToDue',
  'movedToOverdue',
  'acceleration',
  'chargeOff',
  'forgoneInterest',
]);

/** All that is not named is an adjustment. */
const FLOWS: Partial<Record<EntryType, CycleFlow>> = {
  disbursement: 'advances',
  advance: 'advances',
  originationFee: 'fees',
  lateFee: 'fees',
  fee: 'fees',
  payment: 'payments',
  downPayment: 'payments',
  paidOverMet: 'payments',
  credit: 'credits',
  smallBalanceForgiven: 'credits',
  chargeback: 'chargebacks',
  refund: 'refunds',
};

/** The ledger between two cuts, as it is known now. `day` lies after the activation. */
export function cycleOf(terms: LedgerTerms, facts: readonly LedgerFact[], { after, day }: CycleDays): Cycle {
  const recorder = new Recorder();
  const isFirst = after === null || after <= terms.activation;
  const arrangement = knownArrangement(terms, facts, addDays(day, -1));
  const passage = begin(terms, arrangement.orders, isFirst ? recorder : null);
  const { state } = passage;
  const first = isFirst ? 0 : passAll(passage, arrangement.facts, 0, addDays(after, -1));
  if (!isFirst) advanceTo(state, after);
  const openingCents = isFirst ? openingOf(terms, facts, after) : totalCents(state);
  state.watcher = recorder;
  passAll(passage, arrangement.facts, first, addDays(day, -1));
  advanceTo(state, addDays(day, -1));
  closeCycle(state, recorder, day);
  return cycleBetween(openingCents, state, { recorder, after });
}

/**
 * The same from a ledger that was laid aside at the cut before or earlier, and the facts that were recorded since. Null where
 * one of them changes what that ledger has seen: then all is to be computed.
 */
export function cycleFrom(
  laidAside: LedgerState,
  since: readonly LedgerFact[],
  { after, day }: { readonly after: Day; readonly day: Day },
): Cycle | null {
  if (laidAside.day > after || laidAside.lastFactDay >= after) return null;
  const facts = inTheirOrder(since);
  if (facts.some((fact) => isAboutThePast(fact) || isLateChange(fact))) return null;
  const state = cloneState(laidAside);
  if (!takeInAll(state, facts, addDays(after, -1))) return null;
  advanceTo(state, after);
  const openingCents = totalCents(state);
  const recorder = new Recorder();
  state.watcher = recorder;
  const later = facts.filter(({ effective }) => effective.day >= after);
  if (!takeInAll(state, later, addDays(day, -1))) return null;
  closeCycle(state, recorder, day);
  return cycleBetween(openingCents, state, { recorder, after });
}

/** The facts up to a day, and its end; false where one of them comes before what the ledger has seen. */
function takeInAll(state: LedgerState, facts: readonly LedgerFact[], through: Day): boolean {
  for (const fact of facts) {
    if (fact.effective.day > through) break;
    if (!canApply(state, fact)) return false;
    applyFact(state, fact);
  }
  if (through > state.day) advanceTo(state, through);
  return true;
}

function closeCycle(state: LedgerState, recorder: Recorder, day: Day): void {
  state.watcher = recorder;
  advanceTo(state, day);
  state.watcher = null;
}

/** What lies between the cut before, with what was owed there, and the ledger at this cut. */
function cycleBetween(
  openingCents: Cents,
  state: LedgerState,
  { recorder, after }: { readonly recorder: Recorder; readonly after: Day | null },
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
    interestCents: (closingCents - openingCents - movedCents) as Cents,
    changes,
    interestDays: interestByDay({ state, accruals: recorder.accruals }, after ?? state.terms.activation, addDays(state.day, -1)),
  };
}

/** Of the first cycle: what the loan brings with it where it begins with a cut. */
function openingOf(terms: LedgerTerms, facts: readonly LedgerFact[], cut: Day | null): Cents {
  if (cut === null) return ZERO;
  const state = computeLedger(terms, facts, cut);
  advanceTo(state, cut);
  return totalCents(state);
}

function totalCents(state: LedgerState): Cents {
  const { outstanding, chargedOff } = balancesOf(state);
  return (outstanding.totalCents + chargedOff.totalCents) as Cents;
}

function isAfterCut(entry: LedgerEntry, after: Day | null): boolean {
  if (after === null || entry.day > after) return true;
  return entry.day === after && entry.source.type === 'fact';
}

/** The counter line is the other side of all that an entry did to the balances. */
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
  amountCents: roundAccrued(change as Accrued, 'halfUp'),
});

export interface DayRange {
  /** Not before the activation. */
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
}

/**
 * Shows the ledger at the end of each day of a range, as it is known at the last of them: one ledger that moves forward.
 * What is shown belongs to the ledger and moves on: take figures from it, not the state.
 */
export function computeByDay(terms: LedgerTerms, facts: readonly LedgerFact[], range: DayRange, see: (state: LedgerState) => void): void {
  foldByDay(terms, knownArrangement(terms, facts, range.to), range, see);
}
