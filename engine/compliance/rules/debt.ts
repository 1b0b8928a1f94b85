import { addBusinessDays, addDays, addYears, dayAt, type Day } from '../../calendar/index.js';
import { isCollections } from '../../communication/index.js';
import { aboutLoan, type Considered, counted } from '../considered.js';
import type { ScreenedLoan, PastContact } from '../situation.js';

/**
 * Years after which no suit can be brought on a written contract. If a state has several periods, the shortest that may apply. Other
 * jurisdictions have the shortest period of all.
 */
export const LIMITATION_YEARS: Readonly<Record<string, number>> = {
  AK: 3,
  AL: 6,
  AR: 5,
  AZ: 6,
  CA: 4,
  CO: 6,
  CT: 6,
  DC: 3,
  DE: 3,
  FL: 5,
  GA: 6,
  HI: 6,
  IA: 5,
  ID: 5,
  IL: 5,
  IN: 6,
  KS: 5,
  KY: 5,
  LA: 3,
  MA: 6,
  MD: 3,
  ME: 6,
  MI: 6,
  MN: 6,
  MO: 5,
  MS: 3,
  MT: 5,
  NC: 3,
  ND: 6,
  NE: 5,
  NH: 3,
  NJ: 6,
  NM: 6,
  NV: 6,
  NY: 3,
  OH: 6,
  OK: 5,
  OR: 6,
  PA: 4,
  RI: 10,
  SC: 3,
  SD: 6,
  TN: 6,
  TX: 4,
  UT: 6,
  VA: 5,
  VT: 6,
  WA: 6,
  WI: 6,
  WV: 6,
  WY: 8,
};
const SHORTEST_YEARS = 3;

/** Debts that are too old for a suit, and the borrower did not get the notice of that. */
export function isTimeBarred(considered: Considered): boolean {
  const { situation, plan, loans, jurisdictions } = considered;
  const years = Math.min(
    ...(jurisdictions === null || jurisdictions.size === 0
      ? [SHORTEST_YEARS]
      : [...jurisdictions].map((jurisdiction) => LIMITATION_YEARS[jurisdiction] ?? SHORTEST_YEARS)),
  );
  const today = dayAt(situation.companyZone, plan.at);
  return loans.some(
    ({ id, overdueSince }) => overdueSince !== null && addYears(overdueSince, years) <= today && !wasNotifiedOfAge(situation.history, id),
  );
}

/** Debts that the law of Wisconsin extinguishes after the period. */
export const isExtinguished = ({ situation, plan, loans }: Considered): boolean => {
  const today = dayAt(situation.companyZone, plan.at);
  return loans.some(
    ({ overdueSince }) => overdueSince !== null && addYears(overdueSince, LIMITATION_YEARS['WI'] ?? SHORTEST_YEARS) <= today,
  );
};

const wasNotifiedOfAge = (history: readonly PastContact[], loanId: string): boolean =>
  aboutLoan(counted(history), loanId).some(
    ({ theme, subject }) => theme === 'opsServicingTimeBarredNotice' || subject === 'timeBarredNotice',
  );

/** Days after the first contact within which the validation notice is due. */
export const VALIDATION_DAYS = 5;

/**
 * Servicers that may be debt collectors by law. The data does not show whether a servicer took the loan over in default, so the rule
 * applies to all of them.
 */
const COLLECTORS: ReadonlySet<string> = new Set(['thirdPartyServicer', 'debtCollectionAgency']);

/**
 * Debts of a collector without the notice that had to follow its first contact about them. A late notice ends the objection.
 */
export const isUnvalidatedByCollector = (considered: Considered): boolean =>
  considered.loans.some((loan) => {
    const first = COLLECTORS.has(loan.servicedBy) ? firstUnvalidated(loan, considered, -Infinity) : null;
    return first !== null && todayOf(considered) > addDays(first, VALIDATION_DAYS);
  });

/** 940 CMR 7.08: business days after the first contact about a debt. A loan is a debt from the day after 30 days past due. */
export const MA_VALIDATION_BUSINESS_DAYS = 5;
export const MA_DAYS_PAST_DUE = 30;

/** The day from which a contact of a creditor is one about a debt; null if there is none yet. */
export const creditorsFirstDay = ({ servicedBy, overdueSince }: Considered['loans'][number]): Day | null =>
  COLLECTORS.has(servicedBy) || overdueSince === null ? null : addDays(overdueSince, MA_DAYS_PAST_DUE + 1);

/** The same for a creditor. */
export const isUnvalidatedByCreditor = (considered: Considered): boolean =>
  considered.loans.some((loan) => {
    const from = creditorsFirstDay(loan);
    if (from === null) return false;
    const first = firstUnvalidated(loan, considered, from);
    return first !== null && todayOf(considered) > addBusinessDays(first, MA_VALIDATION_BUSINESS_DAYS);
  });

/** The day of the first contact from a day on that collected the debt; null if there is none, or if the notice was sent. */
function firstUnvalidated({ id }: ScreenedLoan, { situation }: Considered, from: number): Day | null {
  const made = aboutLoan(counted(situation.history), id);
  if (made.some(({ theme }) => theme === 'opsServicingDebtValidation')) return null;
  const days = made
    .filter(({ theme }) => theme === null || isCollections(theme))
    .map(({ startedAt }) => dayAt(situation.companyZone, startedAt))
    .filter((day) => day >= from);
  return days.reduce<Day | null>((earliest, day) => (earliest === null || day < earliest ? day : earliest), null);
}

const todayOf = ({ situation, plan }: Considered): Day => dayAt(situation.companyZone, plan.at);
