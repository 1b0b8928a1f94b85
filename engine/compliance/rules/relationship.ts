import { addMonths, type Day, dayAt } from '../../calendar/index.js';
import type { Considered } from '../considered.js';
import type { PastContact, ScreenedLoan } from '../situation.js';

/** Months after a purchase or transaction, and after an inquiry or application (47 CFR 64.1200(f)(5)). */
export const TRANSACTION_MONTHS = 18;
export const INQUIRY_MONTHS = 3;

/** The borrower has asked about what the lender offers. */
export const isInquiry = ({ direction, subject }: Pick<PastContact, 'direction' | 'subject'>): boolean =>
  direction === 'inbound' && subject === 'marketingMessage';

/**
 * An established business relationship: a loan on which the borrower owes, a transaction of the last eighteen months, or an application or
 * inquiry of the last three. It ends when the borrower asks for no calls, which the company's own list says.
 */
export function isInBusiness({ plan, loans, situation }: Considered): boolean {
  if (loans.some(({ isOwed }) => isOwed)) return true;
  const today = dayAt(situation.companyZone, plan.at);
  return (
    situation.loans.some((loan) => loan.isLiable && isRecent(loan, today)) ||
    situation.history.some((past) => isInquiry(past) && isWithin(dayAt(situation.companyZone, past.startedAt), INQUIRY_MONTHS, today))
  );
}

const isRecent = ({ lastTransactionOn = null, appliedOn = null }: ScreenedLoan, today: Day): boolean =>
  (lastTransactionOn !== null && isWithin(lastTransactionOn, TRANSACTION_MONTHS, today)) ||
  (appliedOn !== null && isWithin(appliedOn, INQUIRY_MONTHS, today));

const isWithin = (day: Day, months: number, today: Day): boolean => day <= today && today <= addMonths(day, months);
