import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import { requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { migrateLoan, rollBackMigration } from './decide.js';
import { lineHistoryCommands, lineHistoryQueries } from './line/index.js';
import { showingPrepared } from './prepared.js';
import { migrationReply } from './reconcile.js';

export const migrationCommands: readonly CommandSpec<LoanState>[] = [migrateLoan, rollBackMigration, ...lineHistoryCommands];

/** `GET L/migration`, and the recorded history of a line. */
export const migrationQueries: readonly QuerySpec<LoanState>[] = [
  ...lineHistoryQueries,
  {
    kind: 'loan',
    type: 'loan.migration',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return migrationReply(state);
    },
  },
];

export const shownInPreparation = (queries: readonly QuerySpec<LoanState>[]): readonly QuerySpec<LoanState>[] =>
  queries.map(showingPrepared);
