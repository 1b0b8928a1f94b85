import {
  type Cents, cents, type Day, divideRounded, greatest, largestLineLateFeeCents, lineBalancesOf, type LineCycle, type LineCycleFlow, lineCycleOf, lineObligationsOf, lineOverdueOf,
  linePeriodsOf, rateOn, roundAccrued, subtract, sum, ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../runtime/actor.js';
import { lineServicingOf } from '../context.js';
import { lineFactsOf, lineTermsOf } from '../line/ledger.js';
import { feesIn } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import { activitiesOf } from './activities.js';
import { interestOf, type StatementOrder } from './compose.js';
import type { NewStatement } from './facts.js';
import { activeStatements, type DrawFigures, type Figures, figuresOf, type LineFigures, nextVersion, packFigures, type StatementRecord } from './record.js';
import { type Reversed, reversedSince } from './reversals.js';

/** The statement of a line's period, as `composeStatement` makes an installment loan's; its draws have figures of their own. */
export function composeLineStatement(state: LoanState, env: EvolveEnv, { id, period, isTest }: StatementOrder): NewStatement {
  const { statements, facts } = lineServicingOf(state);
  const before = activeStatements(statements).findLast((statement) => statement.dueDay < period.dueDay) ?? null;
  const after = before?.statementDay ?? (period.ordinal === 0 ? null : period.startDay);
  const cycle = lineCycleOf(lineTermsOf(state, env), lineFactsOf(lineServicingOf(state)), { after, day: period.statementDay });
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
    nextStatementDay: linePeriodsOf(cycle.state).find(({ ordinal }) => ordinal === period.ordinal + 1)?.statementDay ?? null,
    documentDescriptorId: null,
    metaData: null,
    knownFacts: facts.length,
    figures: packFigures(figures(state, { ordinal: period.ordinal, statementDay: period.statementDay, cycle, before, reversed, after })),
    activities: activitiesOf(state, env, { ...cycle, day: cycle.state.day, fees: feesIn(cycle.state) }, reversed),
    interest: interestOf(cycle.interestDays),
    ofLine: lineFigures(cycle, period.ordinal),
  };
}

/** Nothing is owed and nothing has happened: such a period has no statement (money 5, rule 7). */
export const isEmpty = ({ figures, activities }: NewStatement): boolean => {
  const { newBalanceAmount, previousBalance, creditBalanceAmount } = figuresOf({ figures });
  return newBalanceAmount === 0 && previousBalance === 0 && creditBalanceAmount === 0 && activities.length === 0;
};

interface Sources {
  readonly ordinal: number;
  readonly statementDay: Day;
  readonly cycle: LineCycle;
  readonly before: StatementRecord | null;
  readonly after: Day | null;
  readonly reversed: readonly Reversed[];
}

const flowOf = ({ changes }: LineCycle, flow: LineCycleFlow, draw: number | null = null): Cents =>
  sum(changes.filter((change) => change.flow === flow && (draw === null || change.draw === draw)).map(({ amountCents }) => amountCents));

