import { resolveId } from '../../kernel/any-id.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import type { PaymentPlan } from './state.js';

/** The plan that an AnyId of a path names; 404 when the loan has none such. */
export function planAsked(state: LoanState, anyId: string | undefined, env: EvolveEnv): PaymentPlan {
  const id = resolveId(env, state.tenant, 'paymentPlan', anyId ?? '');
  return state.modifications.plans.find((plan) => plan.id === id) ?? refuse('notFound', `The loan has no payment plan ${anyId}.`);
}
