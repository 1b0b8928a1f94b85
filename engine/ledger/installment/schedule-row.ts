import { originationShare } from '../../amortization/index.js';
import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import { type Accrued, type Cents, cents } from '../../money/index.js';
import { accruedOf, centsOfInterest, type Interest, isZero, minus, NO_INTEREST, plus, roundedCents } from '../core/interest.js';
import type { LedgerState } from './state.js';
import type { FeeState, ObligationState } from '../core/state.js';
import type { CarriedFee, ScheduleRowView } from '../core/views.js';

/** The figures of a row that come from its obligation. */
export type RowFigures = Pick<
  ObligationState,
  | 'ordinal'
  | 'dueDay'
  | 'amountCents'
  | 'principalCents'
  | 'interestCents'
  | 'feesCents'
  | 'unroundedInterest'
  | 'unroundedDiscount'
  | 'prepaidCents'
>;

export type RowStatus = ScheduleRowView['status'];

/** A row of the schedule that converts its exact interest to a big integer only on reading. */
class ScheduleRow implements ScheduleRowView {
  readonly ordinal: number;
  readonly date: Day;
  readonly status: RowStatus;
  readonly amountCents: Cents;
  readonly originalAmountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly interestBeforeDiscountCents: Cents;
  readonly feesCents: Cents;
  readonly prepaidCents: Cents;
  readonly isForcedAmount: boolean;
  readonly isDeferred: boolean;
  readonly #interest: Interest;
  readonly #beforeDiscount: Interest;

  constructor(
    state: LedgerState,
    figures: RowFigures,
    status: RowStatus,
    readonly carriedFees: readonly CarriedFee[],
  ) {
    const row = state.rows[figures.ordinal];
    const { unroundedInterest, unroundedDiscount } = figures;
    const beforeDiscount = isZero(unroundedDiscount) ? unroundedInterest : plus(unroundedInterest, unroundedDiscount);
    this.ordinal = figures.ordinal;
    this.date = figures.dueDay;
    this.status = status;
    this.amountCents = cents(figures.amountCents);
    this.originalAmountCents = cents(originalCents(state, figures.ordinal));
    this.principalCents = cents(figures.principalCents);
    this.interestCents = cents(figures.interestCents);
    this.interestBeforeDiscountCents = cents(roundedCents(beforeDiscount));
    this.feesCents = cents(figures.feesCents);
    this.prepaidCents = cents(figures.prepaidCents);
    this.isForcedAmount = row !== undefined && row.isForced;
    this.isDeferred = row !== undefined && row.isDeferred === true;
    this.#interest = unroundedInterest;
    this.#beforeDiscount = beforeDiscount;
  }

  get unroundedPrincipal(): Accrued {
    return accruedOf(minus(centsOfInterest(this.principalCents + this.interestCents), this.#interest));
  }

  get unroundedInterest(): Accrued {
    return accruedOf(this.#interest);
  }

  get unroundedInterestBeforeDiscount(): Accrued {
    return accruedOf(this.#beforeDiscount);
  }
}

/** Rows that have fallen due, or whose date has passed. Obligations, in force and replaced, are in the order of the rows. */
export function bookedSchedule(state: LedgerState): ScheduleRowView[] {
  const rows: ScheduleRowView[] = [];
  let inForce = 0;
  let replaced = 0;
  for (let ordinal = 0; ordinal < state.nextRow; ordinal += 1) {
    const obligation = state.obligations[inForce];
    const before = state.replaced[replaced];
    if (before !== undefined && before.ordinal === ordinal) {
      rows.push(fixedRow(state, before, 'canceled'));
      replaced += 1;
    } else if (obligation !== undefined && obligation.ordinal === ordinal) {
      rows.push(
        fixedRow(
          state,
          obligation,
          obligation.isFulfilled ? 'completed' : 'booked',
          carriedFeesOf(state, obligation, ({ amountCents }) => amountCents),
        ),
      );
      inForce += 1;
    } else {
      rows.push(emptyRow(state, ordinal));
    }
  }
  return rows;
}

export const fixedRow = (
  state: LedgerState,
  figures: RowFigures,
  status: RowStatus,
  fees: readonly CarriedFee[] = NO_FEES,
): ScheduleRowView => new ScheduleRow(state, figures, status, fees);

const NO_FEES: readonly CarriedFee[] = [];

/**
 * Fees that fell due with an obligation, with what each added to it. It is only known that together they added at most its fees.
 */
export function carriedFeesOf(
  state: LedgerState,
  { ordinal, feesCents }: RowFigures,
  broughtCents: (fee: FeeState) => number,
): readonly CarriedFee[] {
  if (feesCents === 0 || state.fees.length === 0) return NO_FEES;
  const fees: CarriedFee[] = [];
  let roomCents = feesCents;
  for (const fee of state.fees) {
    const amountCents = fee.carriedBy === ordinal && !fee.isCanceled ? Math.min(broughtCents(fee), roomCents) : 0;
    if (amountCents === 0) continue;
    roomCents -= amountCents;
    fees.push({
      fee: fee.fee,
      obligation: fee.obligation,
      feeTypeId: fee.feeTypeId,
      amountCents: cents(amountCents),
      isPaid: fee.openCents === 0,
    });
  }
  return fees;
}

/** A row that was skipped while the loan was frozen, deferred, or had no balance left. */
export function emptyRow(state: LedgerState, ordinal: number): ScheduleRowView {
  const { date } = must(state.rows[ordinal], 'a row has a position');
  const nothing = {
    amountCents: 0,
    principalCents: 0,
    interestCents: 0,
    feesCents: 0,
    prepaidCents: 0,
    unroundedInterest: NO_INTEREST,
    unroundedDiscount: NO_INTEREST,
  };
  return new ScheduleRow(state, { ordinal, dueDay: date, ...nothing }, 'canceled', NO_FEES);
}

/** A down payment is a row of the ledger, but not of the contract. */
const downPaymentsOf = ({ keeping }: LedgerState['terms']): number => (keeping === undefined || keeping.downPayment === null ? 0 : 1);

/**
 * The amount of a row when it was added to the schedule: by the contract, including its share of the origination fee, or later
 * by another frequency or a longer term. A row whose date is moved keeps it.
 */
function originalCents({ terms, rows, dueDateRule }: LedgerState, ordinal: number): number {
  const row = rows[ordinal];
  const contracted = terms.rows[ordinal - downPaymentsOf(terms)];
  const isOfContract =
    contracted !== undefined && (row === undefined || row.date === contracted.date || dueDateRule.type === terms.dueDateRule.type);
  if (!isOfContract) return row?.amountCents ?? 0;
  const { amountCents: originationCents, logic: originationLogic } = terms.originationFee;
  if (originationCents === 0) return contracted.amountCents;
  return contracted.amountCents + originationShare({ originationCents, originationLogic }, ordinal, terms.rows.length);
}
