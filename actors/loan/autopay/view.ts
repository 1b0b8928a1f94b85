import { type Cents, type Day, formatSpecificDays, must, ZERO, cents } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QuerySpec, QueryContext } from '../../kernel/actor.js';
import { matching, pageOf } from '../../list-order.js';
import { amount, dateText, dateTimeText, orNull } from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { periodId } from '../derived-ids.js';
import { toReadOn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { TransactionStatus } from '../transactions/machine.js';
import { splitOf } from '../transactions/view.js';
import { dueDaysOf, type ViewEnv } from '../views/loan.js';
import { plannedPayments } from './amounts.js';
import type { DeltaTerms, ExpectedPayment, Projection } from './projection.js';
import { autopayPaymentId } from './facts.js';
import { type AutopayPlan, isLive, livePlan, type MadePayment } from './plan.js';
import { projectionOf } from './daily.js';
import type {
  AutopayPaymentStatus,
  AutopayPaymentView,
  AutopayView,
  DeltaTermsView,
  ListAutopayPaymentsQuery,
  ListAutopayPlansQuery,
} from './types.js';

export function autopayView(state: LoanState, env: ViewEnv, plan: AutopayPlan): AutopayView {
  const terms = dueDaysOf(state, env);
  const projection = projected(state, env, plan);
  return {
    object: 'autopay',
    id: plan.id,
    loanId: state.id,
    isLocked: false,
    status: plan.status,
    isAlignedToDueDates: plan.rule === null,
    paymentFrequency: plan.rule?.type ?? terms.paymentFrequency,
    specificDays: plan.rule === null ? terms.specificDays : formatSpecificDays(plan.rule),
    paymentInstrumentId: plan.instrument.id,
    agreementDocumentId: plan.agreementDocumentId,
    type: planType(plan),
    amountType: plan.amountType,
    extraAmount: amount(plan.extraCents),
    fixedAmount: orNull(amount, plan.fixedCents),
    schedule: paymentViews(state, env, plan, projection),
    deltaTerms: orNull(deltaView, projection?.delta),
    caseId: plan.caseId,
    cancelReason: plan.cancelReason,
    canceledAt: orNull(dateTimeText, plan.endedAt),
    createdAt: dateTimeText(plan.createdAt),
    updatedAt: dateTimeText(plan.updatedAt),
    deletedAt: null,
  };
}

/** What the next automatic payment will take if nothing else happens; null where none is to come. */
export const nextAutopayAmount = (state: LoanState, env: ViewEnv): Cents | null => expectedAutopay(state, env)[0]?.amountCents ?? null;

/** The automatic payments to come, with what each will take if nothing else happens. */
export function expectedAutopay(state: LoanState, env: ViewEnv): readonly Pick<ExpectedPayment, 'ordinal' | 'day' | 'amountCents'>[] {
  const plan = livePlan(state);
  return plan === null ? [] : (projected(state, env, plan)?.payments ?? []);
}

/** Whose dates the plan follows, in the words of its events. */
const planType = ({ rule }: Pick<AutopayPlan, 'rule'>): AutopayView['type'] => (rule === null ? 'alignedToDueDates' : 'ownSchedule');

const deltaView = (delta: DeltaTerms): DeltaTermsView => ({
  deltaInterestAmount: amount(cents(delta.interestCents)),
  deltaFeeAmount: amount(cents(delta.feesCents)),
  deltaDurationDays: delta.durationDays,
  deltaDueDatesNumber: delta.dueDates,
});

/** Null for a plan that is over, and for a loan that is not active yet. */
function projected(state: LoanState, env: ViewEnv, plan: AutopayPlan): Projection | null {
  if (!isLive(plan) || activationOf(state) === null) return null;
  return projectionOf(state, env, plan, toReadOn(state, env, env.today(recordOf(state).zone)));
}

/** The payments of a plan by date: past ones as they were made, coming ones as they are expected. */
function allPaymentViews(state: LoanState, env: ViewEnv, plan: AutopayPlan): readonly AutopayPaymentView[] {
  return paymentViews(state, env, plan, projected(state, env, plan));
}

function paymentViews(state: LoanState, env: ViewEnv, plan: AutopayPlan, projection: Projection | null): readonly AutopayPaymentView[] {
  const plannedDays = new Map(plannedPayments(plan).map(({ ordinal, plannedDay }) => [ordinal, plannedDay]));
  const original = (ordinal: number, day: Day): Day => plannedDays.get(ordinal) ?? day;
  const shown: Shown[] = plan.payments.map((made) => madePayment(state, env, made));
  for (const { ordinal, day } of plannedPayments(plan)) {
    if (day === null) shown.push({ ordinal, day: original(ordinal, plan.startDay), status: 'canceled', ...NOTHING, isLast: false });
  }
  const expected = projection?.payments ?? [];
  const isEnding = projection?.delta != null;
  expected.forEach((payment, index) => shown.push(expectedPayment(payment, isEnding && index === expected.length - 1)));
  shown.sort((a, b) => a.day - b.day || a.ordinal - b.ordinal);
  return shown.map((payment) => paymentView(state, env, plan, payment, original(payment.ordinal, payment.day)));
}

interface Shown {
  readonly ordinal: number;
  readonly day: Day;
  readonly status: AutopayPaymentStatus;
  readonly amountCents: Cents;
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly transactionId: string | null;
  readonly isLast: boolean;
}

const NOTHING = { amountCents: ZERO, principalCents: ZERO, interestCents: ZERO, transactionId: null };

const expectedPayment = ({ ordinal, day, amountCents, principalCents, interestCents }: ExpectedPayment, isLast: boolean): Shown => ({
  ordinal,
  day,
  status: 'booked',
  amountCents,
  principalCents,
  interestCents,
  transactionId: null,
  isLast,
});

const STATUSES: Readonly<Record<TransactionStatus, AutopayPaymentStatus>> = {
  scheduled: 'processing',
  initiated: 'processing',
  pending: 'processing',
  succeeded: 'paid',
  inDispute: 'paid',
  failed: 'failed',
  chargeback: 'failed',
  canceled: 'canceled',
};

function madePayment(state: LoanState, env: ViewEnv, { ordinal, day, amountCents, transactionIds }: MadePayment): Shown {
  const transactionId = transactionIds.at(-1) ?? null;
  if (transactionId === null) return { ordinal, day, status: 'canceled', ...NOTHING, isLast: false };
  const record = must(state.transactions.get(transactionId), `${state.id} knows no transaction ${transactionId}`);
  const { principalCents, interestCents } = splitOf(state, env, record);
  return { ordinal, day, status: STATUSES[record.status], amountCents, principalCents, interestCents, transactionId, isLast: false };
}

const NO_FEE = { loanFeeId: null, dynamicFeeTypeId: null, apiName: null, displayName: null };

function paymentView(state: LoanState, env: ViewEnv, plan: AutopayPlan, shown: Shown, original: Day): AutopayPaymentView {
  const row = plan.rule === null ? shown.ordinal : plan.rowDays.findIndex((day) => day >= original);
  return {
    id: autopayPaymentId(env, state, plan, shown.ordinal),
    date: dateText(shown.day),
    originalDate: dateText(original),
    periodId: row < 0 || row >= plan.rowDays.length ? null : periodId(env, state, row),
    paymentType: shown.isLast ? 'final' : 'periodicPayment',
    status: shown.status,
    amount: amount(shown.amountCents),
    originalAmount: amount(plan.rule === null ? (plan.rowCents[shown.ordinal] ?? shown.amountCents) : shown.amountCents),
    principalAmount: amount(shown.principalCents),
    interestAmount: amount(shown.interestCents),
    interestBeforeDiscountAmount: amount(shown.interestCents),
    isDeferred: false,
    dynamicFeeDetails: NO_FEE,
    transactionId: shown.transactionId,
  };
}

const COMING: readonly AutopayPaymentStatus[] = ['booked', 'processing'];

/** `GET L/autopay`, earlier plans, and the payments of the plan. */
export const autopayQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'autopay.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const id = request.params['autopayId'];
      const plan = id === undefined ? livePlan(state) : state.autopay.find((known) => known.id === id);
      return autopayView(
        state,
        env,
        plan ?? refuse('notFound', `The loan ${state.id} has no autopay plan${id === undefined ? '' : ` ${id}`}.`),
      );
    },
  },
  {
    kind: 'loan',
    type: 'autopay.history',
    on: 'target',
    read({ state, query, request, env }: QueryContext<LoanState, ListAutopayPlansQuery>) {
      requirePerson(state, request.params['personId'], env);
      const ended = state.autopay.filter((plan) => !isLive(plan)).reverse();
      return pageOf(ended, query, (plan) => autopayView(state, env, plan));
    },
  },
  {
    kind: 'loan',
    type: 'autopay.expectedPayments',
    on: 'target',
    read({ state, query, request, env }: QueryContext<LoanState, ListAutopayPaymentsQuery>) {
      requirePerson(state, request.params['personId'], env);
      const { status = COMING, ...page } = query;
      const plan = livePlan(state);
      const payments = plan === null ? [] : allPaymentViews(state, env, plan);
      return pageOf(
        matching(payments, (payment) => status.includes(payment.status)),
        page,
        (payment) => payment,
      );
    },
  },
];
