import type Big from 'big.js';
import type { Day, LateFeeTerms, LineSettings } from '../../../../engine/index.js';
import { feeOf } from '../../naive/parts.js';
import { type Holder, least, money, type NaiveObligation, sum, ZERO } from './holder.js';

/** A line on the morning of a day, for its late fees (servicing-behaviour 11.5). */
export interface LateFeeBook {
  readonly settings: LineSettings;
  readonly day: Day;
  readonly periodStart: Day;
  readonly line: Holder;
  readonly obligations: readonly NaiveObligation[];
  readonly principal: Big;
}

export const remainingOf = ({ parts }: NaiveObligation): Big => sum(parts.map(({ remaining }) => remaining));

/** Fees for minimum payments whose day has come and that are not paid. */
export function bookLateFees(book: LateFeeBook): void {
  for (const terms of book.settings.lateFees) {
    for (const obligation of book.obligations) {
      if (obligation.due + terms.triggerDays + obligation.paused !== book.day || remainingOf(obligation).eq(0) || pyramids(book, obligation)) continue;
      const amount = amountOf(book, obligation, terms);
      if (amount.lte(0)) continue;
      book.line.fees.push({
        open: amount,
        standing: terms.chargeLogic === 'immediate' ? 'due' : 'nonDue',
        isNext: terms.chargeLogic === 'nextDueDate',
        from: null,
        isOfDraw: false,
        isCarried: false,
        fellDue: null,
        late: { amount, day: book.day },
      });
    }
  }
}

/** No fee for a shortfall that earlier late fees have made. */
function pyramids({ settings, obligations }: LateFeeBook, obligation: NaiveObligation): boolean {
  if (settings.lateFeePyramiding === 'none') return false;
  if (obligation.withoutLate.lte(0)) return true;
  return settings.lateFeePyramiding === 'blockOnOldestObligation' && obligations.find((one) => remainingOf(one).gt(0)) !== obligation;
}

function amountOf({ day, periodStart, line, principal }: LateFeeBook, obligation: NaiveObligation, terms: LateFeeTerms): Big {
  const earlier = line.fees.flatMap(({ late }) => late ?? []);
  const inPeriod = earlier.filter((late) => late.day >= periodStart && late.day <= day).length;
  if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return ZERO;
  const wanted = feeOf(terms.amount, { principal, obligationAmount: obligation.amount, overdueAmount: remainingOf(obligation) });
  return terms.capPerLoanCents === null ? wanted : least(wanted, money(terms.capPerLoanCents).minus(sum(earlier.map(({ amount }) => amount))));
}

/** What payments would have left, had late fees taken no money: oldest first, from the one that was open before. */
export function fulfilWithoutLate(obligations: readonly NaiveObligation[], first: number, amount: Big): void {
  let left = amount;
  for (const obligation of obligations.slice(first)) {
    const part = least(left, obligation.withoutLate);
    obligation.withoutLate = obligation.withoutLate.minus(part);
    left = left.minus(part);
  }
}
