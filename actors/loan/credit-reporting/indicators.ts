import { type Day, metro2 } from '../../../engine/index.js';
import type { Consumers } from './consumers.js';
import type { CreditRecord } from './types.js';

/** The consumer information indicators of a record: of the borrower, and of other people by their ids. */
export interface Indicators {
  readonly main: string | null;
  readonly others: CreditRecord['otherIndicators'];
}

/**
 * What the cases of each consumer say. Where they say nothing any more, the indicator that was sent last is removed, once: the case was an
 * error.
 */
export function indicatorsOf({ mainCases, others }: Consumers, before: CreditRecord | null): Indicators {
  const sent = before?.fields.consumerInformationIndicator ?? null;
  const ofOthers = others.map((other) => [other.personId, other.cases.indicator ?? removalOf(other, before)] as const);
  return {
    main: mainCases.indicator ?? metro2.indicatorRemoval(sent),
    others: others.length === 0 ? undefined : Object.fromEntries(ofOthers),
  };
}

function removalOf({ personId, startDay, cases }: Consumers['others'][number], before: CreditRecord | null): string | null {
  if (before === null) return null;
  const { otherIndicators, activityDay } = before;
  if (otherIndicators !== undefined) return metro2.indicatorRemoval(otherIndicators[personId] ?? null);
  // The record is of an earlier release, which sent what the cases said without keeping it.
  const { wrongPetitionOn } = cases;
  const wasSent = startDay <= activityDay && wrongPetitionOn !== null && wrongPetitionOn <= activityDay;
  return wasSent ? metro2.indicatorRemoval('Z') : null;
}

/** The first petition of the others. A record with one needs a date of first delinquency, also while the loan is current. */
export const petitionOfOthers = ({ others }: Consumers): Day | null =>
  others.reduce<Day | null>(
    (first, { cases: { petitionOn } }) => (petitionOn !== null && (first === null || petitionOn < first) ? petitionOn : first),
    null,
  );

/** Whether a record removes an indicator of somebody that the record before has not removed. */
export const isRemoving = (now: Indicators, before: CreditRecord): boolean =>
  isRemoval(now.main, before.fields.consumerInformationIndicator) ||
  Object.entries(now.others ?? {}).some(([personId, indicator]) => isRemoval(indicator, before.otherIndicators?.[personId] ?? null));

const isRemoval = (now: string | null, sent: string | null): boolean => (now === 'Q' || now === 'S') && now !== sent;
