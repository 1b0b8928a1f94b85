import type Big from 'big.js';
import type { LateFeeTerms } from '../../../../../engine/index.js';
import { feeOf } from '../../../naive/parts.js';
import { type NaiveState, toleranceOf } from './state.js';
import { least, money, type NaiveObligation, sum, ZERO } from './holder.js';
import { runningPeriod } from './periods.js';

export const remainingOf = ({ parts }: NaiveObligation): Big => sum(parts.map(({ remaining }) => remaining));

/** Fees for minimum payments whose day has come and that are not paid. */
export function chargeLateFees(state: NaiveState): void {
  for (const terms of state.settings.lateFees) {
    for (const obligation of state.obligations) {
      if (obligation.due + terms.triggerDays + obligation.paused !== state.today || obligation.isFulfilled || pyramids(state, obligation))
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

/** No fee for a shortfall that earlier late fees have made: without them the tolerance would let it pass. */
function pyramids(state: NaiveState, obligation: NaiveObligation): boolean {
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
 * What would be left of the money that late fees have taken: oldest first, from the one that was open before, and last what the
 * tolerance would let pass.
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
