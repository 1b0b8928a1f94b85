import type { Cents, Day } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EventDraft } from '../../kernel/fact.js';
import { dateText, orNull } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { UsedInstrument } from '../transactions/record.js';
import type { AutopayCancelReason, AutopayPlan, AutopayTerms, Retry } from './plan.js';

/**
 * Facts about autopay plans. The transactions that a plan makes and their ledger facts are facts of their own in the same batch.
 */
export interface AutopayFacts {
  readonly AutopayStarted: AutopayStarted;
  readonly AutopayEnded: AutopayEnded;
  readonly AutopaySuspended: AutopaySuspended;
  readonly AutopayResumed: AutopaySuspended;
  readonly AutopayScheduleAdopted: AutopayScheduleAdopted;
  readonly AutopayInstrumentChanged: AutopayInstrumentChanged;
  readonly AutopayPaymentRescheduled: AutopayPaymentRescheduled;
  readonly AutopayPaymentCanceled: AutopayPaymentCanceled;
  readonly AutopayDayWorked: AutopayDayWorked;
  readonly AutopayFailureAnswered: AutopayFailureAnswered;
  readonly AutopayRetried: AutopayRetried;
}

interface OfPlan {
  readonly planId: string;
}

interface SeenRows {
  readonly rowDays: readonly Day[];
  readonly rowCents: readonly Cents[];
}

export interface AutopayStarted extends AutopayTerms, SeenRows {}

export interface AutopayEnded extends OfPlan {
  readonly move: 'cancel' | 'complete';
  readonly cancelReason: AutopayCancelReason;
  readonly caseId: string | null;
}

/** `day`: the loan's business day. */
export interface AutopaySuspended extends OfPlan {
  readonly day: Day;
}

/** The loan's schedule has changed, or exists for the first time. Dates before `day` are past. */
export interface AutopayScheduleAdopted extends OfPlan, SeenRows {
  readonly day: Day;
}

export interface AutopayInstrumentChanged extends OfPlan {
  readonly instrument: UsedInstrument;
  readonly agreementDocumentId: string | null;
  readonly caseId: string | null;
}

export interface AutopayPaymentRescheduled extends OfPlan {
  readonly ordinal: number;
  readonly oldDay: Day;
  readonly day: Day;
  readonly caseId: string | null;
}

export interface AutopayPaymentCanceled extends OfPlan {
  readonly ordinal: number;
  readonly day: Day;
  readonly caseId: string | null;
}

/** The day of these payments has come. Null: there was nothing to pay. */
export interface AutopayDayWorked extends OfPlan {
  readonly day: Day;
  readonly ordinals: readonly number[];
  readonly amountCents: Cents;
  readonly transactionId: string | null;
}

/** A failed payment either comes again or counts as failed for good. */
export interface AutopayFailureAnswered extends OfPlan {
  readonly transactionId: string;
  readonly retry: Retry | null;
}

/** The day of a re-presentment has come. Null: nothing was left to pay. */
export interface AutopayRetried extends OfPlan {
  readonly originalId: string;
  readonly transactionId: string | null;
}

/** A changed field of a plan, as events show it. */
export interface AutopayChange {
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

/** The id of one payment of a plan, by its index in the block of ids that the plan has reserved. */
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
