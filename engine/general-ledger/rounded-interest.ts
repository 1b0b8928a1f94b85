import { type Accrued, ACCRUED_ZERO, accruedUnits, roundAccrued } from '../money/index.js';

/**
 * Interest as the general ledger holds it: the outstanding interest of a loan, rounded half up as a whole. A change is booked as the
 * difference of two rounded balances, so that days do not add up rounding errors. Whole cents that are paid or charged off stay whole.
 */
export class RoundedInterest {
  #exact: Accrued = ACCRUED_ZERO;
  /** Null: not known. */
  #rounded: number | null = 0;

  /** Moves the outstanding interest and returns by how much the general ledger moves, in cents. */
  move(by: bigint): number {
    const before = this.#rounded ?? roundAccrued(this.#exact, 'halfUp');
    this.#exact = accruedUnits(this.#exact + by);
    const rounded = roundAccrued(this.#exact, 'halfUp');
    this.#rounded = rounded;
    return rounded - before;
  }

  /** The same where nobody asks by how much. */
  add(by: bigint): void {
    this.#exact = accruedUnits(this.#exact + by);
    this.#rounded = null;
  }

  get exact(): Accrued {
    return this.#exact;
  }
}
