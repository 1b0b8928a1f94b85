import { refuse } from '../../../errors.js';
import type { CommandSpec } from '../../../kernel/actor.js';
import { finished } from '../../commands/order.js';
import { requireBody, requireCase, requirePerson } from '../../context.js';
import type { LoanState } from '../../state.js';
import type { MigrationRolledBack } from '../facts.js';
import { mayMigrate } from '../machine.js';
import type { RollBackMigrationRequest } from '../requests.js';
import { migrationStatus } from '../status.js';
import { migrationReply } from '../view.js';

/** `POST L/migration/rollback`: after a run that failed the loan is in preparation again, with all that was recorded. */
export const rollBackMigration: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.rollBackMigration',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    requirePerson(state, command.params['personId'], env);
    const request = requireBody<RollBackMigrationRequest>(context.body);
    requireCase(env, state, command, request.caseId);
    const status = migrationStatus(state);
    if (!mayMigrate(status, 'rollBack')) {
      refuse('invalidState', `The loan is ${status}; only a migration that failed is rolled back.`, {
        errors: [{ path: 'migrationStatus', expected: 'failed', message: `the loan is ${status}` }],
      });
    }
    const body: MigrationRolledBack = { caseId: request.caseId ?? null };
    return {
      facts: [{ type: 'MigrationRolledBack', body }],
      reply: (after) => finished(context, {}, { data: migrationReply(after) }),
    };
  },
};
