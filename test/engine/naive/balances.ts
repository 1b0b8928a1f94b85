import type { Big } from 'big.js';
import type { LedgerSettings, LedgerTerms } from '../../../engine/index.js';
import type { Holdings } from './holdings.js';
import { sum, ZERO } from './parts.js';

/** The amount that bears interest at the end of a day. */
export function bearing(
  held: Holdings,
  { accrualMethod }: Pick<LedgerTerms, 'accrualMethod'>,
  { isAccruingOnOverdue }: Pick<LedgerSettings, 'isAccruingOnOverdue'>,
): Big {
  const overdue = held.obligations.filter(({ isOverdue }) => isOverdue);
  let base = held.principal.plus(sum(held.obligations.map((obligation) => obligation.principal)));
  if (!isAccruingOnOverdue) base = base.minus(sum(overdue.map((obligation) => obligation.principal)));
  if (accrualMethod === 'simple') return base;
  base = base.plus(held.interest).plus(sum(held.obligations.map((obligation) => obligation.interest)));
  if (accrualMethod === 'compound') return base;
  const origination = [held.originationFee, held.separateFee, ...held.obligations.map((obligation) => obligation.originationFee)];
  return base.plus(sum(origination)).plus(sum(held.fees.map((fee) => fee.open)));
}

/** Unpaid interest and fees are forgiven, and obligations no longer include them. */
export function reverseCosts(held: Holdings, taken: Set<string>): { readonly met: Big; readonly shadow: Big } {
  const costs = held.obligations.map((obligation) => obligation.interest.plus(obligation.originationFee));
  const within = sum(costs).plus(sum(held.fees.filter((fee) => fee.within !== null).map((fee) => fee.open)));
  const loose = sum(held.fees.filter((fee) => fee.within === null && fee.isLate).map((fee) => fee.open));
  for (const obligation of held.obligations) obligation.interest = obligation.originationFee = ZERO;
  held.interest = held.originationFee = held.separateFee = ZERO;
  for (const fee of held.fees) if (fee.isLate) taken.add(fee.name);
  held.fees = [];
  return { met: within, shadow: within.plus(loose) };
}
