import { type ScheduledKeeping, type InterestMethod, RATE_ZERO, type Recalculation } from '../../engine/index.js';
import type { ScheduledInterestSettings, InterestSettings } from './loan-type-settings.js';

const WHOLE_UNIT = 100;

/** Converts the settings to the engine's terms for a loan with scheduled interest. */
export function keepingOf(by: ScheduledInterestSettings, interest: InterestSettings, periodsPerYear: number): ScheduledKeeping {
  return {
    interest: methodOf(by, interest, periodsPerYear),
    principal: by.principalMethod === 'level' ? { type: 'level', solvedOver: by.levelSolvedOver } : { type: 'equal' },
    interestOnlyCount: 0,
    rounding: {
      interest: interest.rounding,
      amount: 'halfUp',
      multipleCents: by.amountsIn === 'wholeUnits' ? WHOLE_UNIT : 1,
      isOfWholeRow: true,
      ...(by.interestRoundedPer === 'stretch' ? {} : { interestPer: 'period' }),
    },
    recalculation: recalculationOf(by, interest),
    downPayment: by.downPaymentShare === RATE_ZERO ? null : { share: by.downPaymentShare, isAutomatic: by.downPaymentFrom === 'advance' },
    allocation: { pastDue: by.pastDueOrder, due: by.dueOrder, inAdvance: by.inAdvanceOrder },
    excess: by.excess,
    creditExcess: by.creditExcess,
    chargebackOrder: by.chargebackOrder,
    newRateCountsFrom: by.newRateCountsFrom,
    payoffInterest: by.payoffInterest,
  };
}

function methodOf({ interestMethod }: ScheduledInterestSettings, interest: InterestSettings, periodsPerYear: number): InterestMethod {
  switch (interestMethod) {
    case 'daily':
      return { type: 'daily', dayCount: interest.interestAccrualMethod };
    case 'periodic':
      return { type: 'periodic', periodsPerYear, firstPeriodYear: null };
    case 'flat':
      return { type: 'flat', periodsPerYear };
  }
}

function recalculationOf(by: ScheduledInterestSettings, { accrueOnOverdue }: InterestSettings): Recalculation {
  switch (by.recalculation) {
    case 'none':
      return { type: 'none' };
    case 'progressive':
      return { type: 'progressive', isOverdueBearing: accrueOnOverdue };
    case 'cumulative':
      return { type: 'cumulative', rest: by.recalculationRest, isCompounding: by.compoundUnpaidInterest };
  }
}
