import type { Day } from '../calendar/index.js';
import { type Accrued, addAccrued, cents, subtractAccrued, ZERO } from '../money/index.js';
import {
  interestOfRow,
  interestOn,
  meetsCap,
  type OpenBalance,
  planFrom,
  type PlannedRow,
  roundLevel,
  searchLevel,
  solveLevel,
} from './level.js';
import { isNothingPrepaid } from './prepaid.js';
import { computeRow, type RowOrder, withinCap } from './rows.js';
import {
  type Advance,
  type AmortizationInput,
  CONTRACT_ROUNDING,
  type LastPaymentLogic,
  type LevelPayment,
  type ScheduleRow,
} from './types.js';

/**
 * The days from one advance to the next. Each stage has its own level, spread over all rows to the end. The stage
 * keeps the rows up to the next advance:
 *
 *     advance                advance
 *       |--- row --- row ------|--- row --- row --- row     allRows of the first stage: five
 *       `--- rows -------------'                            its rows: two
 */
export interface Stage {
  readonly open: OpenBalance;
  readonly rows: readonly PlannedRow[];
  readonly allRows: readonly PlannedRow[];
  /** The last of `rows` takes what is left. */
  readonly closes: boolean;
}

export interface StageBounds {
  readonly open: OpenBalance;
  readonly from: Day;
  /** The day of the next advance; rows due on it still belong to this stage. */
  readonly until: Day | null;
  /** All rows of the terms. */
  readonly planned: readonly PlannedRow[];
  /** Those that an enforced end date leaves. */
  readonly usable: readonly PlannedRow[];
}

export interface StageResult {
  readonly rows: readonly ScheduleRow[];
  readonly open: OpenBalance;
  readonly level: LevelPayment | null;
  /** A payment was below its interest. */
  readonly hasShortfall: boolean;
}

export function stageOf(input: AmortizationInput, bounds: StageBounds): Stage {
  const { from, until } = bounds;
  const rows = rowsFrom(input, bounds.usable, from).filter((row) => until === null || row.date <= until);
  const allRows = rowsFrom(input, bounds.planned, from);
  return { open: bounds.open, rows, allRows, closes: until === null && closesAtEnd(input, bounds) };
}

/** The rows after an advance; the first of them has earned on the old balance before it. */
function rowsFrom(input: AmortizationInput, rows: readonly PlannedRow[], from: Day): readonly PlannedRow[] {
  if (from === input.start) return rows;
  return rows.filter((row) => row.date > from).map((row) => (row.from < from ? planFrom(input, row, from) : row));
}

/** Forced rows at the end keep their amount; an open-ended payment ends by itself. An enforced end date always closes. */
function closesAtEnd(input: AmortizationInput, { usable, planned }: StageBounds): boolean {
  if ((input.enforcedEndDate ?? null) !== null && usable.at(-1) !== planned.at(-1)) return true;
  return input.payment.type !== 'openEnded' && usable.at(-1)?.term.type !== 'forced';
}

export function runStage(input: AmortizationInput, stage: Stage): StageResult {
  if (input.payment.type !== 'level') return computeStage(input, stage, null, input.payment.amountCents);
  const rounding = input.rounding ?? CONTRACT_ROUNDING;
  const solvedRows = input.lastPayment === 'extraPayment' ? stage.allRows.slice(0, -1) : stage.allRows;
  const first = solvedRows.find((row) => row.term.type === 'level');
  if (first === undefined) return computeStage(input, stage, null, ZERO);
  const solve = (unrounded: Accrued): StageResult => {
    const amountCents = roundLevel(unrounded, rounding);
    return computeStage(input, stage, { from: first.date, amountCents, unrounded }, amountCents);
  };
  const method = input.accrualMethod ?? 'simple';
  if (!isNothingPrepaid(stage.open.prepaid)) return solve(searchLevel(stage.open, solvedRows, method));
  const linear = solveLevel(stage.open, solvedRows, method);
  const result = solve(linear);
  if (linear === 0n) return result;
  const isCapped = isCapReached(result) || (input.isCapOfRoundedLevel !== true && meetsCap(stage.open, solvedRows, method, linear));
  return result.hasShortfall || isCapped ? solve(searchLevel(stage.open, solvedRows, method)) : result;
}

const isCapReached = ({ open: { interestRoom } }: StageResult): boolean => interestRoom !== null && interestRoom <= 0n;

const CLOSING: Readonly<Record<LastPaymentLogic, NonNullable<RowOrder['closing']>>> = {
  absorbRounding: 'paysAll',
  extraPayment: 'paysAll',
  keepLevel: 'staysLevel',
  interestAbsorbs: 'interestAbsorbs',
};

function computeStage(input: AmortizationInput, stage: Stage, level: LevelPayment | null, levelCents: number): StageResult {
  const interestRounding = (input.rounding ?? CONTRACT_ROUNDING).interest;
  const rows: ScheduleRow[] = [];
  let { open } = stage;
  let hasShortfall = false;
  stage.rows.forEach((planned, position) => {
    if (open.principalCents === 0 && open.interest === 0n) return;
    const computed = computeRow(open, planned, {
      levelCents: cents(levelCents),
      interestRounding,
      closing: stage.closes && position === stage.rows.length - 1 ? CLOSING[input.lastPayment ?? 'absorbRounding'] : null,
      earned: interestOfRow(input, open, planned),
    });
    rows.push(computed.row);
    open = computed.open;
    hasShortfall ||= computed.hasShortfall;
  });
  return { rows, open, level, hasShortfall };
}

/** The balance at the end of an advance's day: what was earned since the last row or advance is kept as unpaid interest. */
export function withAdvance(input: AmortizationInput, before: StageResult, stage: Stage, stageFrom: Day, advance: Advance): OpenBalance {
  const { open } = before;
  const from = stage.rows.at(-1)?.date ?? stageFrom;
  const earned = withinCap(open, interestOn(input, open, from, advance.date).net);
  return {
    principalCents: cents(open.principalCents + advance.amountCents),
    interest: addAccrued(open.interest, earned),
    interestRoom: open.interestRoom === null ? null : subtractAccrued(open.interestRoom, earned),
    prepaid: open.prepaid,
  };
}
