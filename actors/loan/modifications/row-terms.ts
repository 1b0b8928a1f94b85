import type { OpenRow, RowTerm } from '../../../engine/index.js';

/** What a row stays when its date moves. */
export function keptTerm(row: OpenRow): RowTerm {
  if (row.isDeferred === true) return { type: 'skipped' };
  if (row.isInterestOnly === true) return { type: 'interestOnly' };
  return row.isForced ? { type: 'forced', amountCents: row.amountCents } : { type: 'level' };
}
