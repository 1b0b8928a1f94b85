import { originationShare } from '../amortization/index.js';
import { must } from '../assert.js';
import type { Day } from '../calendar/index.js';
import type { Accrued, Cents } from '../money/index.js';
import { accruedOf, centsOfInterest, type Interest, minus, NO_INTEREST, plus, roundedCents } from './interest.js';
import type { LedgerState, ObligationState } from './state.js';
import type { ScheduleRowView } from './views.js';

interface RowParts {
  readonly ordinal: number;
  readonly date: Day;
  readonly status: ScheduleRowView['status'];
  readonly amountCents: number;
  readonly originalAmountCents: number;
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
  readonly interest: Interest;
  readonly discount: Interest;
  readonly isForcedAmount: boolean;
  readonly isDeferred: boolean;
}

/** A row of the schedule whose exact interest becomes a big integer when it is read. */
class ScheduleRow implements ScheduleRowView {
  readonly ordinal: number;
  readonly date: Day;
  readonly status: ScheduleRowView['status'];
  readonly amountCents: Cents;
  readonly originalAmountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly interestBeforeDiscountCents: Cents;
  readonly feesCents: Cents;
  readonly isForcedAmount: boolean;
  readonly isDeferred: boolean;
  readonly #interest: Interest;
  readonly #beforeDiscount: Interest;

  constructor(parts: RowParts) {
    this.ordinal = parts.ordinal;
    this.date = parts.date;
    this.status = parts.status;
    this.amountCents = parts.amountCents as Cents;
    this.originalAmountCents = parts.originalAmountCents as Cents;
    this.principalCents = parts.principalCents as Cents;
    this.interestCents = parts.interestCents as Cents;
    this.feesCents = parts.feesCents as Cents;
    this.isForcedAmount = parts.isForcedAmount;
    this.isDeferred = parts.isDeferred;
    this.#interest = parts.interest;
    this.#beforeDiscount = plus(parts.interest, parts.discount);
    this.interestBeforeDiscountCents = roundedCents(this.#beforeDiscount) as Cents;
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

/** What has fallen due, or has had its date. Obligations, those in force and those replaced, ascend like the rows. */
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
      rows.push(fixedRow(state, obligation, obligation.isFulfilled ? 'completed' : 'booked'));
      inForce += 1;
    } else {
      rows.push(emptyRow(state, ordinal));
    }
  }
  return rows;
}

export function fixedRow(state: LedgerState, obligation: ObligationState, status: ScheduleRowView['status']): ScheduleRowView {
  const { ordinal } = obligation;
  return new ScheduleRow({
    ordinal,
    date: obligation.dueDay,
    status,
    amountCents: obligation.amountCents,
    originalAmountCents: originalCents(state, ordinal),
    principalCents: obligation.principalCents,
    interestCents: obligation.interestCents,
    feesCents: obligation.feesCents,
    interest: obligation.unroundedInterest,
    discount: obligation.unroundedDiscount,
    isForcedAmount: state.rows[ordinal]?.isForced ?? false,
    isDeferred: false,
  });
}

/** Missed while the loan was frozen, deferred, or nothing was left for it. */
export function emptyRow(state: LedgerState, ordinal: number): ScheduleRowView {
  const row = must(state.rows[ordinal], 'a row has a position');
  return new ScheduleRow({
    ordinal,
    date: row.date,
    status: 'canceled',
    amountCents: 0,
    originalAmountCents: originalCents(state, ordinal),
    principalCents: 0,
    interestCents: 0,
    feesCents: 0,
    interest: NO_INTEREST,
    discount: NO_INTEREST,
    isForcedAmount: row.isForced,
    isDeferred: row.isDeferred === true,
  });
}

/**
 * What the row asked for when it came into the schedule: with the contract, its share of the origination fee included, or
 * with another frequency or a longer term later. A row whose date is moved stays the same one.
 */
function originalCents({ terms, rows, dueDateRule }: LedgerState, ordinal: number): number {
  const contracted = terms.rows[ordinal];
  const row = rows[ordinal];
  const isOfContract = contracted !== undefined && (row === undefined || row.date === contracted.date || dueDateRule.type === terms.dueDateRule.type);
  if (!isOfContract) return row?.amountCents ?? 0;
  const { amountCents: originationCents, logic: originationLogic } = terms.originationFee;
  return contracted.amountCents + originationShare({ originationCents, originationLogic }, ordinal, terms.rows.length);
}
