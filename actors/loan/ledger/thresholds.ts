import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ask } from '../../kernel/question.js';
import { effectiveNow } from '../context.js';
import type { LedgerChanged } from '../facts.js';
import { loanAsks } from '../questions.js';
import type { LoanState } from '../state.js';

/*
 * Days overdue accelerate and charge off no loan as long as a case with a hold is active. The ledger gets a fact
 * when one begins and when it ends, so that every replay knows on which days it held.
 */

/** What a loan that comes into force finds: the cases that hold it from its first day on. */
export const heldAtActivation = (env: DecideEnv, loan: LoanState): readonly FactDraft[] =>
  ask(env, loanAsks.casesHoldingThresholds, loan).map((caseId) => thresholdDraft(env, loan, 'thresholdsHeld', caseId));

export function thresholdDraft(env: DecideEnv, loan: LoanState, type: 'thresholdsHeld' | 'thresholdsReleased', holder: string): FactDraft {
  const effective = effectiveNow(env, loan);
  const body: LedgerChanged = { change: { type, holder }, recordedDay: effective.day, caseId: holder, reason: null };
  return { type: 'LedgerChanged', body, effective };
}
