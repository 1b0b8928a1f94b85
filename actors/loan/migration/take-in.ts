import { instantAt, must } from '../../../engine/index.js';
import type { Emit, EvolveEnv } from '../../runtime/actor.js';
import type { EffectiveTime, Fact } from '../../runtime/fact.js';
import { timeOfDay } from '../../wire.js';
import { recordOf } from '../context.js';
import { activated, caughtUp } from '../evolve-ledger.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import type { LoanMigrated } from './facts.js';

export type ApplyFact = (state: LoanState, fact: Fact, emit: Emit | null, env: EvolveEnv) => void;

/**
 * The replay of a migration (loans.md 10.3): activation on its day, what was prepared in the order of recording, and the
 * daily work up to the day of the recording. It tells no event. A dry run does the same to a copy.
 */
export function takeIn(applying: Applying, { activation, facts }: Pick<LoanMigrated, 'activation' | 'facts'>, apply: ApplyFact): void {
  const { state, fact, env } = applying;
  const { prepared, activatedSeconds } = must(state.migration, `${state.id} is not in preparation`);
  const quiet: Applying = { state, fact, env, emit: null };
  const { recordedDay, contract: { terms } } = activation;
  activated(quiet, activation, terms.activation);
  for (const { type, body, effective } of facts) apply(state, { ...fact, type, body, effective: effective ?? null }, null, env);
  for (const { type, body, effective, at, stamp, by } of prepared) {
    apply(state, { ...fact, type, body, effective, by, businessAt: at, stamp }, null, env);
  }
  const servicing = must(state.servicing, `${state.id} was activated`);
  if (servicing.summary.through < recordedDay) caughtUp(quiet, { through: recordedDay });
  endHolds(state, { day: recordedDay, seconds: 0 });
  const record = recordOf(state);
  const activatedAt = instantAt(record.zone, terms.activation, timeOfDay(activatedSeconds ?? 0));
  state.record = { ...record, timestamps: { ...record.timestamps, activatedAt, startedAt: activatedAt } };
}

/** Holds that ended in the other system end here without a word. */
function endHolds({ transactions }: LoanState, { day }: EffectiveTime): void {
  for (const record of [...transactions.values()]) {
    const { hold } = record;
    if (hold !== null && !hold.isOver && hold.endDay < day) transactions.put({ ...record, hold: { ...hold, isOver: true } });
  }
}
