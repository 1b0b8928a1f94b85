import {
  addAccrued,
  type Balances,
  balancesOf,
  cents,
  type Cents,
  type CycleFlow,
  cycleFrom,
  cycleOf,
  type Day,
  divideRounded,
  greatest,
  type InterestDay,
  largestLateFeeCents,
  largestLineLateFeeCents,
  lineBalancesOf,
  type LineCycle,
  type LineCycleFlow,
  lineCycleFrom,
  lineCycleOf,
  lineObligationsOf,
  lineOverdueOf,
  linePeriodsOf,
  minimumPaymentWarningOf,
  obligationsOf,
  overdueOf,
  periodsOf,
  type PeriodView,
  rateOn,
  subtract,
  sum,
  ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { unrounded } from '../../wire.js';
import { activatedOf, lineServicingOf, servicingOf } from '../context.js';
import { factsOf, installment, ledgerOf } from '../ledger/installment.js';
import { feesIn } from '../ledger/running.js';
import { lineFactsOf, lineOf, lineOfCredit } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import { reimbursedBy } from '../transactions/reimbursement.js';
import { activitiesOf, type ListedCycle, type Reversed, reversedSince } from './activities.js';
import type { NewStatement } from './evolve.js';
import {
  activeStatements,
  type DrawFigures,
  type Figures,
  figuresOf,
  type LineFigures,
  nextVersion,
  packFigures,
  type StatementInterest,
  type StatementRecord,
} from './record.js';
import { interestThisYear } from './year-to-date.js';

/** The cycle that a statement closes, of a ledger of either product. */
interface StatedCycle extends ListedCycle {
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  readonly interestDays: readonly InterestDay[];
  /** Balances at the cut. */
  readonly balances: Balances;
  /** The obligation of the period; null if there is none. */
  readonly obligation: StatedObligation | null;
  readonly overdueCents: Cents;
  /** Payments of the loan's whole life. */
  readonly payments: Iterable<StatedPayment>;
  /** The highest possible late fee for this period. */
  readonly lateFeeUpToCents: Cents;
  readonly nextStatementDay: Day | null;
  /** Null for an installment loan. */
  readonly ofLine: LineFigures | null;
}

interface StatedObligation {
  readonly minimumDueCents: Cents;
  readonly fulfilledCents: Cents;
  readonly remainingCents: Cents;
  readonly overpaymentsCents: Cents;
}

interface StatedPayment {
  readonly day: Day;
  readonly principalCents: number;
  readonly interestCents: number;
  readonly feesCents: number;
}

/** The cycle that ends with the daily work of the period's statement day. `after` is the previous cut, null for the first cycle. */
const statedCycle = (state: LoanState, env: EvolveEnv, period: PeriodView, after: Day | null): StatedCycle =>
  state.line === null ? installmentCycle(state, env, period, after) : lineCycle(state, env, period, after);

function installmentCycle(state: LoanState, env: EvolveEnv, period: PeriodView, after: Day | null): StatedCycle {
  const day = period.statementDay;
  const cycle =
    (after === null ? null : installment.fromCheckpoint(state, env, (checkpoint, since) => cycleFrom(checkpoint, since, { after, day }))) ??
    cycleOf(ledgerOf(state, env).terms, factsOf(servicingOf(state)), { after, day });
  installment.noteCut(state, env, cycle.state);
  const ledger = cycle.state;
  const obligation = obligationsOf(ledger).find((candidate) => candidate.period === period.ordinal);
  const minimumDueCents = obligation?.obligationCents ?? ZERO;
  return {
    ...cycle,
    day: ledger.day,
    fees: ledger.fees,
    balances: balancesOf(ledger),
    obligation: obligation === undefined ? null : { ...obligation, minimumDueCents },
    overdueCents: overdueOf(ledger).overdueCents,
    payments: ledger.payments,
    lateFeeUpToCents: ledger.status === 'active' ? largestLateFeeCents(ledger, minimumDueCents) : ZERO,
    nextStatementDay: periodsOf(ledger)[period.ordinal + 1]?.statementDay ?? null,
    ofLine: null,
  };
}

function lineCycle(state: LoanState, env: EvolveEnv, { ordinal, statementDay }: PeriodView, after: Day | null): StatedCycle {
  const day = statementDay;
  const cycle =
    (after === null
      ? null
      : lineOfCredit.fromCheckpoint(state, env, (checkpoint, since) => lineCycleFrom(checkpoint, since, { after, day }))) ??
    lineCycleOf(lineOf(state, env).terms, lineFactsOf(lineServicingOf(state)), { after, day });
  lineOfCredit.noteCut(state, env, cycle.state);
  const ledger = cycle.state;
  const obligation = lineObligationsOf(ledger).find((candidate) => candidate.period === ordinal) ?? null;
  return {
    ...cycle,
    day: ledger.day,
    fees: feesIn(ledger),
    balances: lineBalancesOf(ledger),
    obligation,
    overdueCents: lineOverdueOf(ledger).overdueCents,
    payments: ledger.payments,
    lateFeeUpToCents: ledger.status === 'active' ? largestLineLateFeeCents(ledger, obligation?.minimumDueCents ?? ZERO) : ZERO,
    nextStatementDay: linePeriodsOf(ledger).find((period) => period.ordinal === ordinal + 1)?.statementDay ?? null,
    ofLine: lineFigures(cycle, ordinal),
  };
}

const flowOf = ({ changes }: LineCycle, flow: LineCycleFlow, draw: number | null = null): Cents =>
  sum(changes.filter((change) => change.flow === flow && (draw === null || change.draw === draw)).map(({ amountCents }) => amountCents));

function lineFigures(cycle: LineCycle, ordinal: number): LineFigures {
  const { credit } = lineBalancesOf(cycle.state);
  const minimumPaymentWarning = minimumPaymentWarningOf(cycle.state, ordinal);
  return {
    purchasesCents: flowOf(cycle, 'purchases'),
    cashAdvancesCents: flowOf(cycle, 'cashAdvances'),
    limitCents: credit.limitCents,
    availableCents: credit.availableCents,
    draws: cycle.state.draws.map(({ draw }) => drawFigures(cycle, ordinal, draw)),
    ...(minimumPaymentWarning === null ? {} : { minimumPaymentWarning }),
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

/** The mean of the days' principal, rounded half up. */
const averageOf = (days: readonly Cents[]): Cents =>
  days.length === 0 ? ZERO : cents(Number(divideRounded(BigInt(sum(days)), BigInt(days.length), 'halfUp')));

export interface StatementOrder {
  readonly id: string;
  readonly period: PeriodView;
  readonly isTest: boolean;
  /** Under which the borrower finds its document. */
  readonly documentId: string;
  readonly templateVersionId: string | null;
}

/**
 * The statement of a period from the facts known now, cut at the daily work of its day. Its opening balance is that of the previous
 * statement; later changes of the past are adjustments.
 */
export function composeStatement(
  state: LoanState,
  env: EvolveEnv,
  { id, period, isTest, documentId, templateVersionId }: StatementOrder,
): NewStatement {
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
    documentDescriptorId: documentId,
    ...(templateVersionId === null ? {} : { templateVersionId }),
    metaData: null,
    knownFacts: facts.length,
    figures: packFigures(figures(state, env, { period, cycle, before, reversed, after })),
    ...activitiesOf(state, env, cycle, reversed),
    interest: interestOf(cycle.interestDays),
    ...(cycle.ofLine === null ? {} : { ofLine: cycle.ofLine }),
  };
}

/** Whether nothing is owed and nothing has happened: such a period of a line has no statement. */
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

function figures(state: LoanState, env: EvolveEnv, { period, cycle, before, after, reversed }: Sources): Figures {
  const { balances, obligation } = cycle;
  const previousCents = (before === null ? null : figuresOf(before).newBalanceAmount) ?? cycle.openingCents;
  const flow = (name: CycleFlow): Cents => sum(cycle.changes.filter((change) => change.flow === name).map((change) => change.amountCents));
  const reversedCents = (kind: Reversed['kind'], wasStated: boolean): Cents =>
    sum(reversed.filter((one) => one.kind === kind && (!wasStated || one.wasStated)).map((one) => one.amountCents));
  /** Money that came and was reversed within the cycle. */
  const own = (kind: Reversed['kind']): Cents => subtract(reversedCents(kind, false), reversedCents(kind, true));
  const paid = [...cycle.payments].filter((payment) => after === null || payment.day >= after);
  const paidOf = (part: 'principalCents' | 'interestCents' | 'feesCents'): Cents => sum(paid.map((payment) => cents(payment[part])));
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
    yearToDateInterestCharged: interestThisYear(state, env, before, {
      ...cycle,
      statementDay: period.statementDay,
      accruedThisYear: interestAndFees.interestAccruedYearToDate,
    }),
    lateFeeUpToAmount: cycle.lateFeeUpToCents,
    lastPeriodPrincipalPaid: paidOf('principalCents'),
    lastPeriodInterestPaid: paidOf('interestCents'),
    lastPeriodFeesPaid: paidOf('feesCents'),
  };
}

/** Interest by rate. A day on which several draws bear interest at one rate counts as one day. */
function interestOf(accrued: readonly InterestDay[]): readonly StatementInterest[] {
  const byRate = new Map<number, { readonly days: Set<Day>; readonly interest: InterestDay['interest'] }>();
  for (const { day, rate, interest } of accrued) {
    const known = byRate.get(rate);
    const days = known?.days ?? new Set<Day>();
    byRate.set(rate, { days: days.add(day), interest: known === undefined ? interest : addAccrued(known.interest, interest) });
  }
  return Array.from(byRate, ([rate, { days, interest }]) => ({ rate, days: days.size, unrounded: unrounded(interest) }));
}