function figures(state: LoanState, { ordinal, statementDay, cycle, before, after, reversed }: Sources): Figures {
  const ledger = cycle.state;
  const balances = lineBalancesOf(ledger);
  const obligation = lineObligationsOf(ledger).find((candidate) => candidate.period === ordinal);
  const previousCents = (before === null ? null : figuresOf(before).newBalanceAmount) ?? cycle.openingCents;
  const reversedCents = (kind: Reversed['kind'], wasStated: boolean): Cents =>
    sum(reversed.filter((one) => one.kind === kind && (!wasStated || one.wasStated)).map((one) => one.amountCents));
  const own = (kind: Reversed['kind']): Cents => subtract(reversedCents(kind, false), reversedCents(kind, true));
  const paid = ledger.payments.filter((payment) => after === null || payment.day >= after);
  const { interestAndFees } = balances;
  const minimumDueCents = obligation?.minimumDueCents ?? ZERO;
  return {
    minimumDueAmount: minimumDueCents,
    newBalanceAmount: cycle.closingCents,
    overdueAmount: lineOverdueOf(ledger).overdueCents,
    fulfilledAmount: obligation?.fulfilledCents ?? ZERO,
    remainingAmount: obligation?.remainingCents ?? ZERO,
    overpaymentsAmount: obligation?.overpaymentsCents ?? ZERO,
    previousBalance: previousCents,
    totalAdvancesForThisPeriod: ZERO,
    totalInterestForThisPeriod: cycle.interestCents,
    totalFeesForThisPeriod: flowOf(cycle, 'fees'),
    totalPaymentsForThisPeriod: subtract(own('payment'), flowOf(cycle, 'payments')),
    totalPaymentReversalsForThisPeriod: reversedCents('payment', false),
    totalCreditsForThisPeriod: subtract(own('credit'), flowOf(cycle, 'credits')),
    totalCreditReversalsForThisPeriod: reversedCents('credit', false),
    totalRefundsForThisPeriod: subtract(ZERO, flowOf(cycle, 'refunds')),
    totalAdjustmentsForThisPeriod: sum([
      flowOf(cycle, 'adjustments'),
      subtract(cycle.openingCents, previousCents),
      subtract(ZERO, sum([reversedCents('payment', true), reversedCents('credit', true)])),
    ]),
    creditBalanceAmount: greatest(ZERO, subtract(balances.paid.reimbursementCents, reimbursedBy(state, statementDay, null))),
    newPrincipalBalance: sum([balances.outstanding.principalCents, balances.chargedOff.principalCents]),
    yearToDateFeesCharged: interestAndFees.feesChargedYearToDateCents,
    yearToDateInterestCharged: roundAccrued(interestAndFees.interestAccruedYearToDate, 'halfUp'),
    lateFeeUpToAmount: ledger.status === 'active' ? largestLineLateFeeCents(ledger, minimumDueCents) : ZERO,
    lastPeriodPrincipalPaid: sum(paid.map((payment) => cents(payment.principalCents))),
    lastPeriodInterestPaid: sum(paid.map((payment) => cents(payment.interestCents))),
    lastPeriodFeesPaid: sum(paid.map((payment) => cents(payment.feesCents))),
  };
}

function lineFigures(cycle: LineCycle, ordinal: number): LineFigures {
  const { credit } = lineBalancesOf(cycle.state);
  return {
    purchasesCents: flowOf(cycle, 'purchases'),
    cashAdvancesCents: flowOf(cycle, 'cashAdvances'),
    limitCents: credit.limitCents,
    availableCents: credit.availableCents,
    draws: cycle.state.draws.map(({ draw }) => drawFigures(cycle, ordinal, draw)),
  };
}

function drawFigures(cycle: LineCycle, ordinal: number, draw: number): DrawFigures {
  const ledger = cycle.state;
  const balances = lineBalancesOf(ledger, draw);
  const balance = cycle.draws.get(draw);
  const part = ledger.obligations.find((obligation) => obligation.ordinal === ordinal)?.draws.find((candidate) => candidate.draw === draw);
  const running = ledger.draws.find((known) => known.draw === draw);
  const days = cycle.interestDays.filter((one) => one.draw === draw);
  return {
    draw,
    previousCents: balance?.openingCents ?? ZERO,
    newCents: balance?.closingCents ?? ZERO,
    principalCents: sum([balances.outstanding.principalCents, balances.chargedOff.principalCents]),
    minimumCents: cents(part?.amountCents ?? 0),
    interestCents: balance?.interestCents ?? ZERO,
    feesCents: flowOf(cycle, 'fees', draw),
    paymentsCents: subtract(ZERO, sum([flowOf(cycle, 'payments', draw), flowOf(cycle, 'credits', draw)])),
    purchasesCents: sum([flowOf(cycle, 'purchases', draw), flowOf(cycle, 'cashAdvances', draw)]),
    rate: running === undefined ? 0 : rateOn(running.rates, ledger.day).net,
    averageDailyCents: averageOf(days.map(({ principalCents }) => principalCents)),
    isGraceEligible: part?.grace.isEligible ?? false,
    endDay: running?.rows.at(-1)?.dueDate ?? null,
  };
}

/** The mean of the days' principal, halves up. */
const averageOf = (days: readonly Cents[]): Cents =>
  days.length === 0 ? ZERO : cents(Number(divideRounded(BigInt(sum(days)), BigInt(days.length), 'halfUp')));
