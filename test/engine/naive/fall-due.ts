import type { Big } from 'big.js';
import type { Holdings } from './holdings.js';
import { HALF_UP, max, min, type Obligation, rounded, sum, ZERO } from './parts.js';
import { type FeeToCome, type NaiveRow, rowOf } from './schedule.js';

export interface DueDate {
  readonly day: number;
  readonly row: NaiveRow;
  readonly ordinal: number;
  readonly isLast: boolean;
  /** The row takes the whole remaining balance. */
  readonly isTakingAll: boolean;
  /** The amount that was paid in advance. */
  readonly ahead: Big;
  /** The additional amount in advance if no late fee had taken money. */
  readonly aheadWithoutLateFees: Big;
  /** The upper bound of the row; null: none. */
  readonly most: Big | null;
  readonly fee: FeeToCome;
}

/** The rest of the amount paid in advance, and the origination fee that future rows still include. */
export interface StillAhead {
  readonly ahead: Big;
  readonly asked: Big;
  readonly isAsking: boolean;
}

/** Creates the obligation of a due date. */
export function fallDue(
  held: Holdings,
  { day, row, ordinal, isLast, isTakingAll, ahead, aheadWithoutLateFees, most, fee }: DueDate,
): StillAhead {
  held.interest = rounded(held.interest, HALF_UP);
  const left = held.principal.plus(held.interest);
  const asked = row.kind === 'interestOnly' && ahead.eq(0) ? held.interest : row.amount;
  const wanted = min(asked, left.plus(ahead));
  const whole = isTakingAll ? max(left, wanted) : wanted;
  const base = min(whole, most ?? whole);
  const { share, prepaid } = isTakingAll
    ? lastRow(held, { ahead, base, left, fee })
    : rowOf(ahead, isLast ? { ...fee, share: fee.asked } : fee, base, left);
  const joining = held.fees.filter((fee) => {
    if (fee.open.eq(0) || fee.within !== null || fee.knownDay >= day) return false;
    return fee.isDueAlone || isLast || fee.chargeLogic === 'nextDueDate';
  });
  const separate = held.obligations.length === 0 ? held.separateFee : ZERO;
  const joined = sum(joining.map((fee) => fee.open)).plus(separate);
  const amount = base.plus(share).plus(joined);
  if (amount.eq(0)) return { ahead, asked: fee.asked, isAsking: false };
  let toMove = base.plus(share).minus(prepaid);
  const originationFee = [share, toMove, held.originationFee].reduce(min);
  toMove = toMove.minus(originationFee);
  const interest = min(held.interest, toMove);
  const principal = toMove.minus(interest);
  held.originationFee = held.originationFee.minus(originationFee);
  held.interest = held.interest.minus(interest);
  held.principal = held.principal.minus(principal);
  const late = sum(joining.filter((fee) => fee.isLate).map((fee) => fee.open));
  const obligation: Obligation = {
    ordinal,
    dueDay: day,
    pausedDays: 0,
    isOverdue: false,
    amount,
    fulfilled: prepaid,
    fulfilledWithoutLateFees: prepaid.plus(aheadWithoutLateFees),
    amountWithoutLateFees: amount.minus(late),
    principal,
    interest,
    originationFee: originationFee.plus(separate),
    isBlocked: false,
    isRow: row.kind !== 'closing',
    base,
  };
  if (separate.gt(0)) held.separateFee = ZERO;
  for (const fee of joining) fee.within = obligation;
  held.obligations.push(obligation);
  return { ahead: ahead.minus(prepaid), asked: max(ZERO, fee.asked.minus(share)), isAsking: true };
}

/** The last row takes the whole remaining balance; its amount above that was paid in advance. */
function lastRow(
  held: Holdings,
  { ahead, base, left, fee }: { readonly ahead: Big; readonly base: Big; readonly left: Big; readonly fee: FeeToCome },
): { readonly share: Big; readonly prepaid: Big } {
  const ofBase = min(ahead, max(ZERO, base.minus(left)));
  const ofFee = min(ahead.minus(ofBase), max(ZERO, fee.asked.minus(held.originationFee)));
  return { share: held.originationFee.plus(ofFee), prepaid: ofBase.plus(ofFee) };
}
