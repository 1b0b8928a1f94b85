import { type Cents, cents, divideRounded, type Rate, RATE_ONE } from '../money/index.js';

/** An agency's part of one payment that it has collected, rounded half up to the cent: the one place where a commission is rounded. */
export const commissionOn = (collected: Cents, commissionRate: Rate): Cents =>
  cents(Number(divideRounded(BigInt(collected) * BigInt(commissionRate), BigInt(RATE_ONE), 'halfUp')));
