import { isGone, type PersonState } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { recordOf, todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import { hasLeft, isOwing } from './person.js';

/** 409 if somebody who would owe the loan was deleted or erased: reports and notices need them once it is serviced. */
export function requireOwing(state: LoanState, env: DecideEnv): void {
  const { personId, additionalPeople } = recordOf(state);
  const today = todayOf(env, state);
  const owing = additionalPeople.filter((person) => isOwing(person) && !hasLeft(person, today));
  for (const id of [personId, ...owing.map((person) => person.personId)]) {
    const person = env.read<PersonState>('person', id);
    if (person === undefined || isGone(person)) refuse('invalidState', `The borrower ${id}, who would owe the loan, was deleted.`);
  }
}
