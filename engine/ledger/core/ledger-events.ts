import type { Day } from '../../calendar/index.js';
import type { Cents } from '../../money/index.js';
import type { EntryType } from './entries.js';
import type { LedgerStatus } from './state.js';

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
