import {
  addAccrued,
  balancesOf,
  type Cents,
  type Cycle,
  type CycleFlow,
  cycleOf,
  type Day,
  greatest,
  type InterestDay,
  largestLateFeeCents,
  obligationsOf,
  overdueOf,
  type PeriodView,
  periodsOf,
  roundAccrued,
  subtract,
  sum,
  ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { unrounded } from '../../wire.js';
import { servicingOf } from '../context.js';
import { factsOf, termsOf } from '../ledger/installment.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import { activitiesOf } from './activities.js';
import { composeLineStatement } from './compose-line.js';
import type { NewStatement } from './facts.js';
import { activeStatements, type Figures, figuresOf, nextVersion, packFigures, type StatementInterest, type StatementRecord } from './record.js';
import { type Reversed, reversedSince } from './reversals.js';

export interface StatementOrder {
  readonly id: string;
  readonly period: PeriodView;
  readonly isTest: boolean;
}

/**
 * The statement of a period from the facts as they are known now, cut at the daily job of its day. What it begins with is
 * what the statement before it said; the past since then made otherwise is an adjustment (money 5, rules 5 and 6).
 */
export function composeStatement(state: LoanState, env: EvolveEnv, { id, period, isTest }: StatementOrder): NewStatement {
  if (state.line !== null) return composeLineStatement(state, env, { id, period, isTest });
  const servicing = servicingOf(state);
  const { statements } = servicing;
  const before = activeStatements(statements).findLast((statement) => statement.dueDay < period.dueDay) ?? null;
  const after = before?.statementDay ?? (period.ordinal === 0 ? null : period.startDay);
  const cycle = cycleOf(termsOf(state, env), factsOf(servicing), { after, day: period.statementDay });
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
    nextStatementDay: periodsOf(cycle.state)[period.ordinal + 1]?.statementDay ?? null,
    documentDescriptorId: null,
    metaData: null,
    knownFacts: servicing.facts.length,
    figures: packFigures(figures(state, { period, cycle, before, reversed, after })),
    activities: activitiesOf(state, env, { ...cycle, day: cycle.state.day, fees: cycle.state.fees }, reversed),
    interest: interestOf(cycle.interestDays),
  };
}

interface Sources {
  readonly period: PeriodView;
  readonly cycle: Cycle;
  readonly before: StatementRecord | null;
  readonly after: Day | null;
  readonly reversed: readonly Reversed[];
}

function figures(state: LoanState, { period, cycle, before, after, reversed }: Sources): Figures {
  const ledger = cycle.state;
  const balances = balancesOf(ledger);
  const obligation = obligationsOf(ledger).find((candidate) => candidate.period === period.ordinal);
  const previousCents = (before === null ? null : figuresOf(before).newBalanceAmount) ?? cycle.openingCents;
  const flow = (name: CycleFlow): Cents => sum(cycle.changes.filter((change) => change.flow === name).map((change) => change.amountCents));
  const reversedCents = (kind: Reversed['kind'], wasStated: boolean): Cents =>
    sum(reversed.filter((one) => one.kind === kind && (!wasStated || one.wasStated)).map((one) => one.amountCents));
  const ownReversals = subtract(reversedCents('payment', false), reversedCents('payment', true));
  const ownCreditReversals = subtract(reversedCents('credit', false), reversedCents('credit', true));
  const paid = ledger.payments.filter((payment) => after === null || payment.day >= after);
  const minimumDueCents = obligation?.obligationCents ?? ZERO;
  const { interestAndFees } = balances;
  return {
    minimumDueAmount: minimumDueCents,
    newBalanceAmount: cycle.closingCents,
    overdueAmount: overdueOf(ledger).overdueCents,
    fulfilledAmount: obligation?.fulfilledCents ?? ZERO,
    remainingAmount: obligation?.remainingCents ?? ZERO,
    overpaymentsAmount: obligation?.overpaymentsCents ?? ZERO,
    previousBalance: previousCents,
    totalAdvancesForThisPeriod: flow('advances'),
    totalInterestForThisPeriod: cycle.interestCents,
    totalFeesForThisPeriod: flow('fees'),
    totalPaymentsForThisPeriod: subtract(ownReversals, flow('payments')),
    totalPaymentReversalsForThisPeriod: reversedCents('payment', false),
    totalCreditsForThisPeriod: subtract(ownCreditReversals, flow('credits')),
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
    lateFeeUpToAmount: ledger.status === 'active' ? largestLateFeeCents(ledger, minimumDueCents) : ZERO,
    lastPeriodPrincipalPaid: sum(paid.map((payment) => payment.principalCents as Cents)),
    lastPeriodInterestPaid: sum(paid.map((payment) => payment.interestCents as Cents)),
    lastPeriodFeesPaid: sum(paid.map((payment) => payment.feesCents as Cents)),
  };
}

export function interestOf(days: readonly InterestDay[]): readonly StatementInterest[] {
  const byRate = new Map<number, { days: number; interest: InterestDay['interest'] }>();
  for (const { rate, interest } of days) {
    const known = byRate.get(rate);
    byRate.set(rate, { days: (known?.days ?? 0) + 1, interest: known === undefined ? interest : addAccrued(known.interest, interest) });
  }
  return Array.from(byRate, ([rate, { days: count, interest }]) => ({ rate, days: count, unrounded: unrounded(interest) }));
}
