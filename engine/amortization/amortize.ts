import { assert } from '../assert.js';
import { ACCRUED_ZERO, accruedOfCents, cents, type Cents, ZERO } from '../money/index.js';
import { AmortizationError, type OpenBalance, type PlannedRow, planRows, rowsUntil } from './level.js';
import { NOTHING_PREPAID } from './prepaid.js';
import { runStage, stageOf, withAdvance } from './stages.js';
import type { Advance, AmortizationInput, FeeTerms, LevelPayment, Schedule, ScheduleRow } from './types.js';

interface RowsWithFees {
  readonly rows: readonly ScheduleRow[];
  readonly separateFeeCents: Cents;
}

/** Puts the origination fee and the service fee on top of the rows. */
function addFees(rows: readonly ScheduleRow[], fees: FeeTerms | null): RowsWithFees {
  if (fees === null || rows.length === 0) return { rows, separateFeeCents: ZERO };
  const separateFeeCents = fees.originationLogic === 'separate' ? fees.originationCents : ZERO;
  const isInRows = fees.originationLogic !== 'separate' && fees.originationCents !== 0;
  if (!isInRows && fees.perRowCents === 0) return { rows, separateFeeCents };
  return {
    rows: rows.map((row, position) => {
      const feeCents = cents(originationShare(fees, position, rows.length) + fees.perRowCents);
      return { ...row, feeCents, amountCents: cents(row.amountCents + feeCents) };
    }),
    separateFeeCents,
  };
}

/** What a row bears of an origination fee. `spread`: equal shares rounded down, the remainder in the last row. */
export function originationShare({ originationCents, originationLogic }: OriginationFeeTerms, row: number, rowCount: number): number {
  switch (originationLogic) {
    case 'separate':
      return 0;
    case 'firstPayment':
      return row === 0 ? originationCents : 0;
    case 'spread': {
      const share = Math.floor(originationCents / rowCount);
      return row === rowCount - 1 ? originationCents - share * (rowCount - 1) : share;
    }
  }
}

type OriginationFeeTerms = Pick<FeeTerms, 'originationCents' | 'originationLogic'>;

/** An open-ended payment is simulated with this many due dates first, then with more: most loans are short. */
const FIRST_OPEN_ENDED_ROWS = 60;
const OPEN_ENDED_GROWTH = 5;

/**
 * The schedule of a loan from its first night. Each advance re-amortizes: rows due up to its day
 * keep their amounts, the rows after it are solved again over the same dates.
 *
 * @throws AmortizationError when no schedule fits the terms.
 */
export function amortize(input: AmortizationInput): Schedule {
  if (input.payment.type !== 'openEnded' || (input.enforcedEndDate ?? null) !== null) return amortizeOver(input);
  const lastAdvance = Math.max(input.start, ...(input.advances ?? []).map((advance) => advance.date));
  for (let tried = FIRST_OPEN_ENDED_ROWS; tried < input.dueDates.length; tried *= OPEN_ENDED_GROWTH) {
    const dueDates = input.dueDates.slice(0, tried);
    if (dueDates.every((date) => date <= lastAdvance)) continue;
    const schedule = amortizeOver({ ...input, dueDates });
    if (schedule.unamortizedCents === 0) return schedule;
  }
  const schedule = amortizeOver(input);
  if (schedule.unamortizedCents === 0) return schedule;
  throw new AmortizationError('paymentDoesNotCoverInterest', 'the payment does not bring the balance to zero');
}

function amortizeOver(input: AmortizationInput): Schedule {
  const planned = planRows(input);
  const usable = rowsUntil(input, planned);
  const advances = laterAdvances(input, usable);
  const rows: ScheduleRow[] = [];
  const levels: LevelPayment[] = [];
  let open = openingBalance(input);
  let from = input.start;
  for (let next = 0; next <= advances.length; next += 1) {
    const advance = advances[next];
    const stage = stageOf(input, { open, from, until: advance?.date ?? null, planned, usable });
    const result = runStage(input, stage);
    rows.push(...result.rows);
    if (result.level !== null && result.rows.length > 0) levels.push(result.level);
    if (advance === undefined) {
      open = result.open;
    } else {
      open = withAdvance(input, result, stage, from, advance);
      from = advance.date;
    }
  }
  return finish(input, rows, levels, open);
}

function openingBalance(input: AmortizationInput): OpenBalance {
  const early = (input.advances ?? []).filter((advance) => advance.date <= input.start);
  const cap = input.totalInterestCapCents ?? null;
  return {
    principalCents: centsOfTotal(early.reduce((total, advance) => total + advance.amountCents, input.principalCents as number)),
    interest: input.openingInterest ?? ACCRUED_ZERO,
    interestRoom: input.interestRoom ?? (cap === null ? null : accruedOfCents(cap)),
    prepaid: input.prepaid ?? NOTHING_PREPAID,
  };
}

function laterAdvances(input: AmortizationInput, rows: readonly PlannedRow[]): readonly Advance[] {
  const last = rows.at(-1);
  assert(last !== undefined, 'a planned schedule has a row');
  const advances = (input.advances ?? []).filter((advance) => advance.date > input.start);
  if (advances.some((advance) => advance.date >= last.date)) {
    throw new AmortizationError('advanceAfterLastDueDate', 'an advance needs a due date after it');
  }
  return [...advances].sort((a, b) => a.date - b.date);
}

function finish(input: AmortizationInput, booked: readonly ScheduleRow[], levels: readonly LevelPayment[], open: OpenBalance): Schedule {
  const { rows, separateFeeCents } = addFees(booked, input.fees ?? null);
  let principal = 0;
  let interest = 0;
  let beforeDiscount = 0;
  let rowFees = 0;
  let amount = 0;
  for (const row of rows) {
    principal += row.principalCents;
    interest += row.interestCents;
    beforeDiscount += row.interestBeforeDiscountCents;
    rowFees += row.feeCents;
    amount += row.amountCents;
  }
  return {
    rows,
    levels,
    endDate: rows.at(-1)?.date ?? input.start,
    totalPrincipalCents: centsOfTotal(principal),
    totalInterestCents: centsOfTotal(interest),
    totalDiscountCents: centsOfTotal(beforeDiscount - interest),
    totalFeesCents: centsOfTotal(rowFees + separateFeeCents),
    totalAmountCents: centsOfTotal(amount),
    separateFeeCents,
    unamortizedCents: open.principalCents,
  };
}

function centsOfTotal(total: number): Cents {
  if (!Number.isSafeInteger(total)) throw new AmortizationError('amountTooLarge', 'the amounts of a schedule are too large');
  return cents(total);
}
