import type { QueryContext, QuerySpec } from '../runtime/actor.js';
import type { PersonState } from './state.js';

/** A query about one borrower that can be reached. */
export const onPersonRead = (type: string, read: (context: QueryContext<PersonState>) => unknown): QuerySpec<PersonState> => ({
  kind: 'person',
  type,
  on: 'target',
  read,
});
