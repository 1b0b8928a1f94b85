import {
  type Accrued,
  accruedOfCents,
  addAccrued,
  type BalanceBlock,
  type Balances,
  balancesOf,
  type Cents,
  greatest,
  type LedgerState,
  type LineBalanceBlock,
  type LineBalances,
  lineBalancesOf,
  type LineState,
  MAX_CENTS,
  NO_COMING_FEES,
  NO_BLOCK,
  type OverdueView,
  roundAccrued,
  subtract,
  ZERO,
  ACCRUED_ZERO,
} from '../../../engine/index.js';
import { type Amount, amount, dateText, orNull, type UnroundedText, unrounded } from '../../wire.js';
import { drawIdOf } from '../draws/draw.js';
import { isLine, overdueIn, type RunningLedger } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { BalancesReply, BlockReply, DrawBalancesReply } from './read-types.js';

export interface BalanceOptions {
  readonly isRounded?: boolean;
  readonly skipYtd?: boolean;
  readonly fast?: boolean;
}

/**
 * Balances in replies. Interest is text with ten decimals, unless `isRounded` asks for amounts. Totals are sums of rounded parts in both
 * cases.
 */
export function balancesReply(shown: ShownBalances | null, options: BalanceOptions, reimbursedCents: Cents = ZERO): BalancesReply {
  const { balances, credit, overdue, status, draws, sparedCents = ZERO } = shown ?? NOT_ACTIVATED;
  const interest = options.isRounded === true ? roundedInterest : unrounded;
  const outstandingBalances = block('outstanding', balances.outstanding, interest);
  const dueBalances = block('due', balances.due, interest);
  const overdueBalances = block('overdue', balances.overdue, interest);
  if (options.fast === true) {
    return {
      isLocked: false,
      outstandingBalances,
      dueBalances,
      overdueBalances,
      availableCreditAmount: orNull(amount, credit?.availableCents),
    };
  }
  const { paid } = balances;
  const owedCents = greatest(ZERO, subtract(paid.reimbursementCents, reimbursedCents));
  return {
    isLocked: false,
    outstandingBalances,
    outstandingBalancesWithPromo: {
      outstandingTotalAmount: amount(greatest(ZERO, subtract(balances.outstanding.totalCents, sparedCents))),
    },
    nonDueBalances: block('nonDue', balances.nonDue, interest),
    dueBalances,
    overdueBalances,
    nonAccrualBalances: shortBlock('nonAccrual', nonAccrual(status, balances), interest),
    chargedOffBalances: shortBlock('chargedOff', balances.chargedOff, interest),
    paidBalances: {
      paidTotalAmount: amount(paid.totalCents),
      paidPaymentsAmount: amount(paid.paymentsCents),
      paidCreditsAmount: amount(paid.creditsCents),
      paidReimbursementsAmount: amount(reimbursedCents),
      paidPrincipalAmount: amount(paid.principalCents),
      paidInterestAmount: amount(paid.interestCents),
      paidFeesAmount: amount(paid.feesCents),
      paidOverAmount: amount(paid.overCents),
    },
    reimbursementAmount: amount(owedCents),
    interestAndFeesAmounts: interestAndFees(balances, interest, options.skipYtd === true),
    creditBalances: {
      creditLimitAmount: orNull(amount, credit?.limitCents),
      utilizedAmount: orNull(amount, credit?.utilizedCents),
      availableCreditAmount: orNull(amount, credit?.availableCents),
      heldAmount: orNull(amount, credit?.heldCents),
      creditBalanceAmount: amount(owedCents),
    },
    overdueDetails: {
      isOverdue: overdue.isOverdue,
      daysOverdue: overdue.daysOverdue,
      overdueSinceDate: orNull(dateText, overdue.overdueSince),
      nextDueDate: orNull(dateText, overdue.nextDueDate),
      nextDueAmount: orNull(amount, overdue.nextDueCents),
    },
    drawBalances: draws.map(({ drawId, shown: ofDraw }) => drawBlocks(drawId, ofDraw, options)),
  };
}

