import type { PaymentFrequency } from '../../calendar/index.js';
import { cents, type Cents, RATE_ZERO } from '../../money/index.js';
import { constantRate } from '../../rates/index.js';
import { settingsOf } from '../core/rules.js';
import { drawsByTerms } from './count-in-order.js';
import { drawOwedCents, interestCents, lineOwedCents, openFeesCents, principalCents } from './owed.js';
import {
  type RepaidBalance,
  repaidByMinimum,
  type RepaidLine,
  THREE_YEARS_OF_MONTHS,
  threeYearPaymentCents,
} from './repayment-estimate.js';
import type { DrawState, LineObligation, LineState } from './state.js';
import type { LineSchedule } from './terms.js';

/** The repayment disclosures of a statement (Regulation Z, 12 CFR 1026.7(b)(12)). */
export interface MinimumPaymentWarning {
  /** Null: minimum payments never repay the balance (1026.7(b)(12)(ii)). Then the payment for three years is given in any case. */
  readonly monthsToPayoff: number | null;
  readonly totalPaidCents: Cents | null;
  /** Null where the law does not ask for it (1026.7(b)(12)(i)(F)(2)). */
  readonly threeYearPaymentCents: Cents | null;
  readonly threeYearSavingsCents: Cents | null;
}

const MONTHS_PER_YEAR = 12;

/** Shown in whole years, 41 months are three years: the estimates for three years are asked for from here on. */
const MONTHS_ABOVE_THREE_YEARS = 42;

/** A line has no single term: its periods would be months. */
const PERIODS_PER_YEAR: Readonly<Record<PaymentFrequency, number>> = {
  weekly: 52,
  everyTwoWeeks: 26,
  twiceMonthly: 24,
  monthly: MONTHS_PER_YEAR,
  singleTerm: MONTHS_PER_YEAR,
};

/**
 * The warning of the statement of a period, from the ledger on its day. Null where the law asks for none (1026.7(b)(12)(v)): the minimum
 * payment pays the whole balance, or the balances of the two periods before were paid in full by their due dates. Also null on a
 * line that asks for no minimum payment: frozen, or owed as a whole.
 */
export function minimumPaymentWarningOf(state: LineState, ordinal: number): MinimumPaymentWarning | null {
  const obligation = obligationOf(state, ordinal);
  if (obligation === undefined || state.status !== 'active') return null;
  const minimumCents = obligation.remainingCents + obligation.carriedOverdueCents;
  if (minimumCents >= lineOwedCents(state) || (wasPaid(state, ordinal - 1) && wasPaid(state, ordinal - 2))) return null;
  const line = repaidLineOf(state, obligation);
  const repaid = repaidByMinimum(line);
  const levelCents = threeYearPaymentCents(line);
  if (repaid === null) {
    return { monthsToPayoff: null, totalPaidCents: null, threeYearPaymentCents: levelCents, threeYearSavingsCents: null };
  }
  const { paidCents: totalPaidCents, periods } = repaid;
  const monthsToPayoff = Math.ceil((periods * MONTHS_PER_YEAR) / line.periodsPerYear);
  const isAsked = monthsToPayoff >= MONTHS_ABOVE_THREE_YEARS && levelCents >= minimumCents && !isFixedWithinThreeYears(line);
  return {
    monthsToPayoff,
    totalPaidCents,
    threeYearPaymentCents: isAsked ? levelCents : null,
    threeYearSavingsCents: isAsked ? cents(totalPaidCents - levelCents * THREE_YEARS_OF_MONTHS) : null,
  };
}

const obligationOf = ({ obligations }: LineState, ordinal: number): LineObligation | undefined =>
  obligations.findLast((known) => known.ordinal === ordinal);

/** Whether the statement of a period was paid in full by its due date; one without a balance was. A frozen period has none. */
function wasPaid(state: LineState, ordinal: number): boolean {
  const grace = obligationOf(state, ordinal)?.grace;
  return grace !== undefined && grace.totalFulfilledOnDueDateCents >= grace.fullBalanceCents;
}

/** Whether one balance revolves while another is repaid on a schedule of less than three years (1026.7(b)(12)(i)(F)(2)(iii)). */
function isFixedWithinThreeYears({ balances, periodsPerYear }: RepaidLine): boolean {
  const most = (THREE_YEARS_OF_MONTHS * periodsPerYear) / MONTHS_PER_YEAR;
  return (
    balances.some(({ repayment }) => repayment.type === 'minimum') &&
    balances.some(({ repayment }) => repayment.type === 'rows' && repayment.amountsCents.length < most)
  );
}

function repaidLineOf(state: LineState, obligation: LineObligation): RepaidLine {
  const { isInterestInMinimum, areFeesInMinimum } = settingsOf(state);
  return {
    day: obligation.period.statementDate,
    periodsPerYear: PERIODS_PER_YEAR[frequencyOf(state.schedule)],
    accrualMethod: state.terms.accrualMethod,
    balances: drawsByTerms(state).flatMap((draw) => (drawOwedCents(draw) > 0 ? [balanceOf(draw)] : [])),
    lineFeesCents: openFeesCents(state.fees),
    lineMinCents: state.terms.minimum.minCents,
    isInterestInMinimum,
    areFeesInMinimum,
  };
}

const frequencyOf = (schedule: LineSchedule): PaymentFrequency =>
  schedule.type === 'fixedDueDate' ? schedule.due.type : schedule.statement.type;

function balanceOf(draw: DrawState): RepaidBalance {
  const waiting = draw.fees.filter(({ dueStatus }) => dueStatus === 'nonDue');
  const fees = draw.fees.filter(({ dueStatus }) => dueStatus !== 'nonDue');
  return {
    principalCents: principalCents(draw),
    interestCents: interestCents(draw),
    feesCents: openFeesCents(fees),
    waitingFeesCents: openFeesCents(waiting),
    rates: draw.activation.drawType === 'static' ? constantRate(RATE_ZERO) : draw.rates,
    repayment: draw.isAmortized
      ? { type: 'rows', amountsCents: [calledCents(draw), ...draw.rows.map(({ amountCents }) => amountCents)] }
      : { type: 'minimum', terms: draw.activation.minimum },
  };
}

/** What the statement, and those before it, have asked for without fees: the first row of an amortized draw. */
const calledCents = ({ balances }: DrawState): number =>
  balances.duePrincipalCents + balances.dueInterestCents + balances.overduePrincipalCents + balances.overdueInterestCents;
