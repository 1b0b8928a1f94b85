import { setup } from 'xstate';
import { addDays, assert, type Day, must, ZERO } from '../../../engine/index.js';
import { Chart, STAYS, moves } from '../../statechart.js';
import { amount, dateText, orNull } from '../../wire.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import type { TransactionMove } from '../transactions/machine.js';
import { type TransactionRecord, withoutDigits } from '../transactions/record.js';
import { nextDayOf } from './amounts.js';
import { type AutopayChange, type AutopayFacts, paymentCanceled, paymentRescheduled, scheduleEvent } from './facts.js';
import { type AutopayPlan, isLive, type MadePayment } from './plan.js';

/** Every status of an autopay plan; `new` is before the first one. */
const AUTOPAY_STATUSES = ['new', 'active', 'suspended', 'completed', 'canceled'] as const;

export type AutopayStatus = Exclude<(typeof AUTOPAY_STATUSES)[number], 'new'>;

/**
 * The statuses of an autopay plan. `suspend` and `resume` follow the freezing of the loan; `complete` ends a plan that has paid the last
 * row of the loan. A transition without a target leaves the status as it is.
 */
export const autopayMachine = setup({
  types: moves<AutopayMove>(),
}).createMachine({
  id: 'autopay',
  initial: 'new',
  states: {
    new: { on: { start: 'active' } },
    active: {
      on: {
        suspend: 'suspended',
        complete: 'completed',
        cancel: 'canceled',
        pay: STAYS,
        answerFailure: STAYS,
        adoptSchedule: STAYS,
        changeInstrument: STAYS,
        reschedulePayment: STAYS,
        cancelPayment: STAYS,
      },
    },
    suspended: {
      on: {
        resume: 'active',
        complete: 'completed',
        cancel: 'canceled',
        answerFailure: STAYS,
        adoptSchedule: STAYS,
        changeInstrument: STAYS,
        reschedulePayment: STAYS,
        cancelPayment: STAYS,
      },
    },
    completed: { type: 'final' },
    canceled: { type: 'final' },
  },
});

export type AutopayMove =
  | 'start'
  | 'suspend'
  | 'resume'
  | 'complete'
  | 'cancel'
  | 'pay'
  | 'answerFailure'
  | 'adoptSchedule'
  | 'changeInstrument'
  | 'reschedulePayment'
  | 'cancelPayment';

export const autopayChart = new Chart<AutopayStatus | 'new', AutopayMove>(autopayMachine);

export const mayMove = (status: AutopayStatus, move: AutopayMove): boolean => autopayChart.allows(status, move);

function statusAfter(from: AutopayStatus | 'new', move: AutopayMove): AutopayStatus {
  const next = autopayChart.after(from, move);
  assert(next !== 'new', 'a plan begins with a move that has a target');
  return next;
}

