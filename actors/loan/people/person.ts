import type { Day } from '../../../engine/index.js';
import { isGone, type PersonState } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { recordOf, todayOf } from '../context.js';
import type { LoanRelationType } from '../requests.js';
import type { LoanRecord, LoanState } from '../state.js';

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

/** Whose accounts and cards may be charged on a day: the main borrower's, and those of additional people who have not left the loan. */
export const payersOn = (
  { personId, additionalPeople }: Pick<LoanRecord, 'personId' | 'additionalPeople'>,
  day: Day,
): readonly string[] => [personId, ...additionalPeople.filter((person) => !hasLeft(person, day)).map((person) => person.personId)];

/** The people who are or were on a loan besides one of them; nobody where the loan is not known. */
export function othersOn(state: LoanState | undefined, personId: string): readonly string[] {
  if (state?.record == null) return [];
  const { personId: mainId, additionalPeople } = state.record;
  return [...new Set([mainId, ...additionalPeople.map((person) => person.personId)])].filter((id) => id !== personId);
}

/** Whether the person's relation to the loan was over before a day. */
export const hasLeft = ({ endDay }: AdditionalPerson, day: Day): boolean => endDay !== null && endDay < day;

/** Whether the person owes the loan, as its main borrower does. */
export const isOwing = ({ loanRelationType }: AdditionalPerson): boolean => OWING.has(loanRelationType);

const OWING: ReadonlySet<LoanRelationType> = new Set<LoanRelationType>(['coBorrower', 'coSigner', 'guarantor']);

/** Whether the person owes the loan on a day. */
const owes = (person: AdditionalPerson, day: Day): boolean => isOwing(person) && !hasLeft(person, day);

/**
 * Whether a borrower may be on the loan in this way: one who was deleted or erased may stay as before or leave, but neither comes onto the
 * loan nor comes to owe it.
 */
export const mayBeOn = (borrower: PersonState, after: AdditionalPerson, before: AdditionalPerson | undefined, day: Day): boolean =>
  !isGone(borrower) || (before !== undefined && (owes(before, day) || !owes(after, day)));

/** The additional person that the path names; 404 if the loan has no such person. */
export function loanPersonOf(state: LoanState, id: string | undefined): AdditionalPerson {
  return (
    recordOf(state).additionalPeople.find((person) => person.id === id) ??
    refuse('notFound', `The loan ${state.id} has no person ${id ?? ''}.`)
  );
}

/** 409 if somebody who would owe the loan was deleted or erased: reports and notices need them once it is serviced. */
export function requireOwing(state: LoanState, env: DecideEnv): void {
  const { personId, additionalPeople } = recordOf(state);
  const today = todayOf(env, state);
  const owing = additionalPeople.filter((person) => owes(person, today));
  for (const id of [personId, ...owing.map((person) => person.personId)]) {
    const person = env.read<PersonState>('person', id);
    if (person === undefined || isGone(person)) refuse('invalidState', `The borrower ${id}, who would owe the loan, was deleted.`);
  }
}
