import { type Arrangement, arrange, isLateChange, type LateChange } from './arrange.js';
import type { LedgerFact, ReverseChargeOff } from './facts.js';
import { fold } from './fold.js';
import type { IdleDays } from './state.js';
import type { LedgerTerms } from './terms.js';

/** In the order of recording. */
export function lateChanges({ facts }: Arrangement): readonly LateChange[] {
  const late: LateChange[] = [];
  for (const fact of facts) if (isLateChange(fact)) late.push(fact);
  return late.sort((a, b) => a.sequence - b.sequence);
}

/** Computes what each late change found: obligations that had fallen due by then do not rise above it. */
export function withCaps(terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[]): Arrangement {
  const caps = new Map<number, number>();
  const current = (): Arrangement['orders'] => ({
    ...arrangement.orders,
    caps: [...caps].map(([obligation, baseCents]) => ({ obligation, baseCents })),
  });
  for (const change of late) {
    const facts = arrangement.facts.filter((fact) => !late.some((other) => other === fact && other.sequence >= change.sequence));
    const found = fold(terms, { facts, orders: current() }, change.recordedDay, null);
    const asked = new Map([...found.replaced, ...found.obligations].map(({ ordinal, baseCents }) => [ordinal, baseCents]));
    // From an acceleration on everything was due, so that no single row bounds anything.
    const last = Math.min(change.recordedDay, (found.acceleratedSince ?? Number.MAX_SAFE_INTEGER) - 1);
    found.rows.forEach((row, ordinal) => {
      const baseCents = asked.get(ordinal) ?? 0;
      if (row.date <= last) caps.set(ordinal, Math.min(baseCents, caps.get(ordinal) ?? baseCents));
    });
  }
  return { facts: arrangement.facts, orders: current() };
}

/**
 * The days from an acceleration up to the charge-off that each reversal found: interest had stopped on them, and the
 * reversal of the charge-off brings it back from the day of the charge-off only (loans 1.5).
 */
export function withIdleDays(terms: LedgerTerms, facts: readonly LedgerFact[]): Arrangement {
  const arrangement = arrange(facts);
  const reversals = facts.filter((fact): fact is ReverseChargeOff => fact.type === 'reverseChargeOff');
  if (reversals.length === 0) return arrangement;
  const idle: IdleDays[] = [];
  for (const reversal of [...reversals].sort((a, b) => a.sequence - b.sequence)) {
    const isLater = (fact: LedgerFact): boolean =>
      (fact.type === 'reverseChargeOff' || fact.type === 'reverseAccelerate') && fact.sequence >= reversal.sequence;
    const earlier = arrange(facts.filter((fact) => !isLater(fact)));
    const found = fold(terms, withIdle(earlier, idle), reversal.effective.day, null);
    const { acceleratedSince: from, chargedOffSince: until } = found;
    if (found.status === 'chargedOff' && from !== null && until !== null && from < until) idle.push({ from, until });
  }
  return withIdle(arrangement, idle);
}

const withIdle = ({ facts, orders }: Arrangement, idle: readonly IdleDays[]): Arrangement => ({
  facts,
  orders: { ...orders, idle: [...idle] },
});
