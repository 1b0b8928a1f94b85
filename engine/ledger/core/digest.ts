import type { BalancesByDueStatus } from './balances.js';
import type { Interest } from './interest.js';
import type { Digested, FeeState, LedgerStatus, ObligationState, PaymentState } from './state.js';

const UINT32_RANGE = 4_294_967_296;

export const NOTHING_DIGESTED: Digested = { count: 0, a: 0x811c9dc5 | 0, b: 0x9747b28c | 0 };

/** A digest of a sequence of integers, in two multiplicative lanes of 32 bits. */
export class Mixer {
  #a: number;
  #b: number;

  constructor(begun: Digested) {
    this.#a = begun.a;
    this.#b = begun.b;
  }

  /** Mixes a safe integer, as two words of 32 bits. */
  number(value: number): void {
    const low = value | 0;
    this.#word(low);
    this.#word(low === value ? low >> 31 : Math.floor(value / UINT32_RANGE) | 0);
  }

  interest(value: Interest): void {
    this.number(value.cents);
    this.number(value.parts);
  }

  /** Mixes the lanes of another sequence. */
  lanes(other: Mixer): void {
    this.#word(other.#a);
    this.#word(other.#b);
  }

  digested(count: number): Digested {
    return { count, a: this.#a, b: this.#b };
  }

  flags(first: boolean, second: boolean, third: boolean): void {
    this.#word((first ? 1 : 0) + (second ? 2 : 0) + (third ? 4 : 0));
  }

  text(): string {
    return hex(finish(this.#a)) + hex(finish(this.#b ^ this.#a));
  }

  #word(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x01000193);
    this.#a = (this.#a << 13) | (this.#a >>> 19);
    this.#b = Math.imul(this.#b ^ word ^ (word >>> 15), 0x85ebca6b);
    this.#b = (this.#b << 17) | (this.#b >>> 15);
  }
}

/** Spreads the last words over all bits. */
function finish(lane: number): number {
  let value = lane ^ (lane >>> 16);
  value = Math.imul(value, 0x7feb352d);
  value ^= value >>> 15;
  value = Math.imul(value, 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

export const STATUS_NUMBERS: Readonly<Record<LedgerStatus, number>> = {
  active: 1,
  frozen: 2,
  accelerated: 3,
  chargedOff: 4,
  paidOff: 5,
  canceled: 6,
};

const KIND_NUMBERS = { lateFee: 1, modificationFee: 2, otherFee: 3 } as const;
const DUE_STATUS_NUMBERS = { nonDue: 1, due: 2, overdue: 3, chargedOff: 4 } as const;

export function mixObligation(hash: Mixer, obligation: ObligationState): void {
  hash.number(obligation.ordinal);
  hash.number(obligation.dueDay);
  hash.number(obligation.amountCents);
  hash.number(obligation.remainingCents);
  hash.number(obligation.paymentsCents);
  hash.number(obligation.creditsCents);
  hash.number(obligation.capitalizedCents);
  hash.number(obligation.withoutLateFeesCents);
  hash.number(obligation.pausedDays);
  hash.flags(obligation.isFulfilled, obligation.isEnforced, obligation.isLateFeeBlocked);
}

export function mixFee(hash: Mixer, fee: FeeState): void {
  hash.number(fee.fee ?? -1);
  hash.number(fee.obligation ?? -1);
  hash.number(KIND_NUMBERS[fee.kind] * 8 + DUE_STATUS_NUMBERS[fee.dueStatus]);
  hash.number(fee.chargeDay);
  hash.number(fee.amountCents);
  hash.number(fee.openCents);
  hash.number(fee.carriedBy ?? -1);
  hash.flags(fee.isCanceled, false, false);
}

export function mixPayment(hash: Mixer, payment: PaymentState): void {
  hash.number(payment.transaction);
  hash.number(payment.principalCents);
  hash.number(payment.interestCents);
  hash.number(payment.feesCents);
  hash.number(payment.overCents);
}

export function mixBalancesByDueStatus(hash: Mixer, balances: BalancesByDueStatus): void {
  hash.number(balances.nonDuePrincipalCents);
  hash.number(balances.duePrincipalCents);
  hash.number(balances.overduePrincipalCents);
  hash.number(balances.chargedOffPrincipalCents);
  hash.interest(balances.nonDueInterest);
  hash.number(balances.dueInterestCents);
  hash.number(balances.overdueInterestCents);
  hash.number(balances.chargedOffInterestCents);
}
