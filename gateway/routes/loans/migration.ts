import typia from 'typia';
import type { MigrateLoanQuery, MigrateLoanRequest, MigrationReply, RollBackMigrationRequest } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Loan migration'];
const reply = typia.json.schemas<[MigrationReply], '3.1'>();

/** Migration of a loan from another system. */
export const migrationRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/migrate',
    operation: 'migrateLoan',
    tags,
    permission: 'loan:migrate',
    summary: 'Migrate a loan: replay its recorded past and service it from now on',
    description:
      'With `validateOnly` the migration is computed and reported, and nothing changes. A failed run leaves the loan as it was prepared.',
    query: { validate: typia.misc.createValidatePrune<MigrateLoanQuery>(), schemas: typia.json.schemas<[MigrateLoanQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<MigrateLoanRequest>(), schemas: typia.json.schemas<[MigrateLoanRequest], '3.1'>() },
    reply,
    handle: (call) => call.command('loan.migrate', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/migration',
    operation: 'getLoanMigration',
    tags,
    permission: 'loan:read',
    summary: 'Get the status, errors and report of a migration',
    reply,
    handle: (call) => call.read('loan.migration', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/migration/rollback',
    operation: 'rollBackLoanMigration',
    tags,
    permission: 'loan:migrate',
    summary: 'Prepare a migration again after a failed run',
    body: {
      validate: typia.misc.createValidatePrune<RollBackMigrationRequest>(),
      schemas: typia.json.schemas<[RollBackMigrationRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('loan.rollBackMigration', call.params.loanId),
  }),
];
