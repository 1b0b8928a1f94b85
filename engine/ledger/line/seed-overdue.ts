import { assert } from '../../assert.js';
import { addDays } from '../../calendar/index.js';
import { cents } from '../../money/index.js';
import { dueStatusOfSeeded, type LineSeeded, type SeededFee } from './facts.js';
import type { LinePeriod } from './state.js';

/** The due amounts of one draw, or of the line itself (null), in an obligation. */
export interface SeededShare {
  readonly draw: number | null;
  principalCents: number;
  interestCents: number;
  feesCents: number;
}

/** A fee, or a part of a fee, that an obligation carries. */
export interface CarriedFee {
  readonly draw: number | null;
  readonly fee: SeededFee;
}

export interface OverdueObligation {
  readonly period: LinePeriod;
  readonly amountCents: number;
  readonly remainingCents: number;
  readonly shares: readonly SeededShare[];
  readonly fees: readonly CarriedFee[];
}

/**
 * The obligations from before the cutoff, oldest first. The other system does not split them by draw, so the oldest obligation
 * gets the fees, then interest, then principal, in the order of the draws.
 */
export function overdueObligations(fact: LineSeeded): readonly OverdueObligation[] {
  const parts = overdueParts(fact);
  const stated = fact.obligation.overdue ?? (fact.obligation.overdueCents > 0 ? [asOne(fact)] : []);
  const obligations = stated.map(({ period, amountCents, remainingCents }, ordinal): OverdueObligation => {
    const taken = take(parts, remainingCents);
    return { period: { ordinal, ...period }, amountCents, remainingCents, shares: sharesOf(fact, taken), fees: feesIn(taken) };
  });
  assert(
    parts.every((part) => part.cents === 0),
    'what is overdue is what the obligations of before lack',
  );
  return obligations;
}

/** One obligation for all overdue amounts of earlier periods. Days overdue are counted from its due date. */
function asOne({ effective, obligation, period }: LineSeeded): {
  readonly period: LineSeeded['period'];
  readonly amountCents: number;
  readonly remainingCents: number;
} {
  const dueDate = addDays(effective.day, -Math.max(1, obligation.daysOverdue));
  const endDate = addDays(period.startDate, -1);
  return {
    period: { startDate: endDate, endDate, statementDate: period.startDate, dueDate: dueDate },
    amountCents: obligation.overdueCents,
    remainingCents: obligation.overdueRemainingCents,
  };
}

interface OverduePart {
  readonly draw: number | null;
  readonly of: 'interestCents' | 'principalCents' | SeededFee;
  cents: number;
}

function overdueParts({ fees, draws }: LineSeeded): readonly OverduePart[] {
  const ofFees = (draw: number | null, all: readonly SeededFee[]): readonly OverduePart[] =>
    all.flatMap((fee) => (dueStatusOfSeeded(fee) === 'overdue' ? [{ draw, of: fee, cents: fee.amountCents }] : []));
  return [
    ...ofFees(null, fees),
    ...draws.flatMap((draw) => ofFees(draw.draw, draw.fees)),
    ...draws.map(({ draw, overdue }): OverduePart => ({ draw, of: 'interestCents', cents: overdue.interestCents })),
    ...draws.map(({ draw, overdue }): OverduePart => ({ draw, of: 'principalCents', cents: overdue.principalCents })),
  ];
}

/** Takes an amount from the parts, in their order. */
function take(parts: readonly OverduePart[], wantedCents: number): readonly OverduePart[] {
  let left = wantedCents;
  const taken: OverduePart[] = [];
  for (const part of parts) {
    const some = Math.min(left, part.cents);
    if (some === 0) continue;
    part.cents -= some;
    left -= some;
    taken.push({ ...part, cents: some });
  }
  return taken;
}

function sharesOf({ draws }: LineSeeded, taken: readonly OverduePart[]): readonly SeededShare[] {
  return [...draws.map(({ draw }) => draw), null].map((draw) => {
    const share: SeededShare = { draw, principalCents: 0, interestCents: 0, feesCents: 0 };
    for (const part of taken) if (part.draw === draw) share[typeof part.of === 'string' ? part.of : 'feesCents'] += part.cents;
    return share;
  });
}

const feesIn = (taken: readonly OverduePart[]): readonly CarriedFee[] =>
  taken.flatMap((part) => (typeof part.of === 'string' ? [] : [{ draw: part.draw, fee: { ...part.of, amountCents: cents(part.cents) } }]));
