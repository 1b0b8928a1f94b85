import {
  balancesOf,
  type Balances,
  type Cents,
  cents,
  cycleFrom,
  cycleOf,
  type Day,
  divideRounded,
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
  obligationsOf,
  overdueOf,
  type PeriodView,
  periodsOf,
  rateOn,
  subtract,
  sum,
  ZERO,
} from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { lineServicingOf, servicingOf } from '../context.js';
import { factsOf, installment, ledgerOf } from '../ledger/installment.js';
import { feesIn } from '../ledger/running.js';
import { lineFactsOf, lineOf, lineOfCredit } from '../line/ledger.js';
import type { LoanState } from '../state.js';
import type { ListedCycle } from './activities.js';
import type { DrawFigures, LineFigures } from './record.js';

/** What a statement tells of the cycle that it closes, whichever product's ledger it is of. */
export interface StatedCycle extends ListedCycle {
  readonly openingCents: Cents;
  readonly closingCents: Cents;
  readonly interestDays: readonly InterestDay[];
  /** At the cut. */
  readonly balances: Balances;
  /** What the period asks for; null: nothing. */
  readonly obligation: StatedObligation | null;
  readonly overdueCents: Cents;
  /** Of the loan's whole life. */
  readonly payments: readonly StatedPayment[];
  /** The most that a late fee for this period could come to. */
  readonly lateFeeUpToCents: Cents;
  readonly nextStatementDay: Day | null;
  /** Null: an installment loan. */
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

/** The cycle that ends with the daily job of the period's statement day; `after`: the cut before, null for the first one. */
export const statedCycle = (state: LoanState, env: EvolveEnv, period: PeriodView, after: Day | null): StatedCycle =>
  state.line === null ? installmentCycle(state, env, period, after) : lineCycle(state, env, period, after);

function installmentCycle(state: LoanState, env: EvolveEnv, period: PeriodView, after: Day | null): StatedCycle {
  const day = period.statementDay;
  const cycle =
    (after === null ? null : installment.fromLaidAside(state, env, (laidAside, since) => cycleFrom(laidAside, since, { after, day }))) ??
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
      : lineOfCredit.fromLaidAside(state, env, (laidAside, since) => lineCycleFrom(laidAside, since, { after, day }))) ??
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
