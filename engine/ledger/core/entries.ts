import type { Day } from '../../calendar/index.js';
import type { Accrued } from '../../money/index.js';

/** Why balances changed: one entry a change. */
export type EntryType =
  | 'disbursement'
  | 'advance'
  | 'originationFee'
  | 'interestAccrual'
  /** Interest of frozen days, booked when the loan is unfrozen with retroactive accrual. */
  | 'retroactiveInterest'
  | 'interestCapitalization'
  | 'movedToDue'
  | 'movedToOverdue'
  | 'lateFee'
  | 'fee'
  | 'payment'
  | 'credit'
  | 'downPayment'
  | 'chargeback'
  /** What little money has left, given up by the lender. */
  | 'smallBalanceForgiven'
  | 'refund'
  /** Money that was paid over has met what was charged later. */
  | 'paidOverMet'
  /** What had gone back to the borrower was not paid over, as is now known: it is owed. */
  | 'reimbursement'
  /** What was past due of a loan kept by installment has joined the rows to come. */
  | 'reamortization'
  | 'acceleration'
  | 'chargeOff'
  /** A fraction of a cent that is left when all else is paid. */
  | 'forgoneInterest'
  | 'cancellation';

type EntryBucket = 'nonDue' | 'due' | 'overdue' | 'chargedOff' | 'counter';

export type EntryComponent =
  | 'principal'
  | 'interest'
  | 'originationFees'
  | 'lateFees'
  | 'modificationFees'
  | 'dynamicFees'
  /** The other side of the entry: cash, income, or what was forgone. */
  | 'counter';

export interface EntryLine {
  readonly bucket: EntryBucket;
  readonly component: EntryComponent;
  /** Signed, exact: interest is not whole cents before it falls due. */
  readonly amount: Accrued;
}

/** What an entry came from: a fact by its sequence, or the daily job. */
export type EntrySource =
  | { readonly type: 'fact'; readonly sequence: number }
  | { readonly type: 'dailyJob' }
  | { readonly type: 'activation' };

/** One change of balances. The lines with the counter line sum to zero. */
export interface LedgerEntry {
  readonly day: Day;
  readonly seconds: number;
  readonly entryType: EntryType;
  readonly source: EntrySource;
  readonly lines: readonly EntryLine[];
}