/** The blocks of one draw. Details of overdue amounts and of draws belong to the line. */
function drawBlocks(drawId: string, shown: ShownBalances, options: BalanceOptions): DrawBalancesReply {
  const {
    overdueDetails: _ofLine,
    drawBalances: _none,
    outstandingBalancesWithPromo: _promo,
    isLocked: _locked,
    ...blocks
  } = balancesReply(shown, options);
  return { drawId, ...blocks };
}

/** The figures of a ledger that balances show. */
export interface ShownBalances {
  readonly balances: Balances | LineBalances;
  readonly status: LedgerState['status'] | null;
  readonly overdue: typeof NOT_OVERDUE;
  /** Only of a line or a draw. */
  readonly credit: LineBalances['credit'] | null;
  readonly draws: readonly { readonly drawId: string; readonly shown: ShownBalances }[];
  /** Interest that a payoff saves because it earns active promotions; absent: none. */
  readonly sparedCents?: Cents;
}

/** The figures of a loan, and of each draw of a line. What is due next has the fees of coming days, if they are given. */
export function shownBalancesOf(ledger: RunningLedger, state: LoanState, coming = NO_COMING_FEES): ShownBalances {
  const { status } = ledger;
  const overdue = overdueIn(ledger, coming);
  if (!isLine(ledger)) return { balances: balancesOf(ledger), status, overdue, credit: null, draws: [] };
  const balances = lineBalancesOf(ledger);
  const draws = ledger.draws.map(({ draw }) => ({ drawId: drawIdOf(state, draw) ?? '', shown: shownBalancesOfDraw(ledger, draw) }));
  return { balances, status, overdue, credit: balances.credit, draws };
}

export function shownBalancesOfDraw(ledger: LineState, draw: number): ShownBalances {
  const balances = lineBalancesOf(ledger, draw);
  return { balances, status: ledger.status, overdue: NOT_OVERDUE, credit: balances.credit, draws: [] };
}

type InterestPrinter = (value: Accrued) => UnroundedText | Amount;

const roundedInterest = (value: Accrued): Amount => amount(roundAccrued(value, 'halfUp'));

/** Rounded interest of a line is the sum of what its draws have rounded, as its total is. */
const interestOfBlock = (values: ShortBlock, interest: InterestPrinter): UnroundedText | Amount =>
  interest === roundedInterest ? amount(values.interestCents) : interest(values.unroundedInterest);

function block(prefix: string, values: BalanceBlock | LineBalanceBlock, interest: InterestPrinter): BlockReply {
  return {
    ...shortBlock(prefix, values, interest),
    [`${prefix}OriginationFeesAmount`]: amount(values.originationFeesCents),
    [`${prefix}DrawFeesAmount`]: amount('drawFeesCents' in values ? values.drawFeesCents : ZERO),
    [`${prefix}LateFeesAmount`]: amount(values.lateFeesCents),
    [`${prefix}ModificationFeesAmount`]: amount(values.modificationFeesCents),
    [`${prefix}DynamicFeesAmount`]: amount(values.dynamicFeesCents),
  };
}

type ShortBlock = Pick<BalanceBlock, 'totalCents' | 'principalCents' | 'interestCents' | 'feesCents' | 'unroundedInterest'>;

function shortBlock(prefix: string, values: ShortBlock, interest: InterestPrinter): BlockReply {
  return {
    [`${prefix}TotalAmount`]: amount(values.totalCents),
    [`${prefix}PrincipalAmount`]: amount(values.principalCents),
    [`${prefix}InterestAmount`]: interestOfBlock(values, interest),
    [`${prefix}FeesAmount`]: amount(values.feesCents),
  };
}

const NOTHING: ShortBlock = {
  totalCents: ZERO,
  principalCents: ZERO,
  interestCents: ZERO,
  feesCents: ZERO,
  unroundedInterest: ACCRUED_ZERO,
};

/** While a loan is frozen or accelerated, its whole balance bears no interest. */
const nonAccrual = (status: ShownBalances['status'], { outstanding }: Balances): ShortBlock =>
  status === 'frozen' || status === 'accelerated' ? outstanding : NOTHING;

