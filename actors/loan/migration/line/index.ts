import { refuse } from '../../../errors.js';
import { pageOf } from '../../../list-order.js';
import type { CommandSpec, QuerySpec, QueryContext } from '../../../kernel/actor.js';
import { dayOfText } from '../../../wire.js';
import { requirePerson, requireProduct } from '../../context.js';
import { drawOf } from '../../draws/draw.js';
import type { LoanState } from '../../state.js';
import {
  createDrawMigrationPeriod,
  createMigrationPeriod,
  createPastPeriods,
  removePastPeriod,
  updateDrawMigrationPeriod,
  updateMigrationPeriod,
  updatePastPeriod,
} from './periods.js';
import { movePastTransaction, recordPastTransaction } from './past-transactions.js';
import { historyOf } from './taking.js';
import type { ListPastPeriodsQuery, ListPastTransactionsQuery } from './types.js';
import { drawPeriodView, migrationPeriodView, pastPeriodView, pastTransactionView } from './evolve.js';

export const lineHistoryCommands: readonly CommandSpec<LoanState>[] = [
  createPastPeriods,
  updatePastPeriod,
  removePastPeriod,
  createMigrationPeriod,
  updateMigrationPeriod,
  createDrawMigrationPeriod,
  updateDrawMigrationPeriod,
  recordPastTransaction,
  movePastTransaction,
];

/** Queries of a line's history before its migration. */
export const lineHistoryQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'migration.pastPeriods',
    on: 'target',
    read({ state, query, request, env }: QueryContext<LoanState, ListPastPeriodsQuery>) {
      requirePerson(state, request.params['personId'], env);
      requireProduct(state, 'lineOfCredit');
      const { dueDate } = query;
      const wanted = dueDate === undefined ? null : dayOfText(dueDate);
      return historyOf(state)
        .pastPeriods.filter(({ dueDay }) => wanted === null || dueDay === wanted)
        .map(pastPeriodView);
    },
  },
  {
    kind: 'loan',
    type: 'migration.period',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      requireProduct(state, 'lineOfCredit');
      return migrationPeriodView(historyOf(state).period ?? refuse('notFound', 'No migration period of the line was recorded.'));
    },
  },
  {
    kind: 'loan',
    type: 'migration.drawPeriod',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      requireProduct(state, 'lineOfCredit');
      const { id } = drawOf(state, request.params['drawId']);
      return drawPeriodView(
        historyOf(state).drawPeriods.find(({ drawId }) => drawId === id) ??
          refuse('notFound', 'No migration period of the draw was recorded.'),
      );
    },
  },
  {
    kind: 'loan',
    type: 'migration.pastTransactions',
    on: 'target',
    read({ state, query, request, env }: QueryContext<LoanState, ListPastTransactionsQuery>) {
      requirePerson(state, request.params['personId'], env);
      requireProduct(state, 'lineOfCredit');
      const newestFirst = [...historyOf(state).pastTransactions].reverse();
      return pageOf(
        newestFirst,
        query,
        (past) => pastTransactionView(state, past),
        ({ externalId }) => externalId,
      );
    },
  },
];
