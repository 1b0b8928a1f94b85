import { type Cents, cents, divideRounded, type Rate, RATE_ONE } from '../../../engine/index.js';
import type { CreditLimitSettings } from '../../company/index.js';
import { type PurchaseRecord, type PurchaseStatus, raisesBalance } from './purchase.js';

export type OpenToBuyLogic = CreditLimitSettings['openToBuyLogic'];

/** Which purchases that are not settled hold credit. */
const HOLDING: Readonly<Record<OpenToBuyLogic, ReadonlySet<PurchaseStatus>>> = {
  limitMinusBalance: new Set(),
  limitMinusBalanceMinusPending: new Set(['pending']),
  limitMinusBalanceMinusAuthorized: new Set(['authorized', 'pending']),
};

type Holding = Pick<PurchaseRecord, 'kind' | 'status' | 'amountCents'>;

/** Credit that is held for purchases to be settled. */
export function heldCents(logic: OpenToBuyLogic, purchases: readonly Holding[]): Cents {
  const holding = HOLDING[logic];
  let held = 0;
  for (const { kind, status, amountCents } of purchases) if (holding.has(status) && raisesBalance(kind)) held += amountCents;
  return cents(held);
}

/** One limit, of the line or of a draw, and what stands against it. */
export interface Limit {
  readonly of: 'line' | 'draw';
  readonly limitCents: Cents;
  /** The limit less what the ledger counts against it. Below zero when it is exceeded. */
  readonly availableCents: Cents;
  readonly heldCents: Cents;
}

/** What may still be bought; below zero when the limit is exceeded. */
export const openToBuyCents = ({ availableCents, heldCents: held }: Limit): Cents => cents(availableCents - held);

/** What a purchase may come to at most: the open credit and, above it, the part of the limit that is tolerated. */
export const roomCents = (limit: Limit, tolerance: Rate): Cents =>
  cents(Math.max(0, openToBuyCents(limit) + toleratedCents(limit.limitCents, tolerance)));

/** The share of a limit by which it may be exceeded, in whole cents. */
function toleratedCents(limitCents: Cents, tolerance: Rate): number {
  return Number(divideRounded(BigInt(limitCents) * BigInt(tolerance), BigInt(RATE_ONE), 'down'));
}

/** The first limit, the line's before the draw's, that has no room for the amount. */
export function exceededLimit(limits: readonly Limit[], tolerance: Rate, amountCents: Cents): Limit | undefined {
  return limits.find((limit) => amountCents > roomCents(limit, tolerance));
}
