import type { Big } from 'big.js';
import { max, min, ZERO } from './parts.js';

/** What the borrower may have back, and what has gone back. */
export class OwedBack {
  #paid = ZERO;
  #owed = ZERO;
  #reimbursed = ZERO;
  /** Interest and fees that the borrower's money has paid, and what of them refunds have given back. */
  #costs = ZERO;
  #costsGiven = ZERO;

  get amount(): Big {
    return this.#owed;
  }

  /** What payments and refunds were paid over, and nothing was met with since. */
  #over = ZERO;

  /** It may meet what is charged now: neither gone back nor on its way. */
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

  /** Money of the borrower's, what of it has paid interest and fees, and what it was paid over. */
  pay(amount: Big, costs: Big, over: Big): void {
    this.#paid = this.#paid.plus(amount);
    this.#costs = this.#costs.plus(costs);
    this.#owed = this.#owed.plus(over);
    this.#over = this.#over.plus(over);
  }

  /** What a refund leaves over: no more than the borrower has paid. */
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

  /** What of it was not paid over. */
  reimburse(amount: Big): Big {
    this.#reimbursed = this.#reimbursed.plus(amount);
    const short = max(ZERO, this.#reimbursed.minus(this.#owed));
    this.#owed = this.#owed.plus(short);
    return short;
  }
}
