import type { Day, LineFact, LineTerms } from '../../../../../engine/index.js';
import { happened, adjustmentsOf, isLate, type Span } from './history.js';
import { NaiveLine } from './line.js';

/** The naive line through a day, with the late facts that concern its days. */
export function naiveLine(terms: LineTerms, facts: readonly LineFact[], through: Day): NaiveLine {
  const idle = idleOf(terms, facts);
  return walked(terms, facts, through, { idle, bounds: boundsOf(terms, facts, idle) });
}

const walked = (terms: LineTerms, facts: readonly LineFact[], through: Day, known: Parameters<typeof adjustmentsOf>[1]): NaiveLine =>
  new NaiveLine(terms, facts, through, adjustmentsOf(facts, known));

/**
 * From an acceleration to a charge-off that was reversed later, there is no interest: the reversal makes the line active
 * again, with interest from the charge-off on.
 */
function idleOf(terms: LineTerms, facts: readonly LineFact[]): readonly Span[] {
  const idle: Span[] = [];
  for (const reversal of facts.filter(({ type }) => type === 'reverseChargeOff')) {
    const earlier = facts.filter(({ type, sequence }) => !(type.startsWith('reverse') && sequence >= reversal.sequence));
    const {
      status,
      acceleratedSince: from,
      chargedOffSince: until,
    } = walked(terms, earlier, reversal.effective.day, { idle: [...idle], bounds: new Map() });
    if (status === 'chargedOff' && from !== null && until !== null && from < until) idle.push({ from, until });
  }
  return idle;
}

/** The minimum payments whose due dates had passed when a fact that raises costs was recorded for an earlier day. */
function boundsOf(terms: LineTerms, facts: readonly LineFact[], idle: readonly Span[]): ReadonlyMap<number, number> {
  const bounds = new Map<number, number>();
  const late = happened(facts)
    .filter(isLate)
    .sort((a, b) => a.sequence - b.sequence);
  for (const change of late) {
    const without = facts.filter((fact) => !late.some(({ sequence }) => sequence === fact.sequence && sequence >= change.sequence));
    const found = walked(terms, without, change.recordedDay, { idle, bounds: new Map(bounds) });
    for (const { ordinal, statement, due, base } of [...found.replaced, ...found.obligations]) {
      if (ordinal === null || statement <= change.effective.day || due >= change.recordedDay) continue;
      const cents = Number(base.times(100));
      bounds.set(ordinal, Math.min(cents, bounds.get(ordinal) ?? cents));
    }
  }
  return bounds;
}
