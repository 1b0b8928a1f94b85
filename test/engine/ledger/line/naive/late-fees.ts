import type Big from 'big.js';
import type { LateFeeTerms } from '../../../../../engine/index.js';
import { feeOf } from '../../../naive/parts.js';
import { type Book, toleranceOf } from './book.js';
import { least, money, type NaiveObligation, sum, ZERO } from './holder.js';
import { runningPeriod } from './periods.js';

export const remainingOf = ({ parts }: NaiveObligation): Big => sum(parts.map(({ remaining }) => remaining));

/** Fees for minimum payments whose day has come and that are not paid. */
export function bookLateFees(book: Book): void {
  for (const terms of book.settings.lateFees) {
    for (const obligation of book.obligations) {
      if (obligation.due + terms.triggerDays + obligation.paused !== book.today || obligation.isFulfilled || pyramids(book, obligation))
        continue;
      if (book.hindsight.waivedLate.has(obligation.ordinal ?? -1) || book.line.fees.some(({ late }) => late?.of === obligation)) continue;
      const amount = amountOf(book, obligation, terms);
      if (amount.lte(0)) continue;
      book.line.fees.push({
        open: amount,
        standing: terms.chargeLogic === 'immediate' ? 'due' : 'nonDue',
        isNext: terms.chargeLogic === 'nextDueDate',
        from: null,
        isOfDraw: false,
        knownFrom: book.today,
        isSeeded: false,
        isCarried: false,
        fellDue: null,
        late: { amount, day: book.today, of: obligation },
      });
    }
  }
}

/** No fee for a shortfall that earlier late fees have made: without them the tolerance would let it pass. */
function pyramids(book: Book, obligation: NaiveObligation): boolean {
  const { settings, obligations } = book;
  if (settings.lateFeePyramiding === 'none') return false;
  if (obligation.withoutLate.lte(toleranceOf(book))) return true;
  return settings.lateFeePyramiding === 'blockOnOldestObligation' && obligations.find(({ isFulfilled }) => !isFulfilled) !== obligation;
}

function amountOf(book: Book, obligation: NaiveObligation, terms: LateFeeTerms): Big {
  const { line, draws, today } = book;
  const { startDay } = runningPeriod(book);
  const principal = sum(draws.flatMap((draw) => Object.values(draw.principal)));
  const earlier = line.fees.flatMap(({ late }) => late ?? []);
  const inPeriod = earlier.filter((late) => late.day >= startDay && late.day <= today).length;
  if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return ZERO;
  const wanted = feeOf(terms.amount, { principal, obligationAmount: obligation.amount, overdueAmount: remainingOf(obligation) });
  return terms.capPerLoanCents === null
    ? wanted
    : least(wanted, money(terms.capPerLoanCents).minus(sum(earlier.map(({ amount }) => amount))));
}

/**
 * What would be left of the money that late fees have taken: oldest first, from the one that was open before, and last what the
 * tolerance would let pass.
 */
export function fulfilWithoutLate(book: Book, first: number, amount: Big): Big {
  let left = amount;
  const inQuestion = book.obligations.slice(first);
  for (const obligation of [...inQuestion.filter(({ withoutLate }) => withoutLate.gt(toleranceOf(book))), ...inQuestion]) {
    const part = least(left, obligation.withoutLate);
    obligation.withoutLate = obligation.withoutLate.minus(part);
    left = left.minus(part);
  }
  return left;
}
