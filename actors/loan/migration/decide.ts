import { type Fault, refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { centsOf } from '../../wire.js';
import { activationDrafts } from '../commands/activate.js';
import { finished } from '../commands/order.js';
import { recordOf, refuseStatus, requireBody, requireCase, requirePerson, todayOf } from '../context.js';
import { heldAtActivation } from '../ledger/thresholds.js';
import type { LoanState } from '../state.js';
import { checkPrepared, checkTakenIn } from './checks.js';
import { failureText, type LoanMigrated, type MigrationFailed, type MigrationRolledBack, type Taking } from './evolve.js';
import { requireWindow } from './line/ready.js';
import { mayMigrate } from './machine.js';
import type { Reconciliation } from './migration.js';
import { preparedLoan } from './prepared.js';
import { reconcile } from './reconcile.js';
import type { MigrateLoanQuery, MigrateLoanRequest, RollBackMigrationRequest } from './types.js';
import { migrationStatus } from './status.js';
import { migrationReply, reconciliationView } from './view.js';

type Context = CommandContext<LoanState>;

/**
 * `POST L/migrate`: the past that was prepared is replayed from activation to today, and the loan is serviced here from
 * now on. `validateOnly` computes the same and reports, without changing anything.
 */
export const migrateLoan: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.migrate',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    requirePerson(state, command.params['personId'], env);
    const request = requireBody<MigrateLoanRequest>(context.body);
    requireCase(env, state, command, request.caseId);
    requireReady(state);
    const { validateOnly = false } = (command.query ?? {}) as MigrateLoanQuery;
    if (!validateOnly) requireWindow(state, todayOf(env, state));
    const { faults, taking } = checkPrepared(state, env);
    if (taking === null || faults.length > 0) {
      return validateOnly
        ? report(context, faults, null)
        : refuse('migrationValidation', 'The loan cannot be migrated as it is.', { errors: faults });
    }
    const trial = preparedLoan(state, env, taking);
    const reconciliation = reconcile(trial, env, request.stated ?? {}, todayOf(env, state));
    const tolerance =
      request.failOnDifference === true ? { cents: request.toleranceAmount == null ? 0 : centsOf(request.toleranceAmount) } : null;
    const found = checkTakenIn(trial, env, reconciliation, tolerance);
    if (validateOnly) return report(context, found, reconciliation, trial);
    return found.length > 0 ? failed(context, request, found, reconciliation) : succeeded(context, request, taking, reconciliation);
  },
};

function requireReady(state: LoanState): void {
  const status = migrationStatus(state);
  if (!mayMigrate(status, 'succeed')) {
    refuse('invalidState', `The loan is ${status}; it must be in preparation for a migration.`, {
      errors: [{ path: 'migrationStatus', expected: 'prepMigration', message: `the loan is ${status}` }],
    });
  }
  if (recordOf(state).status !== 'originated') refuseStatus(state, ['originated']);
}

/** The outcome of a dry run: the loan as it would be. */
function report(
  context: Context,
  errors: readonly Fault[],
  reconciliation: Reconciliation | null,
  trial = context.state,
): Decision<LoanState> {
  const { state } = context;
  const reply = {
    ...migrationReply(state),
    status: migrationReply(trial).status,
    errors: errors.map(({ path, message }) => ({ code: 'migrationValidation', message, field: path })),
    reconciliation: reconciliation && reconciliationView(reconciliation),
  };
  return { facts: [], reply: () => ({ data: reply }) };
}

function failed(
  context: Context,
  request: MigrateLoanRequest,
  errors: readonly Fault[],
  reconciliation: Reconciliation,
): Decision<LoanState> {
  const body: MigrationFailed = { errors, reconciliation, caseId: request.caseId ?? null };
  const failure = { errorType: 'migrationValidation', message: failureText(errors) } as const;
  return {
    facts: [{ type: 'MigrationFailed', body }],
    reply: (after) => finished(context, {}, { data: migrationReply(after), failure }),
  };
}

function succeeded(context: Context, request: MigrateLoanRequest, taking: Taking, reconciliation: Reconciliation): Decision<LoanState> {
  const { state, env } = context;
  const whole: Taking = taking.product === 'installment' ? { ...taking, facts: activationDrafts(state, env, taking.activation) } : taking;
  const body: LoanMigrated = { taking: whole, reconciliation, caseId: request.caseId ?? null };
  return {
    facts: [{ type: 'LoanMigrated', body }, ...heldAtActivation(env, state)],
    reply: (after) => finished(context, {}, { data: migrationReply(after) }),
  };
}

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
