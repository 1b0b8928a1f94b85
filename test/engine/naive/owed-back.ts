import type { Big } from 'big.js';
import { max, min, ZERO } from './parts.js';

/** Money that is owed to the borrower, and money that was reimbursed. */
export class OwedBack {
  #paid = ZERO;
  #owed = ZERO;
  #reimbursed = ZERO;
  /** Interest and fees that the borrower has paid, and the part that refunds have returned. */
  #costs = ZERO;
  #costsGiven = ZERO;

  get amount(): Big {
    return this.#owed;
  }

  /** Overpaid money of payments and refunds that was not used since. */
  #over = ZERO;

  /** Overpaid money that can pay new charges: it was not reimbursed and is not on its way back. */
  get spare(): Big {
    return max(ZERO, min(this.#owed.minus(this.#reimbursed), this.#over));
  }

  use(amount: Big, costs: Big): void {
    this.#over = this.#over.minus(amount);
    this.#owed = this.#owed.minus(amount);
    this.#costs = this.#costs.plus(costs);
  }

  keepOver(amount: Big): void {
    this.#over = this.#over.plus(amount);
  }

  /** Records money of the borrower, the part that paid interest and fees, and the overpaid part. */
  pay(amount: Big, costs: Big, over: Big): void {
    this.#paid = this.#paid.plus(amount);
    this.#costs = this.#costs.plus(costs);
    this.#owed = this.#owed.plus(over);
    this.#over = this.#over.plus(over);
  }

  /** Adds the rest of a refund to what is owed to the borrower, up to what the borrower has paid. Returns the added amount. */
  refund(amount: Big): Big {
    const own = min(amount, max(ZERO, this.#paid.minus(this.#owed)));
    this.#owed = this.#owed.plus(own);
    return own;
  }

  giveCosts(amount: Big): void {
    this.#costsGiven = this.#costsGiven.plus(this.refund(amount));
  }

  giveAllCosts(): void {
    this.giveCosts(this.#costs.minus(this.#costsGiven));
  }

  /** Records a reimbursement. Returns the part above what was owed to the borrower. */
  reimburse(amount: Big): Big {
    this.#reimbursed = this.#reimbursed.plus(amount);
    const short = max(ZERO, this.#reimbursed.minus(this.#owed));
    this.#owed = this.#owed.plus(short);
    return short;
  }
}
