import { must } from '../../../engine/index.js';
import { dateText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import { loanEvent } from '../events.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import { failureText, type LoanMigrated, type MigrationFacts } from './facts.js';
import { APPLY_LINE_HISTORY } from './line/evolve.js';
import { migrationAfter, type MigrationMove } from './machine.js';
import { type Migration, NOT_MIGRATED } from './migration.js';
import { type ApplyFact, takeIn } from './take-in.js';

/** Applies the facts of migrations; `apply` applies those that were prepared. */
export const migrationFacts = (
  apply: ApplyFact,
): { readonly [Type in keyof MigrationFacts]: (applying: Applying, body: MigrationFacts[Type]) => void } => ({
  ...APPLY_LINE_HISTORY,
  MigrationChanged({ state }, { move, terms, times }) {
    change(state, move, terms);
    if (times === undefined) return;
    const record = recordOf(state);
    state.record = { ...record, timestamps: { ...record.timestamps, ...times } };
  },
  ActivityPrepared({ state, fact }, { facts }) {
    const { prepared } = migrationOf(state);
    const { businessAt: at, stamp, by } = fact;
    change(state, 'record', { prepared: [...prepared, ...facts.map((draft) => ({ ...draft, at, stamp, by }))] });
  },
  LoanMigrated: (applying, body) => migrated(applying, body, apply),
  MigrationFailed(applying, { errors, reconciliation }) {
    const { state, fact } = applying;
    change(state, 'fail', { errors, reconciliation, failedAt: fact.businessAt });
    tellOutcome(applying, 'failed', failureText(errors));
  },
  MigrationRolledBack({ state }) {
    change(state, 'rollBack', { errors: [], failedAt: null, reconciliation: null });
  },
});

function migrated(applying: Applying, body: LoanMigrated, apply: ApplyFact): void {
  const { state, fact } = applying;
  takeIn(applying, body.taking, apply);
  change(state, 'succeed', { prepared: [], errors: [], migratedAt: fact.businessAt, reconciliation: body.reconciliation });
  tellOutcome(applying, 'succeeded', null);
}

function tellOutcome({ state, emit }: Applying, outcome: 'succeeded' | 'failed', failureReason: string | null): void {
  if (emit === null) return;
  const { status, activatedDay } = migrationOf(state);
  emit(
    loanEvent(state, `loan.migration.${outcome}`, {
      migrationStatus: status,
      activatedDate: orNull(dateText, activatedDay),
      failureReason,
    }),
  );
}

function change(state: LoanState, move: MigrationMove, changes: Partial<Migration>): void {
  const before = state.migration ?? NOT_MIGRATED;
  state.migration = { ...before, ...changes, status: migrationAfter(before.status, move) };
}

const migrationOf = (state: LoanState): Migration => must(state.migration, `${state.id} is not migrated`);
