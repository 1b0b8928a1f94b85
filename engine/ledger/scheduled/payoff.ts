import type { Day } from '../../calendar/index.js';
import { type Cents, cents, MAX_CENTS } from '../../money/index.js';
import { type InstalmentBook, sumOf } from './book.js';
import { computeInstalments } from './compute.js';
import type { InstalmentFact, InstalmentTerms } from './terms.js';

/** A payment changes the interest that it pays; so often it is corrected by what it leaves open. */
const MAX_CORRECTIONS = 8;

/** How books are computed: whole, or from the checkpoints of a ledger. */
export interface BookFunctions {
  through(terms: InstalmentTerms, facts: readonly InstalmentFact[], day: Day): InstalmentBook;
  /** On the day of one more fact. */
  withNext(terms: InstalmentTerms, facts: readonly InstalmentFact[], fact: InstalmentFact): InstalmentBook;
}

const WHOLE: BookFunctions = {
  through: computeInstalments,
  withNext: (terms, facts, fact) => computeInstalments(terms, [...facts, fact], fact.day),
};

/** What a payment on a day must bring to close the loan: all that the loan would take of more money than there is. */
export function payoffCents(
  terms: InstalmentTerms,
  facts: readonly InstalmentFact[],
  day: Day,
  { through, withNext }: BookFunctions = WHOLE,
): Cents {
  const sequence = facts.reduce((last, fact) => Math.max(last, fact.sequence), 0) + 1;
  const after = (amountCents: number): InstalmentBook =>
    withNext(terms, facts, { type: 'paid', kind: 'payment', day, sequence, amountCents: cents(amountCents) });
  const before = through(terms, facts, day).overpaidCents;
  let amount = MAX_CENTS - (after(MAX_CENTS).overpaidCents - before);
  for (let corrections = 0; corrections < MAX_CORRECTIONS && amount > 0; corrections += 1) {
    const book = after(amount);
    const open = book.instalments.reduce((sum, { due, paid }) => sum + sumOf(due) - sumOf(paid), 0);
    if (open === 0) break;
    amount += open;
  }
  return cents(amount);
}
