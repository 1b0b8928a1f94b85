import type { Day } from '../calendar/index.js';
import {
  type Accrued,
  ACCRUED_ZERO,
  accruedOfCents,
  accruedUnits,
  addAccrued,
  cents,
  type Cents,
  divideRounded,
  MAX_CENTS,
  YEAR_UNITS,
} from '../money/index.js';
import { type AccrualMethod, compoundAccrual, compoundGrowth, type Growth, simpleGrowth } from '../rates/index.js';
import type { Prepaid } from './prepaid.js';
import type { AmortizationInput, AmortizationRounding, RowTerm } from './types.js';

/** Why terms cannot be amortized. */
export type AmortizationFault =
  | 'noDueDates'
  | 'noPrincipal'
  | 'dueDatesOutOfOrder'
  | 'tooManyRows'
  | 'advanceAfterLastDueDate'
  | 'paymentDoesNotCoverInterest'
  | 'amountTooLarge'
  /** The loan type charges scheduled interest, which does not support these terms. */
  | 'unsupportedScheduledInterest';

/** No schedule fits the terms: a fault of the input, not of the program. */
export class AmortizationError extends Error {
  override readonly name = 'AmortizationError';

  constructor(
    readonly fault: AmortizationFault,
    message: string,
  ) {
    super(message);
  }
}

/** A row before its amounts are known: its nights `[from, date)` and what a cent earns in them. */
export interface PlannedRow {
  readonly from: Day;
  readonly date: Day;
  readonly growth: Growth;
  readonly term: RowTerm;
}

/** The most rows of a schedule: 30 years of weeks. */
export const MAX_SCHEDULE_ROWS = 1_566;

const LEVEL: RowTerm = { type: 'level' };

export function planRows(input: AmortizationInput): readonly PlannedRow[] {
  if (input.dueDates.length === 0) throw new AmortizationError('noDueDates', 'a schedule needs a due date');
  if (input.dueDates.length > MAX_SCHEDULE_ROWS) {
    throw new AmortizationError('tooManyRows', `a schedule has at most ${MAX_SCHEDULE_ROWS} rows`);
  }
  let from = input.start;
  return input.dueDates.map((date, position) => {
    if (date < from) throw new AmortizationError('dueDatesOutOfOrder', 'due dates must ascend from the first day of interest');
    const row = { from, date, growth: growthOf(input, from, date), term: input.rowTerms?.[position] ?? LEVEL };
    from = date;
    return row;
  });
}

/** The same row with its nights from `from` on only. */
export function planFrom(input: AmortizationInput, row: PlannedRow, from: Day): PlannedRow {
  return from === row.from ? row : { ...row, from, growth: growthOf(input, from, row.date) };
}

/**
 * The rows that may be used: those up to the enforced end date. When even the first due date lies after it, that row is
 * due on the end date itself.
 */
export function rowsUntil(input: AmortizationInput, rows: readonly PlannedRow[]): readonly PlannedRow[] {
  const end = input.enforcedEndDate ?? null;
  if (end === null) return rows;
  const used = rows.filter((row) => row.date <= end);
  const [first] = rows;
  if (used.length > 0 || first === undefined) return used;
  if (end < first.from) throw new AmortizationError('dueDatesOutOfOrder', 'the end date lies before the first day of interest');
  return [{ ...first, date: end, growth: growthOf(input, first.from, end) }];
}

/** What a balance earns in the nights `[from, to)`: with promos, and without. */
export function interestOn(input: AmortizationInput, open: OpenBalance, from: Day, to: Day): Growth {
  if (isCompounding(input)) {
    const base = addAccrued(accruedOfCents(open.principalCents), open.interest);
    return compoundAccrual(base, input.rates, input.dayCount, from, to);
  }
  return onPrincipal(open, simpleGrowth(input.rates, input.dayCount, from, to));
}

/** The same for the nights of a planned row, whose growth is known. */
export function interestOfRow(input: AmortizationInput, open: OpenBalance, row: PlannedRow): Growth {
  return isCompounding(input) ? interestOn(input, open, row.from, row.date) : onPrincipal(open, row.growth);
}

function onPrincipal(open: OpenBalance, growth: Growth): Growth {
  const principal = BigInt(open.principalCents);
  const net = principal * growth.net;
  return { net, gross: growth.gross === growth.net ? net : principal * growth.gross };
}

const isCompounding = (input: AmortizationInput): boolean => (input.accrualMethod ?? 'simple') !== 'simple';

function growthOf(input: AmortizationInput, from: Day, to: Day): Growth {
  if (!isCompounding(input)) return simpleGrowth(input.rates, input.dayCount, from, to);
  const net = compoundGrowth(input.rates, input.dayCount, from, to);
  return { net, gross: net };
}

/** Fixed-point digits of the solution: 2^128 beside the amounts, far below the tenth decimal after 1,500 rows. */
const SCALE_BITS = 128n;

/** From one cent to more than the largest amount. */
const MAX_DOUBLINGS = 64;

const ONE_CENT = accruedOfCents(cents(1));

/** The tenth decimal of the currency unit: the level is exact to here before it is rounded. */
const TENTH_DECIMAL = BigInt(YEAR_UNITS);

export interface OpenBalance {
  readonly principalCents: Cents;
  /** Unpaid interest. */
  readonly interest: Accrued;
  /** Interest that may still be charged; null without a cap. */
  readonly interestRoom: Accrued | null;
  readonly prepaid: Prepaid;
}

