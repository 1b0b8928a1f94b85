import type { Day } from '../calendar/index.js';
import { type LedgerState, plainDayOf } from '../ledger/installment/index.js';
import { type LineState, plainDayOfLine } from '../ledger/line/index.js';
import { accruedUnits, cents, roundAccrued } from '../money/index.js';
import type { Believed, Cause } from './believed.js';
import { entriesOfDay } from './corrections.js';
import type { CourseItem } from './course.js';
import type { Entry } from './entry.js';
import type { LoanDetails } from './installment.js';
import type { Keeping } from './parts.js';
import { believedItem, believedOf } from './believed.js';
import { OwnShareLedger } from './own-share-ledger.js';
import type { ShareOwner } from './owner-shares.js';

interface OfLoan {
  readonly book: string;
  readonly loanId: string;
  readonly cause: Cause;
}

/** Outstanding interest at the beginning and at the end of a day, exact; of one draw of a line. */
interface AccruedDay {
  readonly draw?: number;
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * The entries of a day on which an installment loan has only accrued interest, from its running ledger: the same as from its facts. Null if
 * the facts are needed.
 */
export function entriesOfPlainDay(
  ledger: LedgerState,
  loan: OfLoan & { readonly owners?: readonly ShareOwner[] },
  keeping: Keeping,
  day: Day,
): readonly Entry[] | null {
  const plain = plainDayOf(ledger, day);
  return plain === null ? null : entriesOfAccrued([plain], loan, keeping, day);
}

/** The same of a line of credit. */
export function entriesOfPlainLineDay(
  ledger: LineState,
  loan: OfLoan & Pick<LoanDetails, 'drawIdOf'>,
  keeping: Keeping,
  day: Day,
): readonly Entry[] | null {
  const plain = plainDayOfLine(ledger, day);
  return plain === null ? null : entriesOfAccrued(plain, loan, keeping, day);
}

type Plain = OfLoan & Partial<Pick<LoanDetails, 'drawIdOf'>> & { readonly owners?: readonly ShareOwner[] };

function entriesOfAccrued(
  accrued: readonly AccruedDay[],
  { book, loanId, cause, drawIdOf = String, owners }: Plain,
  keeping: Keeping,
  day: Day,
): readonly Entry[] {
  const items = accrued.flatMap(({ draw, before, after }): readonly CourseItem[] => {
    const exact = after - before;
    if (exact === 0n) return [];
    const amount = rounded(after) - rounded(before);
    return [{ cause, day, isDaily: true, exact, event: { type: 'accrual', amount }, ...(draw === undefined ? {} : { draw }) }];
  });
  const now: readonly Believed[] =
    owners === undefined ? believedOf(items, keeping, { drawIdOf, through: day }) : ownBelieved(items, keeping, owners, accrued);
  return entriesOfDay({ book, basis: keeping.basis, loanId, day, cause, booked: [], before: [], recorded: [], now });
}

/** The same of the lender's own share, of an installment loan. */
function ownBelieved(
  items: readonly CourseItem[],
  keeping: Keeping,
  owners: readonly ShareOwner[],
  accrued: readonly AccruedDay[],
): readonly Believed[] {
  const own = new OwnShareLedger(keeping, owners);
  const owed = accrued.reduce((sum, { before }) => sum + rounded(before), 0);
  if (keeping.basis === 'accrual') own.begin([{ role: 'interestReceivable', dimensions: {}, amount: cents(owed) }]);
  return items.flatMap((item) => believedItem(item, own.post(item.event), String));
}

const rounded = (interest: bigint): number => roundAccrued(accruedUnits(interest), 'halfUp');
