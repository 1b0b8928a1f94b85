import {
  addAccrued,
  type Cents,
  type CycleFlow,
  type Day,
  greatest,
  type InterestDay,
  type PeriodView,
  roundAccrued,
  subtract,
  sum,
  ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { unrounded } from '../../wire.js';
import { activatedOf } from '../context.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import { activitiesOf } from './activities.js';
import { type StatedCycle, statedCycle } from './cycles.js';
import type { NewStatement } from './evolve.js';
import {
  activeStatements,
  type Figures,
  figuresOf,
  nextVersion,
  packFigures,
  type StatementInterest,
  type StatementRecord,
} from './record.js';
import { type Reversed, reversedSince } from './reversals.js';

export interface StatementOrder {
  readonly id: string;
  readonly period: PeriodView;
  readonly isTest: boolean;
}

/**
 * The statement of a period from the facts as they are known now, cut at the daily job of its day. What it begins with is
 * what the statement before it said; the past since then made otherwise is an adjustment.
 */
export function composeStatement(state: LoanState, env: EvolveEnv, { id, period, isTest }: StatementOrder): NewStatement {
  const { statements, facts } = activatedOf(state);
  const before = activeStatements(statements).findLast((statement) => statement.dueDay < period.dueDay) ?? null;
  const after = before?.statementDay ?? (period.ordinal === 0 ? null : period.startDay);
  const cycle = statedCycle(state, env, period, after);
  const reversed = reversedSince(state, before, after);
  return {
    id,
    period: period.ordinal,
    version: nextVersion(statements, period.ordinal, isTest),
    isExternal: false,
    isTest,
    startDay: period.startDay,
    endDay: period.endDay,
    dueDay: period.dueDay,
    statementDay: period.statementDay,
    nextStatementDay: cycle.nextStatementDay,
    documentDescriptorId: null,
    metaData: null,
    knownFacts: facts.length,
    figures: packFigures(figures(state, { period, cycle, before, reversed, after })),
    ...activitiesOf(state, env, cycle, reversed),
    interest: interestOf(cycle.interestDays),
    ...(cycle.ofLine === null ? {} : { ofLine: cycle.ofLine }),
  };
}

/** Nothing is owed and nothing has happened: such a period of a line has no statement. */
export const isEmpty = ({ figures: packed, activities }: NewStatement): boolean => {
  const { newBalanceAmount, previousBalance, creditBalanceAmount } = figuresOf({ figures: packed });
  return newBalanceAmount === 0 && previousBalance === 0 && creditBalanceAmount === 0 && activities.length === 0;
};

interface Sources {
  readonly period: PeriodView;
  readonly cycle: StatedCycle;
  readonly before: StatementRecord | null;
  readonly after: Day | null;
  readonly reversed: readonly Reversed[];
}

function figures(state: LoanState, { period, cycle, before, after, reversed }: Sources): Figures {
  const { balances, obligation } = cycle;
  const previousCents = (before === null ? null : figuresOf(before).newBalanceAmount) ?? cycle.openingCents;
  const flow = (name: CycleFlow): Cents => sum(cycle.changes.filter((change) => change.flow === name).map((change) => change.amountCents));
  const reversedCents = (kind: Reversed['kind'], wasStated: boolean): Cents =>
    sum(reversed.filter((one) => one.kind === kind && (!wasStated || one.wasStated)).map((one) => one.amountCents));
  /** Came and went within the cycle. */
  const own = (kind: Reversed['kind']): Cents => subtract(reversedCents(kind, false), reversedCents(kind, true));
  const paid = cycle.payments.filter((payment) => after === null || payment.day >= after);
  const paidOf = (part: 'principalCents' | 'interestCents' | 'feesCents'): Cents => sum(paid.map((payment) => payment[part] as Cents));
  const { interestAndFees } = balances;
  return {
    minimumDueAmount: obligation?.minimumDueCents ?? ZERO,
    newBalanceAmount: cycle.closingCents,
    overdueAmount: cycle.overdueCents,
    fulfilledAmount: obligation?.fulfilledCents ?? ZERO,
    remainingAmount: obligation?.remainingCents ?? ZERO,
    overpaymentsAmount: obligation?.overpaymentsCents ?? ZERO,
    previousBalance: previousCents,
    totalAdvancesForThisPeriod: flow('advances'),
    totalInterestForThisPeriod: cycle.interestCents,
    totalFeesForThisPeriod: flow('fees'),
    totalPaymentsForThisPeriod: subtract(own('payment'), flow('payments')),
    totalPaymentReversalsForThisPeriod: sum([reversedCents('payment', false), flow('chargebacks')]),
    totalCreditsForThisPeriod: subtract(own('credit'), flow('credits')),
    totalCreditReversalsForThisPeriod: reversedCents('credit', false),
    totalRefundsForThisPeriod: subtract(ZERO, flow('refunds')),
    totalAdjustmentsForThisPeriod: sum([
      flow('adjustments'),
      subtract(cycle.openingCents, previousCents),
      subtract(ZERO, sum([reversedCents('payment', true), reversedCents('credit', true)])),
    ]),
    creditBalanceAmount: greatest(ZERO, subtract(balances.paid.reimbursementCents, reimbursedBy(state, period.statementDay, null))),
    newPrincipalBalance: sum([balances.outstanding.principalCents, balances.chargedOff.principalCents]),
    yearToDateFeesCharged: interestAndFees.feesChargedYearToDateCents,
    yearToDateInterestCharged: roundAccrued(interestAndFees.interestAccruedYearToDate, 'halfUp'),
    lateFeeUpToAmount: cycle.lateFeeUpToCents,
    lastPeriodPrincipalPaid: paidOf('principalCents'),
    lastPeriodInterestPaid: paidOf('interestCents'),
    lastPeriodFeesPaid: paidOf('feesCents'),
  };
}

/** A day on which several draws bear interest at one rate is one day. */
function interestOf(accrued: readonly InterestDay[]): readonly StatementInterest[] {
  const byRate = new Map<number, { readonly days: Set<Day>; readonly interest: InterestDay['interest'] }>();
  for (const { day, rate, interest } of accrued) {
    const known = byRate.get(rate);
    const days = known?.days ?? new Set<Day>();
    byRate.set(rate, { days: days.add(day), interest: known === undefined ? interest : addAccrued(known.interest, interest) });
  }
  return Array.from(byRate, ([rate, { days, interest }]) => ({ rate, days: days.size, unrounded: unrounded(interest) }));
}
