import type { FailureReason, PersonFacts } from '../../borrower/index.js';
import { addDays, type Day, must } from '../../../engine/index.js';
import type { AutopaySettings } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import { DEACTIVATING, findInstrument } from '../transactions/instruments.js';
import { productOn } from '../transactions/moves.js';
import type { TransactionRecord } from '../transactions/record.js';
import { endPlan } from './ending.js';
import type { AutopayFailureAnswered } from './facts.js';
import type { AutopayPlan, Retry } from './plan.js';

/** Failures that may pass by themselves: only these are presented again (money 2, rule 12). */
const PASSING: ReadonlySet<FailureReason> = new Set<FailureReason>(['insufficientFunds', 'networkError']);

/**
 * What follows a failed payment of a plan (money 6, rule 5): an account that cannot be charged ends it, unless the plan has
 * another one by now; a passing failure is presented again, and payments in a row that fail for good end it, too. A payment
 * counts once, with all its tries.
 */
export function answerFailure(state: LoanState, env: DecideEnv, plan: AutopayPlan, transactionId: string, day: Day): readonly FactDraft[] {
  const record = must(state.transactions.get(transactionId), `${state.id} knows no transaction ${transactionId}`);
  const { failureReason, instrument } = record;
  const isLost = failureReason === null || DEACTIVATING[failureReason] !== undefined;
  if (isLost && instrument?.id === plan.instrument.id) {
    return endPlan(state, plan, { move: 'cancel', cancelReason: 'invalidPaymentMethod', caseId: null });
  }
  const { autopay } = productOn(state, env, day);
  const retry = retryOf(record, autopay, day);
  const answered: AutopayFailureAnswered = { planId: plan.id, transactionId, retry };
  const facts: FactDraft[] = [{ type: 'AutopayFailureAnswered', body: answered }];
  if (retry !== null || plan.failures + 1 < autopay.maxConsecutiveFailures) return facts;
  facts.push(...endPlan(state, plan, { move: 'cancel', cancelReason: 'consecutiveFailures', caseId: null }));
  if (failureReason !== null) facts.push(...switchedOff(state, env, plan, failureReason));
  return facts;
}

function retryOf({ id, retryAttempt, failureReason }: TransactionRecord, { retry }: AutopaySettings, day: Day): Retry | null {
  const attempt = (retryAttempt ?? 0) + 1;
  if (failureReason === null || !PASSING.has(failureReason) || attempt > retry.maxAttempts) return null;
  return { transactionId: id, attempt, day: addDays(day, Math.max(1, retry.daysBetween)) };
}

/** Only an instrument of the main borrower, who lies on the loan's shard. */
function switchedOff(state: LoanState, env: DecideEnv, { instrument }: AutopayPlan, failureReason: FailureReason): readonly FactDraft[] {
  const { personId } = recordOf(state);
  if (instrument.personId !== personId) return [];
  const found = findInstrument(env, [personId], instrument.id);
  if (found === undefined || found.instrument.status === 'inactive') return [];
  const body: PersonFacts['InstrumentDeactivated'] = { id: instrument.id, reason: 'other', failureReason };
  return [{ type: 'InstrumentDeactivated', body, target: { kind: 'person', id: personId } }];
}
