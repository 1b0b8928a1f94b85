import type { Day } from '../../../engine/index.js';
import type { LoanRelationType } from '../requests.js';

/** Somebody beside the main borrower on a loan. */
export interface AdditionalPerson {
  readonly id: string;
  readonly personId: string;
  readonly loanRelationType: LoanRelationType;
  readonly startDay: Day;
  /** The last day of the relation; null while no end is known. */
  readonly endDay: Day | null;
  readonly receivesNotices: boolean;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
}

/** People beside the main borrower of one loan. */
export const MAX_LOAN_PEOPLE = 50;