/** Applies the facts of autopay plans. Plans are never changed, only replaced. */
export const APPLY_AUTOPAY: {
  readonly [Type in keyof AutopayFacts]: (applying: Applying, body: AutopayFacts[Type]) => void;
} = {
  AutopayStarted({ state, fact, emit }, { rowDays, rowCents, ...terms }) {
    const plan: AutopayPlan = {
      ...terms,
      instrument: withoutDigits(terms.instrument),
      status: statusAfter('new', 'start'),
      rowDays,
      rowCents,
      through: terms.startDay,
      nextDay: null,
      adjustments: [],
      payments: [],
      failures: 0,
      unanswered: [],
      retries: [],
      createdBy: fact.by,
      createdAt: fact.businessAt,
      updatedAt: fact.businessAt,
      endedAt: null,
      cancelReason: null,
    };
    const made = { ...plan, nextDay: nextDayOf(plan) };
    state.autopay = [...state.autopay, made];
    emit?.(scheduleEvent(state, 'created', made));
  },
  AutopayEnded(applying, { planId, move, cancelReason }) {
    const { state, fact, emit } = applying;
    const plan = changed(applying, planId, move, () => ({ cancelReason, endedAt: fact.businessAt, unanswered: [], retries: [] }));
    emit?.(scheduleEvent(state, 'cancel', plan));
  },
  AutopaySuspended(applying, { planId }) {
    const plan = changed(applying, planId, 'suspend', () => ({}));
    applying.emit?.(scheduleEvent(applying.state, 'changed', plan, [{ field: 'status', oldValue: 'active', newValue: 'suspended' }]));
  },
  AutopayResumed(applying, { planId, day }) {
    const plan = changed(applying, planId, 'resume', ({ through }) => ({ through: laterOf(through, addDays(day, -1)) }));
    applying.emit?.(scheduleEvent(applying.state, 'changed', plan, [{ field: 'status', oldValue: 'suspended', newValue: 'active' }]));
  },
  AutopayScheduleAdopted(applying, { planId, rowDays, rowCents, day }) {
    const before = planOf(applying.state, planId);
    const plan = changed(applying, planId, 'adoptSchedule', ({ through }) => ({
      rowDays,
      rowCents,
      through: laterOf(through, addDays(day, -1)),
    }));
    const changes = scheduleChanges(before, plan);
    if (changes.length > 0 || !isEndless(plan)) applying.emit?.(scheduleEvent(applying.state, 'changed', plan, changes));
  },
  AutopayInstrumentChanged(applying, { planId, instrument, agreementDocumentId }) {
    const before = planOf(applying.state, planId);
    const plan = changed(applying, planId, 'changeInstrument', () => ({ instrument: withoutDigits(instrument), agreementDocumentId }));
    const change: AutopayChange = { field: 'paymentInstrumentId', oldValue: before.instrument.id, newValue: instrument.id };
    applying.emit?.(scheduleEvent(applying.state, 'changed', plan, [change]));
  },
  AutopayPaymentRescheduled(applying, { planId, ordinal, oldDay, day }) {
    const { state, env, emit } = applying;
    const plan = changed(applying, planId, 'reschedulePayment', (before) => ({ adjustments: adjusted(before, ordinal, day) }));
    emit?.(paymentRescheduled(env, state, plan, ordinal, { old: oldDay, new: day }));
  },
  AutopayPaymentCanceled(applying, { planId, ordinal, day }) {
    const { state, env, emit } = applying;
    const plan = changed(applying, planId, 'cancelPayment', (before) => ({ adjustments: adjusted(before, ordinal, null) }));
    emit?.(paymentCanceled(env, state, plan, ordinal, day, 'canceledByUser'));
  },
  AutopayDayWorked(applying, { planId, day, ordinals, amountCents, transactionId }) {
    const made = ordinals.map(
      (ordinal, index): MadePayment => ({
        ordinal,
        day,
        amountCents: index === 0 ? amountCents : ZERO,
        transactionIds: transactionId === null ? [] : [transactionId],
      }),
    );
    changed(applying, planId, 'pay', ({ payments, through }) => ({ payments: [...payments, ...made], through: laterOf(through, day) }));
  },
  AutopayFailureAnswered(applying, { planId, transactionId, retry }) {
    changed(applying, planId, 'answerFailure', ({ unanswered, retries, failures }) => ({
      unanswered: unanswered.filter((id) => id !== transactionId),
      retries: retry === null ? retries : [...retries, retry],
      failures: retry === null ? failures + 1 : failures,
    }));
  },
  AutopayRetried(applying, { planId, originalId, transactionId }) {
    changed(applying, planId, 'pay', ({ retries, payments }) => ({
      retries: retries.filter((retry) => retry.transactionId !== originalId),
      payments: transactionId === null ? payments : payments.map((payment) => withRetry(payment, originalId, transactionId)),
    }));
  },
};

const withRetry = (payment: MadePayment, originalId: string, id: string): MadePayment =>
  payment.transactionIds.includes(originalId) ? { ...payment, transactionIds: [...payment.transactionIds, id] } : payment;

function planOf({ id, autopay }: LoanState, planId: string): AutopayPlan {
  return must(
    autopay.find((plan) => plan.id === planId),
    `${id} knows no autopay plan ${planId}`,
  );
}

