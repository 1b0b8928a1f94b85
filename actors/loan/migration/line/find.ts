import { type Fault, refuse } from '../../../errors.js';
import type { CommandContext } from '../../../kernel/actor.js';
import { requireBody, requireCase, requirePerson, requireProduct, statusOf } from '../../context.js';
import type { LoanState } from '../../state.js';
import { mayMigrate } from '../machine.js';
import { NOT_MIGRATED } from '../migration.js';
import { migrationStatus } from '../status.js';
import { type LineHistory, NO_HISTORY } from './history.js';

/** What is asked first of everything that is recorded of a line before its migration. */
export function beginRecording<Request extends { readonly caseId?: string | null }>(context: CommandContext<LoanState>): Request {
  const { state, env, command } = context;
  requirePerson(state, command.params['personId'], env);
  requireProduct(state, 'lineOfCredit');
  const request = requireBody<Request>(context.body);
  requireCase(env, state, command, request.caseId);
  const status = migrationStatus(state);
  const isOpen = statusOf(state) === 'pending' || statusOf(state) === 'originated';
  if (!isOpen || !mayMigrate(status, 'record')) {
    refuse('invalidState', `The loan is ${status}; its history is recorded while it is in preparation for a migration.`, {
      errors: [{ path: 'migrationStatus', expected: 'prepMigration', message: `the loan is ${status}` }],
    });
  }
  return request;
}

export const historyOf = ({ migration }: LoanState): LineHistory => (migration ?? NOT_MIGRATED).line ?? NO_HISTORY;

/** 400 with every fault of a history. */
export function refuseHistory(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('migrationValidation', 'The history to migrate is inconsistent.', { errors });
}
