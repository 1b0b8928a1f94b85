import { assert } from '../assert.js';
import type { Day } from '../calendar/index.js';
import {
  type Accrued,
  ACCRUED_ZERO,
  accruedOfCents,
  addAccrued,
  type Cents,
  cents,
  ZERO,
} from '../money/index.js';
import { simpleGrowth } from '../rates/index.js';
import { AmortizationError } from './errors.js';
import { addFees } from './fees.js';
import { type OpenBalance, roundLevel, searchLevel, solveLevel } from './level.js';
import { planFrom, type PlannedRow, planRows, rowsUntil } from './plan.js';
import { bookRow, earnedBy } from './rows.js';
import {
  type Advance,
  type AmortizationInput,
  CONTRACT_ROUNDING,
  type LevelPayment,
  type Schedule,
  type ScheduleRow,
} from './types.js';

/** The days from one advance to the next: what is owed at its start, and the rows that fall due in it. */
interface Stage {
  readonly open: OpenBalance;
  /** Rows up to the next advance. */
  readonly rows: readonly PlannedRow[];
  /** Rows up to the last due date, over which the level is spread. */
  readonly allRows: readonly PlannedRow[];
  /** The last of `rows` takes what is left. */
  readonly closes: boolean;
}

interface StageResult {
  readonly rows: readonly ScheduleRow[];
  readonly open: OpenBalance;
  readonly level: LevelPayment | null;
  readonly hasShortfall: boolean;
}

/**
 * The schedule of a loan from its first night (servicing-behaviour 3.5). Each advance opens a stage: rows due up to its
 * day keep their amounts, the rows after it are amortized again over the same dates.
 *
 * @throws AmortizationError when no schedule fits the terms.
 */
export function amortize(input: AmortizationInput): Schedule {
  const planned = planRows(input);
  const usable = rowsUntil(input, planned);
  const advances = laterAdvances(input, usable);
  const rows: ScheduleRow[] = [];
  const levels: LevelPayment[] = [];
  let open = openingBalance(input);
  let from = input.start;
  for (let next = 0; next <= advances.length; next += 1) {
    const until = advances[next]?.date ?? null;
    const result = runStage(input, stageOf(input, { open, from, until, planned, usable }));
    rows.push(...result.rows);
    if (result.level !== null) levels.push(result.level);
    open = result.open;
    const advance = advances[next];
    if (advance === undefined) break;
    open = withAdvance(input, open, rowStart(usable, from, advance.date), advance);
    from = advance.date;
  }
  return finish(input, rows, levels, open);
}

interface StageBounds {
  readonly open: OpenBalance;
  readonly from: Day;
  readonly until: Day | null;
  readonly planned: readonly PlannedRow[];
  readonly usable: readonly PlannedRow[];
}

function stageOf(input: AmortizationInput, bounds: StageBounds): Stage {
  const { from, until } = bounds;
  const isAfterStart = (row: PlannedRow): boolean => row.date > from || from === input.start;
  const cut = (rows: readonly PlannedRow[]): readonly PlannedRow[] =>
    rows.filter(isAfterStart).map((row) => (row.from < from ? planFrom(input, row, from) : row));
  const rows = cut(bounds.usable).filter((row) => until === null || row.date <= until);
  return { open: bounds.open, rows, allRows: cut(bounds.planned), closes: until === null && closesAtEnd(input, bounds) };
}

/** Forced rows at the end keep their amount; an open-ended payment ends by itself. An enforced end date always closes. */
function closesAtEnd(input: AmortizationInput, { usable, planned }: StageBounds): boolean {
  if (input.enforcedEndDate !== undefined && input.enforcedEndDate !== null && usable.at(-1) !== planned.at(-1)) return true;
  return input.payment.type !== 'openEnded' && usable.at(-1)?.term.type !== 'forced';
}

