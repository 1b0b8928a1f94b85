import type { Day } from '../../../engine/index.js';
import { asChanged, history, isLate } from './history.js';
import type { NaiveLedger } from './parts.js';
import { type Bound, type NaiveLife, Walk } from './walk.js';

/**
 * A second ledger, written from the contract and not from the engine: it walks day by day, keeps decimals, and holds
 * the unpaid parts of each obligation instead of buckets. Slow and plain on purpose. It knows accrual, rates, due dates and
 * their changes, the waterfall, late fees, advances and refunds, and what is backdated or taken back; it knows nothing of
 * freezing, acceleration and charge-off.
 */
export function naiveLedger(life: NaiveLife, through: Day): NaiveLedger {
  return walked(life, boundsOf(life), through).report(through);
}

function walked(life: NaiveLife, bounds: readonly Bound[], through: Day): Walk {
  const happened = history(life.facts);
  const ledger = new Walk({ ...life, terms: asChanged(life.terms, life.facts) }, bounds, happened.filter((fact) => fact.type === 'refund'));
  for (let day: number = life.terms.activation; day <= through; day += 1) {
    if (day > life.terms.activation) ledger.morning(day);
    for (const fact of happened) {
      if (fact.effective.day === day) ledger.take(day, fact);
    }
  }
  return ledger;
}

function boundsOf(life: NaiveLife): readonly Bound[] {
  const bounds: Bound[] = [];
  const late = history(life.facts).filter(isLate).sort((a, b) => a.sequence - b.sequence);
  for (const change of late) {
    const facts = life.facts.filter((fact) => !late.some(({ sequence }) => sequence === fact.sequence && sequence >= change.sequence));
    const before = walked({ ...life, facts }, [...bounds], change.recordedDay);
    bounds.push({ change: change.sequence, through: change.recordedDay, asked: before.asked(), set: before.set });
  }
  return bounds;
}
