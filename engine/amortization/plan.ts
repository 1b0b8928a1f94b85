import type { Day } from '../calendar/index.js';
import { accruedOfCents, addAccrued } from '../money/index.js';
import { compoundAccrual, compoundGrowth, type Growth, simpleGrowth } from '../rates/index.js';
import { AmortizationError } from './errors.js';
import type { OpenBalance } from './level.js';
import type { AmortizationInput, RowTerm } from './types.js';

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
