import type { LedgerState, LedgerStatus } from './state.js';

const STATUS_NUMBERS: Readonly<Record<LedgerStatus, number>> = {
  active: 1,
  frozen: 2,
  accelerated: 3,
  chargedOff: 4,
  paidOff: 5,
  canceled: 6,
};

const KIND_NUMBERS = { lateFee: 1, modificationFee: 2, otherFee: 3 } as const;
const STANDING_NUMBERS = { nonDue: 1, due: 2, overdue: 3, chargedOff: 4 } as const;

/**
 * 16 hexadecimal digits over everything that a ledger believes at its day. Two replays of the same facts have the same
 * digest on every machine; it guards against mistakes, not against forgers.
 */
export function stateDigest(state: LedgerState): string {
  const hash = new Mixer();
  mixHead(hash, state);
  mixBalances(hash, state);
  for (const obligation of state.obligations) {
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
  for (const fee of state.fees) {
    hash.number(fee.fee ?? -1);
    hash.number(fee.obligation ?? -1);
    hash.number(KIND_NUMBERS[fee.kind] * 8 + STANDING_NUMBERS[fee.standing]);
    hash.number(fee.chargeDay);
    hash.number(fee.amountCents);
    hash.number(fee.openCents);
    hash.number(fee.carriedBy ?? -1);
    hash.flags(fee.isCanceled, false, false);
  }
  for (const payment of state.payments) {
    hash.number(payment.transaction);
    hash.number(payment.principalCents);
    hash.number(payment.interestCents);
    hash.number(payment.feesCents);
    hash.number(payment.overCents);
  }
  return hash.text();
}

function mixHead(hash: Mixer, state: LedgerState): void {
  hash.number(state.day);
  hash.number(STATUS_NUMBERS[state.status]);
  hash.number(state.statusSince);
  hash.number(state.nextRow);
  hash.number(state.rows.length);
  hash.number(state.prepaidCents);
  hash.number(state.unassignedCents);
  hash.number(state.processingPayments);
}

function mixBalances(hash: Mixer, state: LedgerState): void {
  hash.number(state.nonDuePrincipalCents);
  hash.number(state.duePrincipalCents);
  hash.number(state.overduePrincipalCents);
  hash.number(state.chargedOffPrincipalCents);
  hash.exact(state.nonDueInterest);
  hash.number(state.dueInterestCents);
  hash.number(state.overdueInterestCents);
  hash.number(state.chargedOffInterestCents);
  hash.number(state.nonDueOriginationFeeCents);
  hash.number(state.dueOriginationFeeCents);
  hash.number(state.overdueOriginationFeeCents);
  hash.number(state.chargedOffOriginationFeeCents);
  hash.exact(state.totals.interestAccrued);
  hash.exact(state.totals.interestDiscount);
  hash.exact(state.totals.forgoneRounding);
  hash.number(state.totals.paidPrincipalCents);
  hash.number(state.totals.paidInterestCents);
  hash.number(state.totals.paidFeesCents);
  hash.number(state.totals.reimbursementCents);
}

const WORD = 4_294_967_296;

/** Two multiplicative lanes of 32 bits over a sequence of integers. */
class Mixer {
  #a = 0x811c9dc5;
  #b = 0x9747b28c;

  /** A safe integer, as two words. */
  number(value: number): void {
    this.#word(value | 0);
    this.#word(Math.floor(value / WORD) | 0);
  }

  /** An integer of up to 128 bits, as four words. */
  exact(value: bigint): void {
    this.number(Number(BigInt.asIntN(48, value)));
    this.number(Number(BigInt.asIntN(48, value >> 48n)));
    this.#word(Number(BigInt.asIntN(32, value >> 96n)));
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
