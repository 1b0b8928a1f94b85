import { refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { LoanState } from '../state.js';
import { mayMove, type PromiseMove, promiseStatus } from './machine.js';
import type { PromisePlan } from './plan.js';

/** The loan's plan that an AnyId names; 404 when it has none. */
export function promisePlanOf(state: LoanState, anyId: string | undefined): PromisePlan {
  const known = state.promises.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId));
  return known ?? refuse('notFound', `The loan ${state.id} has no promise-to-pay plan ${anyId ?? ''}.`);
}

/** 409 for a plan that is over. */
export function requirePromiseMove({ id, state }: PromisePlan, move: PromiseMove): void {
  if (mayMove(state, move)) return;
  refuse('invalidState', `The promise-to-pay plan ${id} is ${promiseStatus(state)}; it must be scheduled or active.`, {
    errors: [{ path: 'status', expected: 'scheduled, active', message: `the plan is ${promiseStatus(state)}` }],
  });
}

/** 409 when another plan of the company has the external id. */
export function checkPlanExternalId(env: DecideEnv, externalId: string | null | undefined): void {
  if (externalId == null || env.findExternal(env.tenant, 'promiseToPayPlan', externalId) === undefined) return;
  refuse('duplicate', `A promise-to-pay plan with the external id ${externalId} exists.`, {
    errors: [{ path: 'externalId', expected: 'an id that no other plan has', message: 'taken' }],
  });
}
