import { type Fault, refuse } from '../../../errors.js';
import type { CommandContext } from '../../../runtime/actor.js';
import { recordOf, requireBody, requireCase, requirePerson, statusOf } from '../../context.js';
import type { Draw } from '../../draws/draw.js';
import type { LoanState } from '../../state.js';
import { mayMigrate } from '../machine.js';
import { NOT_MIGRATED } from '../migration.js';
import { migrationStatus } from '../status.js';
import { type LineHistory, NO_HISTORY } from './history.js';

/** What is asked first of everything that is recorded of a line before its migration. */
export function beginRecording<Request extends { readonly caseId?: string | null }>(context: CommandContext<LoanState>): Request {
  const { state, env, command } = context;
  requirePerson(state, command.params['personId'], env);
  requireLine(state);
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

/** 409 for a loan that is no line of credit. */
export function requireLine(state: LoanState): void {
  const { type } = recordOf(state);
  if (type === 'lineOfCredit') return;
  refuse('invalidState', 'Periods and balances at a cutoff are of lines of credit.', {
    errors: [{ path: 'type', expected: 'lineOfCredit', message: `the loan is of type ${type}` }],
  });
}

export const historyOf = ({ migration }: LoanState): LineHistory => (migration ?? NOT_MIGRATED).line ?? NO_HISTORY;

/** The draw that a path or body names, by either id; 404 when the line has none. */
export const drawAsked = (state: LoanState, anyId: string | undefined): Draw =>
  findDraw(state, anyId) ?? refuse('notFound', `The line of credit ${state.id} has no draw ${anyId ?? ''}.`);

export const findDraw = (state: LoanState, anyId: string | undefined): Draw | undefined =>
  state.draws.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));

/** 400 with every fault of a history. */
export function refuseHistory(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('migrationValidation', 'The history to migrate is inconsistent.', { errors });
}
