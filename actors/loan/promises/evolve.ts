import { setup } from 'xstate';
import { addDays, type Day, type EffectiveTime, must } from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';
import { amount, dateText } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';
import type { PromiseCancellation, PromisedPayment, PromisePlan, PromiseTerms } from './types.js';

/** States of a promise-to-pay plan. Replies show `overdue` as status `active` with `isOverdue`. */
const PROMISE_STATES = ['scheduled', 'active', 'overdue', 'kept', 'broken', 'canceled'] as const;

export type PromiseState = (typeof PROMISE_STATES)[number];
export type PromiseStatus = Exclude<PromiseState, 'overdue'>;

/**
 * The statuses of a promise-to-pay plan. All moves but `change` and `cancel` follow from the days and from the borrower's payments. A
 * transition without a target does not change the status.
 */
export const promiseMachine = setup({
  types: moves<PromiseMove>(),
}).createMachine({
  id: 'promiseToPayPlan',
  initial: 'scheduled',
  states: {
    scheduled: { on: { start: 'active', cancel: 'canceled', change: STAYS } },
    active: { on: { fallBehind: 'overdue', keep: 'kept', break: 'broken', cancel: 'canceled', fallDue: STAYS, change: STAYS } },
    overdue: { on: { catchUp: 'active', break: 'broken', cancel: 'canceled', fallDue: STAYS, change: STAYS } },
    kept: { type: 'final' },
    broken: { type: 'final' },
    canceled: { type: 'final' },
  },
});

/** The moves of a plan, named as in its statechart. */
export type PromiseMove = 'start' | 'fallDue' | 'fallBehind' | 'catchUp' | 'keep' | 'break' | 'cancel' | 'change';

export const promiseChart = new Chart<PromiseState, PromiseMove>(promiseMachine);

export const mayMove = (state: PromiseState, move: PromiseMove): boolean => promiseChart.allows(state, move);

/** The state after a move that the state allows. */
const stateAfter = (state: PromiseState, move: PromiseMove): PromiseState => promiseChart.after(state, move);

export const isOver = (state: PromiseState): boolean => promiseChart.isOver(state);

export const promiseStatus = (state: PromiseState): PromiseStatus => (state === 'overdue' ? 'active' : state);

/** Applies the facts of promises to pay, and emits their events. */
export const APPLY_PROMISES: {
  readonly [Type in keyof PromiseFacts]: (applying: Applying, body: PromiseFacts[Type]) => void;
} = {
  PromiseMade: made,
  PromiseChanged: changed,
  PromiseMoved: moved,
};

function made({ state, fact, emit }: Applying, body: PromiseMade): void {
  const plan: PromisePlan = {
    state: 'scheduled',
    dueReportedThrough: addDays(body.madeAt.day, -1),
    endedDay: null,
    cancellationReason: null,
    reasonDetails: null,
    createdStamp: fact.stamp,
    createdAt: fact.businessAt,
    updatedAt: fact.businessAt,
    ...body,
  };
  state.promises = [...state.promises, plan];
  emit?.(promiseEvent(state, 'loan.promiseplan.created', { plan, oldStatus: null, promise: plan.promises[0] ?? null }));
}

function changed({ state, fact }: Applying, { planId, changes, caseId }: PromiseChanged): void {
  const before = planOf(state, planId);
  put(state, { ...before, ...changes, caseId: caseId ?? before.caseId, updatedAt: fact.businessAt });
}

function moved({ state, fact, emit }: Applying, body: PromiseMoved): void {
  const { planId, move, day, promiseId, cancellationReason, reasonDetails, caseId } = body;
  const before = planOf(state, planId);
  const planState = stateAfter(before.state, move);
  const plan: PromisePlan = {
    ...before,
    state: planState,
    dueReportedThrough: move === 'fallDue' ? day : before.dueReportedThrough,
    endedDay: isOver(planState) ? day : null,
    cancellationReason,
    reasonDetails,
    caseId: caseId ?? before.caseId,
    updatedAt: fact.businessAt,
  };
  put(state, plan);
  if (emit === null) return;
  const promise = plan.promises.find(({ id }) => id === promiseId) ?? null;
  emit(promiseEvent(state, MOVE_EVENTS[move], { plan, oldStatus: promiseStatus(before.state), promise }));
}

/** The event of each move. */
const MOVE_EVENTS: Readonly<Record<PromiseMoved['move'], string>> = {
  start: 'loan.promiseplan.statuschanged',
  fallDue: 'loan.promiseplan.due.today',
  fallBehind: 'loan.promiseplan.overdue',
  catchUp: 'loan.promiseplan.current',
  keep: 'loan.promiseplan.statuschanged',
  break: 'loan.promiseplan.statuschanged',
  cancel: 'loan.promiseplan.statuschanged',
};

function put(state: LoanState, plan: PromisePlan): void {
  state.promises = state.promises.map((known) => (known.id === plan.id ? plan : known));
}

const planOf = (state: LoanState, id: string): PromisePlan =>
  must(
    state.promises.find((plan) => plan.id === id),
    `${state.id} knows no promise-to-pay plan ${id}`,
  );

interface PromiseChange {
  readonly plan: PromisePlan;
  /** Null if the plan is new. */
  readonly oldStatus: PromiseStatus | null;
  readonly promise: PromisedPayment | null;
}

/** An event about a plan. */
function promiseEvent(state: LoanState, eventType: string, { plan, oldStatus, promise }: PromiseChange): EventDraft {
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

/** Facts of promises to pay. None of them changes the ledger. */
export interface PromiseFacts {
  readonly PromiseMade: PromiseMade;
  readonly PromiseChanged: PromiseChanged;
  readonly PromiseMoved: PromiseMoved;
}

export interface PromiseMade extends PromiseTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly madeAt: EffectiveTime;
  readonly brokenAfterDays: number | null;
  readonly caseId: string | null;
}

export interface PromiseChanged {
  readonly planId: string;
  /** The fields that change, with their new values. */
  readonly changes: Partial<PromiseTerms & Pick<PromisePlan, 'externalId'>>;
  readonly caseId: string | null;
}

export interface PromiseMoved {
  readonly planId: string;
  readonly move: Exclude<PromiseMove, 'change'>;
  /** The loan's day on which it happened. */
  readonly day: Day;
  /** The promise that the move concerns; null if it concerns the whole plan. */
  readonly promiseId: string | null;
  readonly cancellationReason: PromiseCancellation | null;
  readonly reasonDetails: string | null;
  readonly caseId: string | null;
}