function runStage(input: AmortizationInput, stage: Stage): StageResult {
  if (input.payment.type !== 'level') return bookStage(input, stage, null, input.payment.amountCents);
  const rounding = input.rounding ?? CONTRACT_ROUNDING;
  const solvedRows = input.lastPayment === 'extraPayment' ? stage.allRows.slice(0, -1) : stage.allRows;
  const first = solvedRows.find((row) => row.term.type === 'level');
  if (first === undefined) return bookStage(input, stage, null, ZERO);
  const solve = (unrounded: Accrued): StageResult => {
    const amountCents = roundLevel(unrounded, rounding);
    return bookStage(input, stage, { from: first.date, amountCents, unrounded }, amountCents);
  };
  const linear = solveLevel(stage.open, solvedRows);
  const result = solve(linear);
  const isLinear = !result.hasShortfall && (result.open.interestRoom === null || result.open.interestRoom > 0n);
  return isLinear ? result : solve(searchLevel(stage.open, solvedRows, linear));
}

function bookStage(input: AmortizationInput, stage: Stage, level: LevelPayment | null, levelCents: Cents): StageResult {
  const interestRounding = (input.rounding ?? CONTRACT_ROUNDING).interest;
  const rows: ScheduleRow[] = [];
  let open = stage.open;
  let hasShortfall = false;
  stage.rows.forEach((planned, position) => {
    if (open.principalCents === 0 && open.interest === 0n) return;
    const isClosing = stage.closes && position === stage.rows.length - 1;
    const booked = bookRow(open, planned, { levelCents, interestRounding, isClosing });
    rows.push(booked.row);
    open = booked.open;
    hasShortfall ||= booked.hasShortfall;
  });
  return { rows, open, level, hasShortfall };
}

function openingBalance(input: AmortizationInput): OpenBalance {
  const early = (input.advances ?? []).filter((advance) => advance.date <= input.start);
  const principalCents = early.reduce((total, advance) => cents(total + advance.amountCents), input.principalCents);
  const cap = input.totalInterestCapCents ?? null;
  return {
    principalCents,
    interest: input.openingInterest ?? ACCRUED_ZERO,
    interestRoom: cap === null ? null : accruedOfCents(cap),
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

/** The day from which interest has accrued at an advance: the due date or the advance before it. */
function rowStart(rows: readonly PlannedRow[], stageStart: Day, date: Day): Day {
  let start = stageStart;
  for (const row of rows) {
    if (row.date <= date && row.date > start) start = row.date;
  }
  return start;
}

function withAdvance(input: AmortizationInput, open: OpenBalance, from: Day, advance: Advance): OpenBalance {
  const earned = earnedBy(open, simpleGrowth(input.rates, input.dayCount, from, advance.date).net);
  return {
    principalCents: cents(open.principalCents + advance.amountCents),
    interest: addAccrued(open.interest, earned),
    interestRoom: open.interestRoom === null ? null : ((open.interestRoom - earned) as Accrued),
  };
}

function finish(
  input: AmortizationInput,
  booked: readonly ScheduleRow[],
  levels: readonly LevelPayment[],
  open: OpenBalance,
): Schedule {
  if (input.payment.type === 'openEnded' && open.principalCents > 0 && (input.enforcedEndDate ?? null) === null) {
    throw new AmortizationError('paymentDoesNotCoverInterest', 'the payment does not bring the balance to zero');
  }
  const { rows, separateFeeCents } = addFees(booked, input.fees ?? null);
  const total = (amount: (row: ScheduleRow) => number): Cents => cents(rows.reduce((so, row) => so + amount(row), 0));
  return {
    rows,
    levels,
    endDate: rows.at(-1)?.date ?? input.start,
    totalPrincipalCents: total((row) => row.principalCents),
    totalInterestCents: total((row) => row.interestCents),
    totalDiscountCents: total((row) => row.interestBeforeDiscountCents - row.interestCents),
    totalFeesCents: cents(total((row) => row.feeCents) + separateFeeCents),
    totalAmountCents: total((row) => row.amountCents),
    separateFeeCents,
    unamortizedCents: open.principalCents,
  };
}
