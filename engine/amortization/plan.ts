import { assert } from '../assert.js';
import type { Day } from '../calendar/index.js';
import { type Growth, simpleGrowth } from '../rates/index.js';
import { AmortizationError } from './errors.js';
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
    assert(date >= from, 'due dates ascend from the start of the schedule');
    const term = input.rowTerms?.[position] ?? LEVEL;
    const row = { from, date, growth: simpleGrowth(input.rates, input.dayCount, from, date), term };
    from = date;
    return row;
  });
}

/** The same row with its nights from `from` on only. */
export function planFrom(input: AmortizationInput, row: PlannedRow, from: Day): PlannedRow {
  return from === row.from ? row : { ...row, from, growth: simpleGrowth(input.rates, input.dayCount, from, row.date) };
}

/**
 * How many of the rows may be used: those up to the enforced end date. When even the first due date lies after it, that
 * row is due on the end date itself.
 */
export function rowsUntil(input: AmortizationInput, rows: readonly PlannedRow[]): readonly PlannedRow[] {
  const end = input.enforcedEndDate ?? null;
  if (end === null) return rows;
  const used = rows.filter((row) => row.date <= end);
  const [first] = rows;
  if (used.length > 0 || first === undefined) return used;
  return [{ ...first, date: end, growth: simpleGrowth(input.rates, input.dayCount, first.from, end) }];
}
