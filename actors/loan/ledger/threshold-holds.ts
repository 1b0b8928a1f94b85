import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/policy.js';
import { effectiveNow } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import { loanAsks } from '../questions.js';
import type { LoanState } from '../state.js';

/*
 * While a case with a hold is active, days overdue neither accelerate nor charge off the loan. The ledger gets a fact when a hold begins
 * and when it ends, so that every replay knows the days of the hold.
 */

/** The facts of cases that hold the thresholds of a loan at its activation. */
export const heldAtActivation = (env: DecideEnv, loan: LoanState): readonly FactDraft[] =>
  ask(env, loanAsks.casesHoldingThresholds, loan).map((caseId) => thresholdDraft(env, loan, 'thresholdsHeld', caseId));

export function thresholdDraft(env: DecideEnv, loan: LoanState, type: 'thresholdsHeld' | 'thresholdsReleased', holder: string): FactDraft {
  const effective = effectiveNow(env, loan);
  const body: LedgerChanged = { change: { type, holder }, recordedDay: effective.day, caseId: holder, reason: null };
  return { type: 'LedgerChanged', body, effective };
}
