import type { Day } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { recordOf } from '../context.js';
import type { LoanRelationType } from '../requests.js';
import type { LoanState } from '../state.js';

/** An additional person on a loan. */
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

/** The additional person that the path names; 404 if the loan has no such person. */
export function loanPersonOf(state: LoanState, id: string | undefined): AdditionalPerson {
  return (
    recordOf(state).additionalPeople.find((person) => person.id === id) ??
    refuse('notFound', `The loan ${state.id} has no person ${id ?? ''}.`)
  );
}
