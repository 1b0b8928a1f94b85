import type { QuerySpec } from '../../kernel/actor.js';
import { matching, pageOf } from '../../list-order.js';
import { dateText, dateTimeText, orNull } from '../../wire.js';
import { recordOf, requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { type AdditionalPerson, loanPersonOf } from './person.js';
import type { ListLoanPeopleQuery, LoanPersonView } from './types.js';

export const loanPersonView = (person: AdditionalPerson): LoanPersonView => ({
  id: person.id,
  personId: person.personId,
  loanRelationType: person.loanRelationType,
  startDate: dateText(person.startDay),
  endDate: orNull(dateText, person.endDay),
  receivesNotices: person.receivesNotices,
  createdAt: dateTimeText(person.createdAt),
  deletedAt: null,
});

/** `GET L/people` and one of them. */
export const peopleQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'loanPerson.list',
    on: 'target',
    read({ state, query, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const { loanRelationType, ...page } = (query ?? {}) as ListLoanPeopleQuery;
      const people = matching(
        recordOf(state).additionalPeople,
        (person) => loanRelationType === undefined || person.loanRelationType === loanRelationType,
      );
      return pageOf(people, page, loanPersonView);
    },
  },
  {
    kind: 'loan',
    type: 'loanPerson.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return loanPersonView(loanPersonOf(state, request.params['loanPersonId']));
    },
  },
];
