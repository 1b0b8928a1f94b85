import {
  addFixed,
  divideFixed,
  type Fixed,
  FIXED_ONE,
  FIXED_ZERO,
  fixedBits,
  multiplyFixed,
  powerFixed,
  subtractFixed,
} from './fixed-point.js';

export interface Annuity {
  readonly periodicRate: Fixed;
  readonly periods: number;
  readonly presentValue: Fixed;
  /** What is left, or saved, after the last payment. */
  readonly futureValue: Fixed;
  readonly paymentAtPeriodStart: boolean;
}

/**
 * The level payment as a positive amount: `(pv + fv * v^n) * i / (1 - v^n)` with `v = 1 / (1 + i)`, a period earlier for
 * payments at the start of a period; `(pv + fv) / n` without interest.
 */
export function levelPayment(annuity: Annuity): Fixed {
  const { periodicRate, periods, presentValue, futureValue } = annuity;
  if (periodicRate === 0n) return fixedBits((presentValue + futureValue) / BigInt(periods));
  const growth = addFixed(FIXED_ONE, periodicRate);
  const discount = powerFixed(growth, -periods);
  const owed = addFixed(presentValue, multiplyFixed(futureValue, discount));
  const payment = divideFixed(multiplyFixed(owed, periodicRate), subtractFixed(FIXED_ONE, discount));
  return annuity.paymentAtPeriodStart ? divideFixed(payment, growth) : payment;
}

/** The interest in the `period`-th level payment (1 is the first) of a loan that is paid back at the end of each period. */
export function interestPart(loan: Pick<Annuity, 'periodicRate' | 'periods' | 'presentValue'>, period: number): Fixed {
  const payment = levelPayment({ ...loan, futureValue: FIXED_ZERO, paymentAtPeriodStart: false });
  const growth = addFixed(FIXED_ONE, loan.periodicRate);
  let balance = loan.presentValue;
  for (let paid = 1; paid < period; paid += 1) balance = subtractFixed(multiplyFixed(balance, growth), payment);
  return multiplyFixed(balance, loan.periodicRate);
}
