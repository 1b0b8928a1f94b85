import { pageOf } from '../../page.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { recordOf, requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { loanPersonOf } from './decide.js';
import type { ListLoanPeopleQuery } from './requests.js';
import { loanPersonView } from './view.js';

/** `GET L/people` and one of them. */
export const peopleQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'loanPerson.list',
    on: 'target',
    read({ state, query, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const { loanRelationType, ...page } = (query ?? {}) as ListLoanPeopleQuery;
      const people = recordOf(state).additionalPeople.filter(
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
