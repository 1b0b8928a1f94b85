import { type Day, instantAt, must } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';
import type { Emit, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, Fact, FactDraft } from '../../kernel/fact.js';
import { dateText, orNull, timeOfDay } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { loanEvent } from '../events.js';
import type { LineActivated, LoanActivated } from '../facts.js';
import { activated, caughtUp } from '../ledger/evolve.js';
import { planEndedBy } from '../modifications/index.js';
import type { LoanState, LoanTimestamps } from '../state.js';
import type { Applying } from '../applying.js';
import { APPLY_LINE_HISTORY, type LineHistoryFacts } from './line/evolve.js';
import { beginLine } from './line/taking.js';
import { type Migration, migrationAfter, type MigrationMove, type MigrationTerms, NOT_MIGRATED, type Reconciliation } from './migration.js';

export type ApplyFact = (state: LoanState, fact: Fact, emit: Emit | null, env: EvolveEnv) => void;

/**
 * The replay of a migration: the activation (of a line at its cutoff), the prepared facts in the order of recording, and the daily work up
 * to the day of the recording. It emits no events. A dry run does the same to a copy.
 */
export function replayMigration(applying: Applying, taking: Taking, apply: ApplyFact): void {
  const { state, fact, env } = applying;
  const migration = must(state.migration, `${state.id} is not in preparation`);
  const quiet: Applying = { state, fact, env, emit: null };
  if (taking.product === 'installment') activated(quiet, taking.activation, taking.activation.contract.terms.activation);
  else beginLine(quiet, taking.activation);
  for (const { type, body, effective } of taking.facts) apply(state, { ...fact, type, body, effective: effective ?? null }, null, env);
  for (const { type, body, effective, at, stamp, by } of migration.prepared) {
    apply(state, { ...fact, type, body, effective, by, businessAt: at, stamp }, null, env);
  }
  const { recordedDay } = taking.activation;
  const { summary } = must(activationOf(state), `${state.id} was activated`);
  if (summary.through < recordedDay) caughtUp(quiet, { through: recordedDay });
  endHolds(state, { day: recordedDay, seconds: 0 });
  endPlans(applying, recordedDay, apply);
  setActivated(state, migration);
}

/** Ends holds that ended in the other system, without events. */
function endHolds({ transactions }: LoanState, { day }: EffectiveTime): void {
  for (const record of [...transactions.values()]) {
    const { hold } = record;
    if (hold !== null && !hold.isOver && hold.endDay < day) transactions.put({ ...record, hold: { ...hold, isOver: true } });
  }
}

/** Ends payment plans that ended in the other system, without events. */
function endPlans({ state, fact, env }: Applying, day: Day, apply: ApplyFact): void {
  for (let ended = planEndedBy(state, day); ended !== null; ended = planEndedBy(state, day)) {
    const businessAt = instantAt(recordOf(state).zone, ended.day, timeOfDay(0));
    apply(state, { ...fact, type: 'PaymentPlanEnded', body: ended.body, effective: null, businessAt }, null, env);
  }
}

function setActivated(state: LoanState, { activatedDay, activatedSeconds }: Migration): void {
  const record = recordOf(state);
  const activatedAt = instantAt(record.zone, must(activatedDay ?? undefined, 'a day of activation'), timeOfDay(activatedSeconds ?? 0));
  state.record = { ...record, timestamps: { ...record.timestamps, activatedAt, startedAt: activatedAt } };
}

/** Applies the facts of migrations; `apply` applies the prepared facts. */
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
    emitOutcome(applying, 'failed', failureText(errors));
  },
  MigrationRolledBack({ state }) {
    change(state, 'rollBack', { errors: [], failedAt: null, reconciliation: null });
  },
});

function migrated(applying: Applying, body: LoanMigrated, apply: ApplyFact): void {
  const { state, fact } = applying;
  replayMigration(applying, body.taking, apply);
  change(state, 'succeed', { prepared: [], errors: [], migratedAt: fact.businessAt, reconciliation: body.reconciliation });
  emitOutcome(applying, 'succeeded', null);
}

function emitOutcome({ state, emit }: Applying, outcome: 'succeeded' | 'failed', failureReason: string | null): void {
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

/** Facts of a loan's migration from another system. */
export interface MigrationFacts extends LineHistoryFacts {
  readonly MigrationChanged: MigrationChanged;
  readonly ActivityPrepared: ActivityPrepared;
  readonly LoanMigrated: LoanMigrated;
  readonly MigrationFailed: MigrationFailed;
  readonly MigrationRolledBack: MigrationRolledBack;
}

/** The caller prepares a migration, changes its terms or cancels it. */
export interface MigrationChanged {
  readonly move: Extract<MigrationMove, 'prepare' | 'withdraw' | 'change' | 'reportCredit'>;
  readonly terms: MigrationTerms;
  /** Times of the other system, which replace those of the recording. */
  readonly times?: Partial<LoanTimestamps>;
}

/** Activity of the loan's past was recorded during the preparation: the replay will apply these facts. */
export interface ActivityPrepared {
  readonly facts: readonly PreparedDraft[];
}

export interface PreparedDraft {
  readonly type: string;
  readonly body: unknown;
  readonly effective: EffectiveTime | null;
}

/**
 * The loan is serviced here: activated on its day in the past, with the prepared facts in the order of recording, and the daily work up to
 * the day of the recording.
 */
export interface LoanMigrated {
  readonly taking: Taking;
  readonly reconciliation: Reconciliation;
  readonly caseId: string | null;
}

/** The activation of a migrated loan of either product, and the facts that come with it. */
export type Taking = InstallmentTaking | LineTaking;

/** The facts are advances and promo programs. */
interface InstallmentTaking {
  readonly product: 'installment';
  readonly activation: LoanActivated;
  readonly facts: readonly FactDraft[];
}

/** A line begins at its cutoff: its draws are activated, then their balances are seeded. */
interface LineTaking {
  readonly product: 'lineOfCredit';
  readonly activation: LineActivated;
  readonly facts: readonly FactDraft[];
}

export interface MigrationFailed {
  readonly errors: readonly Fault[];
  readonly reconciliation: Reconciliation | null;
  readonly caseId: string | null;
}

export interface MigrationRolledBack {
  readonly caseId: string | null;
}

/** All faults as one text. */
export const failureText = (errors: readonly Fault[]): string => errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
