import { cents, type Rate, RATE_ONE } from '../money/index.js';
import { splitByShares, splitByWeights } from '../ownership.js';

/** An owner of a loan from a day on. */
export interface ShareOwner {
  readonly investor: string;
  readonly share: Rate;
  /** What it has paid for principal that it did not own before, as an integer of 1e-8 of that principal. */
  readonly priceRatio: number;
}

/** An amount of one owner. */
export interface OwnerPart {
  readonly investor: string;
  readonly amount: number;
}

/** Who owns a loan through some days, and which of them the lender is. Without owners the lender owns it alone. */
export class OwnerShares {
  readonly #shares: readonly Rate[];
  readonly #lenderAt: number;

  constructor(
    readonly owners: readonly ShareOwner[],
    readonly lender: string | null,
  ) {
    this.#shares = owners.map(({ share }) => share);
    this.#lenderAt = owners.findIndex(({ investor }) => investor === lender);
  }

  /** The lender's own share, as an integer of 1e-8. */
  get own(): number {
    return this.owners.length === 0 ? RATE_ONE : (this.#shares[this.#lenderAt] ?? 0);
  }

  shareOf(investor: string): number {
    return this.owners.find((owner) => owner.investor === investor)?.share ?? 0;
  }

  /** The lender's own part of an amount: rounded as settlements round the parts of a payment. */
  ownOf(whole: number): number {
    return this.owners.length === 0 ? whole : (splitByShares(cents(whole), this.#shares)[this.#lenderAt] ?? 0);
  }

  /** The parts of the other owners. */
  othersOf(whole: number): readonly OwnerPart[] {
    if (this.owners.length === 0) return [];
    const parts = splitByShares(cents(whole), this.#shares);
    return this.owners.flatMap(({ investor }, at) => (investor === this.lender ? [] : [{ investor, amount: parts[at] ?? 0 }]));
  }

  /**
   * The lender's own part of amounts that are one component together: it is the part of their sum, and each amount has of it what it has of
   * the sum, so that an amount of zero has nothing.
   */
  ownOfEach(amounts: readonly number[]): readonly number[] {
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    if (sum === 0 || amounts.some((amount) => amount < 0)) return amounts.map((amount) => this.ownOf(amount));
    return splitByWeights(cents(this.ownOf(sum)), amounts);
  }
}