function changed(
  { state, fact }: Applying,
  planId: string,
  move: AutopayMove,
  change: (before: AutopayPlan) => Partial<AutopayPlan>,
): AutopayPlan {
  const before = planOf(state, planId);
  const after: AutopayPlan = { ...before, ...change(before), status: statusAfter(before.status, move), updatedAt: fact.businessAt };
  const plan = { ...after, nextDay: isLive(after) ? nextDayOf(after) : null };
  replace(state, before, plan);
  return plan;
}

function replace(state: LoanState, before: AutopayPlan, after: AutopayPlan): void {
  state.autopay = state.autopay.map((plan) => (plan === before ? after : plan));
}

const adjusted = ({ adjustments }: AutopayPlan, ordinal: number, day: Day | null): AutopayPlan['adjustments'] => [
  ...adjustments.filter((adjustment) => adjustment.ordinal !== ordinal),
  { ordinal, day },
];

const laterOf = (a: Day, b: Day): Day => (a > b ? a : b);

/** A line of credit has no last row: its plan looks further ahead from time to time, which is not a change of the schedule. */
const isEndless = ({ amountType }: AutopayPlan): boolean => amountType !== 'scheduledAmount';

/** What of the schedule differs: how many rows there are, when the last one is, and what the next one asks for. */
function scheduleChanges(before: AutopayPlan, after: AutopayPlan): readonly AutopayChange[] {
  const { through } = after;
  const [old, now] = [scheduleSeen(before, through), scheduleSeen(after, through)];
  return (isEndless(after) ? (['nextDueDate'] as const) : (['duration', 'endDate', 'nextDueDate', 'nextAmount'] as const))
    .map((field): AutopayChange => ({ field, oldValue: old[field], newValue: now[field] }))
    .filter(({ oldValue, newValue }) => oldValue !== newValue);
}

function scheduleSeen(
  { rowDays, rowCents }: AutopayPlan,
  through: Day,
): Readonly<Record<'duration' | 'endDate' | 'nextDueDate' | 'nextAmount', unknown>> {
  const next = rowDays.findIndex((day) => day > through);
  const cents = rowCents[next];
  return {
    duration: rowDays.length,
    endDate: orNull(dateText, rowDays.at(-1)),
    nextDueDate: orNull(dateText, rowDays[next]),
    nextAmount: cents === undefined ? null : amount(cents),
  };
}

/** Notes the result of a payment in its plan: a failure must be handled, a success resets the count of failures. */
export function noteAutopay(applying: Applying, move: TransactionMove, record: TransactionRecord, before: TransactionRecord): void {
  const { state, env, emit } = applying;
  const plan = state.autopay.find(({ id }) => id === record.autopayPlanId);
  const payment = plan?.payments.find(({ transactionIds }) => transactionIds.includes(record.id));
  if (plan === undefined || payment === undefined) return;
  assert(record.autopayPlanId !== null, 'a payment of a plan names it');
  switch (move) {
    case 'succeed':
      if (plan.failures > 0) replace(state, plan, { ...plan, failures: 0 });
      return;
    case 'fail':
      if (isLive(plan)) replace(state, plan, { ...plan, unanswered: [...plan.unanswered, record.id] });
      return;
    case 'cancel':
      if (isLive(plan) && record.cancelReason === 'instrumentInactive')
        replace(state, plan, { ...plan, unanswered: [...plan.unanswered, record.id] });
      emit?.(paymentCanceled(env, state, plan, payment.ordinal, before.scheduledDay, record.cancelReason ?? 'canceledByUser'));
      return;
    case 'reschedule':
      emit?.(paymentRescheduled(env, state, plan, payment.ordinal, { old: before.scheduledDay, new: record.scheduledDay }));
      return;
    case 'backdate':
    case 'chargeBack':
    case 'dispute':
    case 'expireHold':
    case 'fallDue':
    case 'handOver':
    case 'initiate':
    case 'post':
    case 'reverse':
    case 'reverseChargeback':
    case 'schedule':
    case 'winDispute':
      return;
  }
}
