import type { Day } from '../../calendar/index.js';
import type { EntryType, LedgerEntry } from './entries.js';

/**
 * The changes of a balance between two cuts. A cut is the daily job of a day: facts of people on that day come after it.
 *
 *     after                                   day
 *     |  facts of the day, ... , facts of day-1  |  facts of the day
 *     job                                     job
 */
export interface CycleDays {
  /** The previous cut; null: from the activation on. */
  readonly after: Day | null;
  readonly day: Day;
}

/** The total of a statement to which an entry belongs. */
export type CycleFlow = 'advances' | 'fees' | 'payments' | 'credits' | 'chargebacks' | 'refunds' | 'adjustments';

/** Entries that only accrue or round interest, or move balances. */
export const OF_INTEREST: ReadonlySet<EntryType> = new Set([
  'interestAccrual',
  'retroactiveInterest',
  'interestCapitalization',
  'movedToDue',
  'movedToOverdue',
  'acceleration',
  'chargeOff',
  'forgoneInterest',
]);

/** Every other type is an adjustment. */
export const FLOWS: Partial<Record<EntryType, CycleFlow>> = {
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

/** Whether an entry comes after a cut: of its day only facts of people do. Null: from the activation on. */
export function isAfterCut(entry: Pick<LedgerEntry, 'day' | 'source'>, after: Day | null): boolean {
  if (after === null || entry.day > after) return true;
  return entry.day === after && entry.source.type === 'fact';
}
