import type Big from 'big.js';
import type { LateFeeTerms } from '../../../../../engine/index.js';
import { feeOf } from '../../../naive/parts.js';
import { type NaiveState, toleranceOf } from './state.js';
import { least, money, type NaiveObligation, sum, ZERO } from './holder.js';
import { runningPeriod } from './periods.js';

export const remainingOf = ({ parts }: NaiveObligation): Big => sum(parts.map(({ remaining }) => remaining));

/** Charges late fees for unpaid minimum payments whose late-fee day has come. */
export function chargeLateFees(state: NaiveState): void {
  for (const terms of state.settings.lateFees) {
    for (const obligation of state.obligations) {
      if (
        obligation.due + terms.triggerDays + obligation.paused !== state.today ||
        obligation.isFulfilled ||
        isPyramiding(state, obligation)
      )
        continue;
      if (state.adjustments.waivedLate.has(obligation.ordinal ?? -1) || state.line.fees.some(({ late }) => late?.of === obligation))
        continue;
      const amount = amountOf(state, obligation, terms);
      if (amount.lte(0)) continue;
      state.line.fees.push({
        open: amount,
        dueStatus: terms.chargeLogic === 'immediate' ? 'due' : 'nonDue',
        isNext: terms.chargeLogic === 'nextDueDate',
        from: null,
        isOfDraw: false,
        knownFrom: state.today,
        isSeeded: false,
        isCarried: false,
        fellDue: null,
        late: { amount, day: state.today, of: obligation },
      });
    }
  }
}

/** No late fee for a shortfall that only earlier late fees have caused: without them it would be within the tolerance. */
function isPyramiding(state: NaiveState, obligation: NaiveObligation): boolean {
  const { settings, obligations } = state;
  if (settings.lateFeePyramiding === 'none') return false;
  if (obligation.withoutLate.lte(toleranceOf(state))) return true;
  return settings.lateFeePyramiding === 'blockOnOldestObligation' && obligations.find(({ isFulfilled }) => !isFulfilled) !== obligation;
}

function amountOf(state: NaiveState, obligation: NaiveObligation, terms: LateFeeTerms): Big {
  const { line, draws, today } = state;
  const { startDay } = runningPeriod(state);
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
 * Counts the money that late fees have taken toward obligations: the oldest first, from the one that was open before, and
 * amounts within the tolerance last. Returns what would be left.
 */
export function fulfilWithoutLate(state: NaiveState, first: number, amount: Big): Big {
  let left = amount;
  const inQuestion = state.obligations.slice(first);
  for (const obligation of [...inQuestion.filter(({ withoutLate }) => withoutLate.gt(toleranceOf(state))), ...inQuestion]) {
    const part = least(left, obligation.withoutLate);
    obligation.withoutLate = obligation.withoutLate.minus(part);
    left = left.minus(part);
  }
  return left;
}
