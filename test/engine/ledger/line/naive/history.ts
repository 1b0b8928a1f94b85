import { type Day, type EffectiveTime, type LineFact, type RateSegment, type RateTimeline, rate } from '../../../../../engine/index.js';

/*
 * What was recorded of a line, as it is known in the end: what was taken back is gone, what was moved stands at its new
 * time.
 */

/** What facts about the past and the walks before this one say of the days that are walked through. */
export interface RetroactiveAdjustments {
  /** Late fees that somebody has taken back, or given another amount, by the ordinal of their obligation. */
  readonly waivedLate: ReadonlySet<number>;
  readonly originationFeeCents: number | null;
  readonly drawFeesCents: ReadonlyMap<number, number>;
  /** Days overdue accelerate or charge off again after these days. */
  readonly noAccelerationThrough: number;
  readonly noChargeOffThrough: number;
  /** Days on which interest had stopped and which a reversal does not bring back. */
  readonly idle: readonly Span[];
  /** The most that statements ask for without fees, by period. */
  readonly bounds: ReadonlyMap<number, number>;
}

export interface Span {
  readonly from: Day;
  readonly until: Day;
}

/** Facts that happen at a time of their own, in their order. */
export function happened(facts: readonly LineFact[]): readonly LineFact[] {
  const kept = facts.flatMap((fact): readonly LineFact[] => {
    if (SAYING.has(fact.type)) return [];
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

/** They say something of others. */
const SAYING: ReadonlySet<LineFact['type']> = new Set<LineFact['type']>([
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

/** By what was recorded after it and counts from a later time. A charge-off passes through acceleration, and so does its reversal. */
function isReversed(order: LineFact, facts: readonly LineFact[]): boolean {
  return facts.some(
    (fact) =>
      (fact.type === 'reverseChargeOff' || (fact.type === 'reverseAccelerate' && order.type === 'accelerate')) &&
      fact.sequence > order.sequence &&
      inTime(order, fact) < 0,
  );
}

/** Dearer than was known: recorded after the day from which it holds. */
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

/** Rates that bear nothing on idle days. */
export function silenced(rates: RateTimeline, idle: readonly Span[]): RateTimeline {
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
