import type { Day } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EventDraft } from '../../kernel/fact.js';
import { dateText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { AutopayPlan } from './plan.js';

/** A changed part of a plan, as events tell it. */
export interface AutopayChange {
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

/** The id of one payment of a plan: its place in the block that the plan has reserved. */
export const autopayPaymentId = (env: EvolveEnv, state: LoanState, plan: Pick<AutopayPlan, 'idBase'>, ordinal: number): string =>
  env.derivedId('AE', state.id, plan.idBase + ordinal);

export function scheduleEvent(
  state: LoanState,
  what: 'created' | 'changed' | 'cancel',
  plan: AutopayPlan,
  changes: readonly AutopayChange[] = [],
): EventDraft {
  const { id, rule, amountType, nextDay, cancelReason } = plan;
  const data = {
    autopayId: id,
    type: rule === null ? 'alignedToDueDates' : 'ownSchedule',
    amountType,
    nextPaymentDate: orNull(dateText, nextDay),
  };
  const more = what === 'changed' ? { changes } : what === 'cancel' ? { cancelReason } : {};
  return eventOf(state, `autopay.schedule.${what}`, plan, { ...data, ...more });
}

export const paymentRescheduled = (
  env: EvolveEnv,
  state: LoanState,
  plan: AutopayPlan,
  ordinal: number,
  days: { readonly old: Day; readonly new: Day },
): EventDraft =>
  eventOf(state, 'autopay.payment.rescheduled', plan, {
    autopayId: plan.id,
    expectedPaymentId: autopayPaymentId(env, state, plan, ordinal),
    oldDate: dateText(days.old),
    newDate: dateText(days.new),
  });

export const paymentCanceled = (
  env: EvolveEnv,
  state: LoanState,
  plan: AutopayPlan,
  ordinal: number,
  day: Day,
  reason: string,
): EventDraft =>
  eventOf(state, 'autopay.payment.canceled', plan, {
    autopayId: plan.id,
    expectedPaymentId: autopayPaymentId(env, state, plan, ordinal),
    date: dateText(day),
    reason,
  });

function eventOf(state: LoanState, eventType: string, plan: AutopayPlan, data: EventDraft['data']): EventDraft {
  const { personId, externalId } = recordOf(state);
  return {
    eventType,
    objectType: 'autopay',
    objectId: plan.id,
    refs: { loanId: state.id, personId },
    externalIds: { loanId: externalId },
    data,
  };
}
