import { addDays, type Day } from '../calendar/index.js';
import { type Accrued, type Cents, roundAccrued, ZERO } from '../money/index.js';
import { advanceTo } from './advance.js';
import { computeLedger } from './compute.js';
import type { EntrySource, EntryType, LedgerEntry } from './entries.js';
import type { LedgerFact } from './facts.js';
import { balancesOf } from './read-balances.js';
import { interestByDay, Recorder } from './record.js';
import type { LedgerState } from './state.js';
import type { LedgerTerms } from './terms.js';
import type { InterestDay } from './views.js';

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

/** In which total of a statement an entry counts (money 5, rule 5). */
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
  const state = computeLedger(terms, facts, addDays(day, -1), recorder);
  state.watcher = recorder;
  advanceTo(state, day);
  state.watcher = null;
  const changes: CycleChange[] = [];
  for (const entry of recorder.entries) {
    if (!isAfterCut(entry, after)) continue;
    const change = balanceChange(entry);
    if (change !== 0n && !OF_INTEREST.has(entry.entryType)) changes.push(changeOf(entry, change));
  }
  const openingCents = after === null ? ZERO : owedAt(terms, facts, after);
  const closingCents = totalCents(state);
  const movedCents = changes.reduce((sum, change) => sum + change.amountCents, 0);
  const from = after ?? terms.activation;
  return {
    state,
    openingCents,
    closingCents,
    interestCents: (closingCents - openingCents - movedCents) as Cents,
    changes,
    interestDays: interestByDay({ state, accruals: recorder.accruals }, from, addDays(day, -1)),
  };
}

/** Interest is entered in stretches that may pass over a cut, so that the balance there is computed and not summed up. */
function owedAt(terms: LedgerTerms, facts: readonly LedgerFact[], cut: Day): Cents {
  const state = computeLedger(terms, facts, cut > terms.activation ? addDays(cut, -1) : cut);
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
