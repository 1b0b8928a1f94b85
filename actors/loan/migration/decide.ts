import { cents, day, fieldOf, formatCents, formatDay, must, textIn } from '../../../engine/index.js';
import { type Fault, Refusal, refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { centsOf } from '../../wire.js';
import { activationDrafts } from '../commands/activate.js';
import { orderReply } from '../commands/order.js';
import { recordOf, refuseStatus, requireCase, requirePerson, todayOf } from '../context.js';
import { heldAtActivation } from '../ledger/threshold-holds.js';
import { runningOf } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { isCredit } from '../transactions/record.js';
import type { ViewEnv } from '../views/loan.js';
import { requireOwing } from '../people/person.js';
import { failureText, type LoanMigrated, type MigrationFailed, type MigrationRolledBack, type Taking } from './evolve.js';
import { liveFrom, requireWindow, windowFaults } from './line/ready.js';
import { mayMigrate, type PreparedActivity, type Reconciliation } from './migration.js';
import { activatedDayOf, preparedLoan, takingOf } from './prepared.js';
import { isMatch, migrationReply, migrationStatus, reconcile, reconciliationView } from './reconcile.js';
import type { MigrateLoanQuery, MigrateLoanRequest, RollBackMigrationRequest } from './types.js';

interface Checked {
  readonly faults: readonly Fault[];
  /** Null if the loan cannot be migrated. */
  readonly taking: Taking | null;
}

/** All faults of a prepared loan that can be found without a replay. */
function checkPrepared(state: LoanState, env: ViewEnv & { readonly now: number }): Checked {
  const { zone } = recordOf(state);
  const activatedDay = activatedDayOf(state);
  const faults: Fault[] = [];
  if (activatedDay > env.today(zone)) {
    faults.push({ path: 'migration.activatedDate', expected: `${formatDay(env.today(zone))} or earlier`, message: 'is after today' });
  }
  const from = liveFrom(state, activatedDay);
  const { prepared } = must(state.migration, `${state.id} is in preparation`);
  for (const activity of prepared) {
    const { effective } = activity;
    if (effective === null || effective.day >= from) continue;
    const message = `${formatDay(effective.day)} is before ${from === activatedDay ? 'activation' : 'the cutoff'}`;
    faults.push({ path: pathOf(activity), expected: `${formatDay(from)} or later`, message });
  }
  try {
    return { faults, taking: takingOf(state, env) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.errorType === 'migrationValidation') faults.push(...error.errors);
    else faults.push({ path: 'atOrigination', expected: 'terms that can be activated on their day', message: error.message });
    return { faults, taking: null };
  }
}

/** The path of a prepared activity in a fault. Ledger facts name their object only by a number. */
function pathOf({ type, body }: PreparedActivity): string {
  const fee = textIn(fieldOf(body, 'details'), 'id');
  if (fee !== undefined) return `fees.${fee}`;
  const change = fieldOf(body, 'change');
  const transaction = fieldOf(change, 'transaction');
  return change === undefined ? type : `${textIn(change, 'type') ?? ''}.${typeof transaction === 'number' ? transaction : ''}`;
}

/** Faults that only the replay finds: credits without a balance to lower, and stated figures that do not match. */
function checkTakenIn(
  loan: LoanState,
  env: ViewEnv,
  reconciliation: Reconciliation,
  tolerance: { readonly cents: number } | null,
): readonly Fault[] {
  const faults: Fault[] = [];
  const { payments } = runningOf(loan, env);
  for (const record of loan.transactions.values()) {
    const over = isCredit(record) ? (payments.find(({ transaction }) => transaction === record.payment)?.overCents ?? 0) : 0;
    if (over === 0) continue;
    const message = `the credit ${record.id} is ${formatCents(cents(over))} more than the balances that it can lower`;
    faults.push({ path: `transactions.${record.id}.amount`, expected: 'at most the balances that credits can lower', message });
  }
  if (tolerance === null) return faults;
  for (const row of reconciliation.rows) {
    if (isMatch(row, tolerance.cents)) continue;
    faults.push({
      path: row.field,
      expected: printed(row.kind, row.stated),
      message: `the replay gives ${printed(row.kind, row.computed)}`,
    });
  }
  return faults;
}

function printed(kind: Reconciliation['rows'][number]['kind'], value: number | string | null): string {
  if (typeof value !== 'number') return value ?? 'nothing';
  return kind === 'amount' ? formatCents(cents(value)) : kind === 'date' ? formatDay(day(value)) : String(value);
}

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/**
 * `POST L/migrate`: replays the prepared past from activation to today; from now on the loan is serviced here. `validateOnly` computes the
 * same and returns the report without changing anything.
 */
export const migrateLoan: CommandSpec<LoanState, MigrateLoanRequest, MigrateLoanQuery> = {
  kind: 'loan',
  type: 'loan.migrate',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body: request } = context;
    requirePerson(state, command.params['personId'], env);
    requireCase(env, state, command, request.caseId);
    requireReady(state);
    requireOwing(state, env);
    const { validateOnly = false } = command.query ?? {};
    const today = todayOf(env, state);
    if (!validateOnly) requireWindow(state, today);
    const window = windowFaults(state, today);
    const { faults, taking } = checkPrepared(state, env);
    if (taking === null || faults.length > 0) {
      return validateOnly
        ? report(context, [...window, ...faults], null)
        : refuse('migrationValidation', 'The loan cannot be migrated: see `errors`.', { errors: faults });
    }
    const trial = preparedLoan(state, env, taking);
    const reconciliation = reconcile(trial, env, request.stated ?? {}, today);
    const tolerance =
      request.failOnDifference === true ? { cents: request.toleranceAmount == null ? 0 : centsOf(request.toleranceAmount) } : null;
    const found = checkTakenIn(trial, env, reconciliation, tolerance);
    if (validateOnly) return report(context, [...window, ...found], reconciliation, trial);
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

/** The result of a dry run: the loan as if it were migrated. */
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
  return { facts: [], preview: true, reply: () => ({ data: reply }) };
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
    reply: (after) => orderReply(context, {}, { data: migrationReply(after), failure }),
  };
}

function succeeded(context: Context, request: MigrateLoanRequest, taking: Taking, reconciliation: Reconciliation): Decision<LoanState> {
  const { state, env } = context;
  const whole: Taking = taking.product === 'installment' ? { ...taking, facts: activationDrafts(state, env, taking.activation) } : taking;
  const body: LoanMigrated = { taking: whole, reconciliation, caseId: request.caseId ?? null };
  return {
    facts: [{ type: 'LoanMigrated', body }, ...heldAtActivation(env, state)],
    reply: (after) => orderReply(context, {}, { data: migrationReply(after) }),
  };
}

/** `POST L/migration/rollback`: after a failed migration the loan is in preparation again, with everything that was recorded. */
export const rollBackMigration: CommandSpec<LoanState, RollBackMigrationRequest> = {
  kind: 'loan',
  type: 'loan.rollBackMigration',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command, body: request } = context;
    requirePerson(state, command.params['personId'], env);
    requireCase(env, state, command, request.caseId);
    const status = migrationStatus(state);
    if (!mayMigrate(status, 'rollBack')) {
      refuse('invalidState', `The loan is ${status}. Only a failed migration can be rolled back.`, {
        errors: [{ path: 'migrationStatus', expected: 'failed', message: `the loan is ${status}` }],
      });
    }
    const body: MigrationRolledBack = { caseId: request.caseId ?? null };
    return {
      facts: [{ type: 'MigrationRolledBack', body }],
      reply: (after) => orderReply(context, {}, { data: migrationReply(after) }),
    };
  },
};
