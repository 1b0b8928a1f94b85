import type { Day } from '../../calendar/index.js';
import type { Accrued, Cents, Rate } from '../../money/index.js';
import type { Bucket, Component } from '../../waterfall.js';
import type { Interest } from './interest.js';
import type { LedgerStatus, ObligationState, OrdersInForce } from './state.js';
import type { LedgerSettings, Since } from './terms.js';

/** Why balances changed. Each change is one entry. */
export type EntryType =
  | 'disbursement'
  | 'advance'
  | 'originationFee'
  | 'interestAccrual'
  /** Interest of frozen days, accrued when the loan is unfrozen with retroactive accrual. */
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
  /** A small remaining balance that the lender has forgiven. */
  | 'smallBalanceForgiven'
  | 'refund'
  /** Overpaid money has paid what was charged later. */
  | 'paidOverMet'
  /** Money was refunded to the borrower that, after a retroactive adjustment, was not overpaid: it is owed again. */
  | 'reimbursement'
  /** Past due amounts of a loan with scheduled interest have moved to coming rows. */
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
  /** The other side of the entry: cash, income, or a forgone amount. */
  | 'counter';

export interface EntryLine {
  readonly bucket: EntryBucket;
  readonly component: EntryComponent;
  /** Signed and exact: interest that is not due may have fractions of a cent. */
  readonly amount: Accrued;
}

/** The cause of an entry: a fact by its sequence, the daily job, or the activation. */
export type EntrySource =
  | { readonly type: 'fact'; readonly sequence: number }
  | { readonly type: 'dailyJob' }
  | { readonly type: 'activation' };

/** One change of balances. All lines, including the counter line, sum to zero. */
export interface LedgerEntry {
  readonly day: Day;
  readonly seconds: number;
  readonly entryType: EntryType;
  readonly source: EntrySource;
  readonly lines: readonly EntryLine[];
}

/** Why a status changed: a fact, days overdue, or a balance that reached or left zero. */
export type StatusCause =
  | { readonly type: 'ordered'; readonly sequence: number }
  | { readonly type: 'daysOverdue'; readonly daysOverdue: number }
  | { readonly type: 'balance' }
  /** A charge-off accelerates an active loan first. */
  | { readonly type: 'chargeOff' }
  /** A retroactive adjustment ends in another status. */
  | { readonly type: 'replay' };

export interface BalanceTotals {
  readonly principalCents: Cents;
  /** Rounded half up. */
  readonly interestCents: Cents;
  readonly feesCents: Cents;
  readonly totalCents: Cents;
  readonly overdueCents: Cents;
}

interface At {
  readonly day: Day;
  /** The nominal time of the step of the daily job, or the time of the fact. */
  readonly seconds: number;
}

/** What a ledger reports while it moves forward. The loan actor makes the events of the interface from it. */
export type LedgerEvent =
  | (At & {
      readonly type: 'periodStarted';
      readonly period: number;
      readonly startDate: Day;
      readonly endDate: Day;
      readonly dueDate: Day;
    })
  | (At & {
      readonly type: 'obligationStatusChanged';
      readonly obligation: number;
      readonly isFulfilled: boolean;
      readonly isOverdue: boolean;
      readonly isOpen: boolean;
    })
  | (At & {
      readonly type: 'overdue' | 'overdueUpdate';
      readonly daysOverdue: number;
      readonly overdueCents: Cents;
      readonly overdueSince: Day;
      readonly oldestObligation: number;
    })
  | (At & { readonly type: 'current' })
  | (At & {
      readonly type: 'lateFeeBooked';
      readonly feeTypeId: string;
      readonly obligation: number;
      readonly amountCents: Cents;
    })
  | (At & {
      readonly type: 'feeCanceled';
      readonly feeTypeId: string;
      /** The obligation of a late fee, or the number of a manual fee. */
      readonly obligation: number | null;
      readonly fee: number | null;
      readonly chargeDay: Day;
      readonly amountCents: Cents;
    })
  | (At & {
      readonly type: 'feeChanged';
      readonly feeTypeId: string;
      /** As for a canceled fee. */
      readonly obligation: number | null;
      readonly fee: number | null;
      readonly amountCents: Cents;
      readonly previousCents: Cents;
    })
  | (At & { readonly type: 'interestCapitalized'; readonly amountCents: Cents })
  | (At & {
      readonly type: 'balanceChanged';
      readonly cause: EntryType | 'replay';
      readonly balances: BalanceTotals;
      readonly previousBalances: BalanceTotals;
    })
  | (At & {
      readonly type: 'statusChanged';
      readonly oldStatus: LedgerStatus;
      readonly newStatus: LedgerStatus;
      readonly cause: StatusCause;
    });

/** The state that obligations, statuses and settings need, in ledgers of installment loans and of lines of credit. */
export interface ObligationLedger {
  readonly terms: { readonly settings: readonly Since<LedgerSettings>[] };
  readonly watcher: Pick<LedgerWatcher, 'happened' | 'late' | 'leastLateCents'> | null;
  readonly orders: OrdersInForce;
  seconds: number;
  source: EntrySource;
  readonly day: Day;
  status: LedgerStatus;
  statusSince: Day;
  readonly thresholdHolders: readonly string[];
  settingsIndex: number;
  /** By due date. */
  readonly obligations: readonly ObligationState[];
  /** Every obligation before this position is fulfilled. */
  firstOpenObligation: number;
  /** No obligation before this position will be enforced later. An optimization: zero is always correct. */
  firstUnenforced: number;
  isOverdue: boolean;
}

/**
 * Receives, in order, what a ledger does. A watcher never changes the result. Each method may be called many times for one
 * day of the ledger. The ledger does not compute what no method receives.
 */
export interface LedgerWatcher {
  happened(ledgerEvent: LedgerEvent): void;
  entered?(entry: LedgerEntry): void;
  /** Each entry, and what the lender owes to the borrower more than before it; also a change of that alone. */
  booked?(entry: LedgerEntry, owedBackCents: number): void;
  accrued?(accrual: Accrual): void;
  /** Interest of a day that an entry of another type enters: interest by day has it, the general ledger reads it from the entry. */
  interestBooked?(accrual: Accrual): void;
  allocated?(allocation: Allocation): void;
  /** Less is not overdue for `late`. Default: any amount is. */
  readonly leastLateCents?: number;
  /** After each change of what is overdue, also within a day: the days overdue; null while nothing is. */
  late?(day: Day, daysOverdue: number | null): void;
}

/** Interest of the days `[from, until)` with one base and one rate. */
export interface Accrual {
  readonly from: Day;
  readonly until: Day;
  readonly principalCents: number;
  readonly rate: Rate;
  readonly rateBeforeDiscount: Rate;
  readonly interest: Interest;
  readonly interestBeforeDiscount: Interest;
}

/** The allocation of a payment: one row for each bucket and obligation. */
export interface Allocation {
  readonly transaction: number;
  readonly bucket: Bucket | `chargedOff${Capitalize<Component>}` | 'paidOver';
  /** The obligation for which the money counts; null: none. */
  readonly obligation: number | null;
  readonly amountCents: number;
}
