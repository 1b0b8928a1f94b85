import type { Day } from '../calendar/index.js';
import { type Cents, cents, MAX_CENTS } from '../money/index.js';
import { computeInstalments } from './compute.js';
import type { InstalmentFact, InstalmentTerms } from './terms.js';

/** What a payment on a day must bring to close the loan: all that the loan would take of more money than there is. */
export function payoffCents(terms: InstalmentTerms, facts: readonly InstalmentFact[], day: Day): Cents {
  const before = computeInstalments(terms, facts, day).overpaidCents;
  const sequence = facts.reduce((last, fact) => Math.max(last, fact.sequence), 0) + 1;
  const payment: InstalmentFact = { type: 'paid', kind: 'payment', day, sequence, amountCents: MAX_CENTS };
  const after = computeInstalments(terms, [...facts, payment], day).overpaidCents;
  return cents(MAX_CENTS - (after - before));
}
