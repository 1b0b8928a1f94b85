import type { Day, DueDateRule } from '../../calendar/index.js';
import type { RateTimeline } from '../../rates/index.js';
import type { BalancesByDueStatus } from '../core/balances.js';
import type { LedgerWatcher } from '../core/entries.js';
import type { Interest } from '../core/interest.js';
import type { Digested, FeeState, LedgerHead, ObligationState, OrdersInForce, Totals } from '../core/state.js';
import type { DueRow, LedgerTerms } from '../core/terms.js';
import type { ScheduledFact } from '../scheduled/index.js';
import type { PaymentList } from './payment-list.js';

/**
 * The state of a loan's ledger between facts. It is mutable and its amounts are plain numbers of whole cents, because a
 * replay changes it thousands of times; readers return branded amounts. Only this folder changes it. `cloneState` makes a
 * copy for simulations.
 *
 * The daily jobs of every day up to and including `day` have run, and the interest of every day before it has accrued.
 */
export interface LedgerState extends LedgerHead, BalancesByDueStatus {
  readonly terms: LedgerTerms;
  /** Receives what the ledger emits; null for a plain computation. Not part of the state's value. */
  watcher: LedgerWatcher | null;
  orders: OrdersInForce;

  rates: RateTimeline;
  /** The segment of `rates` that contains `day`, or an earlier one. */
  rateIndex: number;
  /** Rates that were recorded after their first day; null: all were recorded in time. */
  unknownRates: UnknownRates | null;
  /** An obligation that fell due before their recording may have risen: its cap must be computed. */
  isCapMissing: boolean;
  rows: readonly OpenRow[];
  /** The rule of due dates after the last row. */
  dueDateRule: DueDateRule;
  /** The first row that has not fallen due. */
  nextRow: number;
  /** First day of the period that `nextRow` ends. */
  periodStart: Day;

  nonDueOriginationFeeCents: number;
  dueOriginationFeeCents: number;
  overdueOriginationFeeCents: number;
  chargedOffOriginationFeeCents: number;
  /** The part of the origination fee that each row carries. */
  originationShareCents: number;
  /** The origination fee in coming rows: everything that has not fallen due, including what was paid in advance. */
  originationAskedCents: number;
  /** Late fees and manual fees, by charge time. */
  fees: FeeState[];
  /** The unpaid part of `fees`. */
  openFeesCents: number;

  /** By due date, without those that an acceleration replaced. */
  obligations: ObligationState[];
  /** The obligations that the acceleration replaced, as of that time. */
  replaced: readonly ObligationState[];
  /**
   * Interest-bearing balances since the loan is frozen, by day; null if it is not frozen. A frozen loan that is paid off stays
   * frozen.
   */
  frozenSteps: readonly FrozenStep[] | null;

  /** The facts of the scheduled ledger; null: the loan accrues daily interest, or its installments have ended. */
  scheduledFacts: readonly ScheduledFact[] | null;

  payments: PaymentList;

  totals: LedgerTotals;

  /** Digests of settled elements, which are not read again. Not part of the state's value. */
  digestedObligations: Digested;
  digestedPayments: Digested;
}

/** A row in force. Its split is known on its day. */
export type OpenRow = Pick<DueRow, 'date' | 'amountCents' | 'isForced'> & {
  /** Not a row of the contract: it takes the balance that was left after the last row. */
  readonly isClosing?: true;
  /** Its payment has moved to another date: its amount is zero. */
  readonly isDeferred?: true;
  /** It has only the interest of its period; `amountCents` is the expected interest if everything is paid on time. */
  readonly isInterestOnly?: true;
};

/** Balances of a frozen loan from a day on. */
export interface FrozenStep {
  readonly from: Day;
  /** The frozen loan was paid off: these days bear no interest, not even on earlier interest. */
  readonly isPaidOff: boolean;
  readonly principalCents: number;
  /** Interest and fees that bear interest. */
  readonly unpaid: Interest;
}

/** Bounds on how far late rates may have changed the obligations of their time. */
interface UnknownRates {
  /** The last day on which they were not known. */
  readonly through: Day;
  /** The newest change. */
  readonly change: number;
  /** Whole cents of interest that had accrued before them. */
  readonly interestBeforeCents: number;
  readonly rowsBefore: readonly OpenRow[];
  /** The sum by which rows that fell due since were lowered, and principal that was paid out. */
  fellCents: number;
}

export interface LedgerTotals extends Totals {
  /** Interest that the lifetime cap stopped. */
  forgoneCap: Interest;
  /** Paid out after activation. */
  advancedCents: number;
  /** Unpaid fees that refunds canceled. */
  reversedFeesCents: number;
  /** Paid interest and fees that refunds owe to the borrower; part of `reimbursementCents`. */
  returnedCents: number;
  /** At the beginning of the running period. */
  interestDiscountBeforePeriod: Interest;
}
