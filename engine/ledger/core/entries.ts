import type { Day } from '../../calendar/index.js';
import type { Accrued, Cents, Rate } from '../../money/index.js';
import type { Bucket, Component } from '../../waterfall.js';
import type { Interest } from './interest.js';
import type { LedgerStatus, ObligationState, OrdersInForce } from './state.js';
import type { LedgerSettings, Since } from './terms.js';

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
  /** What was past due of a loan with scheduled interest has joined the rows to come. */
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

/** Why a status changed: an order of somebody (a fact), days overdue, or a balance that reached or left zero. */
export type StatusCause =
  | { readonly type: 'ordered'; readonly sequence: number }
  | { readonly type: 'daysOverdue'; readonly daysOverdue: number }
  | { readonly type: 'balance' }
  /** On the way to a charge-off an active loan is accelerated. */
  | { readonly type: 'chargeOff' }
  /** A recomputed past ends in another status. */
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
  /** The nominal time of the daily job's step, or the fact's time. */
  readonly seconds: number;
}

/** What a ledger reports while it moves forward; the loan makes the contract's events from it. */
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
      /** The obligation of a late fee, else the number of a fee charged by hand. */
      readonly obligation: number | null;
      readonly fee: number | null;
      readonly chargeDay: Day;
      readonly amountCents: Cents;
    })
  | (At & {
      readonly type: 'feeChanged';
      readonly feeTypeId: string;
      /** As of a canceled one. */
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

/** What following obligations, statuses and settings needs of a ledger: installment loans and lines of credit have it alike. */
export interface ObligationLedger {
  readonly terms: { readonly settings: readonly Since<LedgerSettings>[] };
  readonly watcher: { happened(ledgerEvent: LedgerEvent): void } | null;
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
  /** Before this position no enforcement is to come. Only saves looking: zero is always right. */
  firstUnenforced: number;
  isOverdue: boolean;
}

/**
 * Is told, in order, what a ledger does. Watching never changes what is computed. Every method may be called many times
 * a day of the ledger's time; what a watcher leaves out is not made for it.
 */
export interface LedgerWatcher {
  happened(ledgerEvent: LedgerEvent): void;
  entered?(entry: LedgerEntry): void;
  accrued?(accrual: Accrual): void;
  allocated?(allocation: Allocation): void;
}

/** Interest of the days `[from, until)`, which share base and rate. */
export interface Accrual {
  readonly from: Day;
  readonly until: Day;
  readonly principalCents: number;
  readonly rate: Rate;
  readonly rateBeforeDiscount: Rate;
  readonly interest: Interest;
  readonly interestBeforeDiscount: Interest;
}

/** Where a cent of a payment went: one row a bucket and obligation that it met. */
export interface Allocation {
  readonly transaction: number;
  readonly bucket: Bucket | `chargedOff${Capitalize<Component>}` | 'paidOver';
  /** The obligation that the money fulfilled; null: none. */
  readonly obligation: number | null;
  readonly amountCents: number;
}
