import { type Day, instantAt, must } from '../../../engine/index.js';
import type { Emit, EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime, Fact } from '../../kernel/fact.js';
import { timeOfDay } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { activated, caughtUp } from '../ledger/evolve.js';
import { planEndedBy } from '../modifications/index.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import type { Taking } from './evolve.js';
import { beginLine } from './line/begin.js';
import type { Migration } from './migration.js';

export type ApplyFact = (state: LoanState, fact: Fact, emit: Emit | null, env: EvolveEnv) => void;

/**
 * The replay of a migration: activation on its day, of a line at its cutoff, what was prepared in
 * the order of recording, and the daily work up to the day of the recording. It tells no event. A dry run does the same to
 * a copy.
 */
export function takeIn(applying: Applying, taking: Taking, apply: ApplyFact): void {
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

/** Holds that ended in the other system end here without a word. */
function endHolds({ transactions }: LoanState, { day }: EffectiveTime): void {
  for (const record of [...transactions.values()]) {
    const { hold } = record;
    if (hold !== null && !hold.isOver && hold.endDay < day) transactions.put({ ...record, hold: { ...hold, isOver: true } });
  }
}

/** Payment plans that were over in the other system are over here without a word. */
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
