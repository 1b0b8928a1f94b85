import type { QueryContext, QuerySpec } from '../kernel/actor.js';
import type { PersonState } from './state.js';

/** A query about one borrower that can be reached. */
export const onPersonRead = (type: string, read: (context: QueryContext<PersonState>) => unknown): QuerySpec<PersonState> => ({
  kind: 'person',
  type,
  on: 'target',
  read,
});
