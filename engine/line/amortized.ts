import type { DrawState, LinePeriod, LineState } from './state.js';

/** Purchases of a period that are paid off together get their rows with its statement (servicing-behaviour 10.2). */
export function amortizeBought(_state: LineState, _draw: DrawState, _period: LinePeriod): void {}

/** Rows that have fallen due. */
export function dropRows(draw: DrawState, { dueDate }: LinePeriod): void {
  if (draw.rows.length > 0) draw.rows = draw.rows.filter((row) => row.dueDate > dueDate);
}
