import { divideRounded, RATE_ONE } from '../money/index.js';
import type { Line } from './entry.js';

/** Lines of one rule. An accounting event may follow several, each of which balances. */
export interface Posting {
  readonly rule: string;
  readonly lines: readonly Line[];
}

/** A share of an amount, to the nearest cent: the one place where a discount, a reserve or a price is rounded. */
export const shareOf = (amount: number, share: number): number =>
  Number(divideRounded(BigInt(amount) * BigInt(share), BigInt(RATE_ONE), 'halfUp'));
