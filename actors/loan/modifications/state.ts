import { setup } from 'xstate';
import { addDays, type Cents, type Day, type PaymentFrequency } from '../../../engine/index.js';
import type { ModificationFees } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import type { Agent } from '../../kernel/fact.js';
import { Chart, moves } from '../../statechart.js';
import type { LoanStatus } from '../machine.js';
import type { ScheduledWork } from '../catch-up.js';
import type { LoanState } from '../state.js';
import type { PaymentPlanEnded } from './evolve.js';

/**
 * The statuses of a payment plan. It is completed when its last due date has passed or its loan is paid off. It is canceled by a command,
 * or when the loan leaves the statuses in which it has due dates.
 */
export const planMachine = setup({
  types: moves<PlanMove>(),
}).createMachine({
  id: 'paymentPlan',
  initial: 'active',
  states: {
    active: { on: { complete: 'completed', cancel: 'canceled' } },
    completed: { type: 'final' },
    canceled: { type: 'final' },
  },
});

export type PlanStatus = 'active' | 'completed' | 'canceled';
export type PlanMove = 'complete' | 'cancel';

export const planChart = new Chart<PlanStatus, PlanMove>(planMachine);

export const mayMovePlan = (status: PlanStatus, move: PlanMove): boolean => planChart.allows(status, move);

/** The status after a move that the status allows. */
export const planStatusAfter = (status: PlanStatus, move: PlanMove): PlanStatus => planChart.after(status, move);

/** The tools that a product may charge for. */
export type ModificationTool = keyof ModificationFees;

export const MODIFICATION_TYPES = [
  'changeDueDates',
  'deferDueDate',
  'deferSchedule',
  'changeLoanTerms',
  'deferRemainingBalances',
  'paymentPlan',
  'cancelPaymentPlan',
] as const;

/** What a product's `limits.maxDeferralsPerYear` counts. */
export const DEFERRAL_TYPES = ['deferDueDate', 'deferSchedule'] as const;

export type ModificationType = (typeof MODIFICATION_TYPES)[number];

/** All changes of a schedule over the life of its loan. */
export interface Modifications {
  /** In the order of recording. */
  readonly history: readonly ScheduleModification[];
  readonly plans: readonly PaymentPlan[];
}

/** Nearly all loans have none and share this object. */
export const NO_MODIFICATIONS: Modifications = { history: [], plans: [] };

/** One change of the schedule: its terms, and its fact in the ledger. */
export interface ScheduleModification {
  readonly id: string;
  readonly terms: ModificationTerms;
  /** Sequence of the ledger's fact. */
  readonly sequence: number;
  readonly effectiveDay: Day;
  readonly recordedDay: Day;
  readonly recordedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly agreementDocumentId: string | null;
  /** The fee that the tool charged. */
  readonly fee: { readonly id: string; readonly amountCents: Cents } | null;
  readonly isFeeWaived: boolean;
}

/** The terms of a change, by tool. */
export type ModificationTerms =
  | {
      readonly type: 'changeDueDates';
      readonly dueDatesFrequency: PaymentFrequency;
      readonly specificDays: readonly string[];
      readonly firstDay: Day;
    }
  | { readonly type: 'deferDueDate'; readonly existingDay: Day; readonly newDay: Day }
  | { readonly type: 'deferSchedule'; readonly startDay: Day; readonly days: number; readonly numberOfPeriods: number }
  | {
      readonly type: 'changeLoanTerms';
      readonly selectedDay: Day;
      readonly numberOfPeriods: number | null;
      readonly isExtendLoanDuration: boolean;
      readonly isInterestOnly: boolean;
      readonly amountCents: Cents | null;
      readonly dueDatesFrequency: PaymentFrequency | null;
      readonly specificDays: readonly string[] | null;
    }
  | { readonly type: 'deferRemainingBalances' }
  | { readonly type: 'paymentPlan' | 'cancelPaymentPlan'; readonly paymentPlanId: string };

export type PaymentPlanType = 'fixedAmountAndFees' | 'interestOnlyAndFees';
export type PlanCancellationReason = 'canceledByUser' | 'loanAccelerated' | 'loanChargedOff' | 'loanCanceled';

/** The terms of a plan. */
export interface PaymentPlanTerms {
  readonly id: string;
  readonly externalId: string | null;
  readonly paymentPlanType: PaymentPlanType;
  readonly numberOfPeriods: number;
  /** Of `fixedAmountAndFees`. */
  readonly amountCents: Cents | null;
  readonly isExtendLoanDuration: boolean;
  /** The first and the last due date of the plan. */
  readonly startDay: Day;
  readonly endDay: Day;
  /** The recurring amount that resumes after it. */
  readonly originalCents: Cents;
}

export interface PaymentPlan extends PaymentPlanTerms {
  /** Sequence of the ledger's fact that made its rows. */
  readonly sequence: number;
  readonly status: PlanStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly by: Agent;
  readonly caseId: string | null;
  readonly canceledAt: number | null;
  readonly cancellationReason: PlanCancellationReason | null;
  readonly reasonDetails: string | null;
}

export const activePlanOf = ({ plans }: Modifications): PaymentPlan | undefined => plans.find((plan) => plan.status === 'active');

/** The plan that an id in the path names; 404 if the loan has no such plan. */
export function planAsked(state: LoanState, anyId: string | undefined, env: EvolveEnv): PaymentPlan {
  const id = resolveId(env, state.tenant, 'paymentPlan', anyId ?? '');
  return state.modifications.plans.find((plan) => plan.id === id) ?? refuse('notFound', `The loan has no payment plan ${anyId}.`);
}

/** Statuses of a loan that cancel its plan, with the reason. In the other statuses it continues or is completed. */
const CANCELING: Partial<Record<LoanStatus, PlanCancellationReason>> = {
  accelerated: 'loanAccelerated',
  chargedOff: 'loanChargedOff',
  canceled: 'loanCanceled',
};

/** Completes a plan on the day after its last due date, or when its loan is paid off. While the loan is frozen, the plan waits. */
export const planWork: ScheduledWork = {
  nextDay(state) {
    const plan = activePlanOf(state.modifications);
    return plan === undefined ? null : endOf(state, plan);
  },
  *due(state, day) {
    const ended = planEndedBy(state, day);
    if (ended !== null) yield { type: 'PaymentPlanEnded', body: ended.body };
  },
};

/** The end of the active plan, if it has ended by a day. */
export function planEndedBy(state: LoanState, day: Day): { readonly day: Day; readonly body: PaymentPlanEnded } | null {
  const plan = activePlanOf(state.modifications);
  const end = plan === undefined ? null : endOf(state, plan);
  if (plan === undefined || end === null || end > day) return null;
  const reason = CANCELING[state.servicing?.summary.status ?? 'active'] ?? null;
  return { day: end, body: { planId: plan.id, move: reason === null ? 'complete' : 'cancel', reason } };
}

function endOf({ servicing }: LoanState, plan: PaymentPlan): Day | null {
  if (servicing === null) return null;
  const { status, through } = servicing.summary;
  if (status === 'active') return addDays(plan.endDay, 1);
  return status === 'frozen' ? null : through;
}
