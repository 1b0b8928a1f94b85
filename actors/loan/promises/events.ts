import type { EventDraft } from '../../kernel/fact.js';
import { amount, dateText } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import { promiseStatus, type PromiseStatus } from './machine.js';
import type { PromisedPayment, PromisePlan } from './plan.js';

export interface PromiseTold {
  readonly plan: PromisePlan;
  /** Null when the plan is new. */
  readonly oldStatus: PromiseStatus | null;
  readonly promise: PromisedPayment | null;
}

/** An event about a plan; names and keys are those of platform.md 3. */
export function promiseEvent(state: LoanState, eventType: string, { plan, oldStatus, promise }: PromiseTold): EventDraft {
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'promiseToPayPlan',
    objectId: plan.id,
    refs: { loanId: state.id, personId },
    externalIds: { loanId: externalId },
    data: {
      promisePlanId: plan.id,
      oldStatus,
      newStatus: promiseStatus(plan.state),
      dueDate: promise === null ? null : dateText(promise.dueDay),
      amount: promise === null ? null : amount(promise.amountCents),
      ...(plan.cancellationReason === null ? {} : { cancellationReason: plan.cancellationReason }),
    },
  };
}
