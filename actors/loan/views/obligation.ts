import {
  type Cents,
  type Day,
  type GraceView,
  type LineObligationView,
  type ObligationView,
  type PeriodView,
  startOfDay,
  ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { amount, dateText, dateTimeText } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { obligationId, periodId } from '../derived-ids.js';
import { drawIdOf } from '../draws/draw.js';
import { comingFeesOf } from '../fees/coming.js';
import { overdueIn, runningOf, upToDate } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from './loan.js';
import type { GraceReply, ObligationReply } from './read-types.js';

/** An obligation in replies. It is derived: created when its period began, and updated with the loan. */
export function obligationReply(obligation: ObligationView | LineObligationView, state: LoanState, env: ViewEnv): ObligationReply {
  const { zone } = recordOf(state);
  const createdAt = startOfDay(zone, periodStart(obligation, state));
  return {
    id: obligationId(env, state, obligation.ordinal),
    createdAt: dateTimeText(createdAt),
    updatedAt: dateTimeText(Math.max(createdAt, state.lastUpdate.at)),
    deletedAt: null,
    periodId: periodId(env, state, obligation.period),
    dueDate: dateText(obligation.dueDay),
    obligationAmount: amount(obligation.obligationCents),
    fulfilledAmount: amount(obligation.fulfilledCents),
    remainingAmount: amount(obligation.remainingCents),
    paymentsAmount: amount(obligation.paymentsCents),
    serviceCreditsAmount: amount(obligation.serviceCreditsCents),
    overpaymentsAmount: amount(obligation.overpaymentsCents),
    capitalizedAmount: amount(obligation.capitalizedCents),
    unassignedAmount: amount(obligation.unassignedCents),
    overLimitAmount: amount(isOfLine(obligation) ? obligation.overLimitCents : ZERO),
    isFulfilled: obligation.isFulfilled,
    isOverdue: obligation.isOverdue,
    isOpen: obligation.isOpen,
    isLateFeeBlockedByPyramidingConfig: obligation.isLateFeeBlockedByPyramidingConfig,
    migration: migratedOverdue(obligation, state),
    loanGracePeriod: isOfLine(obligation) ? graceReply(obligation.loanGracePeriod) : null,
    gracePeriod: isOfLine(obligation)
      ? obligation.gracePeriods.map((grace) => ({ drawId: drawIdOf(state, grace.draw), ...graceReply(grace) }))
      : [],
  };
}

/** The stated overdue amounts of a migrated line's closed period. */
function migratedOverdue({ dueDay }: ObligationView, { migration }: LoanState): ObligationReply['migration'] {
  const period = migration?.line?.period ?? null;
  if (period === null || period.dueDay !== dueDay) return null;
  const { overdueCents, overdueRemainingCents, daysOverdue } = period.obligation;
  return {
    migratedOverdueAmount: amount(overdueCents),
    migratedOverdueRemainingAmount: amount(overdueRemainingCents),
    migratedDaysOverdue: daysOverdue,
  };
}

/** Whether it began before the statement with which a line was migrated. */
export const isMigratedPeriod = ({ migration }: LoanState, { startDay }: PeriodView): boolean =>
  startDay < (migration?.line?.period?.statementDay ?? startDay);

const isOfLine = (obligation: ObligationView | LineObligationView): obligation is LineObligationView => 'loanGracePeriod' in obligation;

const graceReply = (grace: GraceView): GraceReply => ({
  fullBalanceAmount: amount(grace.fullBalanceCents),
  fullBalanceMinusOverdueAmount: amount(grace.fullBalanceMinusOverdueCents),
  totalFulfilledOnDueDateAmount: amount(grace.totalFulfilledOnDueDateCents),
  isGracePeriodEligible: grace.isEligible,
});

function periodStart(obligation: ObligationView, state: LoanState): Day {
  const period = state.line?.ledger?.periods.find(({ ordinal }) => ordinal === obligation.period);
  if (period !== undefined) return period.startDate;
  const terms = state.servicing?.contract.terms;
  // A down payment is a row of the ledger, but not of the contract: their indexes differ.
  const before =
    terms?.keeping === undefined ? terms?.rows[obligation.period - 1] : terms.rows.findLast(({ date }) => date < obligation.dueDay);
  return before?.date ?? terms?.activation ?? obligation.dueDay;
}

export interface LoanOverdue {
  readonly daysOverdue: number;
  readonly overdueCents: Cents;
  readonly overdueSince: Day | null;
  readonly isOverdue: boolean;
  readonly nextDueDate: Day | null;
  readonly nextDueCents: Cents | null;
}

/** What a loan is behind with today, and what comes next; null of one that was not activated. */
export const overdueToday = (state: LoanState, env: EvolveEnv & { today(zone: string): Day }): LoanOverdue | null =>
  activationOf(state) === null ? null : overdueOn(upToDate(state, env), env);

function overdueOn(state: LoanState, env: EvolveEnv): LoanOverdue {
  const ledger = runningOf(state, env);
  return overdueIn(ledger, comingFeesOf(state, env, ledger.day));
}
