import { addDays, type Day } from '../../../engine/index.js';
import type { PromoDefaults } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { dateText } from '../../wire.js';
import type { PromoTerms } from './program.js';

/** The days of a program as they are asked for; null is not said. */
export interface AskedTerms {
  readonly startDay: Day | null;
  readonly endDay: Day | null;
  readonly durationDays: number | null;
  readonly graceDays: number | null;
  readonly disqualifyOverdueDays: number | null;
}

/** First and last day on which a promotion may begin. */
export interface LoanLife {
  readonly activation: Day;
  readonly lastDue: Day;
}

/** 400 for an end and a duration at once, or for neither where the type has none; 422 outside of the loan's life. */
export function promoTerms(asked: AskedTerms, defaults: PromoDefaults, { activation, lastDue }: LoanLife): PromoTerms {
  if (asked.endDay !== null && asked.durationDays !== null)
    refuseProperty('promoDurationDays', 'either promoEndDate or promoDurationDays', 'The end is said twice.');
  const startDay = asked.startDay ?? activation;
  if (startDay < activation || startDay > lastDue) {
    refuse('ruleViolation', `The promotion starts outside of the life of the loan.`, {
      errors: [
        { path: 'promoStartDate', expected: `a day from ${dateText(activation)} to ${dateText(lastDue)}`, message: 'lies outside of it' },
      ],
    });
  }
  const endDay = asked.endDay ?? endBy(startDay, asked.durationDays ?? defaults.promoDurationDays);
  if (endDay <= startDay) refuseProperty('promoEndDate', `after ${dateText(startDay)}`, 'The promotion ends before it has begun.');
  return {
    startDay,
    endDay,
    graceDays: asked.graceDays ?? defaults.promoGracePeriodDays ?? 0,
    disqualifyOverdueDays: asked.disqualifyOverdueDays ?? defaults.disqualifyOverdueDays,
  };
}

function endBy(startDay: Day, durationDays: number | null): Day {
  if (durationDays === null)
    return refuseProperty('promoEndDate', 'promoEndDate or promoDurationDays', 'The end of the promotion is missing.');
  return addDays(startDay, durationDays);
}
