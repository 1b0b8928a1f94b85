import type { PaymentState } from './state.js';

/** The overpaid rest of a payment, by the position of the payment. */
export interface OverPart {
  readonly at: number;
  readonly amountCents: number;
}

type OverPaid = Pick<PaymentState, 'kind' | 'overCents'> & Partial<Pick<PaymentState, 'chargedBack'>>;

/** What is not charged back of it. The rest of a credit is not overpaid money. */
const overCentsOf = ({ kind, overCents, chargedBack }: OverPaid): number =>
  kind === 'credit' ? 0 : overCents - (chargedBack?.overCents ?? 0);

/**
 * The overpaid money of a ledger's payments. Refunds to the borrower take the oldest money and leave it here; what was charged later takes
 * the oldest money that is left:
 *
 *     payments   1 . 3 . . 6 7
 *                gone |  left        refunds have taken payment 1 and a part of payment 3
 */
export class OverpaidMoney {
  /** Of payments with overpaid money, ascending. */
  #positions: number[] = [];
  #cents: number[] = [];
  #totalCents = 0;
  /** The last answer: the first part that is left, and the money before it. An optimization: zero is always correct. */
  #first = 0;
  #beforeCents = 0;

  get totalCents(): number {
    return this.#totalCents;
  }

  /** A payment was added, or replaced another one. */
  count(at: number, before: OverPaid | null, after: OverPaid): void {
    const beforeCents = before === null ? 0 : overCentsOf(before);
    const afterCents = overCentsOf(after);
    if (beforeCents === afterCents) return;
    this.#totalCents += afterCents - beforeCents;
    const index = this.#indexOf(at);
    if (index < this.#first) this.#beforeCents += afterCents - beforeCents;
    const isKnown = this.#positions[index] === at;
    if (isKnown && afterCents !== 0) this.#cents[index] = afterCents;
    else {
      this.#positions.splice(index, isKnown ? 1 : 0, ...(isKnown ? [] : [at]));
      this.#cents.splice(index, isKnown ? 1 : 0, ...(isKnown ? [] : [afterCents]));
      if (index < this.#first) this.#first += isKnown ? -1 : 1;
    }
  }

  /** The first index whose position is not before `at`. */
  #indexOf(at: number): number {
    let [first, end] = [0, this.#positions.length];
    if ((this.#positions[end - 1] ?? -1) < at) return end; // mostly, a payment is the newest
    while (first < end) {
      const middle = (first + end) >> 1;
      if ((this.#positions[middle] ?? 0) < at) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  /** The first part behind `goneCents` of the oldest money; undefined if there is none. */
  firstLeft(goneCents: number): OverPart | undefined {
    while (this.#first > 0 && this.#beforeCents > goneCents) {
      this.#first -= 1;
      this.#beforeCents -= this.#cents[this.#first] ?? 0;
    }
    for (let cents = this.#cents[this.#first]; cents !== undefined; cents = this.#cents[this.#first]) {
      const goneOfIt = goneCents - this.#beforeCents;
      if (goneOfIt < cents) return { at: this.#positions[this.#first] ?? 0, amountCents: cents - goneOfIt };
      this.#beforeCents += cents;
      this.#first += 1;
    }
    return undefined;
  }

  copy(): OverpaidMoney {
    const copy = new OverpaidMoney();
    copy.#positions = this.#positions.slice();
    copy.#cents = this.#cents.slice();
    copy.#totalCents = this.#totalCents;
    copy.#first = this.#first;
    copy.#beforeCents = this.#beforeCents;
    return copy;
  }

  /** What tests compare and print. */
  toJSON(): readonly (readonly [number, number])[] {
    return this.#positions.map((at, index) => [at, this.#cents[index] ?? 0]);
  }
}
