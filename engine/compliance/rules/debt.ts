import { addBusinessDays, addDays, addYears, dayAt, type Day } from '../../calendar/index.js';
import { isCollections } from '../../communication/index.js';
import { aboutLoan, type Considered, counted } from '../considered.js';
import type { ScreenedLoan, PastContact } from '../situation.js';
import { limitationYears, limitationYearsOfSale, SHORTEST_YEARS } from './limitations.js';

/** Debts that are too old for a suit, and the borrower did not get the notice of that. */
export function isTimeBarred({ situation, plan, loans, jurisdictions }: Considered): boolean {
  const states = jurisdictions === null ? [] : [...jurisdictions];
  const yearsOf = ({ mayBeSale = false }: ScreenedLoan): number =>
    Math.min(...(states.length === 0 ? [SHORTEST_YEARS] : states.map(mayBeSale ? limitationYearsOfSale : limitationYears)));
  const today = dayAt(situation.companyZone, plan.at);
  return loans.some(
    (loan) =>
      loan.overdueSince !== null && addYears(loan.overdueSince, yearsOf(loan)) <= today && !wasNotifiedOfAge(situation.history, loan.id),
  );
}

/** Debts that the law of Wisconsin extinguishes after the period. */
export const isExtinguished = ({ situation, plan, loans }: Considered): boolean => {
  const today = dayAt(situation.companyZone, plan.at);
  return loans.some(({ overdueSince }) => overdueSince !== null && addYears(overdueSince, limitationYears('WI')) <= today);
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
