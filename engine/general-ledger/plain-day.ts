import type { Day } from '../calendar/index.js';
import type { LedgerState } from '../ledger/installment/index.js';
import { plainDayOf } from '../ledger/installment/index.js';
import { accruedUnits, roundAccrued } from '../money/index.js';
import type { Believed, Cause } from './believed.js';
import { entriesOfDay } from './corrections.js';
import type { Entry } from './entry.js';
import type { Keeping } from './parts.js';
import { believedOf } from './posted.js';

interface OfLoan {
  readonly book: string;
  readonly loanId: string;
  readonly cause: Cause;
}

/**
 * The entries of a day on which an installment loan has only accrued interest, from its running ledger: the same as from its facts. Null if
 * the facts are needed.
 */
export function entriesOfPlainDay(
  ledger: LedgerState,
  { book, loanId, cause }: OfLoan,
  keeping: Keeping,
  day: Day,
): readonly Entry[] | null {
  const plain = plainDayOf(ledger, day);
  if (plain === null) return null;
  const amount = rounded(plain.after) - rounded(plain.before);
  const exact = plain.after - plain.before;
  const items = exact === 0n ? [] : [{ cause, day, isDaily: true, exact, event: { type: 'accrual', amount } as const }];
  const now: readonly Believed[] = believedOf(items, keeping, { drawIdOf: String });
  return entriesOfDay({ book, basis: keeping.basis, loanId, day, cause, booked: [], before: [], recorded: [], now });
}

const rounded = (interest: bigint): number => roundAccrued(accruedUnits(interest), 'halfUp');
