import typia from 'typia';
import type {
  CreatePastPeriodsRequest,
  DeletePastPeriodRequest,
  DrawMigrationPeriodRequest,
  DrawMigrationPeriodView,
  ListPastPeriodsQuery,
  ListPastTransactionsQuery,
  MigrationPeriodRequest,
  MigrationPeriodView,
  MovePastTransactionRequest,
  PastPeriodQuery,
  PastPeriodView,
  PastTransactionRequest,
  PastTransactionView,
  UpdateDrawMigrationPeriodRequest,
  UpdateMigrationPeriodRequest,
  UpdatePastPeriodRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Loan migration'];
const onePeriod = { validate: typia.misc.createValidatePrune<PastPeriodQuery>(), schemas: typia.json.schemas<[PastPeriodQuery], '3.1'>() };
const pastPeriod = typia.json.schemas<[PastPeriodView | null], '3.1'>();
const pastPeriods = typia.json.schemas<[PastPeriodView[]], '3.1'>();
const linePeriod = typia.json.schemas<[MigrationPeriodView], '3.1'>();
const drawPeriod = typia.json.schemas<[DrawMigrationPeriodView], '3.1'>();
const pastTransaction = typia.json.schemas<[PastTransactionView], '3.1'>();

/** What a line of credit brings from another system (loans.md 10.4). */
export const lineHistoryRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/migration/past-periods', operation: 'createPastPeriods', tags, permission: 'loan:migrate',
    success: 201, summary: 'Record periods of a line before its cutoff',
    body: { validate: typia.misc.createValidatePrune<CreatePastPeriodsRequest>(), schemas: typia.json.schemas<[CreatePastPeriodsRequest], '3.1'>() },
    reply: pastPeriods,
    handle: (call) => call.command('migration.createPastPeriods', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/migration/past-periods', operation: 'listPastPeriods', tags, permission: 'loan:read',
    summary: 'Periods of a line before its cutoff, oldest first',
    query: { validate: typia.misc.createValidatePrune<ListPastPeriodsQuery>(), schemas: typia.json.schemas<[ListPastPeriodsQuery], '3.1'>() },
    reply: pastPeriods,
    handle: (call) => call.read('migration.pastPeriods', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/migration/past-periods', operation: 'updatePastPeriod', tags, permission: 'loan:migrate',
    summary: 'Change the past period with a due date', description: 'Where no period has the due date nothing changes, and `data` is null.', query: onePeriod,
    body: { validate: typia.misc.createValidatePrune<UpdatePastPeriodRequest>(), schemas: typia.json.schemas<[UpdatePastPeriodRequest], '3.1'>() },
    reply: pastPeriod,
    handle: (call) => call.command('migration.updatePastPeriod', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/loans/{loanId}/migration/past-periods', operation: 'deletePastPeriod', tags, permission: 'loan:migrate',
    summary: 'Delete the past period with a due date', query: onePeriod,
    body: { validate: typia.misc.createValidatePrune<DeletePastPeriodRequest>(), schemas: typia.json.schemas<[DeletePastPeriodRequest], '3.1'>() },
    reply: pastPeriod,
    handle: (call) => call.command('migration.removePastPeriod', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/migration/period', operation: 'createMigrationPeriod', tags, permission: 'loan:migrate',
    success: 201, summary: 'State the balances of a line at its cutoff',
    body: { validate: typia.misc.createValidatePrune<MigrationPeriodRequest>(), schemas: typia.json.schemas<[MigrationPeriodRequest], '3.1'>() },
    reply: linePeriod,
    handle: (call) => call.command('migration.createPeriod', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/migration/period', operation: 'getMigrationPeriod', tags, permission: 'loan:read',
    summary: 'The balances of a line at its cutoff', reply: linePeriod,
    handle: (call) => call.read('migration.period', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/migration/period', operation: 'updateMigrationPeriod', tags, permission: 'loan:migrate',
    summary: 'Change the balances of a line at its cutoff',
    body: { validate: typia.misc.createValidatePrune<UpdateMigrationPeriodRequest>(), schemas: typia.json.schemas<[UpdateMigrationPeriodRequest], '3.1'>() },
    reply: linePeriod,
    handle: (call) => call.command('migration.updatePeriod', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/migration/period', operation: 'createDrawMigrationPeriod', tags,
    permission: 'loan:migrate', success: 201, summary: 'State the balances of a draw at the cutoff of its line',
    body: { validate: typia.misc.createValidatePrune<DrawMigrationPeriodRequest>(), schemas: typia.json.schemas<[DrawMigrationPeriodRequest], '3.1'>() },
    reply: drawPeriod,
    handle: (call) => call.command('migration.createDrawPeriod', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/migration/period', operation: 'getDrawMigrationPeriod', tags,
    permission: 'loan:read', summary: 'The balances of a draw at the cutoff of its line', reply: drawPeriod,
    handle: (call) => call.read('migration.drawPeriod', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/draws/{drawId}/migration/period', operation: 'updateDrawMigrationPeriod', tags,
    permission: 'loan:migrate', summary: 'Change the balances of a draw at the cutoff of its line',
    body: { validate: typia.misc.createValidatePrune<UpdateDrawMigrationPeriodRequest>(), schemas: typia.json.schemas<[UpdateDrawMigrationPeriodRequest], '3.1'>() },
    reply: drawPeriod,
    handle: (call) => call.command('migration.updateDrawPeriod', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/loans/{loanId}/migration/past-transaction', operation: 'recordPastTransaction', tags,
    permission: 'loan:migrate', success: 201, summary: 'Record a transaction of a line before its cutoff',
    body: { validate: typia.misc.createValidatePrune<PastTransactionRequest>(), schemas: typia.json.schemas<[PastTransactionRequest], '3.1'>() },
    reply: pastTransaction,
    handle: (call) => call.command('migration.recordPastTransaction', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/loans/{loanId}/migration/past-transactions', operation: 'listPastTransactions', tags,
    permission: 'loan:read', envelope: 'list', summary: 'Transactions of a line before its cutoff, newest first',
    query: { validate: typia.misc.createValidatePrune<ListPastTransactionsQuery>(), schemas: typia.json.schemas<[ListPastTransactionsQuery], '3.1'>() },
    reply: typia.json.schemas<[PastTransactionView[]], '3.1'>(),
    handle: (call) => call.read('migration.pastTransactions', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/loans/{loanId}/migration/past-transaction/{transactionId}', operation: 'movePastTransaction', tags,
    permission: 'loan:migrate', summary: 'Change the status of a past transaction',
    body: { validate: typia.misc.createValidatePrune<MovePastTransactionRequest>(), schemas: typia.json.schemas<[MovePastTransactionRequest], '3.1'>() },
    reply: pastTransaction,
    handle: (call) => call.command('migration.movePastTransaction', call.params.loanId),
  }),
];