/**
 * The amount of the level rows that brings the balance to zero with the last row, unrounded; zero when no row is level.
 *
 * The balance after each row is `owed - paid * level`: both parts grow by the row's interest, a level row adds 1 to
 * `paid`, a forced row lowers `owed`. At the end `level = owed / paid`, for any mixture of rates, days and rows, as long
 * as every payment covers its interest.
 */
export function solveLevel(open: OpenBalance, rows: readonly PlannedRow[], method: AccrualMethod): Accrued {
  let owed = accruedOfCents(open.principalCents) << SCALE_BITS;
  let owedInterest = open.interest << SCALE_BITS;
  let paid = 0n;
  let paidInterest = 0n;
  for (const row of rows) {
    owedInterest += (bearing(owed, owedInterest, method) * row.growth.net) / ONE_CENT;
    paidInterest += (bearing(paid, paidInterest, method) * row.growth.net) / ONE_CENT;
    if (row.term.type === 'skipped') continue;
    if (row.term.type !== 'interestOnly') {
      owed += owedInterest;
      paid += paidInterest;
      if (row.term.type === 'level') paid += 1n << SCALE_BITS;
      else owed -= accruedOfCents(row.term.amountCents) << SCALE_BITS;
    }
    owedInterest = 0n;
    paidInterest = 0n;
  }
  if (paid === 0n || owed + owedInterest <= 0n) return ACCRUED_ZERO;
  return ofTenthDecimals(divideRounded(owed + owedInterest, (paid + paidInterest) * TENTH_DECIMAL, 'halfUp'));
}

/**
 * The same where the balance is not linear in the payment: a payment below its interest leaves a shortfall that bears no
 * interest, a cap on total interest ends the accrual, and rows that were paid in advance bring nothing. Bisection below the
 * linear solution, which overpays, or the first double of it that does.
 */
export function searchLevel(open: OpenBalance, rows: readonly PlannedRow[], method: AccrualMethod): Accrued {
  const highest = solveLevel(open, rows, method);
  let low = 0n;
  let high = highest / TENTH_DECIMAL + 1n;
  for (let tried = 0; tried < MAX_DOUBLINGS && leftAfter(open, rows, method, ofTenthDecimals(high)) > 0n; tried += 1) {
    low = high;
    high *= 2n;
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (leftAfter(open, rows, method, ofTenthDecimals(middle)) > 0n) low = middle;
    else high = middle;
  }
  return ofTenthDecimals(high);
}

/** Whether a cap on interest changes what this level leaves. */
export function meetsCap(open: OpenBalance, rows: readonly PlannedRow[], method: AccrualMethod, level: Accrued): boolean {
  if (open.interestRoom === null) return false;
  return leftAfter(open, rows, method, level) !== leftAfter({ ...open, interestRoom: null }, rows, method, level);
}

/** What is left unpaid after the last row when each level row pays `level`; negative when too much was paid. */
function leftAfter(open: OpenBalance, rows: readonly PlannedRow[], method: AccrualMethod, level: Accrued): bigint {
  let principal: bigint = accruedOfCents(open.principalCents);
  let interest: bigint = open.interest;
  let room: bigint | null = open.interestRoom;
  let prepaid: bigint = accruedOfCents(open.prepaid.leftCents);
  const feeShare = accruedOfCents(open.prepaid.feeShareCents);
  let feeAsked: bigint = accruedOfCents(open.prepaid.feeAskedCents);
  let feeOpen: bigint = accruedOfCents(open.prepaid.feeOpenCents);
  for (const row of rows) {
    const earned = (bearing(principal, interest, method) * row.growth.net) / ONE_CENT;
    const charged = room === null || earned < room ? earned : room;
    if (room !== null) room -= charged;
    interest += charged;
    if (row.term.type === 'skipped') continue;
    const asked = askedOf(row, level, prepaid > 0n ? charged : interest);
    const share = least(feeShare, feeAsked);
    const part = least(prepaid, asked + share);
    const toFee = least(least(share, asked + share - part), feeOpen);
    prepaid -= part;
    feeAsked -= share;
    feeOpen -= toFee;
    const payment = asked + share - part - toFee;
    if (payment >= interest) {
      principal -= payment - interest;
      interest = 0n;
    } else {
      interest -= payment;
    }
  }
  return principal + interest;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** What bears interest: principal, or unpaid interest too. */
const bearing = (principal: bigint, interest: bigint, method: AccrualMethod): bigint =>
  method === 'simple' ? principal : principal + interest;

function askedOf(row: PlannedRow, level: Accrued, interest: bigint): bigint {
  switch (row.term.type) {
    case 'level':
      return level;
    case 'interestOnly':
      return interest;
    case 'skipped':
      return 0n;
    case 'forced':
    case 'given':
      return accruedOfCents(row.term.amountCents);
  }
}

/** The level as an amount that can be charged. */
export function roundLevel(unrounded: Accrued, rounding: AmortizationRounding): Cents {
  const multiple = BigInt(rounding.paymentMultipleCents);
  const rounded = divideRounded(unrounded, ONE_CENT * multiple, rounding.payment) * multiple;
  if (rounded > BigInt(MAX_CENTS)) throw new AmortizationError('amountTooLarge', 'the level payment is too large');
  return cents(Number(rounded));
}

const ofTenthDecimals = (value: bigint): Accrued => accruedUnits(value * TENTH_DECIMAL);