const NO_INTEREST = ACCRUED_ZERO;

/** Of a loan that was never activated. */
const NO_BALANCES: Balances = {
  outstanding: NO_BLOCK,
  nonDue: NO_BLOCK,
  due: NO_BLOCK,
  overdue: NO_BLOCK,
  chargedOff: NO_BLOCK,
  paid: {
    totalCents: ZERO,
    paymentsCents: ZERO,
    creditsCents: ZERO,
    principalCents: ZERO,
    interestCents: ZERO,
    feesCents: ZERO,
    overCents: ZERO,
    reimbursementCents: ZERO,
  },
  interestAndFees: {
    interestAccrued: NO_INTEREST,
    interestDiscount: NO_INTEREST,
    forgoneInterestCap: NO_INTEREST,
    forgoneInterestRounding: NO_INTEREST,
    interestAccruedYearToDate: NO_INTEREST,
    interestAccruedCurrentPeriod: NO_INTEREST,
    dailyInterest: NO_INTEREST,
    capitalizedInterestCents: ZERO,
    feesChargedCents: ZERO,
    feesChargedYearToDateCents: ZERO,
    interestPaidYearToDateCents: ZERO,
  },
};

const NOT_OVERDUE: Pick<OverdueView, 'isOverdue' | 'daysOverdue' | 'overdueSince' | 'nextDueDate' | 'nextDueCents'> = {
  isOverdue: false,
  daysOverdue: 0,
  overdueSince: null,
  nextDueDate: null,
  nextDueCents: null,
};

const NOT_ACTIVATED: ShownBalances = { balances: NO_BALANCES, status: null, overdue: NOT_OVERDUE, credit: null, draws: [] };

function interestAndFees({ interestAndFees: sums }: Balances, interest: InterestPrinter, skipYtd: boolean): BlockReply {
  const yearToDate: BlockReply = {
    interestAccruedYearToDateAmount: interest(sums.interestAccruedYearToDate),
    feesChargedYearToDateAmount: amount(sums.feesChargedYearToDateCents),
    interestPaidYearToDateAmount: amount(sums.interestPaidYearToDateCents),
  };
  return {
    interestAccruedTotalAmount: interest(sums.interestAccrued),
    interestDiscountTotalAmount: interest(sums.interestDiscount),
    forgoneInterestCapAmount: interest(sums.forgoneInterestCap),
    forgoneInterestRoundingAmount: interest(sums.forgoneInterestRounding),
    interestAccruedCurrentPeriodAmount: interest(sums.interestAccruedCurrentPeriod),
    feesChargedTotalAmount: amount(sums.feesChargedCents),
    dailyInterestAmount: interest(sums.dailyInterest),
    ...(skipYtd ? {} : yearToDate),
  };
}

/** One day of the series: the totals that a chart shows. */
export function dailyBalance(day: LedgerState['day'], { outstanding, nonDue, due, overdue, chargedOff }: Balances): BlockReply {
  return {
    date: dateText(day),
    outstandingTotalAmount: amount(outstanding.totalCents),
    outstandingPrincipalAmount: amount(outstanding.principalCents),
    outstandingInterestAmount: unrounded(outstanding.unroundedInterest),
    outstandingFeesAmount: amount(outstanding.feesCents),
    nonDueTotalAmount: amount(nonDue.totalCents),
    dueTotalAmount: amount(due.totalCents),
    overdueTotalAmount: amount(overdue.totalCents),
    chargedOffTotalAmount: amount(chargedOff.totalCents),
  };
}

export const sumOfInterest = (values: Iterable<Accrued>): Accrued => {
  let total = ACCRUED_ZERO;
  for (const value of values) total = addAccrued(total, value);
  return total;
};

/** In cents, rounded half up; a sum above the largest amount becomes the largest amount. */
export const centsOfInterest = (value: Accrued): Cents => (value > MOST_INTEREST ? MAX_CENTS : roundAccrued(value, 'halfUp'));

const MOST_INTEREST = accruedOfCents(MAX_CENTS);
