import { type Day, type EffectiveTime, type LineFact, type RateSegment, type RateTimeline, rate } from '../../../../../engine/index.js';

/*
 * The facts of a line as they are known in the end: reversed facts are removed, and moved facts are at their new time.
 */

/** What late facts, and the earlier runs, determine about the days of this run. */
export interface RetroactiveAdjustments {
  /** Late fees that were waived or given another amount, by the ordinal of their obligation. */
  readonly waivedLate: ReadonlySet<number>;
  readonly originationFeeCents: number | null;
  readonly drawFeesCents: ReadonlyMap<number, number>;
  /** Through this day, days overdue do not accelerate or charge off. */
  readonly noAccelerationThrough: number;
  readonly noChargeOffThrough: number;
  /** Days without interest that a reversal does not restore. */
  readonly idle: readonly Span[];
  /** The highest minimum payment of each period, without fees. */
  readonly bounds: ReadonlyMap<number, number>;
}

export interface Span {
  readonly from: Day;
  readonly until: Day;
}

/** Facts with an effective time of their own, in that order. */
export function happened(facts: readonly LineFact[]): readonly LineFact[] {
  const kept = facts.flatMap((fact): readonly LineFact[] => {
    if (FACTS_ABOUT_OTHERS.has(fact.type)) return [];
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the naive reading names what it reads
    switch (fact.type) {
      case 'reimbursed':
      case 'payment': {
        if (facts.some((other) => other.type === 'paymentVoided' && other.transaction === fact.transaction)) return [];
        const move = facts.findLast((other) => other.type === 'paymentMoved' && other.transaction === fact.transaction);
        return [move?.type === 'paymentMoved' ? { ...fact, effective: move.newEffective } : fact];
      }
      case 'purchase':
        return facts.some((other) => other.type === 'purchaseVoided' && other.purchase === fact.purchase) ? [] : [fact];
      case 'feeCharged': {
        if (facts.some((other) => other.type === 'feeCanceled' && other.fee.type === 'charged' && other.fee.fee === fact.fee)) return [];
        const change = facts.findLast((other) => other.type === 'feeChanged' && other.fee.type === 'charged' && other.fee.fee === fact.fee);
        return [change?.type === 'feeChanged' ? { ...fact, amountCents: change.amountCents } : fact];
      }
      case 'accelerate':
      case 'chargeOff':
        return isReversed(fact, facts) ? [] : [fact];
      default:
        return [fact];
    }
  });
  return kept.sort(inTime);
}

/** Types of facts that are about other facts. */
const FACTS_ABOUT_OTHERS: ReadonlySet<LineFact['type']> = new Set<LineFact['type']>([
  'paymentVoided',
  'paymentMoved',
  'purchaseVoided',
  'feeCanceled',
  'feeChanged',
  'drawFeeChanged',
  'originationFeeChanged',
  'reverseAccelerate',
  'reverseChargeOff',
  'scraDaysSet',
]);

const timeOf = ({ day, seconds }: EffectiveTime): number => day * 86_400 + seconds;

const inTime = (a: LineFact, b: LineFact): number => timeOf(a.effective) - timeOf(b.effective) || a.sequence - b.sequence;

/** Reversed by an order that was recorded later and is effective later. A charge-off includes an acceleration, and so does its reversal. */
function isReversed(order: LineFact, facts: readonly LineFact[]): boolean {
  return facts.some(
    (fact) =>
      (fact.type === 'reverseChargeOff' || (fact.type === 'reverseAccelerate' && order.type === 'accelerate')) &&
      fact.sequence > order.sequence &&
      inTime(order, fact) < 0,
  );
}

/** May raise costs after the fact: recorded after the day on which it takes effect. */
export const isLate = (fact: LineFact): boolean =>
  (fact.type === 'purchase' || fact.type === 'drawRatesChanged' || fact.type === 'drawAmortized') && fact.recordedDay > fact.effective.day;

export function adjustmentsOf(facts: readonly LineFact[], known: Pick<RetroactiveAdjustments, 'idle' | 'bounds'>): RetroactiveAdjustments {
  const lastDay = (...types: readonly LineFact['type'][]): number =>
    Math.max(0, ...facts.filter(({ type }) => types.includes(type)).map(({ effective }) => effective.day));
  return {
    waivedLate: new Set(facts.flatMap((fact) => (fact.type === 'feeCanceled' && fact.fee.type === 'late' ? [fact.fee.obligation] : []))),
    originationFeeCents: facts.flatMap((fact) => (fact.type === 'originationFeeChanged' ? [fact.amountCents] : [])).at(-1) ?? null,
    drawFeesCents: new Map(facts.flatMap((fact) => (fact.type === 'drawFeeChanged' ? [[fact.draw, fact.amountCents]] : []))),
    noAccelerationThrough: lastDay('reverseAccelerate', 'reverseChargeOff'),
    noChargeOffThrough: lastDay('reverseChargeOff'),
    ...known,
  };
}

/** Rates that are zero on idle days. */
export function withoutInterestOn(rates: RateTimeline, idle: readonly Span[]): RateTimeline {
  const cut = (segment: RateSegment, { from, until }: Span): readonly RateSegment[] => {
    const start = Math.max(segment.from, from) as Day;
    const end = Math.min(segment.until, until) as Day;
    if (start >= end) return [segment];
    const parts = [
      { ...segment, until: start },
      { from: start, until: end, gross: rate(0), net: rate(0) },
      { ...segment, from: end },
    ];
    return parts.filter((part) => part.from < part.until);
  };
  return { segments: idle.reduce((segments, span) => segments.flatMap((segment) => cut(segment, span)), rates.segments) };
}
